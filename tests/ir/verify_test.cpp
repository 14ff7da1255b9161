// Each rule of the verifier, seen to fail on a module that breaks just that.
#include <doctest/doctest.h>

#include <tenon/ir/dims.hpp>
#include <tenon/ir/loop_builder.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/phases/all.hpp>

using namespace tenon;
using ir::function_kind;
using ir::type;

namespace {

const type vec = type::tensor(dtype::f32, {2});
const type buf = type::buffer(dtype::f32, {2});

struct fixture {
  ir::module m;
  function_id f;
  ir::loop_builder b;
  value_id x, y;
  explicit fixture(function_kind kind = function_kind::graph, const type& t = vec) : f(make(kind, t)), b(m, m[f].body) {
    x = m[m[f].body].arguments[0], y = m[m[f].body].arguments[1];
  }
  function_id make(function_kind kind, const type& t) {
    const type_id list[] = {m.intern(t), m.intern(t)};
    return m.add_function("f", kind, list);
  }
  void end(std::vector<value_id> v = {}) { b.make_op(op::return_{}, v, {}); }
  type_id scalar(dtype t) { return m.intern(type::scalar(t)); }
  std::string problem(const ir::verify_rules& rules = {}) const {
    try {
      ir::verify(m, rules);
    } catch (const error& e) {
      CHECK(e.code() == "ir.verify");
      return e.message();
    }
    return "";
  }
};
const function_kind kernel = function_kind::kernel;

}  // namespace

TEST_CASE("a right module passes") {
  fixture t;
  t.end({t.b.make(op::add{}, {t.x, t.y})});
  CHECK(t.problem() == "");
  CHECK(t.problem(ir::rules_of<phases::optimization>()) == "");
}

TEST_CASE("ops of another phase, with the place") {
  fixture t;
  t.b.set_location(t.m.location("node_7"));
  t.end({t.b.make(op::add{}, {t.x, t.y})});
  CHECK(t.problem(ir::rules_of<phases::lowering>()) == "function 'f': add: it does not exist in phase 'lowering'");
  try {
    ir::verify<phases::lowering>(t.m);
  } catch (const error& e) { CHECK(e.where() == "node_7"); }
}

TEST_CASE("in phase build, every function has a target") {
  fixture t(function_kind::graph, buf);
  t.end();
  CHECK(t.problem(ir::rules_of<phases::build>()) ==
        "function 'f': it has no target, but in phase 'build' every function has one");
  t.m[t.f].target = "cpu";
  CHECK(t.problem(ir::rules_of<phases::build>()) == "");
}

TEST_CASE("order, scope and terminators") {
  SUBCASE("use before definition") {
    fixture t;
    const value_id a = t.b.make(op::add{}, {t.x, t.y});
    const value_id c = t.b.make(op::add{}, {a, t.y});
    t.end({c});
    auto& ops = t.m[t.m[t.f].body].ops;
    std::swap(ops[0], ops[1]);
    CHECK(t.problem() == "function 'f': add: operand 0 is not defined before it, or not in this region");
  }
  SUBCASE("a value of another function") {
    fixture t;
    const type_id list[] = {t.m.intern(vec)};
    const function_id g = t.m.add_function("g", function_kind::graph, list);
    t.end({t.m[t.m[g].body].arguments[0]});
    CHECK(t.problem() == "function 'f': return: operand 0 is not defined before it, or not in this region");
  }
  SUBCASE("no terminator") {
    fixture t;
    t.b.make(op::add{}, {t.x, t.y});
    CHECK(t.problem() == "function 'f': add: the region ends with it, but it is no terminator");
  }
  SUBCASE("an empty body") { CHECK(fixture().problem() == "function 'f': a region is empty: it needs a terminator"); }
  SUBCASE("the wrong terminator") {
    fixture t;
    t.b.make_op(op::yield{}, {}, {});
    CHECK(t.problem() == "function 'f': yield: it does not end with 'return'");
  }
  SUBCASE("an op with two parents") {
    fixture t;
    const value_id a = t.b.make(op::add{}, {t.x, t.y});
    t.end({a});
    t.m[t.m[a].definition].parent = region_id(99);
    CHECK(t.problem() == "function 'f': add: it stands in a region that is not its parent");
  }
}

