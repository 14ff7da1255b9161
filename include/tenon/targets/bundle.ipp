/// @file bundle.ipp: definitions of targets/bundle.hpp.
///
/// File: a frame (core/framed_file.hpp) whose table names kind, target and parts; its sections are the module's file
/// and the parts' files.
#pragma once

#include <algorithm>
#include <cstdio>

#include <tenon/core/byte_stream.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/transplant.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/control.hpp>
#include <tenon/ops/graph/link.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/compilation_plan.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/host_program.hpp>

namespace tenon {
namespace detail {

/// What a program file's bytes are as a part: one piece of code, or a file of several parts again.
inline const char* form_of(std::string_view file) { return has_magic(file, bundle_file_kind) ? "bundle" : "program"; }

inline program region_program(const bundle::part& p) {
  if (p.form != "bundle") return open_program(program_of(p));
  const auto opened = load(read_bundle(p.bytes, p.owner, "part '" + p.name + "'"));
  if (opened->native() == nullptr)
    throw error("bundle.part", "the code of '" + p.name + "' is none that a host could call", {},
                bundle_file_kind.hint);
  return *opened->native();
}

inline std::unique_ptr<executable> load_host(bundle b) {
  std::vector<std::pair<function_id, const bundle::part*>> regions;
  for (const bundle::part& p : b.parts) {
    const function_id f = b.module.find_function(p.name);
    if (!f || b.module[f].target.empty())
      throw error("bundle.part", "the module has no region '" + p.name + "'", {}, bundle_file_kind.hint);
    regions.emplace_back(f, &p);
  }
  auto host = std::make_unique<host_program>(std::move(b.module), nullptr);
  const ir::module& m = host->module();
  for (const auto& [f, p] : regions) {
    if (p->form == "none") {
      host->give(f, nullptr, p->note);
      continue;
    }
    const program code = region_program(*p);
    const auto& results = m[f].result_types;
    bool same = code.outputs().size() == results.size() && code.inputs().size() == m[m[f].body].arguments.size();
    for (size_t i = 0; same && i < results.size(); ++i) same = m[results[i]].elem == code.outputs()[i].type;
    if (!same)
      throw error("bundle.part", "the code of '" + p->name + "' takes and gives something else than the region", {},
                  bundle_file_kind.hint);
    host->give(f, &code);
  }
  return std::make_unique<hosted>(std::move(host));
}

/// The parts of a bundle, each by its form.
class bundled_parts final : public part_loader {
 public:
  explicit bundled_parts(const bundle& b) : bundle_(b) {}
  const bundle::part& find(const std::string& name) const {
    for (const bundle::part& p : bundle_.parts)
      if (p.name == name) return p;
    throw error("bundle.part", "the file holds no part '" + name + "'", {}, bundle_file_kind.hint);
  }
  std::unique_ptr<executable> load(const std::string& name, const linked_member& member) const override {
    const bundle::part& p = find(name);
    if (p.form == "program" || p.form == "bundle") return load_file(p);
    if (p.form == "module") return member.entry->load(read_part(p.bytes, name, member));
    throw error("bundle.part", "part '" + name + "' has no code", {}, bundle_file_kind.hint);
  }
  /// A part that is a program file.
  static std::unique_ptr<executable> load_file(const bundle::part& p) {
    if (p.form == "program") return executable_of(open_program(program_of(p)));
    if (p.form == "bundle") return tenon::load(read_bundle(p.bytes, p.owner, "part '" + p.name + "'"));
    throw error("bundle.part", "part '" + p.name + "' is no program", {}, bundle_file_kind.hint);
  }

 private:
  const bundle& bundle_;
};

/// Runs the first of several that serves the inputs.
class alternatives final : public executable {
 public:
  explicit alternatives(const bundle& b) {
    for (const bundle::part& p : b.parts) each_.push_back(bundled_parts(b).load_file(p));
    if (each_.empty()) throw error("bundle.part", "the file holds no alternative", {}, bundle_file_kind.hint);
  }
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override {
    return serving(std::vector<value>(inputs.begin(), inputs.end())).run(inputs, threads);
  }
  std::vector<value> run_values(std::span<const value> inputs, int threads) const override {
    return serving(inputs).run_values(inputs, threads);
  }
  std::optional<error> refusal(std::span<const value> inputs) const override {
    std::optional<error> first;
    std::string all;
    for (const auto& e : each_) {
      const std::optional<error> why = e->refusal(inputs);
      if (!why) return std::nullopt;
      all += (first ? "; or " : "") + why->message();
      if (!first) first = why;
    }
    return error(first->code(), all, first->where(), first->hint());
  }

