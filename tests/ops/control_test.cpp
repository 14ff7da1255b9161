// Types of control flow, and runs of it by the interpreter.
#include <tenon/ops/graph/control.hpp>

#include <doctest/doctest.h>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include <support/checked_graph.hpp>

using namespace tenon;

TEST_CASE("join: what two types share") {
  ir::module m;
  const auto f = [](std::vector<ir::dim> d) { return ir::type::tensor(dtype::f32, std::move(d)); };
  CHECK(op::join(m, f({2, 3}), f({2, 3})) == f({2, 3}));
  CHECK(op::join(m, f({2, 3}), f({4, 3})) == f({ir::dim::unknown(), 3}));
  CHECK(op::join(m, f({2, 3}), f({3})) == ir::type::unranked_tensor(dtype::f32));
  ir::type some;
  some.kind = ir::type_kind::optional;
  some.parts = {m.intern(f({2}))};
  CHECK(op::join(m, some, f({3})).kind == ir::type_kind::optional);
  CHECK_THROWS_AS(op::join(m, f({2}), ir::type::tensor(dtype::i64, {2})), error);
  ir::type list = some;
  list.kind = ir::type_kind::sequence;
  CHECK_THROWS_AS(op::join(m, list, f({2})), error);
}

TEST_CASE("if_else: one region runs") {
  const ir::module m = checked_graph(R"(
    func entry @main(%c: tensor<bool>, %x: tensor<2xf32>) -> (tensor<?xf32>) {
      %y = if_else(%c) : tensor<?xf32> ({
        %a = neg(%x) : tensor<2xf32>
        yield(%a)
      }, {
        %b = concat(%x, %x) {axis = 0} : tensor<4xf32>
        yield(%b)
      })
      return(%y)
    })");
  const tensor x = tensor::from<float>({2}, {1, 2});
  CHECK(interpret(m, "main", std::vector{tensor::scalar(true), x})[0].at_f64(1) == -2);
  CHECK(interpret(m, "main", std::vector{tensor::scalar(false), x})[0].size() == 4);
}

