// uwsampl/SparseTIR #28: lowered reductions bring allocations of their own, which storage was not rewritten for any more;
// and fragments of matrices were marked around allocations that the rewriting then moved without their marks.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct allreduce;
struct shuffle;
struct mma;
struct mark;
struct allocate {
  using effects = tn::effects<tn::effect::allocates>;
};
struct tir {
  static constexpr tn::fixed_string name = "tir";
  using op_list = tn::ops<allreduce, shuffle, mma, mark, allocate>;
};
struct storage_shared {
  static constexpr tn::fixed_string name = "storage_shared";
  using of_all = tn::ops<allocate>;
};
struct fragments_marked {
  static constexpr tn::fixed_string name = "fragments_marked";
  using of_all = tn::ops<allocate, mark>;
};
struct in_tir {
  using runs_in = tir;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
struct lower_allreduce : in_tir {
  static constexpr tn::fixed_string name = "lower_allreduce";
  using eliminates = tn::ops<allreduce>;
  using handles = eliminates;
  using emits = tn::ops<allocate, shuffle>;
};
struct rewrite_storage : in_tir {
  static constexpr tn::fixed_string name = "rewrite_storage";
  using gives = tn::facts<storage_shared>;
  using emits = tn::ops<>;
  using merges = tn::effects<tn::effect::allocates>;
  using moves = tn::effects<tn::effect::allocates>;
};
struct infer_fragments : in_tir {
  static constexpr tn::fixed_string name = "infer_fragments";
  using gives = tn::facts<fragments_marked>;
  using emits = tn::ops<mark>;
  using works_on = tn::ops<mma>;
};
struct generate : in_tir {
  static constexpr tn::fixed_string name = "generate";
  using needs = tn::facts<storage_shared, fragments_marked>;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lower_allreduce, rewrite_storage, infer_fragments, generate>;
#else
// CHECK: tenon-E003: pass 'generate' (4th) needs 'fragments_marked', which pass 'rewrite_storage' (2nd) breaks, since it deletes, merges or moves ops, after 'infer_fragments' (1st) gave it, and misses 'storage_shared' too: move 'infer_fragments' after 'lower_allreduce', and move 'lower_allreduce' before 'rewrite_storage'
using order = tn::pipeline<infer_fragments, rewrite_storage, lower_allreduce, generate>;
#endif
