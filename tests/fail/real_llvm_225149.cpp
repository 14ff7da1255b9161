// llvm/llvm-project #225149: a pass that hoists buffers out of loops took those of parallel loops out, too: one for all iterations.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct alloc {
  using effects = tn::effects<tn::effect::allocates>;
};
struct load {
  using effects = tn::effects<tn::effect::reads>;
};
struct store {
  using effects = tn::effects<tn::effect::writes>;
};
struct affine_for;
struct affine_parallel {
  using region_keeps = tn::effects<tn::effect::allocates>;
};
struct serial_loops {
  static constexpr tn::fixed_string name = "serial_loops";
  using absent_ops = tn::ops<affine_parallel>;
};
struct affine {
  static constexpr tn::fixed_string name = "affine";
  using op_list = tn::ops<alloc, load, store, affine_for, affine_parallel>;
  using op_effects = tn::effects<tn::effect::allocates, tn::effect::reads, tn::effect::writes>;
  using begins_with = tn::facts<serial_loops>;
};
struct affine_parallelize {
  static constexpr tn::fixed_string name = "affine_parallelize";
  using runs_in = affine;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<affine_parallel>;
};
struct buffer_loop_hoisting {
  static constexpr tn::fixed_string name = "buffer_loop_hoisting";
  using runs_in = affine;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using moves = tn::effects<tn::effect::allocates>;
  using leaves = tn::effects<tn::effect::reads, tn::effect::writes>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<buffer_loop_hoisting, affine_parallelize>;
#else
// CHECK: tenon-E045: pass 'buffer_loop_hoisting' (2nd) may take an op with effect 'allocates' out of a region of 'affine_parallel', each run of which has its own, and pass 'affine_parallelize' (1st) emits it: move 'buffer_loop_hoisting' before 'affine_parallelize', or say 'using keeps_inside
using order = tn::pipeline<affine_parallelize, buffer_loop_hoisting>;
#endif
