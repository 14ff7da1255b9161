// pytorch/TensorRT #1850: what only the engine takes was done to all functions, before it was decided which of them are
// the engine's.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct linear;
struct matmul;
struct call_engine;
struct is_for_engine {
  static constexpr tn::fixed_string name = "is_for_engine";
  static void check(const tn::ir::module&, tn::function_id);
};
struct torchscript {
  static constexpr tn::fixed_string name = "torchscript";
  using op_list = tn::ops<linear, matmul, call_engine>;
};
struct partition {
  static constexpr tn::fixed_string name = "partition";
  using runs_in = torchscript;
  using needs = tn::facts<>;
  using gives = tn::facts<tn::of_some<is_for_engine>>;
  using keeps = tn::all_facts;
  using emits = tn::ops<call_engine>;
  static constexpr bool adds_functions = true;
};
struct unpack_linear {
  static constexpr tn::fixed_string name = "unpack_linear";
  using runs_in = torchscript;
  using needs = tn::facts<tn::of_some<is_for_engine>>;
  using keeps = tn::all_facts;
  using emits = tn::ops<matmul>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<partition, unpack_linear>;
#else
// CHECK: tenon-E002: pass 'unpack_linear' (1st) needs 'is_for_engine_of_some', which no pass before it gives: move 'partition' before 'unpack_linear', or move 'unpack_linear' after 'partition'
using order = tn::pipeline<unpack_linear, partition>;
#endif
