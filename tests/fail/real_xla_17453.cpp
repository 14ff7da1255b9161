// openxla/xla #12866, #15292, #17453: hoisting collectives out of loops took dequantizations with it, and the rewriter of
// matrix products found no FP8 pattern any more. The quantizer puts them back beside the product.
#include "house.hpp"

using namespace house;

struct dequantized_at_use {
  static constexpr tn::fixed_string name = "dequantized_at_use";
};
struct quantize_collectives {
  static constexpr tn::fixed_string name = "quantize_collectives";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<dequantized_at_use>;
  using keeps = tn::all_facts;
  using emits = tn::ops<mul>;
};
struct pipeline_collectives {
  static constexpr tn::fixed_string name = "pipeline_collectives";
  using runs_in = graph;
  using needs = tn::facts<dequantized_at_use>;  // it hoists all that stands before a collective
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct rewrite_products {
  static constexpr tn::fixed_string name = "rewrite_products";
  using runs_in = graph;
  using needs = tn::facts<dequantized_at_use>;
  using keeps = tn::all_facts;
  using emits = tn::ops<kernel_call>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<quantize_collectives, pipeline_collectives, rewrite_products>;
#else
using pipeline = tn::pipeline<pipeline_collectives, quantize_collectives, rewrite_products>;  // CHECK: tenon-E002: pass 'pipeline_collectives' (1st) needs 'dequantized_at_use', which no pass before it gives: move 'quantize_collectives' before 'pipeline_collectives', or move 'pipeline_collectives' after 'quantize_collectives'
#endif
