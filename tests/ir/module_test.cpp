// The module: interning, use lists, erasing, copying, compacting.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/text/print.hpp>

using namespace tenon;
using ir::type;

namespace {
struct fixture {
  ir::module m;
  function_id f;
  ir::builder<> b;
  value_id x, y;
  fixture() : f(make()), b(m, m[f].body) { x = m[m[f].body].arguments[0], y = m[m[f].body].arguments[1]; }
  function_id make() {
    const type_id list[] = {m.intern(type::tensor(dtype::f32, {2})), m.intern(type::tensor(dtype::f32, {2}))};
    return m.add_function("f", ir::function_kind::graph, list);
  }
};
}  // namespace

TEST_CASE("equal types and attributes have one id") {
  ir::module m;
  const type_id a = m.intern(type::tensor(dtype::f32, {1, 2})), b = m.intern(type::tensor(dtype::f32, {1, 2}));
  CHECK(a == b);
  CHECK(m.intern(type::tensor(dtype::f32, {2, 1})) != a);
  CHECK(m.intern(type::buffer(dtype::f32, {1, 2})) != a);
  CHECK(m.intern(type::tensor(dtype::f32, {ir::dim::symbol(m.symbol("N"))})) !=
        m.intern(type::tensor(dtype::f32, {ir::dim::unknown()})));
  const loop::literal one{dtype::f32, 1, 0}, two{dtype::f32, 2, 0};
  const auto& info = ir::info_of<loop::literal>;
  CHECK(m.intern_attributes(info, &one) == m.intern_attributes(info, &one));
  CHECK(m.intern_attributes(info, &one) != m.intern_attributes(info, &two));
}

TEST_CASE("uses follow operands") {
  fixture t;
  const value_id a = t.b.make(op::add{}, {t.x, t.x}), c = t.b.make(op::mul{}, {a, t.x});
  CHECK(t.m.use_count(t.x) == 3);
  CHECK(t.m.use_count(a) == 1);
  t.m.replace_uses(t.x, t.y);
  CHECK(t.m.use_count(t.x) == 0);
  CHECK(t.m.use_count(t.y) == 3);
  t.m.set_operand(t.m[c].definition, 0, t.y);
  CHECK_FALSE(t.m.has_uses(a));
  t.m.erase(t.m[a].definition);
  CHECK(t.m.use_count(t.y) == 2);
  t.b.make_op(op::return_{}, std::vector{c}, {});
  CHECK_NOTHROW(ir::verify(t.m));
}

TEST_CASE("ops can be inserted before others") {
  fixture t;
  const value_id a = t.b.make(op::add{}, {t.x, t.y});
  t.b.before(t.m[a].definition);
  t.b.make(op::mul{}, {t.x, t.y});
  t.b.make(op::sub{}, {t.x, t.y});
  std::string names;
  ir::for_each_op(t.m, [&](op_id op) { names += std::string(t.m.view(op).name()) + " "; });
  CHECK(names == "mul sub add ");
}

TEST_CASE("a copy is a module of its own") {
  fixture t;
  t.b.make_op(op::return_{}, std::vector{t.b.make(op::add{}, {t.x, t.y})}, {});
  const ir::module copy = t.m;
  const std::string before = print(copy);
  t.m[t.f].name = "renamed";
  t.m.replace_uses(t.x, t.y);
  CHECK(print(copy) == before);
  CHECK(print(t.m) != before);
}

TEST_CASE("compacting keeps the meaning and drops the holes") {
  fixture t;
  t.m.add_constant(tensor::scalar(1.0f), "unused");
  const constant_id used = t.m.add_constant(tensor::from<float>({2}, {1, 2}), "used");
  const value_id dead = t.b.make(op::mul{}, {t.x, t.y});
  const value_id c = t.b.make(op::constant{used}, {});
  const value_id s = t.b.make(op::add{}, {t.x, c});
  t.b.make_op(op::return_{}, std::vector{s}, {});
  t.m.erase(t.m[dead].definition);
  const function_id gone = t.m.add_function("gone", ir::function_kind::graph, {});
  t.m.erase_function(gone);
  CHECK_FALSE(t.m.find_function("gone"));
  const std::string before = print(t.m, t.f);
  t.m.compact();
  CHECK(t.m.op_count() == 3);
  CHECK(t.m.constant_count() == 1);
  CHECK(t.m.functions().size() == 1);
  std::string expected = before;
  expected.replace(expected.find("#1"), 2, "#0");
  CHECK(print(t.m, t.m.find_function("f")) == expected);
  CHECK_NOTHROW(ir::verify(t.m));
}

TEST_CASE("an op is erased with what its region lists, also where a pass has erased some of that already") {
  fixture t;
  const type_id type = t.m.intern(type::tensor(dtype::f32, {2}));
  const op_id outer = t.b.make_op(op::fused{}, std::vector{t.x}, std::vector{type}, 1);
  ir::builder<> in(t.m, t.m.region(outer));
  const value_id kept = in.make(op::add{}, {t.x, t.y}), gone = in.make(op::mul{}, {t.x, kept});
  const op_id last = t.m[gone].definition;
  t.m[last].parent = {};  // as a pass does that rebuilds the list later
  t.m.erase(last);
  t.m.erase(outer);
  CHECK(t.m.use_count(t.x) == 0);
  CHECK(t.m.use_count(t.y) == 0);
  CHECK_FALSE(t.m.alive(t.m[kept].definition));
  CHECK(t.m[t.m[t.f].body].ops.empty());
}

TEST_CASE("names of functions are unique") {
  ir::module m;
  const function_id a = m.add_function("f", ir::function_kind::graph, {}),
                    b = m.add_function("f", ir::function_kind::graph, {});
  CHECK(m[a].name == "f");
  CHECK(m[b].name == "f_1");
  // However many there are, and whichever numbers are taken already.
  std::set<std::string> names{"f", "f_1"};
  const function_id taken = m.add_function("f_9", ir::function_kind::graph, {});
  CHECK(m[taken].name == "f_9");
  names.insert("f_9");
  for (int i = 0; i < 40; ++i) CHECK(names.insert(m[m.add_function("f", ir::function_kind::graph, {})].name).second);
  m.erase_function(b);
  CHECK(m[m.add_function("f_1", ir::function_kind::graph, {})].name == "f_1");
}

TEST_CASE("a constant's memory is given back when its last op is gone, and not before") {
  fixture t;
  const constant_id c = t.m.add_constant(tensor::from<float>({2}, {1, 2}));
  const std::weak_ptr<const void> memory = t.m[c].value.owner();
  const value_id one = t.b.make(op::constant{c}, {}), two = t.b.make(op::constant{c}, {});
  t.m.erase(t.m[one].definition);
  t.m.release_constant(c);
  CHECK(t.m[c].value.shape() == std::vector<i64>{2});
  t.m.erase(t.m[two].definition);
  CHECK_FALSE(memory.expired());
  t.m.release_constant(c);
  CHECK(memory.expired());
  CHECK(t.m[c].value.size() == 0);
  t.m.compact();
  CHECK(t.m.constant_count() == 0);
}
