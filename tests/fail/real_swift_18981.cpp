// swiftlang/swift #18981 (and llvm/llvm-project #49264): coroutines were inlined before they were split. Their
// intrinsics have an effect of their own that bears no copies.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct coroutine_effect {
  static constexpr tn::fixed_string name = "coroutine";
};
struct coro_begin {
  using effects = tn::effects<coroutine_effect>;
};
struct coro_suspend {
  using effects = tn::effects<coroutine_effect>;
};
struct call;
struct ret;
struct llvm {
  static constexpr tn::fixed_string name = "llvm";
  using op_list = tn::ops<coro_begin, coro_suspend, call, ret>;
};
struct inline_calls {
  static constexpr tn::fixed_string name = "inline_calls";
  using runs_in = llvm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using duplicates = tn::any_effects;
};
struct coro_split {
  static constexpr tn::fixed_string name = "coro_split";
  using runs_in = llvm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<coro_begin, coro_suspend>;
  using handles = eliminates;
  using emits = tn::ops<call, ret>;
  static constexpr bool adds_functions = true;
};
#ifdef TENON_TWIN
using order = tn::pipeline<coro_split, inline_calls>;
#else
// CHECK: tenon-E043: pass 'inline_calls' (1st) may leave more than one of 'coro_begin' and 'coro_suspend', whose effect 'coroutine' does not allow that, and phase 'llvm' lists them: move 'inline_calls' after 'coro_split', or say 'using leaves = tenon::effects<coroutine>' if the pass leaves such ops alone, or, if modules come without 'coro_begin' and 'coro_suspend', let the phase say so: 'using begins_with = tenon::facts<...>' of a fact with 'absent_ops'
using order = tn::pipeline<inline_calls, coro_split>;
#endif
