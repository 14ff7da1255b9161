// iree #21530, #19509, #15758: "llvm-cpu is not a device": devices, back ends and targets were all strings, and one
// was given where another was meant.
#include "scenario.hpp"

#include <tenon/compile/build.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/to_lowering.hpp>

namespace iree_21530 {

struct local_device {
  static constexpr tn::fixed_string name = "local";
  static constexpr tn::device_kind kind = tn::device_kind::cpu;
};
struct llvm_cpu {  ///< a code generator
  static constexpr tn::fixed_string name = "llvm_cpu";
  using requires_facts = tn::facts<>;
};
struct local_cpu {
  static constexpr tn::fixed_string name = "local_cpu";
  using device = local_device;
  using code_generator = llvm_cpu;
  using pipeline = tn::pipeline<tn::passes::infer_shapes, tn::passes::require_static_shapes, tn::passes::legalize_ops,
                                tn::passes::to_lowering>;
  using ends_in = tn::phases::lowering;
};
static_assert(tn::target<local_cpu> && !tn::target<llvm_cpu> && !tn::target<local_device>);
static_assert(tn::target_check<llvm_cpu>::value.code == 22);

/// The same parts, confused: a back end, or a whole target, as the device; a device as the back end.
template <class Device, class Generator>
struct joined : local_cpu {
  using device = Device;
  using code_generator = Generator;
};
struct silent_generator {};  ///< says nothing of itself, and so is no device
static_assert(tn::target<joined<local_device, llvm_cpu>> && tn::target<joined<local_device, silent_generator>>);
static_assert(!tn::target<joined<llvm_cpu, llvm_cpu>> && !tn::target<joined<llvm_cpu, silent_generator>>);
static_assert(!tn::target<joined<silent_generator, llvm_cpu>> && !tn::target<joined<local_cpu, llvm_cpu>>);
static_assert(!tn::target<joined<local_device, local_device>> && !tn::target<joined<local_device, local_cpu>>);

/// Compiles for a target.
template <tn::sound_target T>
struct compiler {
  tn::ir_module<tn::phases::lowering> operator()(tn::ir_module<tn::phases::optimization>&& m) const {
    return tn::build<T>(std::move(m));
  }
};
#ifdef TENON_TWIN
using my_compiler = compiler<local_cpu>;
#else
// CHECK: tenon-E022: 'llvm_cpu' is no target, since it has no 'using device': a target has a name, a device, a code generator and a pipeline
using my_compiler = compiler<llvm_cpu>;
#endif

#ifdef TENON_RUN
TEST_CASE("iree #21530") {
  const auto done = my_compiler{}(make_module<phases::optimization>(
      {vector_of(2)}, [](auto& b, const auto& x) { return std::vector{b.make(op::add{}, {x[0], x[0]})}; }));
  CHECK(values(done, {floats({3, 4})}) == numbers{6, 8});
}
#endif
}  // namespace iree_21530
