// Where accesses reach: what is surely outside is refused, what is surely inside is proven, and nothing else is either.
#include <doctest/doctest.h>

#include <tenon/ir/bounds.hpp>
#include <tenon/ir/bounds_checks.hpp>
#include <tenon/ir/loop_builder.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>

using namespace tenon;
using ir::index_expr;
using ir::index_list;
using ir::type;

namespace {

struct fixture {
  ir::module m;
  function_id f;
  std::vector<value_id> args;
  ir::loop_builder b;

  explicit fixture(std::initializer_list<std::vector<ir::dim>> shapes, dtype t = dtype::f32)
      : f(make(shapes, t)), args(m[m[f].body].arguments), b(m, m[f].body) {}
  function_id make(std::initializer_list<std::vector<ir::dim>> shapes, dtype t) {
    std::vector<type_id> types;
    for (const auto& s : shapes) types.push_back(m.intern(type::buffer(t, s)));
    return m.add_function("k", ir::function_kind::kernel, types);
  }
  ir::dim size(const char* expression) { return ir::dim::symbol(m.symbol(expression)); }
  index_expr extent(const char* expression) {
    const type_id t[] = {m.intern(type::scalar(dtype::index))};
    return m.result(b.make_op(loop::extent{expression}, {}, t));
  }
  index_expr loaded(value_id from, const index_list& at) { return b.convert(b.load(from, at), dtype::index); }
  void touch(value_id buffer, const index_list& at) { b.store(b.real(m.type_of(buffer).elem, 1), buffer, at); }
  void end() { b.make_op(op::return_{}, {}, {}); }
  /// What the verifier says.
  std::string problem() {
    end();
    try {
      ir::verify(m);
    } catch (const error& e) {
      CHECK(e.code() == "ir.verify");
      return e.message();
    }
    return "";
  }
  /// Is every access proven? And if so, none may surely be outside.
  bool proven() {
    end();
    ir::bounds known(m);
    bool all = true;
    ir::for_each_op(m, [&](op_id op) { all = all && known.proven(op); });
    if (all) CHECK_NOTHROW(ir::verify(m));
    return all;
  }
};

loop::for_loop every(i64 step) {
  loop::for_loop l;
  l.step = step;
  return l;
}

}  // namespace

TEST_CASE("an index that surely leaves its buffer is refused, with function, op, range and buffer") {
  SUBCASE("above") {
    fixture t({{2, 3}});
    t.b.for_(0, 200000000, [&](index_expr i) { t.touch(t.args[0], {i, 0}); });
    CHECK(t.problem() ==
          "function 'k': loop.store: it reaches indices 0 to 199999999 of dimension 0 of operand 1, a buffer<2x3xf32>");
  }
  SUBCASE("below") {
    fixture t({{4}});
    t.b.for_(0, 4, [&](index_expr i) { t.touch(t.args[0], {i - 1}); });
    CHECK(t.problem() ==
          "function 'k': loop.store: it reaches indices -1 to 2 of dimension 0 of operand 1, a buffer<4xf32>");
  }
  SUBCASE("a load at one place") {
    fixture t({{4}, {1}});
    t.b.store(t.b.load(t.args[0], {4}), t.args[1], {0});
    CHECK(t.problem() == "function 'k': loop.load: it reaches index 4 of dimension 0 of operand 0, a buffer<4xf32>");
  }
  SUBCASE("backwards") {
    fixture t({{4}});
    t.b.for_(0, 4, [&](index_expr i) { t.touch(t.args[0], {i * -2 + 5}); });
    CHECK(t.problem() != "");
  }
  SUBCASE("an index that other code computed") {
    fixture t({{4}});
    t.b.for_(0, 4, [&](index_expr i) {
      t.touch(t.args[0], {index_expr(t.b.add(t.b.mul(t.b.index(i), t.b.integer(dtype::index, 2)), t.b.index(i)))});
    });
    CHECK(t.problem() ==
          "function 'k': loop.store: it reaches indices 0 to 9 of dimension 0 of operand 1, a buffer<4xf32>");
  }
  SUBCASE("an empty buffer") {
    fixture t({{0}});
    t.touch(t.args[0], {0});
    CHECK(t.problem() != "");
  }
  SUBCASE("below, where the extent is a symbol") {
    fixture t({{ir::dim::unknown()}});
    t.args[0] = t.m[t.m[t.f].body].arguments[0];
    t.m.set_type(t.args[0], t.m.intern(type::buffer(dtype::f32, {t.size("n")})));
    t.touch(t.args[0], {-1});
    CHECK(t.problem() != "");
  }
}

