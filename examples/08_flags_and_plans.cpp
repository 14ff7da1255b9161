// Lesson 8: passes that a flag switches on and off, orders that the compiler finds, and questions about pipelines.
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/judge/plan.hpp>
#include <tenon/judge/questions.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::passes;

// A flag makes a pass optional. Every combination of flags is judged when the pipeline is named …
struct tunable : targets::interpreter {
  static constexpr fixed_string name = "tunable";
  using pipeline = targets::interpreter::pipeline::edit<
      append<optional<simplify, when<"simplify">>, optional<eliminate_common, unless<"debug">>>>;
};
// … so a flag cannot take away what another pass needs. `pipeline<…>` of these passes would not compile, and say this:
constexpr verdict fragile = verdict_of<lift_lambdas, optional<infer_shapes, when<"shapes">>, simplify>;
static_assert(fragile.code == 25);

// The planner finds an order of all of these passes. They keep the order in which they are given where they can.
using ordered = arrange<phases::ingestion, phases::optimization, fold_constants, simplify, infer_shapes, lift_lambdas>;
// It also finds the shortest way to a phase, or to a fact, with some of these passes.
using shortest = minimal<phases::optimization, goal<phases::lowering>, targets::cpu::pipeline::passes>;
using to_shapes = minimal<phases::ingestion, fact::shapes_known, targets::cpu::pipeline::passes>;

void list(const char* what, const passes_view& passes) {
  std::printf("%s:", what);
  for (const pass_desc* p : passes) std::printf(" %s", std::string(std::string_view(p->name)).c_str());
  std::printf("\n");
}

void compile(bool simplifying) {
  context cx;
  cx.set_flag("simplify", simplifying);  // a flag that is not set is on
  auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %1 = abs(%0) : tensor<4xf32>
  %2 = abs(%1) : tensor<4xf32>
  return(%2)
}
)");
  const auto done = compile_to<phases::optimization, tunable>(std::move(m), cx);
  bool ran = false;
  for (const pass_record& r : cx.records) ran = ran || r.name == "simplify";
  std::printf("simplify %s\n", ran ? "ran" : "did not run");
}

int main() {
  const meta::phrase said = sentence_of(fragile);
  std::printf("%.*s\n", static_cast<int>(said.length), said.characters);
  compile(true);
  compile(false);
  list("ordered", passes_of<ordered>());
  list("shortest", passes_of<shortest>());
  list("to shapes", passes_of<to_shapes>());
  // Questions. The command line asks them too: tenon pipeline cpu --explain fuse, --diff xsimd, --diagram.
  std::printf("%s", explain(passes_of<targets::cpu::pipeline>(), "fuse").c_str());
  std::printf("%s", diff(passes_of<ordered>(), passes_of<shortest>()).c_str());
  std::printf("fingerprint %s\n", fingerprint_text(fingerprint<targets::cpu::pipeline>).c_str());
}

// CHECK: tenon-E025: when 'shapes' is off, pass 'simplify' (3rd) needs 'shapes_known', which no pass before it gives: run 'infer_shapes' always
// CHECK: simplify ran
// CHECK: simplify did not run
// CHECK: ordered: lift_lambdas fold_constants infer_shapes simplify
// CHECK: shortest: {{.*}}legalize_ops to_lowering
// CHECK: to shapes: lift_lambdas infer_shapes
// CHECK: 'fuse' ({{[0-9]+[a-z]+}}) runs in 'optimization'
// CHECK: - simplify
// CHECK: fingerprint {{[0-9a-f]+}}
