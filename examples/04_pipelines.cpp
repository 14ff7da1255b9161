// Lesson 4: a pipeline is a type: judged as a whole when it is named, run as a whole, edited, and asked about as a
// value.
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

// A pipeline of your own …
using tidy_up = pipeline<passes::infer_shapes, passes::simplify, passes::eliminate_dead>;
// … and one made by surgery: that of `cpu`, without one pass, with another one twice.
using lean = targets::cpu::pipeline::edit<without<passes::eliminate_common>,
                                          insert_after<passes::fold_constants, passes::simplify>>;

// A right order is asked softly …
static_assert(is_valid<pass_list<passes::infer_shapes, passes::simplify>>);
// … and so is a wrong one: inline_calls breaks what simplify needs.
using wrong = pass_list<passes::infer_shapes, passes::inline_calls, passes::simplify>;
static_assert(!is_valid<wrong>);
// `pipeline<passes::infer_shapes, passes::inline_calls, passes::simplify>` does not compile, and says this:
constexpr verdict answer = verdict_of<passes::infer_shapes, passes::inline_calls, passes::simplify>;
static_assert(answer.code == 3);

// Parts of a pipeline: what runs before the graph is left, and what runs then.
using on_graphs = prefix_until<targets::cpu::pipeline, phases::optimization>;
using below = suffix_from<targets::cpu::pipeline, phases::optimization>;

template <class... Passes>
void list(const char* what, pass_list<Passes...>) {
  std::printf("%s:", what);
  (std::printf(" %s", Passes::name.data()), ...);
  std::printf("\n");
}

int main() {
  list("lean", lean::passes{});
  list("on graphs", on_graphs{});
  list("below", below{});
  const meta::phrase said = sentence_of(answer);
  std::printf("%.*s\n", static_cast<int>(said.length), said.characters);

  // A pipeline runs on a module of the phase in which it begins. (A target's is run by `build` and `compile_to`.)
  auto m = parse<phases::optimization>(R"(tenon.module phase=optimization
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %1 = neg(%0) : tensor<4xf32>
  %2 = neg(%1) : tensor<4xf32>
  return(%2)
}
)");
  context cx;
  const auto tidy = run_pipeline<tidy_up>(std::move(m), cx);
  static_assert(decltype(tidy)::knows<fact::shapes_known>);
  std::printf("%s", print(tidy).c_str());
}

// CHECK: lean: lift_lambdas
// CHECK-NOT: eliminate_common
// CHECK: on graphs: lift_lambdas
// CHECK: below: to_lowering
// CHECK: tenon-E003: pass 'simplify' (3rd) needs 'shapes_known', which pass 'inline_calls' (2nd) breaks after 'infer_shapes' (1st) gave it
// CHECK: func entry @main(%0: tensor<4xf32>)
// CHECK-NEXT: return(%0)
