// Write your own target: a device, a pipeline cut from another one, and a code generator, joined in a type.
#include <cstdio>

#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

struct paper {
  static constexpr fixed_string name = "paper";
  static constexpr device_kind kind = device_kind::extension;
};

/// A code generator is the pass that enters `built`. This one writes down what a person would have to do.
struct write_listing {
  static constexpr fixed_string name = "write_listing";
  using from = phases::build;
  using to = phases::built;
  using needs = facts<>;
  using keeps = all_facts;
  using handles = handled_by_default<"a listing is of the whole module">;
  using emits = ops<>;

  ir_module<to> run(ir_module<from>&& module, context&) const {
    ir::module& m = module.body();
    std::string text;
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      if (const auto* call = m.view(op).get_if<op::call_native>()) text += "do " + call->kernel.name + "\n";
      if (m.view(op).is<op::slot>()) text += "take a sheet at " + std::to_string(m.view(op).as<op::slot>().offset) + "\n";
    });
    m.add_artifact({"listing", "paper", "main", {text.begin(), text.end()}});
    return ir_module<to>::adopt(std::move(m));
  }
};

struct by_hand {
  static constexpr fixed_string name = "by_hand";
  using device = paper;
  using code_generator = write_listing;
  // The pipeline of `cpu`, with the loops left as they are and another end; judged again, as a whole.
  using pipeline = targets::cpu::pipeline::edit<without<passes::vectorize, passes::parallelize>,
                                                replace<passes::generate_code, write_listing>>;
};
static_assert(target<by_hand>);

// A target whose code generator requires what its pipeline does not give is refused, with a sentence.
struct hasty : by_hand {
  static constexpr fixed_string name = "hasty";
  struct code_generator {
    using requires_facts = facts<fact::loops_scheduled>;
  };
};
static_assert(!target<hasty>);
}  // namespace mine

int main() {
  using namespace tenon;
  auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%0: tensor<2x8xf32>) -> (tensor<2x8xf32>) inputs("x") outputs("y") {
  %1 = exp(%0) : tensor<2x8xf32>
  %2 = softmax(%1) {axis = 1} : tensor<2x8xf32>
  %3 = softmax(%2) {axis = 0} : tensor<2x8xf32>
  return(%3)
}
)");
  const auto built = build<mine::by_hand>(std::move(m));
  for (const ir::artifact& a : built.body().artifacts())
    std::printf("%s for %s:\n%.*s", a.format.c_str(), a.target.c_str(), static_cast<int>(a.bytes.size()), a.bytes.data());
}

// CHECK: listing for paper:
// CHECK: do {{.*}}exp
// CHECK: do {{.*}}softmax