 private:
  const executable& serving(std::span<const value> inputs) const {
    for (const auto& e : each_)
      if (!e->refusal(inputs)) return *e;
    throw *refusal(inputs);
  }
  std::vector<std::unique_ptr<executable>> each_;
};

/// Where a member runs what, by what the entry says.
template <class F>
void for_each_launch(const ir::module& linked, F&& f) {
  for (function_id fn : linked.functions())
    ir::for_each_op(linked, linked[fn].body, [&](op_id op) {
      if (const auto* l = linked.view(op).get_if<op::launch>()) f(*l);
    });
}

inline std::unique_ptr<executable> load_linked_bundle(const bundle& b) {
  const bundled_parts parts(b);
  std::vector<linked_member> members;
  for (const target_spec& spec : parse_target(b.target).members) {
    linked_member m{spec.label.empty() ? spec.name : spec.label, nullptr, spec};
    bool needed = false;
    for_each_launch(b.module, [&](const op::launch& l) {
      needed = needed || (l.on == m.label && parts.find(l.part).form == "module");
    });
    m.entry = lookup_entry(spec.name);
    if (needed && m.entry == nullptr) m.entry = &find_entry(spec.name);  // says that it is not there
    members.push_back(std::move(m));
  }
  if (members.empty()) throw error("bundle.file", "'" + b.target + "' has no members", {}, bundle_file_kind.hint);
  return load_linked(b.module, members, &parts);
}

}  // namespace detail

std::string serialize(const bundle& b) {
  const std::string module = serialize(b.module, b.phase);
  byte_writer table;
  table.text(b.kind), table.text(b.target), table.text(b.fingerprint), table.text(b.phase);
  table.number(module.size());
  table.number(b.parts.size());
  for (const bundle::part& p : b.parts)
    table.text(p.name), table.text(p.form), table.text(p.target), table.text(p.note), table.number(p.bytes.size());
  frame_writer file(std::move(table.bytes));
  file.section(module.data(), module.size());
  for (const bundle::part& p : b.parts) file.section(p.bytes.data(), p.bytes.size());
  return file.finish(bundle_file_kind);
}

bundle read_bundle(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& where) {
  const framed frame = open_frame(bytes, bundle_file_kind, where);
  byte_reader table(frame.table, "bundle.file", where, bundle_file_kind.hint);
  bundle b;
  b.kind = table.text(), b.target = table.text(), b.fingerprint = table.text(), b.phase = table.text();
  if (b.kind != "host" && b.kind != "linked" && b.kind != "module" && b.kind != "alternatives")
    table.fail("a program of kind '" + b.kind + "', which there is not");
  const u64 size = frame.body.size(), module_bytes = table.number(size, "the module's size");
  std::vector<u64> sizes;
  b.parts.resize(table.count("the number of parts"));
  for (bundle::part& p : b.parts) {
    p.name = table.text(), p.form = table.text(), p.target = table.text(), p.note = table.text();
    if (p.form != "program" && p.form != "module" && p.form != "bundle" && p.form != "none" && p.form != "needed")
      table.fail("a part of form '" + p.form + "', which there is not");
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
  std::vector<const ir::op_info*> ops;
  if (b.kind == "module") {
    const std::string name = parse_target(b.target).name;
    if (lookup_entry(name) == nullptr) {
      std::string calls;
      for (const bundle::part& p : b.parts) calls += (calls.empty() ? ", and calls code of " : ", ") + p.name;
      throw error(
          "bundle.target", "the program is run by target '" + name + "', which this process does not have" + calls,
          where,
          "open it where register_target<…>() made that target known; " + nearest_target(name, registered_targets()));
    }
    const target_entry& runs = find_entry(name);
    if (b.phase != std::string_view(runs.end->name))
      table.fail("target '" + b.target + "' runs no module in phase '" + b.phase + "'");
    ops = ops_on_the_way(runs);
  }
  b.module = deserialize(section(module_bytes), where, {b.phase, ops, owner});
  for (size_t i = 0; i < b.parts.size(); ++i) b.parts[i].bytes = section(sizes[i]), b.parts[i].owner = owner;
  size_t entries = 0;
  for (function_id f : b.module.functions()) entries += b.module[f].entry && !ir::variant_of(b.module[f]) ? 1 : 0;
  if (entries != 1) table.fail("the module has " + std::to_string(entries) + " entry functions, not one");
  return b;
}

void save_bundle(const std::string& path, const bundle& b) { write_atomically(path, serialize(b)); }

bundle read_bundle(const std::string& path) {
  const auto file = std::make_shared<const mapped_file>(path);
  return read_bundle(file->bytes(), file, path);
}

bool is_bundle_file(const std::string& path) { return is_file_of(path, bundle_file_kind); }

std::string summary_of(const bundle& b) {
  size_t native = 0, evaluated = 0;
  for (const bundle::part& p : b.parts) ++(p.form == "none" ? evaluated : native);
  if (b.kind == "module") return "a module that " + b.target + " runs";
  if (b.kind == "alternatives") return std::to_string(b.parts.size()) + " programs for different sizes";
  if (b.kind != "host")
    return std::to_string(b.parts.size()) + (b.parts.size() == 1 ? " part on " : " parts on ") + b.target;
  return "a host with " + std::to_string(native) + (native == 1 ? " native region" : " native regions") +
         (evaluated == 0
              ? ""
              : ", " + std::to_string(evaluated) + (evaluated == 1 ? " that is evaluated" : " that are evaluated"));
}

program_contents program_of(const bundle::part& p) { return read_program(p.bytes, p.owner, "part '" + p.name + "'"); }

std::unique_ptr<executable> load(bundle b) {
  if (b.kind == "module") return find_entry(parse_target(b.target).name).load(b.module);
  if (b.kind == "alternatives") return std::make_unique<detail::alternatives>(b);
  return b.kind == "host" ? detail::load_host(std::move(b)) : detail::load_linked_bundle(b);
}

std::unique_ptr<executable> open_executable(const std::string& path) {
  return is_bundle_file(path) ? load(read_bundle(path)) : executable_of(program::open(path));
}

bundle host_bundle(ir::module split, std::string target, region_to_program make, const void* user) {
  bundle b{"host",
           target,
           {},
           std::move(split),
           std::string(label(phases::optimization::name).data(), label(phases::optimization::name).length),
           {}};
  b.fingerprint = b.module.build.fingerprint;
  for (function_id f : b.module.functions()) {
    if (b.module[f].target.empty()) continue;
    bundle::part p;
    p.name = b.module[f].name, p.form = "none", p.target = target;
    region_file made = make(b.module, f, user);
    if (made.bytes.empty()) p.note = std::move(made.why);
    else {
      const auto bytes = std::make_shared<const std::string>(std::move(made.bytes));
      p.form = detail::form_of(*bytes), p.bytes = *bytes, p.owner = bytes;
    }
    b.parts.push_back(std::move(p));
  }
  return b;
}

bundle host_bundle(ir::module split, const target_spec& target, context& configured) {
  struct maker {
    const target_entry& target;
    context& whole;
    static region_file make(const ir::module& host, function_id region, const void* self) {
      const auto* m = static_cast<const maker*>(self);
      return make_region_file(host, region, m->target, m->whole);
    }
  };
  const maker m{find_entry(target.name), configured};
  return host_bundle(std::move(split), to_text(target), &maker::make, &m);
}

void check_makes_files(const target_spec& target) {
  for (const target_spec& member : target.members) check_makes_files(member);
  if (!target.members.empty()) return;
  const target_entry& e = find_entry(target.name);
  if (!e.saved)
    throw error("target.no_program",
                "target '" + target.name + "' makes no program files: what is of format '" + std::string(e.format) +
                    "' cannot be saved",
                {}, "keep the module, and finish it where it runs: compile_to, tenon build --stop-at");
}

bundle module_bundle(ir::module built, const target_spec& target) {
  check_makes_files(target);
  static_cast<void>(ir::single_entry(built));  // runtimes of modules run one
  bundle b{"module", to_text(target), {}, std::move(built), std::string(find_entry(target.name).end->name), {}};
  b.fingerprint = b.module.build.fingerprint;
  return b;
}

bundle linked_bundle(const ir::module& linked, const target_spec& composite) {
  check_makes_files(composite);
  bundle b{"linked",
           to_text(composite),
           {},
           {},
           std::string(label(phases::built::name).data(), label(phases::built::name).length),
           {}};
  const std::vector<linked_member> members = members_of(composite);
  // The entry alone: what it launches stands beside it.
  b.module.conditions = linked.conditions;
  b.module.build = linked.build;
  b.module.build.target = b.target;
  b.module.metadata = linked.metadata;
  b.fingerprint = linked.build.fingerprint;
  ir::transplanter copy(linked, b.module);
  for (function_id f : linked.functions())
    if (linked[f].entry) b.module[copy.copy_function(linked[f].name)].entry = true;
  detail::for_each_launch(linked, [&](const op::launch& l) {
    const auto member =
        std::find_if(members.begin(), members.end(), [&](const linked_member& m) { return m.label == l.on; });
    const ir::artifact* a = linked.artifacts().find(l.part);
    if (member == members.end() || a == nullptr)
      throw error("bundle.part", "the module holds no part '" + l.part + "' on '" + l.on + "'");
    const std::string_view bytes(a->bytes.data(), a->bytes.size());
    std::string program;  // what has machine code is linked; the rest stays what its target loads
    if (const auto make = member->entry->program_file) program = make(read_part(bytes, l.part, *member));
    const bool is_program = !program.empty();
    const auto kept = std::make_shared<const std::string>(is_program ? std::move(program) : std::string(bytes));
    b.parts.push_back({l.part, is_program ? detail::form_of(*kept) : "module", to_text(member->spec), {}, *kept, kept});
  });
  return b;
}

bundle alternatives_bundle(const ir::module& with_variants, const target_spec& target, std::vector<std::string> files) {
  bundle b{"alternatives",
           to_text(target),
           {},
           {},
           std::string(label(phases::optimization::name).data(), label(phases::optimization::name).length),
           {}};
  b.fingerprint = with_variants.build.fingerprint;
  const function_id from = ir::single_entry(with_variants);
  ir::transplanter copy(with_variants, b.module);
  std::vector<type_id> arguments, results;
  for (value_id a : with_variants[with_variants[from].body].arguments)
    arguments.push_back(copy.type(with_variants[a].type));
  for (ir::type t : ir::any_outputs(with_variants, from)) {
    if (t.is_tensor())
      for (ir::dim& d : t.shape)
        if (d.is_symbol()) d = ir::dim::symbol(b.module.symbol(with_variants.name(d.symbol())));
    results.push_back(t.is_tensor() ? b.module.intern(t) : copy.type(with_variants[from].result_types[results.size()]));
  }
  const ir::function& old = with_variants[from];
  const function_id f = b.module.add_function(old.name, ir::function_kind::graph, arguments);
  ir::function& entry = b.module[f];
  entry.entry = true, entry.argument_names = old.argument_names, entry.result_names = old.result_names;
  entry.result_types = results;
  const op::raise none{"an alternative runs in its place"};
  ir::inserter at(b.module, b.module[f].body, {});
  const op_id made = at.make_erased(ir::info_of<op::raise>, &none, {}, results, 0);
  const op::return_ end;
  at.make_erased(ir::info_of<op::return_>, &end, b.module.results(made), {}, 0);
  for (std::string& file : files) {
    const auto bytes = std::make_shared<const std::string>(std::move(file));
    b.parts.push_back(
        {old.name + "." + std::to_string(b.parts.size() + 1), detail::form_of(*bytes), b.target, {}, *bytes, bytes});
  }
  return b;
}

}  // namespace tenon
