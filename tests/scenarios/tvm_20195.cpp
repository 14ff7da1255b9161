// apache/tvm #20195: FuseOps moved a call above the `match_cast` that defines the symbol it uses.
// What a pass says of itself cannot be wrong in its type here; the checker of the fact, run after each pass, names it.
// no wrong program: the pass lies, which shows when it runs
#include "scenario.hpp"

namespace tvm_20195 {

/// What an op uses is defined above it.
struct defined_before_use {
  static constexpr tn::fixed_string name = "defined_before_use";
  static void check(const tn::ir::module& m);
};
struct sort_ops {
  static constexpr tn::fixed_string name = "sort_ops";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using gives = tn::facts<defined_before_use>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
/// Brings products together at the top, and says that it keeps every fact.
struct fuse_ops {
  static constexpr tn::fixed_string name = "fuse_ops";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<defined_before_use>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  bool looks_at_definitions = true;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
struct number_ops {
  static constexpr tn::fixed_string name = "number_ops";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<defined_before_use>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
using order = tn::pipeline<sort_ops, fuse_ops, number_ops>;
static_assert(tn::verdict_of<fuse_ops, sort_ops>.code == 2);

#ifdef TENON_RUN
op_id first_late(const ir::module& m, region_id r) {
  std::vector<bool> defined(m.value_count());
  for (value_id v : m[r].arguments) defined[v.index] = true;
  for (op_id o : m[r].ops) {
    for (value_id v : m.operands(o))
      if (!defined[v.index]) return o;
    for (value_id v : m.results(o)) defined[v.index] = true;
  }
  return {};
}
void defined_before_use::check(const tn::ir::module& m) {
  for (function_id f : m.functions())
    if (const op_id o = first_late(m, m[f].body))
      throw error("test.order", std::string(m.view(o).name()) + " uses what is defined below it");
}
void sort_ops::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for (function_id f : m.functions())
    for (op_id late = first_late(m, m[f].body); late; late = first_late(m, m[f].body)) {
      auto& ops = m[m[f].body].ops;  // down by one place
      for (size_t i = 0; i + 1 < ops.size(); ++i)
        if (ops[i] == late) {
          std::swap(ops[i], ops[i + 1]);
          break;
        }
    }
}
void fuse_ops::run(tn::ir_module<runs_in>& module, tn::context& cx) const {
  ir::module& m = module.body();
  for (function_id f : m.functions()) {
    std::vector<op_id> ops;
    for (const bool product : {true, false})
      for (op_id o : m[m[f].body].ops)
        if (m.view(o).is<op::mul>() == product) ops.push_back(o);
    m[m[f].body].ops = ops;
  }
  if (looks_at_definitions) sort_ops{}.run(module, cx);
}
void number_ops::run(tn::ir_module<runs_in>& module, tn::context&) const {
  int n = 0;
  ir::for_each_op(module.body(),
                  [&](op_id o) { module.body()[o].location = module.body().location(std::to_string(n++)); });
}

ir_module<phases::optimization> cast_then_multiply() {
  return make_module<phases::optimization>({vector_of(2, dtype::i32)}, [](auto& b, const auto& x) {
    const value_id matched = b.make(op::cast{dtype::f32}, {x[0]});
    return std::vector{b.make(op::mul{}, {matched, matched})};
  });
}
TEST_CASE("tvm #20195: the pass that lies is named") {
  context cx;
  cx.set(fuse_ops{.looks_at_definitions = false});
  std::string code, message;
  try {
    static_cast<void>(through<order, phases::optimization>(cast_then_multiply(), cx));
  } catch (const error& e) { code = e.code(), message = e.what(); }
  CHECK(code == "tenon-E030");
  // The phase's own verifier may see it before the fact's checker does; either way the pass is named.
  CHECK(message.find("pass 'fuse_ops' leaves a module of which '") != std::string::npos);
  CHECK(message.find("is said and is not true") != std::string::npos);
}
TEST_CASE("tvm #20195: one that does not") {
  const auto done = through<order, phases::optimization>(cast_then_multiply());
  CHECK(values(done, {tensor::from<i32>({2}, {3, -4})}) == numbers{9, 16});
}
#endif
}  // namespace tvm_20195