TEST_CASE("repeat: trips, conditions, parts, and none of them") {
  const ir::module m = checked_graph(R"(
    constant #0 : tensor<f32> = [20]
    func entry @main(%n: tensor<i64>, %c: tensor<bool>, %x: tensor<f32>) -> (tensor<f32>, tensor<?xf32>) {
      %limit = constant() {value = #0} : tensor<f32>
      %y, %parts = repeat(%n, %c, %x) : (tensor<f32>, tensor<?xf32>) ({ ^(%i: tensor<i64>, %go: tensor<bool>, %v: tensor<f32>):
        %w = add(%v, %v) : tensor<f32>
        %more = less(%w, %limit) : tensor<bool>
        yield(%more, %w, %v)
      })
      return(%y, %parts)
    })");
  const auto run = [&](i64 n, bool c) {
    return interpret(m, "main", std::vector{tensor::scalar(n), tensor::scalar(c), tensor::scalar(3.f)});
  };
  CHECK(run(100, true)[0].at_f64(0) == 24);
  CHECK(run(100, true)[1].size() == 3);
  CHECK(run(2, true)[0].at_f64(0) == 12);
  CHECK(run(100, false)[0].at_f64(0) == 3);
  CHECK(run(0, true)[1].size() == 0);
}

TEST_CASE("repeat: parts of no run have the extents that the inputs say") {
  const ir::module m = checked_graph(R"(
    func entry @main(%n: tensor<i64>, %x: tensor<dx3xf32>) -> (tensor<dx3xf32>, tensor<?xdx3xf32>) {
      %y, %parts = repeat(%n, _, %x) : (tensor<dx3xf32>, tensor<?xdx3xf32>) ({
        ^(%i: tensor<i64>, %go: tensor<bool>, %v: tensor<dx3xf32>):
        %w = add(%v, %v) : tensor<dx3xf32>
        yield(%go, %w, %v)
      })
      return(%y, %parts)
    })");
  const auto shape = [&](i64 n) {
    const std::vector<value> inputs{tensor::scalar(n), tensor(dtype::f32, {5, 3})};
    return interpret_values(m, "main", inputs)[1].as_tensor().shape();
  };
  CHECK(shape(2) == std::vector<i64>{2, 5, 3});
  CHECK(shape(0) == std::vector<i64>{0, 5, 3});
}

TEST_CASE("repeat: parts of no run have the extents that a first run would give them") {
  const ir::module m = checked_graph(R"(
    constant #0 : tensor<2xi64> = [-1, 2]
    func entry @main(%n: tensor<i64>, %x: tensor<ax6xf32>, %z: tensor<bx6xf32>)
        -> (tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x?xf32>, tensor<?x2xi64>) {
      %shape = constant() {value = #0} : tensor<2xi64>
      %y, %parts, %flat, %sizes = repeat(%n, _, %x)
          : (tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x?xf32>, tensor<?x2xi64>) ({
        ^(%i: tensor<i64>, %go: tensor<bool>, %v: tensor<?x6xf32>):
        %s = shape_of(%v) : tensor<2xi64>
        %both = concat(%v, %v) {axis = 0} : tensor<?x6xf32>
        %r = reshape(%both, %shape) : tensor<?x?xf32>
        yield(%go, %z, %v, %r, %s)
      })
      return(%y, %parts, %flat, %sizes)
    })");
  const auto run = [&](i64 n) {
    return interpret_values(
        m, "main", std::vector<value>{tensor::scalar(n), tensor(dtype::f32, {5, 6}), tensor(dtype::f32, {4, 6})});
  };
  CHECK(run(1)[1].as_tensor().shape() == std::vector<i64>{1, 5, 6});
  const auto none = run(0);
  CHECK(none[0].as_tensor().shape() == std::vector<i64>{5, 6});
  CHECK(none[1].as_tensor().shape() == std::vector<i64>{0, 5, 6});
  CHECK(none[2].as_tensor().shape() == std::vector<i64>{0, 30, 2});
  CHECK(none[3].as_tensor().shape() == std::vector<i64>{0, 2});
}

TEST_CASE("repeat: a known number of runs is a known extent") {
  ir::module m = checked_graph(R"(
    constant #0 : tensor<i64> = [5]
    func entry @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<?x3xf32>) {
      %n = constant() {value = #0} : tensor<i64>
      %y, %parts = repeat(%n, _, %x) : (tensor<3xf32>, tensor<?x3xf32>) ({ ^(%i: tensor<i64>, %go: tensor<bool>, %v: tensor<3xf32>):
        %w = neg(%v) : tensor<3xf32>
        yield(%go, %w, %w)
      })
      return(%y, %parts)
    })");
  ir::refine_types(m);
  CHECK(print(m).find("tensor<5x3xf32>") != std::string::npos);
}

TEST_CASE("raise: an error only where it runs") {
  const ir::module m = checked_graph(R"(
    func entry @main(%c: tensor<bool>, %x: tensor<2xf32>) -> (tensor<2xf32>) {
      %y = if_else(%c) : tensor<2xf32> ({
        yield(%x)
      }, {
        %b = raise() {message = "not for two"} : tensor<2xf32>
        yield(%b)
      })
      return(%y)
    })");
  const tensor x = tensor::from<float>({2}, {1, 2});
  CHECK(interpret(m, "main", std::vector{tensor::scalar(true), x})[0].size() == 2);
  CHECK_THROWS_WITH_AS(interpret(m, "main", std::vector{tensor::scalar(false), x}), doctest::Contains("not for two"),
                       error);
}

TEST_CASE("the type rules refuse what does not fit") {
  const auto refused = [](const std::string& text) {
    try {
      checked_graph(text);
    } catch (const error&) { return true; }
    return false;
  };
  CHECK(
      refused("func entry @main(%c: tensor<2xbool>, %x: tensor<2xf32>) -> (tensor<2xf32>) {\n %y = if_else(%c) : "
              "tensor<2xf32> ({ yield(%x) }, { yield(%x) })\n return(%y)\n}"));
  CHECK(
      refused("func entry @main(%c: tensor<bool>, %x: tensor<2xf32>) -> (tensor<2xf32>) {\n %y = if_else(%c) : "
              "tensor<2xf32> ({ yield(%x) }, { yield(%c) })\n return(%y)\n}"));
  CHECK(
      refused("func entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>) {\n %y = repeat(_, _, %x) : tensor<2xf32> ({ "
              "^(%i: tensor<i64>, %v: tensor<2xf32>):\n yield(%i, %v) })\n return(%y)\n}"));
}
