// A pass that binds loops to a GPU's threads, in the pipeline of a processor.
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
  static constexpr tn::device_kind kind = tn::device_kind::cpu;
#ifdef TENON_TWIN
  using provides = tn::capabilities<tn::capability::threads, tn::capability::thread_blocks>;
#else
  using provides = tn::capabilities<tn::capability::threads>;
#endif
};
struct codegen {
  static constexpr tn::fixed_string name = "codegen";
};
struct my_cpu {
  static constexpr tn::fixed_string name = "my_cpu";
  using device = machine;
  using code_generator = codegen;
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes, bind_to_blocks>;
  using ends_in = graph;
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E072: pass 'bind_to_blocks' of target 'my_cpu' needs a device that provides 'thread_blocks', and 'machine' does not: leave the pass out of this target's pipeline, or add it to what the device 'provides'
compiler<my_cpu> c;
