// JuliaGPU/CUDAnative.jl #349: allocations were lowered to calls before the pass that removes those which nobody keeps.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct gc_alloc;
struct add;
struct call;
struct julia_ir {
  static constexpr tn::fixed_string name = "julia_ir";
  using op_list = tn::ops<gc_alloc, add, call>;
};
struct lower_gc {
  static constexpr tn::fixed_string name = "lower_gc";
  using runs_in = julia_ir;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using eliminates = tn::ops<gc_alloc>;
  using handles = tn::ops<gc_alloc>;
  using emits = tn::ops<call>;
};
struct remove_allocations {
  static constexpr tn::fixed_string name = "remove_allocations";
  using runs_in = julia_ir;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using works_on = tn::ops<gc_alloc>;
  using deletes = tn::effects<tn::effect::allocates>;
  using emits = tn::ops<add>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<remove_allocations, lower_gc>;
#else
// CHECK: pass 'remove_allocations' (2nd) works on 'gc_alloc'{{.*}}'lower_gc'{{.*}}move 'remove_allocations' before 'lower_gc'
using order = tn::pipeline<lower_gc, remove_allocations>;
#endif
