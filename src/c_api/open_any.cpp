// libtenon_compiler: every program file, and models.
#include <mutex>

#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/ir/entry_ports.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/targets/default_target.hpp>
#include <tenon/targets/opencl_session.hpp>
#include <tenon/targets/program_maker.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#endif
#if __has_include(<xsimd/xsimd.hpp>)
#  include <tenon/targets/xsimd_session.hpp>
#endif

#include "opened.hpp"

namespace tenon::c_api {
namespace {

void add_ports(tenon_program& p, const ir::module& m) {
  const auto add = [&](auto& list, const std::string& name, const ir::type& t) {
    std::vector<int64_t> shape;
    std::vector<std::string> symbols;
    for (ir::dim d : t.shape) {
      shape.push_back(d.is_static() ? d.extent() : -1);
      symbols.push_back(d.is_symbol() ? m.name(d.symbol()) : "");
    }
    add_port(list, name, t.elem, t.ranked, std::move(shape), std::move(symbols));
  };
  for (function_id f : m.functions()) {
    const ir::function& fn = m[f];
    if (!fn.entry || ir::variant_of(fn) != nullptr) continue;
    p.entries.push_back(fn.name);
    const std::vector<ir::type> inputs = ir::entry_inputs(m, f), outputs = ir::any_outputs(m, f);
    for (size_t i = 0; i < inputs.size(); ++i)
      add(p.inputs, i < fn.argument_names.size() ? fn.argument_names[i] : std::to_string(i), inputs[i]);
    for (size_t i = 0; i < outputs.size(); ++i)
      add(p.outputs, i < fn.result_names.size() ? fn.result_names[i] : std::to_string(i), outputs[i]);
  }
}

/// What the command line knows, too.
void register_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
#if TENON_HAS_LLVM
    targets::register_cpu_target();
#endif
    targets::register_c_source_target();
    targets::register_opencl_target();
#if __has_include(<xsimd/xsimd.hpp>)
    targets::register_xsimd_target();
#endif
  });
}

std::string compiled(const char* model, const char* target, const tenon_constraint* said = nullptr, size_t count = 0) {
  require(model != nullptr, "the model's path"), require(count == 0 || said != nullptr, "the array of constraints");
  register_targets();
  const target_spec to = parse_target(target == nullptr ? default_target : target);
  ir_module<phases::ingestion> m = importers::onnx::load(model);
  if (count == 0) return make_program(std::move(m), to);
  ir_module<phases::ingestion> e = std::move(m).edit();
  for (const tenon_constraint& c : std::span(said, count)) {
    require(c.name != nullptr, "the name of what is constrained"),
        require(c.target != nullptr, "a constraint's target");
    constrain_for(to, e.body(), c.name, c.target);
  }
  return make_program(std::move(e), to);
}

}  // namespace

std::unique_ptr<tenon_program> open_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                                          const std::string& where) {
  if (!has_magic(bytes, bundle_file_kind)) return opened(open_program(read_program(bytes, std::move(owner), where)));
  register_targets();
  bundle b = read_bundle(bytes, std::move(owner), where);
  auto p = std::make_unique<tenon_program>();
  p->target = b.target;
  add_ports(*p, b.module);
  p->code = load(std::move(b));
  return p;
}

}  // namespace tenon::c_api

using namespace tenon;
using namespace tenon::c_api;

extern "C" {

tenon_error* tenon_compile(const char* model, const char* target, const char* program_path) {
  return guarded([&] {
    if (program_path == nullptr) throw usage_error("usage", "the program's path is null", {}, "see tenon.h");
    write_atomically(program_path, compiled(model, target));
  });
}

tenon_error* tenon_compile_constrained(const char* model, const char* target, const tenon_constraint* constraints,
                                       size_t constraint_count, const char* program_path) {
  return guarded([&] {
    require(program_path != nullptr, "the program's path");
    write_atomically(program_path, compiled(model, target, constraints, constraint_count));
  });
}

tenon_error* tenon_compile_open(const char* model, const char* target, tenon_program** program) {
  return guarded([&] {
    if (program == nullptr) throw usage_error("usage", "the place of the program is null", {}, "see tenon.h");
    *program = nullptr;
    const auto bytes = std::make_shared<const std::string>(compiled(model, target));
    *program = open_bytes(*bytes, bytes, model).release();
  });
}

}  // extern "C"