TEST_CASE("types") {
  SUBCASE("a result that the type rule does not give") {
    fixture t;
    const value_id a = t.b.make(op::add{}, {t.x, t.y});
    t.end({a});
    t.m.set_type(a, t.m.intern(type::tensor(dtype::f32, {3})));
    CHECK(t.problem() ==
          "function 'f': add: result 0 is said to be tensor<3xf32>, but its type rule gives tensor<2xf32>");
    t.m.set_type(a, t.m.intern(type::tensor(dtype::f32, {ir::dim::unknown()})));
    CHECK(t.problem() == "");
  }
  SUBCASE("what the function states") {
    fixture t;
    t.end({t.x});
    t.m[t.f].result_types = {t.m.intern(type::tensor(dtype::i64, {2}))};
    CHECK(t.problem() == "function 'f': return: result 0 is tensor<2xf32>, but the function states tensor<2xi64>");
  }
  SUBCASE("counts") {
    fixture t;
    const value_id one[] = {t.x};
    const type_id r[] = {t.m.intern(vec)};
    const op_id a = t.b.make_op(op::add{}, one, r);
    t.end({t.m.result(a)});
    CHECK(t.problem() == "function 'f': add: it has 1 operands, which its signature does not allow");
  }
  SUBCASE("a required operand is absent") {
    fixture t;
    const value_id a = t.b.make(op::add{}, {t.x, t.y});
    t.end({a});
    t.m.set_operand(t.m[a].definition, 1, {});
    CHECK(t.problem() == "function 'f': add: operand 1 is required");
  }
  SUBCASE("what a function returns is absent, also where a caller before it needs its type") {
    fixture t;
    const function_id callee = t.make(function_kind::graph, vec);
    const type_id r[] = {t.m.intern(vec)};
    t.end({t.m.result(t.b.make_op(op::call{{t.m[callee].name}}, std::vector{t.x, t.y}, r))});
    ir::loop_builder(t.m, t.m[callee].body).make_op(op::return_{}, std::vector<value_id>{{}}, {});
    CHECK(t.problem() == "function 'f': call: results do not match what the function returns: number 0 is left out");
    t.m.erase_function(t.f);
    CHECK(t.problem().find("return: operand 0 is required") != std::string::npos);
  }
  SUBCASE("a view of another size") {
    fixture t;
    const value_id from[] = {t.x};
    const type_id r[] = {t.m.intern(type::tensor(dtype::f32, {3}))};
    t.end({t.m.result(t.b.make_op(op::view{}, from, r))});
    CHECK(t.problem() == "function 'f': view: the tensors differ in size");
  }
  SUBCASE("a view of another size, whatever the symbols stand for") {
    for (const i64 more : {1, 3}) {
      fixture t;
      const value_id from[] = {t.x};
      const type_id r[] = {t.m.intern(type::tensor(dtype::f32, {ir::dim_of(t.m, extent_expr::name("n") + more)}))};
      t.end({t.m.result(t.b.make_op(op::view{}, from, r))});
      CHECK(t.problem() == (more == 1 ? "" : "function 'f': view: the tensors differ in size"));
    }
  }
}

TEST_CASE("references") {
  fixture t;
  const type_id r[] = {t.m.intern(vec)};
  SUBCASE("no such function") {
    const op_id c = t.b.make_op(op::call{{"g"}}, std::vector{t.x}, r);
    t.end({t.m.result(c)});
    CHECK(t.problem() == "function 'f': call: there is no function 'g'");
  }
  SUBCASE("a graph function as a kernel") {
    const op_id c = t.b.make_op(op::call_kernel{{"f"}, {}}, std::vector{t.x}, r);
    t.end({t.m.result(c)});
    CHECK(t.problem() == "function 'f': call_kernel: 'f' is not a function of the right kind");
  }
  SUBCASE("a kernel with other arguments") {
    const type_id list[] = {t.m.intern(buf), t.m.intern(type::buffer(dtype::f32, {3}))};
    const function_id k = t.m.add_function("k", kernel, list);
    ir::loop_builder(t.m, t.m[k].body).make_op(op::return_{}, {}, {});
    const op_id c = t.b.make_op(op::call_kernel{{"k"}, {}}, std::vector{t.x}, r);
    t.end({t.m.result(c)});
    CHECK(t.problem() ==
          "function 'f': call_kernel: values do not match the kernel's arguments: number 1 is tensor<2xf32>, not "
          "buffer<3xf32>");
  }
  SUBCASE("no such constant") {
    const op_id c = t.b.make_op(op::constant{constant_id(5)}, {}, r);
    t.end({t.m.result(c)});
    CHECK(t.problem() == "function 'f': constant: there is no constant #5");
  }
}

