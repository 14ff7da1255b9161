// A target that says where it ends, in a member that nobody reads.
#include "house.hpp"
#include <tenon/target.hpp>

using namespace house;

struct machine {
  static constexpr tn::device_kind kind = tn::device_kind::cpu;
};
struct board {
  static constexpr tn::fixed_string name = "board";
  using device = machine;
  struct code_generator {};
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes>;
#ifdef TENON_TWIN
  using ends_in = graph;
#else
  using end_in = graph;
#endif
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E008: target 'board' has a member 'end_in', itself or in its code generator or device, that means nothing: write 'ends_in'
compiler<board> c;
