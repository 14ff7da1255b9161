/// @file program.ipp: definitions of runtime/program.hpp.
///
/// File: a frame (core/framed_file.hpp) whose table holds names, ports and sizes, and whose sections are the code and
/// the constants, served in place by the mapped file.
#pragma once

#include <cstdio>
#include <mutex>

#include <tenon/core/byte_stream.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/runtime/loaded_code.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/runtime/threads.hpp>

namespace tenon {

struct program::state {
  parts p;
  std::vector<const void*> constants;
  mutable std::mutex mutex;
  mutable std::vector<tensor> arenas;  ///< free ones
};

TENON_INLINE const program::parts& program::description() const { return state_->p; }

TENON_INLINE program::program(parts p) : state_(std::make_shared<state>()) {
  state_->p = std::move(p);
  for (const tensor& c : state_->p.constants) state_->constants.push_back(std::as_const(c).data());
}

TENON_INLINE program::entry_point program::operator[](std::string_view name) const {
  if (name != state_->p.name)
    throw error("program.entry", "the program has no entry '" + std::string(name) + "'", {}, "it has '" + state_->p.name + "'");
  return entry_point(*this);
}

TENON_INLINE std::vector<tensor> program::run(std::span<const tensor> inputs, int threads) const {
  std::vector<tensor> outputs;
  for (const port& o : state_->p.outputs) outputs.emplace_back(o.type, o.shape);
  run_into(inputs, outputs, threads);
  return outputs;
}

TENON_INLINE void program::run_into(std::span<const tensor> inputs, std::span<tensor> outputs, int threads) const {
  const state& s = *state_;
  auto check = [](std::span<const tensor> given, const std::vector<port>& ports, const char* what) {
    if (given.size() != ports.size())
      throw error("program.count", "the program has " + std::to_string(ports.size()) + " " + what + "s, and " + std::to_string(given.size()) + " were given");
    for (size_t i = 0; i < given.size(); ++i)
      if (given[i].type() != ports[i].type || given[i].shape() != ports[i].shape)
        throw error("program.type", std::string(what) + " '" + ports[i].name + "' is " + tensor(ports[i].type, ports[i].shape).describe() +
                                        ", and " + given[i].describe() + " was given", {}, "give a tensor of that type and shape, or compile for this one");
  };
  check(inputs, s.p.inputs, "input");
  check({outputs.data(), outputs.size()}, s.p.outputs, "output");
  std::vector<void*> in, out;
  for (const tensor& t : inputs) in.push_back(const_cast<void*>(t.data()));
  for (tensor& t : outputs) out.push_back(t.data());
  tensor arena;
  {
    const std::lock_guard lock(s.mutex);
    if (!s.arenas.empty()) {
      arena = std::move(s.arenas.back());
      s.arenas.pop_back();
    }
  }
  if (!arena.defined() || arena.bytes() < s.p.arena_bytes) arena = tensor(dtype::u8, {std::max<i64>(s.p.arena_bytes, 64)});
  const tenon_runtime runtime = make_runtime(threads);
  s.p.entry(in.data(), out.data(), arena.data(), s.constants.data(), &runtime);
  const std::lock_guard lock(s.mutex);
  s.arenas.push_back(std::move(arena));
}

namespace detail {

inline void write_ports(byte_writer& table, const std::vector<port>& list) {
  table.number(list.size());
  for (const port& p : list) {
    table.text(p.name), table.number(static_cast<u64>(p.type)), table.number(p.shape.size());
    for (i64 d : p.shape) table.number(static_cast<u64>(d));
  }
}
inline std::vector<port> read_ports(byte_reader& table) {
  std::vector<port> r(table.count("the number of ports"));
  for (port& p : r) {
    p.name = table.text();
    p.type = static_cast<dtype>(table.number(dtype_count - 1, "an element type"));
    p.shape.resize(table.number(64, "a rank"));
    for (i64& d : p.shape) d = static_cast<i64>(table.number(u64{1} << 40, "an extent"));
  }
  return r;
}

}  // namespace detail

TENON_INLINE void save_program(const std::string& path, const program::parts& parts, std::span<const char> shared_object,
                               std::string_view entry_symbol) {
  byte_writer table;
  table.text(parts.name), table.text(parts.target), table.text(parts.fingerprint), table.text(entry_symbol);
  table.number(static_cast<u64>(parts.arena_bytes));
  detail::write_ports(table, parts.inputs), detail::write_ports(table, parts.outputs);
  table.number(shared_object.size());
  table.number(parts.constants.size());
  u64 bytes = shared_object.size();
  for (const tensor& c : parts.constants) {
    table.number(static_cast<u64>(c.type())), table.number(c.shape().size());
    for (i64 d : c.shape()) table.number(static_cast<u64>(d));
    bytes += static_cast<u64>(c.bytes()) + file_alignment;
  }
  frame_writer file(std::move(table.bytes), bytes);
  file.section(shared_object.data(), shared_object.size());
  for (const tensor& c : parts.constants) file.section(c.data(), static_cast<u64>(c.bytes()));
  write_atomically(path, std::move(file).finish(program_file_kind));
}

TENON_INLINE bool is_program_file(const std::string& path) {
  std::FILE* f = std::fopen(path.c_str(), "rb");
  if (f == nullptr) return false;
  char magic[8] = {};
  const size_t n = std::fread(magic, 1, sizeof magic, f);
  std::fclose(f);
  return has_magic({magic, n}, program_file_kind);
}

TENON_INLINE program_contents read_program(const std::string& path) {
  const auto file = std::make_shared<const mapped_file>(path);
  const framed frame = open_frame(file->bytes(), program_file_kind, path);
  byte_reader table(frame.table, "program.file", path, program_file_kind.hint);
  program_contents read;
  read.file = file;
  program::parts& p = read.parts;
  p.name = table.text(), p.target = table.text(), p.fingerprint = table.text();
  read.symbol = table.text();
  p.arena_bytes = static_cast<i64>(table.number(u64{1} << 46, "the arena's size"));
  p.inputs = detail::read_ports(table), p.outputs = detail::read_ports(table);
  const u64 size = frame.body.size();
  u64 at = frame.table.size();
  auto section = [&](u64 n) {
    at = (at + file_alignment - 1) / file_alignment * file_alignment;
    if (at > size || n > size - at) table.fail("a section reaches beyond the end of the file");
    const char* s = frame.body.data() + at;
    at += n;
    return s;
  };
  p.code_bytes = static_cast<i64>(table.number(size, "the code's size"));
  read.code = {section(static_cast<u64>(p.code_bytes)), static_cast<size_t>(p.code_bytes)};
  const u64 constants = table.count("the number of constants");
  for (u64 i = 0; i < constants; ++i) {
    const dtype t = static_cast<dtype>(table.number(dtype_count - 1, "an element type"));
    std::vector<i64> shape(table.number(64, "a rank"));
    u64 bytes = static_cast<u64>(size_of(t));
    for (i64& d : shape) {
      d = static_cast<i64>(table.number(size, "an extent"));
      if (d != 0 && bytes > size / static_cast<u64>(d)) table.fail("a constant is larger than the file");
      bytes *= static_cast<u64>(d);
    }
    const char* elements = section(bytes);
    if (!are_elements(t, elements, bytes)) table.fail("a byte is no element of " + std::string(name_of(t)));
    p.constants.push_back(tensor::view(t, std::move(shape), elements, file));
  }
  if (table.left() != 0) table.fail("the table is longer than it should be");
  return read;
}

TENON_INLINE program program::open(const std::string& path) {
  program_contents read = read_program(path);
  const loaded_code loaded(read.code, read.symbol);
  read.parts.entry = loaded.entry(), read.parts.code = loaded.keep();
  return program(std::move(read.parts));
}

}  // namespace tenon
