// Lesson 3: passes run by hand are judged as strictly as in a pipeline: the module's type says what is known of it.
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr std::string_view text = R"(tenon.module phase=optimization
constant #0 "two" : tensor<f32> = [2]
constant #1 "three" : tensor<f32> = [3]
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %1 = constant() {value = #0} : tensor<f32>
  %2 = constant() {value = #1} : tensor<f32>
  %3 = mul(%1, %2) : tensor<f32>
  %4 = add(%0, %3) : tensor<4xf32>
  return(%4)
}
)";

using plain = ir_module<phases::optimization>;
using shaped = ir_module<phases::optimization, fact::shapes_known>;

// simplify needs shapes_known: a plain module is refused, by the compiler, and a shaped one is not.
static_assert(!can_run<passes::simplify, plain>);
static_assert(can_run<passes::simplify, shaped>);
// Nothing of phase `lowering` runs on either.
static_assert(!can_run<passes::plan_memory, shaped>);

int main() {
  context cx;
  cx.verify_each = true;  // after each pass, the checker of every fact that the type states
  plain m = parse<phases::optimization>(text);
  shaped known = run<passes::infer_shapes>(std::move(m), cx);
  auto folded = run<passes::fold_constants>(std::move(known), cx);  // keeps what is known
  static_assert(decltype(folded)::knows<fact::shapes_known>);
  // An option of a pass is a member of its struct; an object of it can be given.
  auto simple = run(passes::simplify{}, std::move(folded), cx);
  auto live = run<passes::eliminate_dead>(std::move(simple), cx);
  std::printf("%s\n", print(live).c_str());

  // A module of which something is known is read-only. `edit` gives it back, and forgets.
  ir_module<phases::optimization> editable = std::move(live).edit();
  editable.body().metadata["edited"] = "by hand";
  // A fact can also be proved, by its checker.
  auto proved = establish<fact::shapes_known>(std::move(editable));
  static_assert(decltype(proved)::knows<fact::shapes_known>);

  for (const pass_record& r : cx.records) std::printf("ran %s\n", r.name.c_str());
}

// CHECK: func entry @main
// CHECK-NOT: mul
// CHECK: add
// CHECK: ran infer_shapes
// CHECK: ran fold_constants
// CHECK: ran simplify
// CHECK: ran eliminate_dead
