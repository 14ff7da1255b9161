// One module for each rule of the verifier that breaks just that rule: a rule that is taken away fails here
// (tests/mutation).
#include <doctest/doctest.h>

#include <tenon/ir/loop_builder.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ops/all.hpp>

using namespace tenon;
using ir::function_kind;
using ir::type;

namespace mine {
/// Says that it writes its operand.
struct writing {
  static constexpr fixed_string name = "writing";
  using writes = operands<0>;
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};
void infer(const writing&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
}  // namespace mine

namespace {

const type vec = type::tensor(dtype::f32, {2}), buf = type::buffer(dtype::f32, {2});

/// Function f of two arguments, and makers of ops that ask nobody whether they are right.
struct broken {
  ir::module m;
  function_id f;
  ir::loop_builder b;
  value_id x, y;
  explicit broken(function_kind kind, const type& t) : f(make(kind, t)), b(m, m[f].body) {
    x = m[m[f].body].arguments[0], y = m[m[f].body].arguments[1];
  }
  function_id make(function_kind kind, const type& t) {
    const type_id list[] = {m.intern(t), m.intern(t)};
    return m.add_function("f", kind, list);
  }
  using values = std::vector<value_id>;
  using types = std::vector<type>;
  template <class Op>
  op_id raw(const Op& o, const values& operands, const types& results = {}, int regions = 0) {
    std::vector<type_id> ids;
    for (const type& t : results) ids.push_back(m.intern(t));
    return b.make_op(o, operands, ids, regions);
  }
  template <class Op>
  value_id value(const Op& o, const values& operands, const type& result) {
    return m.result(raw(o, operands, {result}));
  }
  /// A region with these arguments that ends with a yield.
  void fill(op_id op, const types& arguments, const values& yielded = {}, int number = 0) {
    const region_id r = m.region(op, number);
    for (const type& t : arguments) m.add_argument(r, m.intern(t));
    ir::loop_builder(m, r).make_op(loop::yield{}, yielded, {});
  }
  /// A region of a graph op that yields its first argument.
  void fill_graph(op_id op, const types& arguments) {
    const region_id r = m.region(op);
    for (const type& t : arguments) m.add_argument(r, m.intern(t));
    ir::loop_builder(m, r).make_op(op::yield{}, values{m[r].arguments[0]}, {});
  }
  void end(const values& v = {}) { b.make_op(op::return_{}, v, {}); }
  ir::use_node& use(op_id op, u32 operand) {
    return const_cast<ir::use_node&>(m[use_id(size_t{m[op].first_operand + operand})]);
  }
  ir::value_node& node(value_id v) { return const_cast<ir::value_node&>(std::as_const(m)[v]); }
  std::string problem() const {
    try {
      ir::verify(m);
    } catch (const error& e) { return e.message(); }
    return "";
  }
};
struct graph : broken {
  explicit graph(const type& t = vec) : broken(function_kind::graph, t) {}
};
/// With an index, a number and types of scalars at hand.
struct kernel : broken {
  value_id i, v;
  const type index = type::scalar(dtype::index), f32 = type::scalar(dtype::f32), i64 = type::scalar(dtype::i64);
  kernel() : broken(function_kind::kernel, buf) { i = b.integer(dtype::index, 0), v = b.real(dtype::f32, 1); }
  op_id loop(const values& operands, const types& results, const types& arguments, const values& yielded = {}) {
    const op_id op = raw(loop::for_loop{}, operands, results, 1);
    fill(op, arguments, yielded);
    return op;
  }
  /// x[k] * y[k + n], one row of two sums.
  op_id contraction(loop::contract c, const types& arguments, const values& yielded = {}) {
    if (c.map_a.rows.empty()) c.map_a.rows = {{0, 0, 1}};
    if (c.map_b.rows.empty()) c.map_b.rows = {{0, 1, 0}};
    const op_id op = raw(c, {x, y}, {}, 1);
    fill(op, arguments, yielded);
    return op;
  }
  std::string said() {
    end();
    return problem();
  }
};
loop::contract sums() {
  loop::contract c;
  c.k = {1}, c.n = 2;
  return c;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

#define SAYS(problem, sentence) CHECK_MESSAGE(has(problem, sentence), std::string(problem))

TEST_CASE("functions") {
  graph own;
  const function_id g = own.m.add_function("g", function_kind::graph, {});
  own.end(), own.m[g].body = own.m[own.f].body;
  SAYS(own.problem(), "function 'g': its body is not its own");
  graph name;
  name.end(), name.m[name.f].name = "h";
  SAYS(name.problem(), "function 'h': its name leads to another function");
  kernel returns;
  returns.end({returns.v});
  SAYS(returns.problem(), "a function that writes its results to buffers returns values");
  graph count;
  count.end({count.x}), count.m[count.f].result_types = {count.m.intern(vec), count.m.intern(vec)};
  SAYS(count.problem(), "it returns another number of values than the function states");
  graph nowhere;
  nowhere.end(), nowhere.m[nowhere.f].body = region_id(size_t{1} << 30);
  SAYS(nowhere.problem(), "its body is not its own");
  graph inner;
  const op_id outer = inner.raw(op::neg{}, {inner.x}, {vec});
  inner.end(), inner.m[inner.m[inner.f].body].parent = outer;
  SAYS(inner.problem(), "its body is not its own");
}

TEST_CASE("what a function states agrees with what it returns") {
  const auto said = [](const type& returned, const type& stated) {
    graph t(returned);
    t.end({t.x}), t.m[t.f].result_types = {t.m.intern(stated)};
    return t.problem();
  };
  type there = vec;
  there.space = "there";
  const type scalar = type::scalar(dtype::f32);
  CHECK(said(vec, vec) == "");
  CHECK(said(scalar, scalar) == "");
  SAYS(said(vec, there), "return: result 0 is");
  SAYS(said(vec, type::tensor(dtype::i64, {2})), "return: result 0 is");
  SAYS(said(vec, type::tensor(dtype::f32, {2, 2})), "return: result 0 is");
  SAYS(said(type::tensor(dtype::f32, {2, 2}), vec), "return: result 0 is");
  SAYS(said(vec, type::tensor(dtype::f32, {3})), "return: result 0 is");
  SAYS(said(vec, buf), "return: result 0 is");
  SAYS(said(scalar, type::scalar(dtype::i64)), "return: result 0 is");
}

TEST_CASE("regions, values and use lists") {
  graph argument;
  argument.end(), argument.m[argument.m[argument.f].body].arguments[1] = argument.x;
  SAYS(argument.problem(), "argument 1 of a region does not belong to it");
  graph far;
  far.end(), far.m[far.m[far.f].body].arguments[1] = value_id(size_t{1} << 30);
  SAYS(far.problem(), "argument 1 of a region does not belong to it");
  graph defined;
  const op_id definition = defined.raw(op::neg{}, {defined.y}, {vec});
  defined.end(), defined.node(defined.x).definition = definition;
  SAYS(defined.problem(), "argument 0 of a region does not belong to it");
  graph lent;
  const function_id owner = lent.make(function_kind::graph, vec);
  lent.end(), lent.m[lent.m[lent.f].body].arguments[1] = lent.m[lent.m[owner].body].arguments[1];
  SAYS(lent.problem(), "function 'f': argument 1 of a region does not belong to it");
  graph nested;
  const op_id region = nested.raw(op::fused{}, {nested.x}, {vec}, 1);
  nested.fill_graph(region, {vec}), nested.end(), nested.m[nested.m.region(region)].arguments[0] = nested.y;
  SAYS(nested.problem(), "fused: argument 0 of a region does not belong to it");
  graph erased;
  const op_id gone = erased.raw(op::neg{}, {erased.x}, {vec});
  erased.end(), erased.m.erase(gone);
  auto& ops = erased.m[erased.m[erased.f].body].ops;
  ops.insert(ops.begin(), gone);
  SAYS(erased.problem(), "an erased op is still in its region");
  graph unmade;
  unmade.end();
  auto& made = unmade.m[unmade.m[unmade.f].body].ops;
  made.insert(made.begin(), op_id(size_t{1} << 30));
  SAYS(unmade.problem(), "an erased op is still in its region");
  graph empty;
  empty.raw(op::fused{}, {}, {}, 1), empty.end();
  SAYS(empty.problem(), "fused: a region is empty: it needs a terminator");
  graph untyped;
  untyped.end(), untyped.node(untyped.x).type = type_id(size_t{999});
  SAYS(untyped.problem(), "a value has no type");
  graph untyped_result;
  const value_id negated = untyped_result.value(op::neg{}, {untyped_result.x}, vec);
  untyped_result.end(), untyped_result.node(negated).type = type_id(size_t{1} << 30);
  SAYS(untyped_result.problem(), "neg: a value has no type");
  graph endless;
  const op_id round = endless.raw(op::neg{}, {endless.x}, {vec});
  endless.end(), endless.use(round, 0).next = endless.node(endless.x).first_use;
  SAYS(endless.problem(), "a use list has no end");
  graph other;
  const op_id foreign = other.raw(op::neg{}, {other.x}, {vec});
  other.end(), other.use(foreign, 0).value = other.y;
  SAYS(other.problem(), "a use list holds the use of another value or of an erased op");
  graph nobody;
  const op_id unused = nobody.raw(op::neg{}, {nobody.x}, {vec});
  nobody.end(), nobody.use(unused, 0).user = {};
  SAYS(nobody.problem(), "a use list holds the use of another value or of an erased op");
  graph dead;
  const op_id living = dead.raw(op::neg{}, {dead.x}, {vec}), erased_user = dead.raw(op::neg{}, {dead.y}, {vec});
  dead.end(), dead.m.erase(erased_user), dead.use(living, 0).user = erased_user;
  SAYS(dead.problem(), "a use list holds the use of another value or of an erased op");
  graph swapped;
  const op_id mine = swapped.raw(op::neg{}, {swapped.x}, {vec}), others = swapped.raw(op::neg{}, {swapped.x}, {vec});
  swapped.end(), swapped.use(mine, 0).user = others;
  SAYS(swapped.problem(), "neg: operand 0 is not its own");
  graph unknown;
  const op_id of_nothing = unknown.raw(op::neg{}, {unknown.x}, {vec});
  unknown.end(), unknown.node(unknown.x).first_use = {}, unknown.use(of_nothing, 0).value = value_id(size_t{1} << 30);
  SAYS(unknown.problem(), "neg: operand 0 is not defined before it, or not in this region");
  graph number;
  const op_id fifth = number.raw(op::neg{}, {number.x}, {vec});
  number.end(), number.use(fifth, 0).number = 5;
  SAYS(number.problem(), "operand 0 is not its own");
  graph unlinked;
  unlinked.raw(op::neg{}, {unlinked.x}, {vec});
  unlinked.end(), unlinked.node(unlinked.x).first_use = {};
  SAYS(unlinked.problem(), "operand 0 is missing in the use list of its value");
  graph parent;
  const op_id one = parent.raw(op::fused{}, {}, {}, 1), two = parent.raw(op::neg{}, {parent.x}, {vec});
  parent.b.to_end(parent.m.region(one)), parent.b.make_op(op::yield{}, broken::values{}, {}),
      parent.b.to_end(parent.m[parent.f].body);
  parent.end(), parent.m[parent.m.region(one)].parent = two;
  SAYS(parent.problem(), "a region of it has another parent");
  graph result;
  const value_id r = result.value(op::neg{}, {result.x}, vec);
  result.end(), result.node(r).number = 3;
  SAYS(result.problem(), "a result of it is not its own");
  graph stolen;
  const value_id s = stolen.value(op::neg{}, {stolen.x}, vec);
  stolen.end(), stolen.node(s).definition = stolen.raw(op::neg{}, {stolen.x}, {vec});
  SAYS(stolen.problem(), "a result of it is not its own");
}

TEST_CASE("signatures") {
  const auto said = [](const broken::values& operands, const broken::types& results, int regions) {
    graph t;
    broken::values v;
    for (value_id a : operands) v.push_back(a ? t.x : a);
    t.raw(op::neg{}, v, results, regions), t.end();
    return t.problem();
  };
  const value_id x(size_t{0});
  CHECK(said({x}, {vec}, 0) == "");
  SAYS(said({}, {vec}, 0), "neg: it has 0 operands, which its signature does not allow");
  SAYS(said({x, x}, {vec}, 0), "neg: it has 2 operands, which its signature does not allow");
  SAYS(said({x}, {}, 0), "neg: it has 0 results, which its signature does not allow");
  SAYS(said({x}, {vec, vec}, 0), "neg: it has 2 results, which its signature does not allow");
  SAYS(said({x}, {vec}, 1), "neg: it has 1 regions, which its signature does not allow");
  graph pool(
      type::tensor(dtype::f32, {1, 1, 4}));  // its signature allows any number of results, its type rule does not
  pool.raw(op::max_pool{.kernel = {2}}, {pool.x}), pool.end();
  SAYS(pool.problem(), "max_pool: its type rule gives 1 results, but it has 0");
}

TEST_CASE("calls") {
  const auto callee = [](broken& t, function_kind kind, const type& argument, bool returns) {
    const type_id list[] = {t.m.intern(argument)};
    const function_id g = t.m.add_function("g", kind, list);
    ir::loop_builder b(t.m, t.m[g].body);
    b.make_op(op::return_{}, returns ? t.m[t.m[g].body].arguments : broken::values{}, {});
  };
  graph operands;
  callee(operands, function_kind::graph, vec, true);
  operands.raw(op::call{{"g"}}, {operands.x, operands.y}, {vec}), operands.end();
  SAYS(operands.problem(), "operands do not match the function's arguments: 2 for 1");
  graph type_of;
  callee(type_of, function_kind::graph, type::tensor(dtype::i64, {2}), true);
  type_of.raw(op::call{{"g"}}, {type_of.x}, {type::tensor(dtype::i64, {2})}), type_of.end();
  SAYS(type_of.problem(), "operands do not match the function's arguments: number 0");
  graph results;
  callee(results, function_kind::graph, vec, true);
  results.raw(op::call{{"g"}}, {results.x}, {vec, vec}), results.end();
  SAYS(results.problem(), "results do not match what the function returns: 2 for 1");
  graph many;
  callee(many, function_kind::kernel, buf, false);
  many.raw(op::call_kernel{{"g"}, {}}, {many.x}, {vec}), many.end();
  SAYS(many.problem(), "the kernel has fewer arguments than operands and results");
  for (i64 inputs : {-1, 2})
    for (bool made : {false, true}) {  // of a kernel that is made already, nothing else is known
      graph given(buf);
      if (made) given.m.add_artifact({"elf_object", "cpu", "g", {1}, "test"});
      else callee(given, function_kind::kernel, buf, false);
      given.raw(op::call_dps{{"g"}, inputs, {}}, {given.x}), given.end();
      SAYS(given.problem(), "'inputs' is not a number of operands");
    }
  graph passing(buf);
  callee(passing, function_kind::kernel, buf, false);
  passing.raw(op::call_dps{{"g"}, 1, {}}, {passing.x, passing.y}), passing.end();
  SAYS(passing.problem(), "call_dps: operands do not match the kernel's arguments: 2 for 1");
  graph native(buf);
  callee(native, function_kind::kernel, buf, false);
  native.raw(op::call_native{{"g"}}, {native.x, native.y}), native.end();
  SAYS(native.problem(), "call_native: operands do not match the kernel's arguments: 2 for 1");
  for (const type& given : {type::tensor(dtype::i32, {2}), type::tensor(dtype::f32, {3}), type::scalar(dtype::f32)}) {
    graph storage(given);
    callee(storage, function_kind::kernel, given.is_scalar() ? type::buffer(dtype::f32, {}) : buf, false);
    storage.raw(op::call_dps{{"g"}, 1, {}}, {storage.x}), storage.end();
    SAYS(storage.problem(), "call_dps: operands do not match the kernel's arguments: number 0 is");
  }
  graph fused;
  const op_id empty = fused.raw(op::fused{}, {fused.x}, {}, 1);
  ir::loop_builder(fused.m, fused.m.region(empty)).make_op(op::yield{}, broken::values{}, {});
  fused.end();
  SAYS(fused.problem(), "operands do not match the region's arguments: 1 for 0");
  graph yields;
  const op_id f = yields.raw(op::fused{}, {}, {vec}, 1);
  ir::loop_builder(yields.m, yields.m.region(f)).make_op(op::yield{}, broken::values{}, {});
  yields.end();
  SAYS(yields.problem(), "results do not match what the region yields: 1 for 0");
  graph closure;
  closure.raw(op::call_closure{}, {closure.x}, {vec}), closure.end();
  SAYS(closure.problem(), "its first operand is not a closure");
  graph made;
  const op_id c = made.raw(op::closure{}, {}, {vec}, 1);
  ir::loop_builder(made.m, made.m.region(c)).make_op(op::yield{}, broken::values{}, {});
  made.end();
  SAYS(made.problem(), "its result is not of a function type");
}

TEST_CASE("storage") {
  graph written;
  written.raw(mine::writing{}, {written.x}, {vec}), written.end();
  SAYS(written.problem(), "it writes operand 0, which is no buffer but tensor<2xf32>");
  const auto one = [](const auto& op, const type& result) {
    graph t(buf);
    t.raw(op, {}, {result}), t.end();
    return t.problem();
  };
  SAYS(one(op::alloc{}, vec), "its result is not a buffer of known shape");
  SAYS(one(op::alloc{}, type::buffer(dtype::f32, {ir::dim::unknown()})), "its result is not a buffer of known shape");
  SAYS(one(op::slot{-1}, buf), "it has no place");
  SAYS(one(op::constant_buffer{}, buf), "it has no constant");
  for (type t :
       {type::buffer(dtype::f32, {3}), type::buffer(dtype::i32, {2}), type::buffer(dtype::f32, {ir::dim::unknown()})}) {
    graph constant(buf);
    if (!t.is_static()) t.shape[0] = ir::dim::symbol(constant.m.symbol("n"));
    const constant_id c = constant.m.add_constant(tensor(dtype::f32, {2}));
    constant.raw(op::constant_buffer{c}, {}, {t}), constant.end();
    SAYS(constant.problem(), "its result does not have the elements of its constant");
  }
  graph of_tensor;
  of_tensor.raw(op::view_buffer{}, {of_tensor.x}, {buf}), of_tensor.end();
  SAYS(of_tensor.problem(), "it needs buffers");
  graph longer(buf);
  longer.raw(op::view_buffer{}, {longer.x}, {type::buffer(dtype::f32, {3})}), longer.end();
  SAYS(longer.problem(), "the buffers differ in size");
  graph copy;
  copy.raw(op::copy_buffer{}, {copy.x, copy.y}), copy.end();
  SAYS(copy.problem(), "it needs buffers");
  graph to_tensor;
  const value_id made = to_tensor.value(op::alloc{}, {}, buf);
  to_tensor.raw(op::copy_buffer{}, {made, to_tensor.x}), to_tensor.end();
  SAYS(to_tensor.problem(), "it needs buffers");
  graph to_buffer;
  to_buffer.raw(op::view{}, {to_buffer.x}, {buf}), to_buffer.end();
  SAYS(to_buffer.problem(), "it needs tensors");
  kernel scratch;
  scratch.raw(op::alloc{}, {}, {vec});
  SAYS(scratch.said(), "alloc: its result is not a buffer of known shape");
  graph view(buf);
  view.raw(op::view{}, {view.x}, {vec}), view.end();
  SAYS(view.problem(), "it needs tensors");
  graph size;
  size.raw(op::view{}, {size.x}, {type::tensor(dtype::f32, {4})}), size.end();
  SAYS(size.problem(), "the tensors differ in size");
}

TEST_CASE("loads and stores") {
  kernel few;
  few.raw(loop::load{{}, true}, {few.x}, {few.f32});
  SAYS(few.said(), "it has too few operands");
  kernel scalar;
  scalar.raw(loop::load{{}, false}, {scalar.v}, {scalar.f32});
  SAYS(scalar.said(), "what it accesses is not a buffer");
  kernel whole;
  whole.raw(loop::store{{{{0}}}}, {whole.x, whole.y});
  SAYS(whole.said(), "its value is not of the buffer's element type");
  kernel result;
  result.raw(loop::load{{{{0}}}, false}, {result.x}, {result.i64});
  SAYS(result.said(), "its result is not of the buffer's element type");
  kernel fill;
  fill.raw(loop::load{{{{0}}}, true}, {fill.x, fill.i}, {fill.f32});
  SAYS(fill.said(), "its fill is not of the buffer's element type");
  kernel none;
  none.raw(loop::load{{{{0, 1}}}, false}, {none.x, value_id{}}, {none.f32});
  SAYS(none.said(), "an operand is absent");
}

TEST_CASE("loops and branches") {
  for (int which : {0, 1}) {
    kernel bound;
    bound.loop({which == 0 ? bound.v : bound.i, which == 0 ? bound.i : bound.v}, {}, {bound.index});
    SAYS(bound.said(), "a bound is not of type index");
  }
  kernel nothing;
  nothing.loop({nothing.i, nothing.i}, {}, {});
  SAYS(nothing.said(), "its region's first argument is not of type index");
  kernel real;
  real.loop({real.i, real.i}, {}, {real.f32});
  SAYS(real.said(), "its region's first argument is not of type index");
  kernel initial;
  initial.loop({initial.i, initial.i, initial.v}, {}, {initial.index});
  SAYS(initial.said(), "initial values do not match the carried values: 1 for 0");
  kernel results;
  results.loop({results.i, results.i}, {results.f32}, {results.index});
  SAYS(results.said(), "results do not match the carried values: 1 for 0");
  kernel step;
  loop::for_loop back;
  back.step = 0;
  step.fill(step.raw(back, {step.i, step.i}, {}, 1), {step.index});
  SAYS(step.said(), "its step is not positive");
  kernel condition;
  const op_id c = condition.raw(loop::branch{}, {condition.v}, {}, 2);
  condition.fill(c, {}), condition.fill(c, {}, {}, 1);
  SAYS(condition.said(), "its condition is not a bool");
  for (int which : {0, 1}) {
    kernel argument;
    const op_id b = argument.raw(loop::branch{}, {argument.b.integer(dtype::boolean, 1)}, {}, 2);
    for (int r : {0, 1}) argument.fill(b, r == which ? broken::types{argument.index} : broken::types{}, {}, r);
    SAYS(argument.said(), "a branch has arguments");
    kernel yields;
    const op_id y = yields.raw(loop::branch{}, {yields.b.integer(dtype::boolean, 1)}, {}, 2);
    for (int r : {0, 1}) yields.fill(y, {}, r == which ? broken::values{yields.v} : broken::values{}, r);
    SAYS(yields.said(), "yielded values do not match the results");
  }
}

TEST_CASE("scalars") {
  const auto said = [](auto&& make) {
    kernel t;
    make(t);
    return t.said();
  };
  using enum loop::scalar_fn;
  SAYS(said([](kernel& t) { t.raw(loop::scalar{add}, {t.v}, {t.f32}); }),
       "it has the wrong number of operands for its function");
  SAYS(said([](kernel& t) { t.raw(loop::scalar{select}, {t.v, t.v, t.v}, {t.f32}); }), "the condition is not a bool");
  SAYS(said([](kernel& t) { t.raw(loop::scalar{neg}, {t.x}, {t.f32}); }), "an operand is not a scalar");
  SAYS(said([](kernel& t) {
         const type byte = type::scalar(dtype::f8e5m2);
         t.raw(loop::scalar{neg}, {t.value(loop::literal{dtype::f8e5m2, 1, 0}, {}, byte)}, {byte});
       }),
       "nothing is computed in a narrow type: convert the operands");
  SAYS(said([](kernel& t) { t.raw(loop::scalar{add}, {t.v, t.i}, {t.f32}); }), "its operands are not of one type");
  SAYS(said([](kernel& t) { t.raw(loop::scalar{neg}, {t.v}, {t.i64}); }), "its result has the wrong type");
  SAYS(said([](kernel& t) { t.raw(loop::convert{dtype::i64}, {t.x}, {t.i64}); }), "its operand is not a scalar");
  SAYS(said([](kernel& t) { t.raw(loop::convert{dtype::i64}, {t.v}, {t.f32}); }),
       "its result is not of the type it converts to");
  SAYS(said([](kernel& t) { t.raw(loop::convert{dtype::f32, true}, {t.i}, {t.f32}); }),
       "only the bits of u32 are taken for another type, f32");
  SAYS(said([](kernel& t) { t.raw(loop::literal{dtype::f32, 1, 0}, {}, {t.i64}); }), "its result is not of its type");
  SAYS(said([](kernel& t) { t.raw(loop::literal{dtype::f32, 1, 0}, {}, {buf}); }), "a result is not a scalar");
  SAYS(said([](kernel& t) { t.raw(loop::extent{"n"}, {}, {t.i64}); }), "its result is not of type index");
}

TEST_CASE("contractions") {
  kernel right;
  right.contraction(sums(), {right.f32, right.index});
  CHECK(right.said() == "");
  kernel columns, rows;
  loop::contract c = sums();
  c.n = -1;
  columns.contraction(c, {columns.f32, columns.index});
  SAYS(columns.said(), "an extent is negative and names no operand");
  c = sums(), c.k = {-1};
  rows.contraction(c, {rows.f32, rows.index});
  SAYS(rows.said(), "an extent is negative and names no operand");
  for (const auto map : {&loop::contract::map_a, &loop::contract::map_b}) {
    kernel map_of;
    c = sums(), (c.*map).rows = {{0, 0, 1, 0}};
    map_of.contraction(c, {map_of.f32, map_of.index});
    SAYS(map_of.said(), "a row of its access has 4 columns for 0 indices");
  }
  kernel arguments;
  arguments.contraction(sums(), {arguments.f32});
  SAYS(arguments.said(), "its region needs (acc, m..., n)");
  kernel sum;
  sum.contraction(sums(), {sum.i64, sum.index});
  SAYS(sum.said(), "its region's first argument is not of the accumulator's type");
  kernel column;
  column.contraction(sums(), {column.f32, column.f32});
  SAYS(column.said(), "an index argument of its region is not of type index");
  kernel yields;
  yields.contraction(sums(), {yields.f32, yields.index}, {yields.v});
  SAYS(yields.said(), "its region yields values");
}
#undef SAYS
