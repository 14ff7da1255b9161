// Under verify_each the phase is verified after each pass; op-set facts are proved by a checker that is generated.
#include <doctest/doctest.h>

#include <algorithm>

#include <tenon/compile/build.hpp>
#include <tenon/facts/ops_legalized.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/phases/all.hpp>

namespace {
using namespace tenon;

/// A function that returns its argument, and an op between if `Op` says so.
template <class... Op>
ir_module<phases::optimization> module_with() {
  ir::module m;
  const type_id t = m.intern(ir::type::tensor(dtype::f32, {2}));
  const type_id arguments[] = {t};
  const function_id f = m.add_function("main", ir::function_kind::graph, arguments);
  const region_id body = m[f].body;
  value_id v = m[body].arguments[0];
  const auto add = [&](const ir::op_info& info, const void* attributes, bool result) {
    const value_id operands[] = {v};
    const type_id results[] = {t};
    const op_id op = m.make_op(info, m.intern_attributes(info, attributes), operands,
                               std::span<const type_id>(results, result ? 1 : 0), 0, {});
    m.append(body, op);
    if (result) v = m.result(op);
  };
  const auto plain = [&]<class O>(O o, bool result) { add(ir::info_of<O>, &o, result); };
  (plain(Op{}, true), ...);
  plain(op::return_{}, false);
  return ir_module<phases::optimization>::adopt(std::move(m));
}

struct does_nothing {
  static constexpr fixed_string name = "does_nothing";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>&, context&) const {}
};
/// Says `Phase`, which does not have all ops of the module.
struct narrow {
  static constexpr fixed_string name = "narrow";
  using op_list = ops<op::return_, op::abs>;
};
struct strange {
  static constexpr fixed_string name = "strange";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};
struct leaves_strange {
  static constexpr fixed_string name = "leaves_strange";
  using from = phases::optimization;
  using to = narrow;
  using needs = facts<>;
  using emits = ops<>;
  using eliminates = phases::optimization::op_list::without<op::return_, op::abs>;
  using handles = handled_by_default<"it does not: that is what the test is for">;
  ir_module<to> run(ir_module<from>&& m, context&) const { return ir_module<to>::adopt(std::move(m.body())); }
};
/// Say more, or less, than they do.
struct rewrites_abs {
  static constexpr fixed_string name = "rewrites_abs";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using eliminates = ops<op::abs>;
  using handles = ops<op::abs>;
  using emits = ops<op::neg>;
  bool all = true;
  template <class O>
  static void set(ir::module& m, op_id op) {
    const O o{};
    const value_id operands[] = {m.operands(op)[0]};
    const type_id results[] = {m[m.result(op)].type};
    const op_id made = m.make_op(ir::info_of<O>, m.intern_attributes(ir::info_of<O>, &o), operands, results, 0, {});
    const region_id body = m[op].parent;
    const auto& all = m[body].ops;
    m.insert(body, static_cast<size_t>(std::find(all.begin(), all.end(), op) - all.begin()), made);
    m.replace_uses(m.result(op), m.result(made));
    m.erase(op);
  }
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    const region_id body = m[m.find_function("main")].body;
    for (op_id op : std::vector<op_id>(m[body].ops))
      if (m.view(op).is<op::abs>() && all) set<op::neg>(m, op);
  }
};
struct makes_exp : does_nothing {
  static constexpr fixed_string name = "makes_exp";
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    rewrites_abs::set<op::exp>(m, m[m[m.find_function("main")].body].ops.front());
  }
};
/// Changes an attribute where it stands.
struct turns_axes : does_nothing {
  static constexpr fixed_string name = "turns_axes";
  using changes = ops<op::softmax>;
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    for (op_id op : std::vector<op_id>(m[m[m.find_function("main")].body].ops))
      if (m.view(op).is<op::softmax>()) {
        const op::softmax turned{.axis = 0};
        m.set_attributes(op, m.intern_attributes(ir::info_of<op::softmax>, &turned));
      }
  }
};
struct says_abs : turns_axes {
  static constexpr fixed_string name = "says_abs";
  using changes = ops<op::abs>;
};
struct says_any : turns_axes {
  static constexpr fixed_string name = "says_any";
  using changes = any_ops;
};
struct makes_it_anew : says_abs {
  static constexpr fixed_string name = "makes_it_anew";
  using emits = ops<op::softmax>;
};
/// An op that is there for its effect, and who deletes what nobody uses.
struct beep {
  static constexpr fixed_string name = "beep";
  using effects = tenon::effects<effect::io>;
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};
struct deletes_unused : does_nothing {
  static constexpr fixed_string name = "deletes_unused";
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    const region_id body = m[m.find_function("main")].body;
    for (op_id op : std::vector<op_id>(m[body].ops))
      if (m.view(op).is<beep>()) m.replace_uses(m.result(op), m.operands(op)[0]), m.erase(op);
  }
};
struct says_so : deletes_unused {
  static constexpr fixed_string name = "says_so";
  using deletes = tenon::effects<effect::io>;
  using leaves = tenon::effects<effect::random>;
};
}  // namespace

