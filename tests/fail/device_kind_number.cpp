// A device says its kind by a number, which could be any.
#include "house.hpp"
#include <tenon/target.hpp>

using namespace house;

struct machine {
  static constexpr tn::fixed_string name = "machine";
#ifdef TENON_TWIN
  static constexpr tn::device_kind kind = tn::device_kind::cpu;
#else
  static constexpr int kind = 1;
#endif
};
struct code_maker {};
struct my_cpu {
  static constexpr tn::fixed_string name = "my_cpu";
  using device = machine;
  using code_generator = code_maker;
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes>;
  using ends_in = graph;
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E022: 'my_cpu' is no target, since its 'device', 'machine', has a kind of no device: a kind is one of a closed set: write 'static constexpr tenon::device_kind kind = tenon::device_kind::extension', or another one of it
compiler<my_cpu> c;
