/// @file tensorize: kernels that an instruction of the device can do get the scratch memory which it works in.
///
/// Before: call_dps(%a, %b, %c) {kernel = @matmul}
/// After:  %t = alloc : buffer<8x8xf32, scratchpad>; call_dps(%a, %b, %c, %t) {kernel = @matmul}
/// The kernel's loops stay, as what the instruction means; its last arguments are the scratch memory. So every pass and
/// the interpreter go on as before, `plan_memory` finds places in the scratchpad, and whoever selects instructions
/// knows the
/// kernel by those arguments. A rule says what it matches, and what it needs:
///
///     struct matrix_unit {
///       static constexpr fixed_string name = "matrix_unit";
///       static bool matches(const ir::module&, function_id kernel);
///       static std::vector<ir::type> scratch(const ir::module&, function_id kernel);   // buffers of one memory space
///     };
/// Cost: O(ops).
// No text names it: its rule is a type of whoever has such a device.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/loops_scheduled.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/targets/capability.hpp>

namespace tenon::passes {

/// A rule, erased.
struct tensorize_rule {
  bool (*matches)(const ir::module&, function_id);
  std::vector<ir::type> (*scratch)(const ir::module&, function_id);
};
void apply_rule(ir::module& m, const tensorize_rule& rule);

template <class Rule>
struct tensorize {
  static constexpr fixed_string name = "tensorize";
  using runs_in = phases::lowering;
  using needs = facts<>;
  using keeps = facts<fact::loops_scheduled>;
  using emits = ops<op::alloc, op::call_dps>;
  static constexpr bool changes_functions = true;  // kernels take scratch memory, too
  using needs_of_device = typename with_needs_of<capabilities<capability::scratchpad>, Rule>::type;

  void run(ir_module<runs_in>& m, context&) const { apply_rule(m.body(), {&Rule::matches, &Rule::scratch}); }
};

}  // namespace tenon::passes
