/// @file bundle.ipp: definitions of targets/bundle.hpp.
///
/// File: a frame (core/framed_file.hpp) whose table names kind, target and parts; its sections are the module's file and
/// the parts' files.
#pragma once

#include <cstdio>

#include <tenon/binary/module_file.hpp>
#include <tenon/core/byte_stream.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/phases.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/host_program.hpp>

namespace tenon {
namespace detail {

class opened_program final : public executable {
 public:
  explicit opened_program(program p) : program_(std::move(p)) {}
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override { return program_.run(inputs, threads); }
  const program* native() const override { return &program_; }

 private:
  program program_;
};

inline std::unique_ptr<executable> load_host(bundle b) {
  std::vector<std::pair<function_id, const bundle::part*>> regions;
  for (const bundle::part& p : b.parts) {
    const function_id f = b.module.find_function(p.name);
    if (!f || b.module[f].target.empty()) throw error("bundle.part", "the module has no region '" + p.name + "'", {}, bundle_file_kind.hint);
    regions.emplace_back(f, &p);
  }
  auto host = std::make_unique<host_program>(std::move(b.module), nullptr);
  const ir::module& m = host->module();
  for (const auto& [f, p] : regions) {
    if (p->form == "none") {
      host->give(f, nullptr, p->note);
      continue;
    }
    const program code = open_program(program_of(*p));
    const auto& results = m[f].result_types;
    bool same = code.outputs().size() == results.size() && code.inputs().size() == m[m[f].body].arguments.size();
    for (size_t i = 0; same && i < results.size(); ++i) same = m[results[i]].elem == code.outputs()[i].type;
    if (!same) throw error("bundle.part", "the code of '" + p->name + "' takes and gives something else than the region", {}, bundle_file_kind.hint);
    host->give(f, &code);
  }
  return std::make_unique<hosted>(std::move(host));
}

}  // namespace detail

TENON_INLINE std::string serialize(const bundle& b) {
  const std::string module = serialize(b.module, b.phase);
  byte_writer table;
  table.text(b.kind), table.text(b.target), table.text(b.fingerprint), table.text(b.phase);
  table.number(module.size());
  table.number(b.parts.size());
  u64 bytes = module.size();
  for (const bundle::part& p : b.parts) {
    table.text(p.name), table.text(p.form), table.text(p.target), table.text(p.note), table.number(p.bytes.size());
    bytes += p.bytes.size() + file_alignment;
  }
  frame_writer file(std::move(table.bytes), bytes);
  file.section(module.data(), module.size());
  for (const bundle::part& p : b.parts) file.section(p.bytes.data(), p.bytes.size());
  return std::move(file).finish(bundle_file_kind);
}

TENON_INLINE bundle read_bundle(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& where) {
  const framed frame = open_frame(bytes, bundle_file_kind, where);
  byte_reader table(frame.table, "bundle.file", where, bundle_file_kind.hint);
  bundle b;
  b.kind = table.text(), b.target = table.text(), b.fingerprint = table.text(), b.phase = table.text();
  if (b.kind != "host" && b.kind != "linked") table.fail("a program of kind '" + b.kind + "', which there is not");
  const u64 size = frame.body.size(), module_bytes = table.number(size, "the module's size");
  std::vector<u64> sizes;
  b.parts.resize(table.count("the number of parts"));
  for (bundle::part& p : b.parts) {
    p.name = table.text(), p.form = table.text(), p.target = table.text(), p.note = table.text();
    if (p.form != "program" && p.form != "module" && p.form != "bundle" && p.form != "none") table.fail("a part of form '" + p.form + "', which there is not");
    for (const bundle::part& other : b.parts)
      if (&other != &p && other.name == p.name && !p.name.empty()) table.fail("two parts are called '" + p.name + "'");
    sizes.push_back(table.number(size, "a part's size"));
  }
  if (table.left() != 0) table.fail("the table is longer than it should be");
  u64 at = frame.table.size();
  const auto section = [&](u64 n) {
    at = (at + file_alignment - 1) / file_alignment * file_alignment;
    if (at > size || n > size - at) table.fail("a section reaches beyond the end of the file");
    const std::string_view s = frame.body.substr(at, n);
    at += n;
    return s;
  };
  b.module = deserialize(section(module_bytes), where, {b.phase, {}, owner});
  for (size_t i = 0; i < b.parts.size(); ++i) b.parts[i].bytes = section(sizes[i]), b.parts[i].owner = owner;
  size_t entries = 0;
  for (function_id f : b.module.functions()) entries += b.module[f].entry ? 1 : 0;
  if (entries != 1) table.fail("the module has " + std::to_string(entries) + " entry functions, not one");
  return b;
}

TENON_INLINE void save_bundle(const std::string& path, const bundle& b) { write_atomically(path, serialize(b)); }

TENON_INLINE bundle read_bundle(const std::string& path) {
  const auto file = std::make_shared<const mapped_file>(path);
  return read_bundle(file->bytes(), file, path);
}

TENON_INLINE bool is_bundle_file(const std::string& path) {
  std::FILE* f = std::fopen(path.c_str(), "rb");
  if (f == nullptr) return false;
  char magic[8] = {};
  const size_t n = std::fread(magic, 1, sizeof magic, f);
  std::fclose(f);
  return has_magic({magic, n}, bundle_file_kind);
}

TENON_INLINE std::string summary_of(const bundle& b) {
  size_t native = 0, evaluated = 0;
  for (const bundle::part& p : b.parts) ++(p.form == "none" ? evaluated : native);
  if (b.kind != "host") return std::to_string(b.parts.size()) + " parts";
  return "a host with " + std::to_string(native) + (native == 1 ? " native region" : " native regions") +
         (evaluated == 0 ? "" : ", " + std::to_string(evaluated) + (evaluated == 1 ? " that is evaluated" : " that are evaluated"));
}

TENON_INLINE program_contents program_of(const bundle::part& p) { return read_program(p.bytes, p.owner, "part '" + p.name + "'"); }

TENON_INLINE std::unique_ptr<executable> load(bundle b) {
  if (b.kind == "host") return detail::load_host(std::move(b));
  throw error("bundle.file", "a program of kind '" + b.kind + "', which there is not", {}, bundle_file_kind.hint);
}

TENON_INLINE std::unique_ptr<executable> executable_of(program p) { return std::make_unique<detail::opened_program>(std::move(p)); }

TENON_INLINE std::unique_ptr<executable> open_executable(const std::string& path) {
  return is_bundle_file(path) ? load(read_bundle(path)) : executable_of(program::open(path));
}

TENON_INLINE bundle host_bundle(ir::module split, std::string target, region_to_program make, const void* user) {
  bundle b{"host", target, {}, std::move(split), std::string(label(phases::optimization::name).data(), label(phases::optimization::name).length), {}};
  if (auto it = b.module.metadata.find("fingerprint"); it != b.module.metadata.end()) b.fingerprint = it->second;
  for (function_id f : b.module.functions()) {
    if (b.module[f].target.empty()) continue;
    bundle::part p;
    p.name = b.module[f].name, p.form = "none", p.target = target;
    try {
      const auto bytes = std::make_shared<const std::string>(make(b.module, f, user));
      p.form = "program", p.bytes = *bytes, p.owner = bytes;
    } catch (const error& e) {
      p.note = e.what();
    }
    b.parts.push_back(std::move(p));
  }
  return b;
}

}  // namespace tenon