TEST_CASE("loop level") {
  SUBCASE("outside of a kernel") {
    fixture t;
    t.b.real(dtype::f32, 1);
    t.end({t.x});
    CHECK(t.problem() == "function 'f': loop.literal: it stands outside of a kernel");
  }
  SUBCASE("a kernel that takes tensors") {
    fixture t(kernel, vec);
    t.end();
    CHECK(t.problem() == "function 'f': an argument of a kernel is not a buffer");
  }
  fixture t(kernel, buf);
  const value_id i = t.b.integer(dtype::index, 0), v = t.b.real(dtype::f32, 1);
  const type_id f32[] = {t.scalar(dtype::f32)};
  SUBCASE("too few rows") {
    t.b.make_op(loop::store{{}}, std::vector{v, t.x, i}, {});
    t.end();
    CHECK(t.problem() == "function 'f': loop.store: its access has 0 rows for a buffer of rank 1");
  }
  SUBCASE("too few columns") {
    t.b.make_op(loop::load{{{{0}}}, false}, std::vector{t.x, i}, f32);
    t.end();
    CHECK(t.problem() == "function 'f': loop.load: a row of its access has 1 columns for 1 indices");
  }
  SUBCASE("an index that is none") {
    t.b.make_op(loop::load{{{{0, 1}}}, false}, std::vector{t.x, v}, f32);
    t.end();
    CHECK(t.problem() == "function 'f': loop.load: an index is not a scalar of type index");
  }
  SUBCASE("a value of another type") {
    t.b.store(i, t.x, {0});
    t.end();
    CHECK(t.problem() == "function 'f': loop.store: its value is not of the buffer's element type");
  }
  SUBCASE("a body that yields another number of values") {
    t.b.reduce(0, 2, {v}, [&](ir::index_expr, auto& carried) { carried.clear(); });
    t.end();
    CHECK(t.problem() == "function 'f': loop.for: yielded values do not match the carried values: 0 for 1");
  }
  SUBCASE("a step of zero") {
    t.b.for_(0, 2, [](ir::index_expr) {}, {.step = 0});
    t.end();
    CHECK(t.problem() == "function 'f': loop.for: its step is not positive");
  }
  SUBCASE("operands of two types") {
    t.b.make_op(loop::scalar{loop::scalar_fn::add}, std::vector{v, i}, f32);
    t.end();
    CHECK(t.problem() == "function 'f': loop.scalar: its operands are not of one type");
  }
  SUBCASE("a comparison that does not give bool") {
    t.b.make_op(loop::scalar{loop::scalar_fn::lt}, std::vector{v, v}, f32);
    t.end();
    CHECK(t.problem() == "function 'f': loop.scalar: its result has the wrong type");
  }
  SUBCASE("a contraction whose a depends on n") {
    t.b.contract(
        {.a = t.x, .b = t.y, .m = {}, .k = {1}, .n = 2},
        [](const auto&, const auto& k) { return ir::index_list{k[0]}; },
        [](const auto& n, const auto& k) { return ir::index_list{n + k[0]}; },
        [](value_id, const auto&, const auto&) {});
    t.end();
    CHECK(t.problem() == "");
    const op_id c = t.m[t.m[t.f].body].ops[2];
    loop::contract wrong = t.m.view(c).as<loop::contract>();
    wrong.map_a.rows[0][1] = 1;
    t.m.set_attributes(c, t.m.intern_attributes(ir::info_of<loop::contract>, &wrong));
    CHECK(t.problem() == "function 'f': loop.contract: its first operand depends on n");
  }
}

