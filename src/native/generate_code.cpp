/// @file generate_code.cpp: definition of passes/generate_code.hpp.
#include <tenon/compile/codegen/progress.hpp>
#include <tenon/ir/bind_symbols.hpp>
#include <tenon/passes/generate_code.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon::passes {

ir_module<generate_code::to> generate_code::run(ir_module<from>&& module, context& cx) const {
  ir::module& m = module.body();
  codegen::options given = cx.get<codegen::options>();
  const auto options = cx.get<kernel_options>();
  given.check_bounds = given.check_bounds || ir::needs_checks(m, options.check_bounds);
  for (function_id f : m.functions()) {
    if (m[f].kind != ir::function_kind::kernel || m[f].target.find(':') == std::string::npos) continue;
    const kernel_options own = options.of(m[f].target);
    given.kernels[m[f].name] = {own.strict(), ir::needs_checks(m, own.check_bounds)};
    if (own.strict()) given.flush_denormals = false;  // which is the whole program's, and strict code keeps them
  }
  ir::require_places(m);
  ir::number_extents(m);
  const codegen::progress_reader* const reader = cx.find<codegen::progress_reader>();
  codegen::object_code o = codegen::emit_object(m, given, reader ? *reader : codegen::progress_reader{});
  // The target as it was said, with what was left open as it was found: the same text makes the same code elsewhere.
  target_spec made = cx.target.value_or(target_spec{{}, "cpu", {}, {}});
  const auto say = [&](const char* option, const std::string& value) {
    if (value.empty()) return;
    for (target_option& known : made.options)
      if (known.name == option) return void(known.value = value);
    made.options.push_back({option, value});
  };
  if (made.members.empty()) say("triple", o.triple), say("arch", o.cpu), say("features", o.features);
  m.add_artifact({"elf_object", to_text(made), o.entry, std::move(o.bytes), name.data()});
  return ir_module<to>::adopt(std::move(m));
}

}  // namespace tenon::passes
