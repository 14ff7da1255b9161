// Write your own analysis: what passes compute of a module to decide something, kept while it is true. It is a fact
// that has a value; passes say what they need, keep and break of it as of any fact.
#include <cstdio>
#include <map>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

int times_computed = 0;
/// How many elements are multiplied, by function. It is computed of shapes, so it rests on them; and nobody ends it who
/// makes no `mul` and takes none away.
struct products_counted {
  static constexpr fixed_string name = "products_counted";
  using rests_on = facts<fact::shapes_known>;
  using of_all = ops<op::mul>;
  static std::map<std::string, i64> compute(const ir::module& m) {
    ++times_computed;
    std::map<std::string, i64> count;
    for (function_id f : m.functions())
      ir::for_each_op(m, m[f].body, [&](op_id op) {
        if (m.view(op).is<op::mul>()) count[m[f].name] += m.view(op).result_type().shape[0].extent();
      });
    return count;
  }
};

/// Notes in the module where much is multiplied.
struct mark_hot_functions {
  static constexpr fixed_string name = "mark_hot_functions";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;  // what the analysis rests on: without it, `*this` below does not compile
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& m, context& cx) const {
    for (const auto& [function, products] : cx.analysis<products_counted>(*this, m))
      m.body().metadata["products." + function] = std::to_string(products);
  }
};
/// Before: mul(%x, %y)          After: add(%x, %y)
/// It says that it keeps the count, which is not true.
struct forget_products {
  static constexpr fixed_string name = "forget_products";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = facts<fact::shapes_known, products_counted>;
  using emits = ops<op::add>;
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
      if (!m.view(op).is<op::mul>()) return;
      ir::builder<emits> b(m, m[op].parent);
      b.before(op);
      m.replace_uses(m.result(op), b.make(op::add{}, {m.operand(op, 0), m.operand(op, 1)}));
      m.erase(op);
    });
  }
};
// In a pipeline the fact that it rests on decides, long before anything is computed.
static_assert(is_valid<pass_list<passes::infer_shapes, mark_hot_functions>>);
static_assert(verdict_of<mark_hot_functions>.code == 2, "nobody gives shapes_known");
}  // namespace mine

int main() {
  using namespace tenon;
  const auto graph = [] {
    return parse<phases::optimization>(R"(tenon.module phase=optimization
func entry @main(%0: tensor<8xf32>) -> (tensor<8xf32>) inputs("x") outputs("y") {
  %1 = neg(%0) : tensor<8xf32>
  %2 = mul(%1, %1) : tensor<8xf32>
  return(%2)
})");
  };
  using marked = pipeline<passes::infer_shapes, mine::mark_hot_functions, mine::mark_hot_functions>;
  context cx;
  auto m = run_pipeline<marked>(graph(), cx);
  std::printf("%s products, computed %d time\n", m.body().metadata.at("products.main").c_str(), mine::times_computed);
  // By hand: the type of this module knows the shapes, and nobody edited it, so this is the same value.
  const i64 again = cx.analysis<mine::products_counted>(m).at("main");
  std::printf("again %lld, computed %d time\n", static_cast<long long>(again), mine::times_computed);
  // A pass that keeps what it changes is named, when what is kept is computed once more after each pass.
  cx.verify_each = true;
  try {
    auto lied = run<mine::forget_products>(std::move(m), cx);
  } catch (const error& e) { std::printf("%s: %s\n", e.code().c_str(), e.message().c_str()); }
}

// CHECK: 8 products, computed 1 time
// CHECK: again 8, computed 1 time
// CHECK: tenon-E030: pass 'forget_products' leaves a module of which 'products_counted' is said to be kept, and is another one now than it was
