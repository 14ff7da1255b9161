// llvm #92056: tensors were bufferized after deallocations had been placed; the buffers made late were never freed, or
// twice. What inserts deallocations needs that no tensor is left, and what makes buffers cannot say that it keeps them right.
#include "house.hpp"

using namespace house;

struct no_tensors {
  static constexpr tn::fixed_string name = "no_tensors";
  using absent_ops = tn::ops<add, mul>;
};
struct bufferize {
  static constexpr tn::fixed_string name = "bufferize";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using eliminates = tn::ops<add, mul>;
  using handles = tn::ops<add, mul>;
  using emits = tn::ops<kernel_call>;
};
struct place_deallocations {
  static constexpr tn::fixed_string name = "place_deallocations";
  using runs_in = graph;
  using needs = tn::facts<no_tensors>;
  using keeps = tn::all_facts;
  using emits = tn::ops<kernel_call>;
};
#ifdef TENON_TWIN
using pipeline = tn::pipeline<bufferize, place_deallocations, to_code>;
#else
using pipeline = tn::pipeline<place_deallocations, bufferize, to_code>;  // CHECK: tenon-E002: pass 'place_deallocations' (1st) needs 'no_tensors', which no pass before it gives: move 'bufferize' before 'place_deallocations', or move 'place_deallocations' after 'bufferize'
#endif
