// What runs before the split is judged with what each member runs behind it: extents are bound where kernels were made.
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>

namespace tn = tenon;

using two = tn::composite<tn::host<tn::targets::cpu>, tn::device<"second", tn::targets::cpu>>;
struct board : two {
  static constexpr tn::fixed_string name = "board";
#ifdef TENON_TWIN
  using pipeline = two::pipeline::edit<tn::insert_after<tn::passes::fold_extents, tn::passes::infer_shapes>>;
#else
  using pipeline = two::pipeline::edit<tn::insert_after<tn::passes::legalize_ops, tn::passes::bind_inputs>>;
#endif
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E071: member 'cpu' of a composite cannot go on behind the passes before the split, by E019: pass 'bind_inputs' ({{.*}}) may not run between 'legalize_ops' ({{.*}}) and 'to_lowering' ({{.*}})
compiler<board> c;
