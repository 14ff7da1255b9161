// Code that calls what its runtime does not have: it would build, load, and answer wrong numbers.
#include "house.hpp"
#include <tenon/target.hpp>

using namespace house;

struct machine {
  static constexpr tn::fixed_string name = "machine";
  static constexpr tn::device_kind kind = tn::device_kind::extension;
};
struct streams {
  static constexpr tn::fixed_string name = "streams";
};
struct queue_codegen {
  static constexpr tn::fixed_string name = "queue_codegen";
  using needs_of_runtime = tn::capabilities<streams>;
};
struct queues {
  static constexpr tn::fixed_string name = "queues";
#ifdef TENON_TWIN
  using provides = tn::capabilities<streams>;
#endif
};
struct board {
  static constexpr tn::fixed_string name = "board";
  using device = machine;
  using code_generator = queue_codegen;
  using runtime = queues;
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes>;
  using ends_in = graph;
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E072: code generator 'queue_codegen' of target 'board' needs a runtime that provides 'streams', and 'queues' does not: take another one, or add it to what the runtime 'provides'
compiler<board> c;
