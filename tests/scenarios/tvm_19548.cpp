// apache/tvm #19548, #18350, #19384: the default pipeline for CUDA had no pass that binds loops to threads;
// VerifyMemory failed.
#include "scenario.hpp"

#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/target.hpp>
#ifdef TENON_RUN
#  include <tenon/ops/loop/loop.hpp>
#endif

namespace tvm_19548 {

/// The outermost loop of every kernel runs on the threads of the device.
struct threads_bound {
  static constexpr tn::fixed_string name = "threads_bound";
  static bool check(const tn::ir::module& m);
};
struct bind_threads {
  static constexpr tn::fixed_string name = "bind_threads";
  using runs_in = tn::phases::lowering;
  using needs = tn::facts<>;
  using gives = tn::facts<threads_bound>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
struct gpu_device {
  static constexpr tn::fixed_string name = "gpu";
  static constexpr tn::device_kind kind = tn::device_kind::cuda;
};
struct gpu_codegen {
  using requires_facts = tn::facts<threads_bound>;
};

using default_pipeline = tn::pipeline<tn::passes::infer_shapes, tn::passes::require_static_shapes,
                                      tn::passes::legalize_ops, tn::passes::to_lowering>;
template <class Pipeline>
struct gpu_like {
  static constexpr tn::fixed_string name = "gpu";
  using device = gpu_device;
  using code_generator = gpu_codegen;
  using pipeline = Pipeline;
  using ends_in = tn::phases::lowering;
};

constexpr tn::verdict wrong = tn::target_check<gpu_like<default_pipeline>>::value;
static_assert(wrong.code == 12 && wrong.subject == threads_bound::name);
static_assert(!tn::target<gpu_like<default_pipeline>>);
static_assert(tn::target<gpu_like<default_pipeline::edit<tn::append<bind_threads>>>>);

#ifdef TENON_TWIN
using gpu = gpu_like<default_pipeline::edit<tn::append<bind_threads>>>;
#else
using gpu = gpu_like<default_pipeline>;
#endif
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E012: target 'gpu' requires 'threads_bound' of the module that its code generator gets, and no pass of its pipeline gives it: add a pass that 'gives' it
using compiler_for_gpu = compiler<gpu>;

#ifdef TENON_RUN
template <class F>
void for_each_kernel(const ir::module& m, F&& f) {
  for (function_id k : m.functions())
    if (m[k].kind == ir::function_kind::kernel)
      for (op_id o : m[m[k].body].ops)
        if (m.view(o).is<loop::for_loop>()) f(m.view(o));
}
bool threads_bound::check(const tn::ir::module& m) {
  bool bound = true;
  for_each_kernel(m, [&](ir::op_view v) { bound = bound && v.as<loop::for_loop>().kind == loop::loop_kind::parallel; });
  return bound;
}
void bind_threads::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each_kernel(m, [&](ir::op_view v) {
    loop::for_loop bound = v.as<loop::for_loop>();
    bound.kind = loop::loop_kind::parallel;
    m.set_attributes(v.id(), m.intern_attributes(ir::info_of<loop::for_loop>, &bound));
  });
}

TEST_CASE("tvm #19548") {
  context cx;
  cx.verify_each = true;
  const auto built = build<gpu>(
      make_module<phases::optimization>(
          {vector_of(4)}, [](auto& b, const auto& x) { return std::vector{b.make(op::mul{}, {x[0], x[0]})}; }),
      cx);
  static_assert(decltype(built)::knows<threads_bound>);
  CHECK(values(built, {floats({1, 2, 3, 4})}) == numbers{1, 4, 9, 16});
}
#endif
}  // namespace tvm_19548
