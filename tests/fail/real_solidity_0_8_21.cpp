// Solidity 0.8.21 (docs.soliditylang.org: FullInlinerNonExpressionSplitArgumentEvaluationOrder): inlining relies on
// calls whose arguments are names, which the default sequence of steps happened to give it; users may give another
// sequence.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct call;
struct let;
struct block;
struct if_;
struct yul {
  static constexpr tn::fixed_string name = "yul";
  using op_list = tn::ops<call, let, block, if_>;
};
struct expression_split {  // each call's arguments are names
  static constexpr tn::fixed_string name = "expression_split";
  using of_each = tn::ops<call>;
};
struct expression_splitter {
  static constexpr tn::fixed_string name = "expression_splitter";
  using runs_in = yul;
  using needs = tn::facts<>;
  using gives = tn::facts<expression_split>;
  using keeps = tn::all_facts;
  using emits = tn::ops<let>;
  using changes = tn::ops<call>;
};
struct full_inliner {
  static constexpr tn::fixed_string name = "full_inliner";
  using runs_in = yul;
  using needs = tn::facts<expression_split>;
  using keeps = tn::facts<expression_split>;
  using emits = tn::ops<let, block>;
  using duplicates = tn::any_effects;
};
struct expression_joiner {
  static constexpr tn::fixed_string name = "expression_joiner";
  using runs_in = yul;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using emits = tn::ops<>;
  using changes = tn::ops<call>;
  using deletes = tn::effects<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<expression_splitter, full_inliner, expression_joiner>;
#else
// CHECK: tenon-E002: pass 'full_inliner' (1st) needs 'expression_split', which no pass before it gives: move 'expression_splitter' before 'full_inliner', or move 'full_inliner' after 'expression_splitter'
using order = tn::pipeline<full_inliner, expression_splitter, expression_joiner>;
#endif
