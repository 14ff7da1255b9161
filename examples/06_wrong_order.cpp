// Lesson 6: a wrong order, and how to read its message. The same sentence comes from the compiler, and at run time.
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/judge/order.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::passes;

// Uncomment, and the compiler says on this line (g++ in the last note, clang in the first line):
//
//   using mine = pipeline<inline_calls, infer_shapes, require_static_shapes, legalize_ops, tidy_up, to_lowering>;
//
//   tenon-E003: pass 'to_lowering' (6th) needs 'ops_legalized', which pass 'tidy_up' (5th) breaks after 'legalize_ops'
//   (4th) gave it: move 'tidy_up' before 'legalize_ops', or run 'legalize_ops' again after it
//
// Read it from the left: the code (docs/errors/E003.md has the smallest such program), who misses what, who broke it,
// who had given it, and what to do. Whatever stands behind the colon was tried: each of the two orders that it offers
// is right.
struct tidy_up {
  static constexpr fixed_string name = "tidy_up";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;
  using keeps = all_facts;  // and nothing is said of 'emits': it may make any op, so graph ops may be back
};
using broken = pass_list<inline_calls, infer_shapes, require_static_shapes, legalize_ops, tidy_up, to_lowering>;
static_assert(!is_valid<broken>);

// [verdict]
// The verdict is a value, so a test can ask about it.
constexpr verdict v = verdict_of<inline_calls, infer_shapes, require_static_shapes, legalize_ops, tidy_up, to_lowering>;
static_assert(v.code == 3 && v.pass == 5 && v.culprit == 4 && v.giver == 3 && v.repair_count == 2);
// [end]

// The first way out …
using moved = pipeline<inline_calls, infer_shapes, require_static_shapes, tidy_up, legalize_ops, to_lowering>;
// … the second …
using again =
    pipeline<inline_calls, infer_shapes, require_static_shapes, legalize_ops, tidy_up, legalize_ops, to_lowering>;
// … and the one that only the author of tidy_up knows: to say what it emits.
struct tidy_up_and_say : tidy_up {
  static constexpr fixed_string name = "tidy_up_and_say";
  using emits = ops<>;
};
using said = pipeline<inline_calls, infer_shapes, require_static_shapes, legalize_ops, tidy_up_and_say, to_lowering>;

int main() {
  const meta::phrase sentence = sentence_of(v);
  std::printf("%.*s\n", static_cast<int>(sentence.length), sentence.characters);
  // Pipelines that come as text (tenon opt --passes) are judged by the same code.
  using known = pass_list<inline_calls, infer_shapes, require_static_shapes, legalize_ops, to_lowering, vectorize>;
  try {
    static_cast<void>(order::parse("infer_shapes, vectorize, to_lowering", registry_of<known>));
  } catch (const error& e) { std::printf("%s: %s\n", e.code().c_str(), e.message().c_str()); }
  try {
    static_cast<void>(order::parse("infer_shape", registry_of<known>));
  } catch (const error& e) { std::printf("%s: %s, %s\n", e.code().c_str(), e.message().c_str(), e.hint().c_str()); }
}

// CHECK: tenon-E003: pass 'to_lowering' (6th) needs 'ops_legalized', which pass 'tidy_up' (5th) breaks after 'legalize_ops' (4th) gave it: move 'tidy_up' before 'legalize_ops', or run 'legalize_ops' again after it
// CHECK: tenon-E001: pass 'vectorize' (2nd) runs in phase 'lowering', but the module is in 'optimization' from the start
// CHECK: tenon-E026: there is no pass 'infer_shape', did you mean 'infer_shapes'?
