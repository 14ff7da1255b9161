// A fact that counts ops ends where ops are duplicated, whatever a pass promises of facts that it does not know.
#include "house.hpp"

using namespace house;

struct value;
struct each_used_once {
  static constexpr tn::fixed_string name = "each_used_once";
  using of_all = tn::any_ops;
};
struct split_values {
  static constexpr tn::fixed_string name = "split_values";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<each_used_once>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using duplicates = tn::effects<>;
};
struct number_values {
  static constexpr tn::fixed_string name = "number_values";
  using runs_in = graph;
  using needs = tn::facts<each_used_once>;
  using keeps = tn::all_facts;
};
#ifdef TENON_TWIN
using order = tn::pipeline<unroll, split_values, number_values>;
#else
// CHECK: tenon-E003: pass 'number_values' (3rd) needs 'each_used_once', which pass 'unroll' (2nd) breaks, since it duplicates ops, after 'split_values' (1st) gave it: move 'unroll' before 'split_values', or move 'number_values' before 'unroll'
using order = tn::pipeline<split_values, unroll, number_values>;
#endif
