/// @file load.cpp: built modules as programs, in memory and in files.
#include <optional>
#include <set>

#include <tenon/compile/codegen/apart.hpp>
#include <tenon/compile/external/native_calls.hpp>
#include <tenon/core/entry_symbol.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/runtime/loaded_code.hpp>
#include <tenon/runtime/processor.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/targets/program_parts.hpp>

namespace tenon {
namespace {

codegen::object_code object_of(const ir::module& m) {
  for (const ir::artifact& a : m.artifacts())
    if (a.format == "elf_object") {
      codegen::object_code o;
      o.bytes = a.bytes;
      o.entry = a.symbol;
      o.cpu = a.target;
      return o;
    }
  throw error("program.no_code", "the module holds no object code", {}, "build it for targets::cpu");
}

program::parts parts_of(const ir::module& m) {
  program::parts p = detail::parts_of_entries(m, detail::entry_parts);
  // The entries read constants by number; only those that they refer to are kept alive.
  p.constants.resize(m.constant_count());
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    if (const auto* c = m.view(op).get_if<op::constant_buffer>()) p.constants[c->value.index] = m[c->value].value;
  });
  return p;
}

}  // namespace

namespace {
/// Those options of a constraint that single kernels may have: `cpu::function_options`.
passes::kernel_options constrained(const passes::kernel_options& program, std::string_view constraint) {
  passes::kernel_options k = program;
  const target_spec said = parse_target(constraint);
  const targets::cpu t = target_from<targets::cpu>(said);
  for (const target_option& o : said.options) {
    if (o.name == "threads" && t.threads > 0) k.threads = static_cast<int>(t.threads);
    if (o.name == "precision") k.precision = t.precision;
    if (o.name == "winograd") k.winograd = t.winograd == targets::winograd::on;
    if (o.name == "check_bounds") k.check_bounds = t.check_bounds;
  }
  return k;
}
}  // namespace

void targets::cpu::configure(context& cx) const {
  if (optimize < 0 || optimize > 3 || threads < 0 || threads > 4096)
    throw usage_error("target.value",
                      "option '" + std::string(optimize < 0 || optimize > 3 ? "optimize" : "threads") +
                          "' of target 'cpu' is out of range",
                      {}, "optimize is 0 to 3, threads 0 to 4096");
  codegen::options o;
  o.triple = triple, o.cpu = arch, o.features = features, o.optimize = static_cast<int>(optimize);
  o.strict = precision == precision::strict;
  o.flush_denormals = denormals == denormals::flush && !o.strict;
  passes::kernel_options k;
  const codegen::vector_unit unit = codegen::vector_unit_of(triple, arch, features);
  k.vector_bytes = unit.bytes, k.registers = unit.registers;
  k.threads = threads > 0 ? static_cast<int>(threads) : thread_count();
  k.check_bounds = check_bounds;
  k.precision = precision;
  k.winograd = winograd == winograd::on;
  k.constrained = &constrained;
  k.borders_in_kernels = true;
  k.products_together = unit.dot4 ? 4 : 2;
  cx.set(k);
  cx.set(std::move(o));
  if (!cx.target) cx.target = spec_of(*this);
}

targets::cpu targets::cpu::host() {
  cpu c;
  c.triple = codegen::host_triple(), c.arch = codegen::host_cpu(), c.features = codegen::host_features();
  return c;
}

std::unique_ptr<executable> targets::native_runtime::load(const ir::module& built) {
  return executable_of(tenon::load(built));
}

jit_program jit(const ir::module& built) { return jit(built, {}); }

jit_program jit(const ir::module& built, std::span<const external_format> formats) {
  const codegen::object_code object = object_of(built);
  require_processor(object.cpu, {});
  program::parts p = parts_of(built);
  native_calls external = bind_native_calls(built, formats);
  // As a program file's code is loaded where no LLVM is here, or where profilers and debuggers are to find it.
  if (codegen::makes_code_apart() || perf_map_asked()) {
    const loaded_code code(codegen::link_shared(object), object.entry);
    enter_loaded(p, code, object.entry);
  } else {
    auto code = std::make_shared<codegen::jit_code>(object);
    p.entry = reinterpret_cast<tenon_entry>(code->entry());
    for (size_t i = 0; i < p.more.size(); ++i)
      p.more[i].entry = reinterpret_cast<tenon_entry>(code->find(symbol_of_entry(object.entry, i + 1)));
    p.code = std::move(code);
  }
  p.target = object.cpu;
  p.code_bytes = static_cast<i64>(object.bytes.size());
  p.external = std::move(external.table);
  p.code = std::make_shared<const std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
      std::move(p.code), std::move(external.code));
  return jit_program(program(std::move(p)));
}
program load(const ir::module& built) { return jit(built); }
program load(const ir::module& built, std::span<const external_format> formats) { return jit(built, formats); }

std::string targets::native_runtime::program_file(const ir::module& built) { return tenon::program_file(built); }

void targets::native_runtime::save_program(const std::string& path, const ir::module& built) { save(path, built); }

namespace {
/// f(parts, linked code, its entry)
template <class F>
auto with_linked(const ir::module& built, F&& f) {
  const codegen::object_code object = object_of(built);
  program::parts p = parts_of(built);
  p.target = object.cpu;
  return f(p, codegen::link_shared(object, interface_of(p, object.entry)), object.entry);
}
/// Code that calls artifacts: the module goes to the file, with the formats of what it calls, and the target that it
/// was built for loads it.
std::optional<std::string> file_for_target(const ir::module& built) {
  std::set<std::string> formats;
  for (op_id call : ir::artifact_calls(built)) formats.insert(ir::called_artifact(built, call)->format);
  if (formats.empty()) return std::nullopt;
  static_cast<void>(ir::single_entry(built));
  const std::string& target = built.build.target;
  bundle b{"module", target, built.build.fingerprint, built, std::string(std::string_view(phases::built::name)), {}};
  for (const std::string& format : formats) b.parts.push_back({format, "needed", target, {}, {}, nullptr});
  return serialize(b);
}
}  // namespace

std::string program_file(const ir::module& built) {
  if (auto file = file_for_target(built)) return *std::move(file);
  return with_linked(built, [](const auto&... all) { return program_bytes(all...); });
}
void save(const std::string& path, const ir::module& built) {
  if (const auto file = file_for_target(built)) return write_atomically(path, *file);
  with_linked(built, [&](const auto&... all) { save_program(path, all...); });
}

}  // namespace tenon
