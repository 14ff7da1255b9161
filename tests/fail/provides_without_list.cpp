// What a device provides, without a list.
#include "house.hpp"
#include <tenon/target.hpp>

using namespace house;

struct bind_to_blocks {
  static constexpr tn::fixed_string name = "bind_to_blocks";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using needs_of_device = tn::capabilities<tn::capability::thread_blocks>;
};
struct machine {
  static constexpr tn::fixed_string name = "machine";
  static constexpr tn::device_kind kind = tn::device_kind::cuda;
#ifdef TENON_TWIN
  using provides = tn::capabilities<tn::capability::thread_blocks>;
#else
  using provides = tn::capability::thread_blocks;
#endif
};
struct codegen {
  static constexpr tn::fixed_string name = "codegen";
};
struct my_gpu {
  static constexpr tn::fixed_string name = "my_gpu";
  using device = machine;
  using code_generator = codegen;
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes, bind_to_blocks>;
  using ends_in = graph;
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E072: device 'machine' of target 'my_gpu' says what it 'provides' without a list: write 'using provides = tenon::capabilities<...>'
compiler<my_gpu> c;
