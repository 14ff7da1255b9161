// iree-org/iree #8889: conversion to destination-passing style ran before updates were rewritten in place, and behind
// the elimination of common subexpressions, which merges what tells destinations apart. Two passes are at a wrong
// place.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct init_tensor;
struct generic;
struct loop;
struct dispatch_load {
  using effects = tn::effects<tn::effect::reads>;
};
struct dispatch_store {
  using effects = tn::effects<tn::effect::writes>;
};
struct destinations_own {  // each op has a destination of its own
  static constexpr tn::fixed_string name = "destinations_own";
  using of_all = tn::ops<init_tensor, generic>;
};
struct updates_in_place {
  static constexpr tn::fixed_string name = "updates_in_place";
  using of_each = tn::ops<loop>;
};
struct tiled {
  static constexpr tn::fixed_string name = "tiled";
  using op_list = tn::ops<init_tensor, generic, loop, dispatch_load, dispatch_store>;
};
struct tile_and_distribute {
  static constexpr tn::fixed_string name = "tile_and_distribute";
  using runs_in = tiled;
  using needs = tn::facts<>;
  using gives = tn::facts<destinations_own>;
  using keeps = tn::all_facts;
  using emits = tn::ops<loop, generic, init_tensor>;
};
struct rewrite_updates {
  static constexpr tn::fixed_string name = "rewrite_updates";
  using runs_in = tiled;
  using needs = tn::facts<>;
  using gives = tn::facts<updates_in_place>;
  using keeps = tn::all_facts;
  using emits = tn::ops<dispatch_load, dispatch_store>;
};
struct convert_to_dps {
  static constexpr tn::fixed_string name = "convert_to_dps";
  using runs_in = tiled;
  using needs = tn::facts<destinations_own, updates_in_place>;
  using keeps = tn::all_facts;
  using emits = tn::ops<dispatch_load>;
  using changes = tn::ops<generic>;
};
struct cse {
  static constexpr tn::fixed_string name = "cse";
  using runs_in = tiled;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using merges = tn::effects<>;
  using leaves = tn::effects<tn::effect::reads, tn::effect::writes>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<tile_and_distribute, rewrite_updates, convert_to_dps, cse>;
#else
// CHECK: tenon-E003: pass 'convert_to_dps' (3rd) needs 'destinations_own', which pass 'cse' (2nd) breaks, since it deletes, merges or moves ops, after 'tile_and_distribute' (1st) gave it, and misses 'updates_in_place' too: move 'cse' before 'tile_and_distribute', and move 'rewrite_updates' before 'convert_to_dps'
using order = tn::pipeline<tile_and_distribute, cse, convert_to_dps, rewrite_updates>;
#endif
