// ROCm/triton #305, #483: instructions of a loop that was pipelined for streams are not put in another order any more; then
// one change of a condition switched both passes on.
#include "house.hpp"

using namespace house;

struct pipeline_streams {
  static constexpr tn::fixed_string name = "pipeline_streams";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct reorder_instructions {
  static constexpr tn::fixed_string name = "reorder_instructions";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using not_between = tn::interval<pipeline_streams, to_code>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<infer_shapes, legalize_ops, tn::optional<pipeline_streams, tn::when<"streams">>,
                              tn::optional<reorder_instructions, tn::unless<"streams">>, to_code>;
#else
using pipeline = tn::pipeline<infer_shapes, legalize_ops, tn::optional<pipeline_streams, tn::when<"streams">>, tn::optional<reorder_instructions, tn::when<"streams">>, to_code>;  // CHECK: tenon-E025: when 'streams' is on, pass 'reorder_instructions' (4th) may not run between 'pipeline_streams' (3rd) and 'to_code' (5th)
#endif