TEST_CASE("the last index of a longer step is the one that is taken") {
  for (i64 extent : {9, 10}) {
    fixture t({{extent}});
    t.b.for_(0, 11, [&](index_expr i) { t.touch(t.args[0], {i}); }, every(3));
    CHECK((t.problem() == "") == (extent == 10));
  }
}

TEST_CASE("a contraction that reads past an operand is refused") {
  for (i64 k : {3, 4}) {
    fixture t({{2, 3}, {4, 4}, {2, 4}});
    t.b.contract(
        {.a = t.args[0], .b = t.args[1], .m = {2}, .k = {k}, .n = 4},
        [](const index_list& m, const index_list& kk) { return index_list{m[0], kk[0]}; },
        [](const index_expr& n, const index_list& kk) { return index_list{kk[0], n}; },
        [&](value_id acc, const index_list& m, const index_expr& n) { t.b.store(acc, t.args[2], {m[0], n}); });
    const std::string problem = t.problem();
    if (k == 3) CHECK(problem == "");
    else
      CHECK(problem ==
            "function 'k': loop.contract: it reaches indices 0 to 3 of dimension 1 of operand 0, a buffer<2x3xf32>");
  }
  fixture past({{2, 3}, {3, 4}, {2, 4}});  // its region stores where it is not asked to
  past.b.contract(
      {.a = past.args[0], .b = past.args[1], .m = {2}, .k = {3}, .n = 4},
      [](const index_list& m, const index_list& kk) { return index_list{m[0], kk[0]}; },
      [](const index_expr& n, const index_list& kk) { return index_list{kk[0], n}; },
      [&](value_id acc, const index_list& m, const index_expr& n) { past.b.store(acc, past.args[2], {m[0] + 1, n}); });
  CHECK(past.problem() ==
        "function 'k': loop.store: it reaches indices 1 to 2 of dimension 0 of operand 1, a buffer<2x4xf32>");
  fixture none({{2, 3}, {0, 4}, {2, 4}});  // no terms: nothing is read
  none.b.contract(
      {.a = none.args[0], .b = none.args[1], .m = {2}, .k = {0}, .n = 4},
      [](const index_list& m, const index_list& kk) { return index_list{m[0] + 7, kk[0]}; },
      [](const index_expr& n, const index_list& kk) { return index_list{kk[0], n}; },
      [&](value_id acc, const index_list& m, const index_expr& n) { none.b.store(acc, none.args[2], {m[0], n}); });
  CHECK(none.problem() == "");
}

TEST_CASE("what may never run, or is not known, is not refused, and not proven") {
  SUBCASE("a loop without iterations") {
    fixture t({{2}});
    t.b.for_(3, 3, [&](index_expr i) { t.touch(t.args[0], {i}); });
    CHECK(t.problem() == "");
  }
  SUBCASE("inside of a loop without iterations") {
    fixture t({{2}});
    t.b.for_(0, 0, [&](index_expr) { t.touch(t.args[0], {7}); });
    CHECK(t.problem() == "");
  }
  SUBCASE("a branch") {
    fixture t({{2}});
    t.b.for_(0, 4, [&](index_expr i) {
      t.b.if_(
          t.b.less(i, 2), [&] { return t.touch(t.args[0], {i}), std::vector<value_id>{}; },
          [&] { return std::vector<value_id>{}; });
    });
    CHECK(!t.proven());
    CHECK_NOTHROW(ir::verify(t.m));
  }
  SUBCASE("an element") {
    fixture t({{4}}, dtype::i64);
    t.touch(t.args[0], {t.loaded(t.args[0], {0})});
    CHECK(!t.proven());
    CHECK_NOTHROW(ir::verify(t.m));
  }
  SUBCASE("a bound that is an element") {
    fixture t({{4}}, dtype::i64);
    t.b.for_(0, t.loaded(t.args[0], {0}), [&](index_expr i) { t.touch(t.args[0], {i}); });
    CHECK(!t.proven());
    CHECK_NOTHROW(ir::verify(t.m));
  }
  SUBCASE("a guarded load") {
    fixture t({{4}, {9}});
    t.b.for_(0, 9, [&](index_expr i) {
      t.b.store(t.b.load_or(t.b.real(dtype::f32, 0), t.args[0], {i - 2}), t.args[1], {i});
    });
    CHECK(t.proven());
  }
}

