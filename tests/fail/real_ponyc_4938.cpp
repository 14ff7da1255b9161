// ponylang/ponyc #4938: the pass that moves objects to the stack inlined their constructors, behind the call graph.
// Who calls whom is true of functions and calls together.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct call;
struct alloc;
struct alloca_;
struct call_graph_known {
  static constexpr tn::fixed_string name = "call_graph_known";
  using of_all = tn::ops<call, tn::any_functions>;
};
struct llvm {
  static constexpr tn::fixed_string name = "llvm";
  using op_list = tn::ops<call, alloc, alloca_>;
};
struct build_call_graph {
  static constexpr tn::fixed_string name = "build_call_graph";
  using runs_in = llvm;
  using needs = tn::facts<>;
  using gives = tn::facts<call_graph_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct heap_to_stack {
  static constexpr tn::fixed_string name = "heap_to_stack";
  using runs_in = llvm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<alloca_>;
  using duplicates = tn::any_effects;
};
struct inline_ {
  static constexpr tn::fixed_string name = "inline";
  using runs_in = llvm;
  using needs = tn::facts<call_graph_known>;
  using keeps = tn::facts<>;
  using emits = tn::ops<>;
  using duplicates = tn::any_effects;
  static constexpr bool removes_functions = true;
};
#ifdef TENON_TWIN
using order = tn::pipeline<heap_to_stack, build_call_graph, inline_>;
#else
// CHECK: tenon-E003: pass 'inline' (3rd) needs 'call_graph_known', which pass 'heap_to_stack' (2nd) breaks, since it duplicates ops, after 'build_call_graph' (1st) gave it: move 'heap_to_stack' before 'build_call_graph', or move 'inline' before 'heap_to_stack'
using order = tn::pipeline<build_call_graph, heap_to_stack, inline_>;
#endif
