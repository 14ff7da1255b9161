/// @file run_external_codegen: each part that was cut out for a target becomes an artifact, and its call runs that.
///
/// Before: %2 = call(%x) {callee = @my_npu_0}         @my_npu_0 for "my_npu": { conv; maximum }
/// After:  %2 = call_external(%x) {symbol = "my_npu_0", format = "my_format"}         artifact "my_npu_0"
/// Leads back to `optimization`. Artifacts that are there already stay: two that define one symbol are an error.
/// Errors: "external.no_kernel", naming op, function and target; what the code generator throws. Cost: that of the
/// generator.
#pragma once

#include <tenon/ops/graph/call.hpp>  // its effects are asked for wherever a phase has it
#include <tenon/passes/partition_for.hpp>

namespace tenon::passes {

/// The part of `run_external_codegen` that knows no types.
void generate_external(ir::module& m, std::string_view target, std::string_view format,
                       std::vector<char> (*compile)(const external_function&, context&), context& cx);

template <class T>
  requires sound_external_target<T>
struct run_external_codegen {
  static constexpr auto name = fixed_string("run_external_codegen_") + T::name;
  using from = phases::partitioned;
  using to = extend<phases::optimization, op::call_external>;
  using needs = facts<fact::partitioned_for<T>>;
  using breaks = facts<fact::partitioned_for<T>>;
  using emits = ops<op::call_external>;
  using deletes = effects<>;  // what became code
  using leaves = side_effects;
  static constexpr bool removes_functions = true;  // … and its functions

  ir_module<to> run(ir_module<from>&& m, context& cx) const {
    using generator = typename T::external_code_generator;
    generate_external(
        m.body(), std::string_view(T::name), std::string_view(generator::format::name),
        [](const external_function& f, context& c) { return std::vector<char>(generator::compile(f, c)); }, cx);
    return ir_module<to>::adopt(std::move(m.body()));
  }
};

}  // namespace tenon::passes