TEST_CASE("numbers that wrap prove nothing, and are no overrun that anybody knows") {
  const i64 large = i64{1} << 62;
  fixture t({{4}});
  t.b.for_(0, 4, [&](index_expr i) { t.touch(t.args[0], {i * large}); });  // 0 and 2^62 and 2^63: the last wraps
  CHECK(!t.proven());
  fixture step({{4}});
  step.b.for_(
      0, std::numeric_limits<i64>::max(),
      [&](index_expr i) {
        step.touch(step.args[0], {step.b.min(i, 3)});  // behind the last one, the index would be negative
      },
      every(large));
  CHECK(!step.proven());
}

TEST_CASE("proven: sums of loop indices") {
  for (i64 extent : {11, 12}) {
    fixture t({{extent}});
    t.b.for_(0, 3, [&](index_expr i) { t.b.for_(0, 4, [&](index_expr j) { t.touch(t.args[0], {i * 4 + j}); }); });
    CHECK(t.proven() == (extent == 12));
    CHECK_MESSAGE(([&] {
                    try {
                      ir::verify(t.m);
                      return true;
                    } catch (const error&) { return false; }
                  }()) == (extent == 12),
                  extent);
  }
}

TEST_CASE("proven: pieces of a loop, the last of which is shorter") {
  for (i64 extent : {199, 200}) {
    fixture t({{extent}});
    t.b.for_(0, 4, [&](index_expr p) {
      const index_expr lo = p * 64;
      t.b.for_(lo, t.b.min(lo + 64, 200), [&](index_expr i) { t.touch(t.args[0], {i}); });
    });
    CHECK(t.proven() == (extent == 200));
    CHECK_NOTHROW(ir::verify(t.m));  // the bounds of the inner loop are no numbers: not surely wrong
  }
}

TEST_CASE("proven: quotients and remainders") {
  for (i64 extent : {5, 6}) {
    fixture t({{4, extent}});
    t.b.for_(0, 24, [&](index_expr i) { t.touch(t.args[0], {t.b.floor_div(i, 6), t.b.floor_mod(i, 6)}); });
    CHECK(t.proven() == (extent == 6));
  }
  fixture negative({{4}});
  negative.b.for_(-3, 4, [&](index_expr i) { negative.touch(negative.args[0], {negative.b.floor_div(i, 2) + 2}); });
  CHECK(negative.proven());
  fixture unknown({{4}}, dtype::i64);  // a divisor that may be 0
  unknown.touch(unknown.args[0],
                {unknown.b.floor_mod(unknown.loaded(unknown.args[0], {0}), unknown.loaded(unknown.args[0], {1}))});
  CHECK(!unknown.proven());
}

TEST_CASE("proven: an element between bounds") {
  for (i64 last : {3, 4})
    for (i64 first : {0, -1}) {
      fixture t({{4}}, dtype::i64);
      t.touch(t.args[0], {t.b.max(t.b.min(t.loaded(t.args[0], {0}), last), first)});
      CHECK(t.proven() == (last == 3 && first == 0));
      fixture turned({{4}}, dtype::i64);
      turned.touch(turned.args[0], {turned.b.min(turned.b.max(turned.loaded(turned.args[0], {0}), first), last)});
      CHECK(turned.proven() == (last == 3 && first == 0));
    }
  fixture byte({{256}}, dtype::u8);
  byte.touch(byte.args[0], {byte.loaded(byte.args[0], {0})});
  CHECK(byte.proven());
  fixture masked({{8}}, dtype::i64);
  masked.touch(masked.args[0],
               {index_expr(masked.b.apply(loop::scalar_fn::bit_and, {masked.b.index(masked.loaded(masked.args[0], {0})),
                                                                     masked.b.integer(dtype::index, 7)}))});
  CHECK(masked.proven());
  for (i64 extent : {9, 8}) {  // the larger of both branches, whichever is taken
    fixture chosen({{extent}}, dtype::i64);
    const value_id v = chosen.b.index(chosen.b.max(chosen.b.min(chosen.loaded(chosen.args[0], {0}), 2), -3));
    chosen.touch(
        chosen.args[0],
        {index_expr(chosen.b.apply(loop::scalar_fn::select, {chosen.b.less(index_expr(v), 0),
                                                             chosen.b.add(v, chosen.b.integer(dtype::index, 3)), v})) +
         3});
    CHECK(chosen.proven() == (extent == 9));
  }
}