TEST_CASE("verify_each holds a pass that says nothing of effects to leave them alone") {
  context cx;
  cx.verify_each = true;
  const auto beeping = [] {
    return ir_module<extend<phases::optimization, beep>>::adopt(std::move(module_with<beep, op::abs>().body()));
  };
  CHECK_NOTHROW(static_cast<void>(run<does_nothing>(beeping(), cx)));
  try {
    static_cast<void>(run<deletes_unused>(beeping(), cx));
    FAIL("the op that is gone was not missed");
  } catch (const error& e) {
    CHECK(e.code() == "tenon-E030");
    CHECK(e.message() ==
          "pass 'deletes_unused' deletes, merges or moves 'beep' of function 'main', which has an effect, and says "
          "nothing of effects");
  }
  CHECK_NOTHROW(static_cast<void>(run<says_so>(beeping(), cx)));
}

TEST_CASE("verify_each holds a pass to the ops that it says") {
  context cx;
  cx.verify_each = true;
  CHECK_NOTHROW(static_cast<void>(run<rewrites_abs>(module_with<op::abs>(), cx)));
  const auto said_of = [&](auto&& pass) -> std::string {
    try {
      static_cast<void>(run(pass, module_with<op::abs, op::neg>(), cx));
    } catch (const error& e) {
      CHECK(e.code() == "tenon-E030");
      return e.message();
    }
    return {};
  };
  CHECK(said_of(rewrites_abs{}) == "");
  CHECK(said_of(rewrites_abs{.all = false}) ==
        "pass 'rewrites_abs' says that it eliminates 'abs', and leaves one in function 'main'");
  CHECK(said_of(makes_exp{}) ==
        "pass 'makes_exp' leaves 'exp' in function 'main', which was not there and is not in its 'emits'");
  cx.verify_each = false;
  CHECK(said_of(makes_exp{}) == "");
}

TEST_CASE("verify_each holds a pass that says what it changes to it") {
  context cx;
  cx.verify_each = true;
  const auto said_of = [&](auto&& pass) -> std::string {
    try {
      static_cast<void>(run(pass, module_with<op::softmax, op::abs>(), cx));
    } catch (const error& e) {
      CHECK(e.code() == "tenon-E030");
      return e.message();
    }
    return {};
  };
  CHECK(said_of(turns_axes{}) == "");
  CHECK(said_of(says_any{}) == "");
  CHECK(said_of(makes_it_anew{}) == "");  // it may have made that one
  CHECK(said_of(says_abs{}) ==
        "pass 'says_abs' changes 'softmax' of function 'main' where it stands, which is not in its 'changes'");
  cx.verify_each = false;
  CHECK(said_of(says_abs{}) == "");
}

TEST_CASE("verify_each verifies the phase") {
  context cx;
  cx.verify_each = true;
  CHECK_NOTHROW(static_cast<void>(run<does_nothing>(module_with<op::abs, op::neg>(), cx)));
  CHECK_NOTHROW(static_cast<void>(run<leaves_strange>(module_with<op::abs>(), cx)));
  try {
    static_cast<void>(run<leaves_strange>(module_with<op::abs, op::neg>(), cx));
    FAIL("the op that is left was not seen");
  } catch (const error& e) {
    CHECK(e.code() == "tenon-E030");
    CHECK(e.message().find("pass 'leaves_strange' leaves a module of which 'narrow' is said") == 0);
    CHECK(e.message().find("neg: it does not exist in phase 'narrow'") != std::string::npos);
  }
}

TEST_CASE("ops that an extension adds are of its phase, and of no other") {
  context cx;
  cx.verify_each = true;
  auto m = ir_module<extend<phases::optimization, strange>>::adopt(std::move(module_with<strange>().body()));
  CHECK_NOTHROW(static_cast<void>(run<does_nothing>(std::move(m), cx)));
  CHECK_THROWS_AS(static_cast<void>(run<does_nothing>(module_with<strange>(), cx)), error);
}

TEST_CASE("op-set facts are established by a generated checker") {
  const auto m = establish<fact::ops_legalized>(module_with<>());
  static_assert(decltype(establish<fact::ops_legalized>(module_with<>()))::knows<fact::ops_legalized>);
  CHECK(m.body().functions().size() == 1);
  try {
    static_cast<void>(establish<fact::ops_legalized>(module_with<op::abs>()));
    FAIL("the op that is left was not seen");
  } catch (const error& e) {
    CHECK(e.code() == "fact.ops_legalized");
    CHECK(e.message() == "function 'main': abs is left");
  }
}

TEST_CASE("a fingerprint is 16 digits") {
  CHECK(fingerprint_text(0x0123456789abcdefu) == "0123456789abcdef");
  CHECK(fingerprint_text(1) == "0000000000000001");
}