TEST_CASE("functions that are ahead of their module, and calls across phases") {
  const auto code_and_message = [](const ir::module& m, const ir::verify_rules& rules) {
    try {
      ir::verify(m, rules);
    } catch (const error& e) { return std::string(e.code()) + ": " + e.message(); }
    return std::string();
  };
  ir::module m;
  const type_id b = m.intern(buf), t = m.intern(vec);
  const type_id buffers[] = {b, b};
  const function_id k = m.add_function("k", kernel, buffers);
  ir::loop_builder(m, m[k].body).make_op(op::return_{}, {}, {});
  const function_id f = m.add_function("f", function_kind::graph, {&t, 1});
  ir::builder<> at(m, m[f].body);
  const value_id x[] = {m[m[f].body].arguments[0]};
  const value_id y[] = {m.result(at.make_op(op::call_kernel{{"k"}, {}}, x, {&t, 1}))};
  at.make_op(op::return_{}, y, {});
  const auto optimization = ir::rules_of<phases::optimization>(), lowering = ir::rules_of<phases::lowering>();

  SUBCASE("a kernel is finished before the graph that calls it") {
    m[k].phase = "lowering";
    CHECK(code_and_message(m, optimization) == "");
  }
  SUBCASE("what it holds is of its own phase, and early there") {
    m[k].phase = "lowering";
    const region_id body = m[k].body;
    m.erase(m.terminator(body));
    ir::builder<> in(m, body);
    const type_id types[] = {b};
    in.make_op(op::alloc{}, {}, types);
    in.make_op(op::return_{}, {}, {});
    CHECK(code_and_message(m, optimization) ==
          "ir.verify: function 'k': alloc: it does not exist in phase 'lowering', in a function that is ahead of its "
          "module");
    m[k].phase.clear();
    CHECK(code_and_message(m, optimization) ==
          "ir.verify: function 'k': alloc: it does not exist in phase 'optimization'");
  }
  SUBCASE("a function cannot be behind its module, or nowhere") {
    m[f].phase = "ingestion";
    CHECK(code_and_message(m, optimization) ==
          "tenon-E033: function 'f' is in phase 'ingestion', where no function of a module in phase 'optimization' may "
          "be: "
          "besides that phase there is 'lowering', 'build'");
    m[f].phase = "built";
    CHECK(code_and_message(m, optimization).starts_with("tenon-E033: function 'f' is in phase 'built'"));
    m[f].phase.clear(), m[k].phase = "lowerin";
    CHECK(code_and_message(m, optimization).starts_with("tenon-E033: function 'k' is in phase 'lowerin'"));
  }
  SUBCASE("a function that is ahead does not call back") {
    m[f].phase = "lowering";
    CHECK(code_and_message(m, ir::verify_rules{optimization.phase, {}, {}, optimization.within}) ==
          "ir.verify: function 'f': call_kernel: it does not exist in phase 'lowering', in a function that is ahead of "
          "its module");
    auto rules = std::vector<ir::phase_rules>(optimization.within.begin(), optimization.within.end());
    for (ir::phase_rules& r : rules)
      if (r.name == "lowering") r.early = op_set_of<call_ops>;
    CHECK(code_and_message(m, ir::verify_rules{optimization.phase, {}, {}, rules}) ==
          "tenon-E032: function 'f' of phase 'lowering' may not call function 'k' of phase 'optimization': add "
          "'optimization' to "
          "the 'calls_into' of 'lowering', or specialize tenon::callable_across<lowering, optimization>");
  }
  SUBCASE("a fact about ops speaks of the module's phase") {
    m[f].phase = "lowering";  // the call is in it
    CHECK_NOTHROW(ir::verify_absent(m, "no_kernel_calls", op_set_of<ops<op::call_kernel>>));
    m[f].phase.clear();
    CHECK_THROWS_AS(ir::verify_absent(m, "no_kernel_calls", op_set_of<ops<op::call_kernel>>), error);
  }
  CHECK(lowering.within.size() == 2);
}