TEST_CASE("proven: sizes that are known when the program runs") {
  for (const char* end : {"n", "n+1"}) {
    fixture t({{ir::dim::unknown()}});
    t.m.set_type(t.args[0], t.m.intern(type::buffer(dtype::f32, {t.size("n")})));
    t.b.for_(0, t.extent(end), [&](index_expr i) { t.touch(t.args[0], {i}); });
    CHECK(t.proven() == (std::string(end) == "n"));
  }
  fixture flat({{ir::dim::unknown()}});
  flat.m.set_type(flat.args[0], flat.m.intern(type::buffer(dtype::f32, {flat.size("h*w")})));
  const index_expr w = flat.extent("w");
  flat.b.for_(0, flat.extent("h"), [&](index_expr i) {
    flat.b.for_(0, w, [&](index_expr j) { flat.touch(flat.args[0], {flat.b.times(i, w) + j}); });
  });
  CHECK(flat.proven());
  fixture pieces({{ir::dim::unknown()}});
  pieces.m.set_type(pieces.args[0], pieces.m.intern(type::buffer(dtype::f32, {pieces.size("n")})));
  const index_expr n = pieces.extent("n");
  pieces.b.for_(0, pieces.b.floor_div(n + 63, 64), [&](index_expr p) {
    pieces.b.for_(p * 64, pieces.b.min(p * 64 + 64, n), [&](index_expr i) { pieces.touch(pieces.args[0], {i}); });
  });
  CHECK(pieces.proven());
}

TEST_CASE("long and many sums are given up in good time") {
  fixture t({{4}});
  value_id v = t.b.integer(dtype::index, 1);
  t.b.for_(0, 2, [&](index_expr i) {
    value_id x = t.b.index(i);
    for (int k = 0; k < 3000; ++k) x = t.b.add(x, k % 2 == 0 ? x : v);
    t.touch(t.args[0], {index_expr(x)});
  });
  CHECK(!t.proven());
  fixture deep({{4}}, dtype::i64);
  value_id y = deep.b.convert(deep.b.load(deep.args[0], {0}), dtype::index);
  for (int k = 0; k < 200; ++k) y = deep.b.index(deep.b.min(deep.b.max(index_expr(y), index_expr(y)), index_expr(y)));
  deep.touch(deep.args[0], {index_expr(y)});
  CHECK(!deep.proven());
}

TEST_CASE("places in the arena are inside of it") {
  ir::module m;
  const function_id f = m.add_function("main", ir::function_kind::graph, {});
  ir::builder<> b(m, m[f].body);
  const type_id t[] = {m.intern(type::buffer(dtype::f32, {16}))};
  const op_id place = b.make_op(op::slot{64}, {}, t);
  b.make_op(op::return_{}, {}, {});
  const auto problem = [&]() -> std::string {
    try {
      ir::require_places(m);
    } catch (const error& e) { return e.message(); }
    return "";
  };
  CHECK(problem() == "function 'main': slot: it ends at byte 128 of an arena of 0 bytes");
  m.build.memory.arenas[""] = 127;
  CHECK(problem() == "function 'main': slot: it ends at byte 128 of an arena of 127 bytes");
  m.build.memory.arenas[""] = 128;
  CHECK(problem() == "");
  op::slot s{-2};
  m.set_attributes(place, m.intern_attributes(ir::info_of<op::slot>, &s));
  CHECK(problem() == "function 'main': slot: nothing places it when the program runs");
  m.build.memory.buffers = {{0, 1, "64"}};
  CHECK(problem() == "");
  s = op::slot{-3};
  m.set_attributes(place, m.intern_attributes(ir::info_of<op::slot>, &s));
  CHECK(problem() == "function 'main': slot: nothing places it when the program runs");
  m.build.memory.buffers.push_back({2, 5, "n"});
  CHECK(problem() == "");
}
