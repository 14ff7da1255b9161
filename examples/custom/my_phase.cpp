// Write your own phase: which ops may exist in it and what must hold; transitions in and out; functions that are there
// early.
// needs: llvm
#include <cstdio>

#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

/// Between `optimization` and `lowering`: everything is a kernel call, and calls are in the order in which they will
/// run.
struct scheduling {
  static constexpr fixed_string name = "scheduling";
  using op_list = ops<op::constant, op::call_kernel, op::view, op::return_>;
  using calls_into = phase_list<phases::lowering>;  // the kernels are finished already, and ahead of the module
  /// What op lists cannot say; it runs after each pass of the phase under `verify_each`.
  static void verify(const ir::module& m) {
    for (function_id f : m.functions())
      if (m[f].entry && m[f].argument_names.empty())
        throw error("mine.unnamed", "entry '" + m[f].name + "' has unnamed inputs");
  }
};

struct to_scheduling {
  static constexpr fixed_string name = "to_scheduling";
  using from = phases::optimization;
  using to = scheduling;
  using needs = facts<fact::ops_legalized, fact::calls_inlined>;
  using keeps = all_facts;
  using eliminates = ops<op::yield>;
  using handles = ops<op::yield>;
  using emits = ops<>;
  ir_module<to> run(ir_module<from>&& m, context&) const { return ir_module<to>::adopt(std::move(m.body())); }
};
/// A pass of the phase: it cannot run anywhere else.
struct count_calls {
  static constexpr fixed_string name = "count_calls";
  using runs_in = scheduling;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& module, context&) const {
    int calls = 0;
    for (function_id f : module.functions())  // those of this phase; kernels are ahead
      ir::for_each_op(module.body(), module.body()[f].body,
                      [&](op_id op) { calls += module.body().view(op).is<op::call_kernel>(); });
    module.body().metadata["kernel_calls"] = std::to_string(calls);
  }
};
/// Back into the built-in chain: `lowering` is entered from here.
struct leave_scheduling {
  static constexpr fixed_string name = "leave_scheduling";
  using from = scheduling;
  using to = phases::lowering;
  using needs = facts<>;
  using breaks = passes::to_lowering::breaks;
  using eliminates = ops<op::constant, op::call_kernel, op::view>;
  using handles = ops<op::constant, op::call_kernel, op::view>;
  using emits = passes::to_lowering::emits;
  ir_module<to> run(ir_module<from>&& m, context& cx) const {  // the built-in pass does the work
    return passes::to_lowering{}.run(ir_module<phases::optimization>::adopt(std::move(m.body())), cx);
  }
};

struct target : targets::cpu {
  static constexpr fixed_string name = "cpu_with_scheduling";
  using pipeline =
      targets::cpu::pipeline::edit<replace<passes::to_lowering, to_scheduling, count_calls, leave_scheduling>>;
};
static_assert(is_valid<target::pipeline::passes>);
// Elsewhere its pass is refused, and so is a phase that nobody leads to.
static_assert(verdict_of<passes::infer_shapes, count_calls>.code == 1);
}  // namespace mine

int main() {
  using namespace tenon;
  auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%0: tensor<2x8xf32>) -> (tensor<2x8xf32>) inputs("x") outputs("y") {
  %1 = exp(%0) : tensor<2x8xf32>
  %2 = softmax(%1) {axis = 1} : tensor<2x8xf32>
  %3 = softmax(%2) {axis = 0} : tensor<2x8xf32>
  return(%3)
}
)");
  context cx;
  cx.verify_each = true;
  const auto there = compile_to<mine::scheduling, mine::target>(std::move(m), cx);
  std::printf("%s", print(there).c_str());
  const auto lowered = compile_to<phases::lowering, mine::target>(there.clone(), cx);
  std::printf("%zu functions, all in 'lowering'\n", lowered.functions().size());
}

// CHECK: tenon.module phase=scheduling
// CHECK-SAME: kernel_calls
// CHECK: func entry @main
// CHECK: call_kernel
// CHECK: kernel @{{.*}} phase(lowering) {
// CHECK: functions, all in 'lowering'
