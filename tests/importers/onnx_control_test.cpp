/// @file onnx_control_test: If, Loop, Scan, sequences, optionals and strings, on the interpreter and on cpu, for inputs
/// of any size.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/strings.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#endif

#include <support/caught.hpp>
#include "onnx_runs.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tn::i64;
using tn::tensor;

namespace {

std::string texts(const char* name, std::vector<std::string> values) {
  return message([&](pbf_writer& a) {
    a.add_string(1, name), a.add_int32(20, 8);
    for (const auto& v : values) a.add_string(9, v);
  });
}
/// A value of a sequence (4) or an optional (9) of tensors of unknown rank.
std::string holder(const std::string& name, int kind, elem_type type = elem_type::float32) {
  return message([&](pbf_writer& v) {
    v.add_string(1, name);
    pbf_writer outer(v, 2);
    pbf_writer list(outer, static_cast<tn::u32>(kind));
    pbf_writer inner(list, 1);
    pbf_writer t(inner, 1);
    t.add_int32(1, static_cast<int>(type));
  });
}

#if TENON_HAS_LLVM
/// One session on cpu for all sets, beside the interpreter. How many compilations that took after each.
std::vector<int> compilations(const model& m, const std::vector<std::vector<tn::value>>& sets) {
  const std::string bytes = m.text();
  tn::targets::register_cpu_target();
  tn::session reference(onnx::decode_model(bytes, nullptr, "test.onnx"), tn::session_options{.target = "interpreter"});
  tn::session s(onnx::decode_model(bytes, nullptr, "test.onnx"), tn::session_options{.target = "cpu"});
  std::vector<int> after;
  for (const auto& inputs : sets) {
    const auto want = reference.run_values(inputs), got = s.run_values(inputs);
    REQUIRE(got.size() == want.size());
    for (size_t i = 0; i < got.size(); ++i) check_equal(got[i], want[i]);
    after.push_back(s.compilations());
  }
  CHECK_MESSAGE((after.back() == 1) == s.reason().empty(), after.back() << " compilations: " << s.reason());
  return after;
}

/// What exporters make of torch's squeeze(-1): an If on the last extent of `x`.
std::vector<std::string> squeezed(const std::string& x, const std::string& y) {
  return {constant(y + "_last", numbers({1}, {-1})),
          constant(y + "_one", numbers({1}, {1})),
          node("Shape", {x}, {y + "_shape"}),
          node("Gather", {y + "_shape", y + "_last"}, {y + "_d"}, {attribute("axis", i64{0})}),
          node("Equal", {y + "_d", y + "_one"}, {y + "_c"}),
          node("If", {y + "_c"}, {y},
               {attribute_graph("then_branch",
                                graph(y + "_a", {}, {node("Squeeze", {x, y + "_last"}, {y + "_t"})}, {any(y + "_t")})),
                attribute_graph("else_branch",
                                graph(y + "_b", {}, {node("Identity", {x}, {y + "_u"})}, {any(y + "_u")}))})};
}
#endif

}  // namespace

#if TENON_HAS_LLVM
TEST_CASE("If on sizes with branches of different ranks: the first sizes decide, others get code of their own") {
  model m;
  m.nodes = squeezed("x", "y");
  m.nodes.push_back(node("Softmax", {"y"}, {"s"}, {attribute("axis", i64{1})}));
  m.nodes.push_back(node("Transpose", {"s"}, {"z"}));
  m.inputs = {named("x", {"b", "3", "k"})};
  m.outputs = {any("z")};
  CHECK(compilations(m, {{ramp({5, 3, 1})}, {ramp({7, 3, 1})}, {ramp({1, 3, 1})}}) == std::vector<int>{1, 1, 1});
  CHECK(compilations(m, {{ramp({5, 3, 1})}, {ramp({7, 3, 4})}, {ramp({2, 3, 1})}}) == std::vector<int>{1, 2, 2});
  CHECK(compilations(m, {{ramp({5, 3, 4})}, {ramp({7, 3, 9})}, {ramp({2, 3, 2})}}) == std::vector<int>{1, 1, 1});
}

TEST_CASE("If on a value, with an If on sizes in each branch: both are compiled at once, whichever runs first") {
  // The one branch takes all of x, the other one its first quarter: the sizes at hand fit the branch that is taken.
  const auto branch = [&](const std::string& p, i64 stride) {
    std::vector<std::string> nodes{
        node("AveragePool", {"x"}, {p + "_p"}, {attribute("kernel_shape", {stride}), attribute("strides", {stride})})};
    for (const std::string& n : squeezed(p + "_p", p + "_y")) nodes.push_back(n);
    nodes.push_back(node("Einsum", {p + "_y", "w"}, {p + "_z"},
                         {attribute("equation", std::string("bc,cd->bd"))}));  // of two dimensions
    return graph(p, {}, nodes, {any(p + "_z")});
  };
  model m;
  m.nodes = {constant("w", ramp({3, 2}, 0.1)), node("If", {"flag"}, {"z"},
                                                    {attribute_graph("then_branch", branch("wide", 8)),
                                                     attribute_graph("else_branch", branch("narrow", 4))})};
  m.inputs = {named("x", {"b", "3", "k"}), value("flag", {1}, elem_type::boolean)};
  m.outputs = {any("z")};
  const auto flag = [](bool v) {
    tensor t(tn::dtype::boolean, {1});
    t.set_i64(0, v);
    return t;
  };
  CHECK(compilations(m, {{ramp({5, 3, 8}), flag(true)},
                         {ramp({2, 3, 4}), flag(false)},
                         {ramp({1, 3, 8}), flag(true)},
                         {ramp({4, 3, 5}), flag(false)}}) == std::vector<int>{1, 1, 1, 1});
}

TEST_CASE("regions between host steps are compiled once for all sizes") {
  model m;
  m.nodes = {node("Relu", {"x"}, {"r"}),
             node("NonZero", {"r"}, {"at"}),
             node("Transpose", {"at"}, {"places"}),
             node("GatherND", {"x", "places"}, {"found"}),
             node("Exp", {"found"}, {"e"}),
             node("ReduceSum", {"e"}, {"sum"}, {attribute("keepdims", i64{0})}),
             node("Mul", {"x", "sum"}, {"y"})};
  m.inputs = {named("x", {"b", "n"})};
  m.outputs = {any("y"), any("e")};
  CHECK(compilations(m, {{ramp({5, 30}, 0.1)}, {ramp({7, 400}, 0.01)}, {ramp({1, 3}, 0.1)}, {ramp({20, 2}, 0.1)}}) ==
        std::vector<int>{1, 1, 1, 1});
}
#endif

TEST_CASE("If: the condition is computed when it runs, and branches use the values around them") {
  model m;
  m.nodes = {node("ReduceSum", {"x"}, {"s"}, {attribute("keepdims", i64{0})}),
             constant("zero", tensor::scalar(0.f)),
             node("Greater", {"s", "zero"}, {"c"}),
             node("Exp", {"x"}, {"e"}),
             node("If", {"c"}, {"y"},
                  {attribute_graph("then_branch", graph("a", {}, {node("Add", {"x", "e"}, {"t"})}, {any("t")})),
                   attribute_graph("else_branch", graph("b", {}, {node("Transpose", {"e"}, {"u"})}, {any("u")}))}),
             node("Neg", {"y"}, {"z"})};
  m.inputs = {value("x", {-1, 40})};
  m.outputs = {any("z")};
  m.opset = 17;
  const auto r = run_all(m, {{ramp({300, 40}, 0.01)}, {floats({1, 40}, std::vector<float>(40, 1.f))}});
  CHECK(r[0][0].as_tensor().shape() == std::vector<i64>{40, 300});  // the sum is negative
  CHECK(r[1][0].as_tensor().shape() == std::vector<i64>{1, 40});
  CHECK(r[1][0].as_tensor().at_f64(0) == doctest::Approx(-3.718282));
}

TEST_CASE("Loop: early exit, scan outputs, values from outside, zero trips") {
  // while (sum < limit && i < trips) sum += x[i]: parts are the sums
  const std::string body =
      graph("body", {value("i", {}, elem_type::int64), value("go", {}, elem_type::boolean), any("sum")},
            {node("Gather", {"x", "i"}, {"row"}), node("Add", {"sum", "row"}, {"next"}),
             node("ReduceMax", {"next"}, {"top"}, {attribute("keepdims", i64{0})}),
             node("Less", {"top", "limit"}, {"goes"}), node("Identity", {"next"}, {"part"})},
            {any("goes", elem_type::boolean), any("next"), any("part")});
  model m;
  m.nodes = {constant("start", floats({3}, {0, 0, 0})),
             node("Loop", {"trips", "", "start"}, {"total", "parts"}, {attribute_graph("body", body)}),
             node("Mul", {"parts", "parts"}, {"squares"})};
  m.inputs = {value("x", {-1, 3}), value("limit", {}), value("trips", {}, elem_type::int64)};
  m.outputs = {any("total"), any("squares")};
  tensor x(tn::dtype::f32, {2000, 3});
  for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, 1 + i % 3);
  const auto r = run_all(m, {{x, tensor::scalar(1e9f), tensor::scalar<i64>(1500)},
                             {x, tensor::scalar(30.f), tensor::scalar<i64>(1500)},
                             {x, tensor::scalar(30.f), tensor::scalar<i64>(0)}});
  CHECK(r[0][0].as_tensor().at_f64(2) == 4500);
  CHECK(r[0][1].as_tensor().shape() == std::vector<i64>{1500, 3});
  CHECK(r[1][0].as_tensor().at_f64(2) == 30);
  CHECK(r[1][1].as_tensor().shape() == std::vector<i64>{10, 3});
  CHECK(r[1][1].as_tensor().at_f64(29) == 900);
  CHECK(r[2][0].as_tensor().at_f64(0) == 0);
  CHECK(r[2][1].as_tensor().shape() == std::vector<i64>{0, 3});
}

TEST_CASE("sizes that only a branch or a body assumes are not those of what follows") {
  // Of two symbols one may be 1; a slice may reach beyond its axis, and a range end before it begins.
  const auto loop = [](const std::string& n, const std::string& result) {
    const std::string body =
        graph("body", {value("i", {}, elem_type::int64), value("go", {}, elem_type::boolean)},
              {n, node("Identity", {"go"}, {"goes"})}, {any("goes", elem_type::boolean), any("part")});
    return node("Loop", {"trips", ""}, {result}, {attribute_graph("body", body)});
  };
  const auto yes_or_no = [](const char* name, const std::string& n) {
    return attribute_graph(name, graph(name, {}, {n}, {any("part")}));
  };
  const std::string sum = node("ReduceSum", {"parts", "none"}, {"sum"}, {attribute("keepdims", i64{0})});
  const std::string either = node("If", {"flag"}, {"sum"},
                                  {yes_or_no("then_branch", node("Add", {"x", "y"}, {"part"})),
                                   yes_or_no("else_branch", node("Sub", {"x", "y"}, {"part"}))});
  const auto shapes = [&](const std::vector<std::string>& nodes, tensor x, tensor y, i64 trips) {
    model m;
    m.nodes = {constant("none", numbers({1}, {0})),
               constant("one", numbers({1}, {1})),
               constant("step", tensor::scalar<i64>(1)),
               node("Shape", {"y"}, {"shape"}),
               node("Slice", {"shape", "none", "one"}, {"rows"}),
               node("Squeeze", {"rows"}, {"limit"})};
    m.nodes.insert(m.nodes.end(), nodes.begin(), nodes.end());
    m.inputs = {named("x", {"a", "b"}), named("y", {"c", "d"}), value("flag", {1}, elem_type::boolean),
                value("trips", {1}, elem_type::int64)};
    m.outputs = {open_value("r")};
    m.opset = 13;
    tensor flag(tn::dtype::boolean, {1});
    flag.set_i64(0, 1);
    return run_one(m, {x, y, flag, numbers({1}, {trips})})[0].as_tensor();
  };
  const std::string ask = node("Shape", {"sum"}, {"r"}), add = node("Add", {"x", "y"}, {"part"});
  const tensor one_one = ramp({1, 1}), three_four = ramp({3, 4}), three_one = ramp({3, 1}), one_four = ramp({1, 4});
  check_equal(shapes({either, ask}, one_one, three_four, 1), numbers({2}, {3, 4}));
  check_equal(shapes({either, ask}, three_one, one_four, 1), numbers({2}, {3, 4}));
  check_equal(shapes({loop(add, "parts"), sum, ask}, one_one, three_four, 2), numbers({2}, {3, 4}));
  CHECK(shapes({loop(add, "r")}, three_one, one_four, 0).shape() == std::vector<i64>{0, 3, 4});
  const std::string first = loop(node("Slice", {"x", "none", "rows", "none"}, {"part"}), "parts");
  check_equal(shapes({first, sum, ask}, one_four, three_four, 1), numbers({2}, {1, 4}));
  check_equal(shapes({first, sum, ask}, three_four, one_four, 1), numbers({2}, {1, 4}));
  const std::string counted = loop(node("Range", {"step", "limit", "step"}, {"part"}), "parts");
  check_equal(shapes({counted, sum, ask}, one_one, three_four, 1), numbers({1}, {2}));
  check_equal(shapes({counted, sum, ask}, one_one, ramp({0, 4}), 1), numbers({1}, {0}));
}

TEST_CASE("Loop: a carried value that grows, an If in it, and a loop in a loop") {
  const std::string inner =
      graph("inner", {value("j", {}, elem_type::int64), value("go2", {}, elem_type::boolean), any("a")},
            {node("Add", {"a", "x"}, {"a2"}), node("Identity", {"go2"}, {"goes2"})},
            {any("goes2", elem_type::boolean), any("a2")});
  const std::string body = graph(
      "body", {value("i", {}, elem_type::int64), value("go", {}, elem_type::boolean), any("list")},
      {constant("two", tensor::scalar<i64>(2)), constant("nothing", tensor::scalar<i64>(0)),
       node("Mod", {"i", "two"}, {"rest"}), node("Equal", {"rest", "nothing"}, {"even"}),
       node("If", {"even"}, {"piece"},
            {attribute_graph("then_branch", graph("a", {}, {node("Neg", {"x"}, {"t"})}, {any("t")})),
             attribute_graph(
                 "else_branch",
                 graph("b", {}, {node("Loop", {"i", "", "x"}, {"u"}, {attribute_graph("body", inner)})}, {any("u")}))}),
       node("Concat", {"list", "piece"}, {"longer"}, {attribute("axis", i64{0})}), node("Identity", {"go"}, {"goes"})},
      {any("goes", elem_type::boolean), any("longer")});
  model m;
  m.nodes = {node("Loop", {"trips", "", "x"}, {"y"}, {attribute_graph("body", body)})};
  m.inputs = {value("x", {-1}), value("trips", {1}, elem_type::int64)};
  m.outputs = {any("y")};
  m.opset = 17;
  const auto r = run_all(m, {{floats({2}, {1, 2}), numbers({1}, {4})}, {ramp({500}), numbers({1}, {40})}});
  check_equal(r[0][0], floats({10}, {1, 2, -1, -2, 2, 4, -1, -2, 4, 8}));
  CHECK(r[1][0].as_tensor().shape() == std::vector<i64>{41 * 500});
}

TEST_CASE("Scan: any length, backwards, along another axis") {
  const std::string body =
      graph("body", {any("s"), any("v")}, {node("Add", {"s", "v"}, {"n"}), node("Identity", {"n"}, {"o"})},
            {any("n"), any("o")});
  model m;
  m.nodes = {node("Scan", {"s0", "x"}, {"last", "sums"},
                  {attribute_graph("body", body), attribute("num_scan_inputs", i64{1}),
                   attribute("scan_input_directions", {i64{1}}), attribute("scan_input_axes", {i64{1}}),
                   attribute("scan_output_axes", {i64{-1}}), attribute("scan_output_directions", {i64{1}})})};
  m.inputs = {value("s0", {2}), value("x", {2, -1})};
  m.outputs = {any("last"), any("sums")};
  const auto r =
      run_all(m, {{floats({2}, {0, 10}), floats({2, 3}, {1, 2, 3, 4, 5, 6})}, {floats({2}, {0, 0}), ramp({2, 5000})}});
  check_equal(r[0][0], floats({2}, {6, 25}));
  check_equal(r[0][1], floats({2, 3}, {6, 5, 3, 25, 21, 16}));
  CHECK(r[1][1].as_tensor().shape() == std::vector<i64>{2, 5000});
}

TEST_CASE("Scan of operator set 8: each of the batch has its own length") {
  const std::string body =
      graph("body", {any("s"), any("v")}, {node("Add", {"s", "v"}, {"n"}), node("Identity", {"n"}, {"o"})},
            {any("n"), any("o")});
  model m{.opset = 8};
  m.nodes = {node("Scan", {"lengths", "s0", "x"}, {"last", "sums"},
                  {attribute_graph("body", body), attribute("num_scan_inputs", i64{1})})};
  m.inputs = {value("lengths", {2}, elem_type::int64), value("s0", {2, 1}), value("x", {2, 3, 1})};
  m.outputs = {any("last"), any("sums")};
  const auto r = run_one(m, {numbers({2}, {3, 2}), floats({2, 1}, {0, 100}), floats({2, 3, 1}, {1, 2, 3, 4, 5, 6})});
  check_equal(r[0], floats({2, 1}, {6, 109}));
  check_equal(r[1], floats({2, 3, 1}, {1, 3, 6, 104, 109, 0}));
}

TEST_CASE("sequences: as inputs and outputs, carried by a loop, and joined") {
  const std::string body =
      graph("body", {value("i", {}, elem_type::int64), value("go", {}, elem_type::boolean), holder("list", 4)},
            {node("SequenceAt", {"given", "i"}, {"item"}), node("Exp", {"item"}, {"e"}),
             node("SequenceInsert", {"list", "e"}, {"longer"}), node("Identity", {"go"}, {"goes"})},
            {any("goes", elem_type::boolean), holder("longer", 4)});
  model m;
  m.nodes = {node("SequenceLength", {"given"}, {"n"}),
             node("SequenceEmpty", {}, {"none"}),
             node("Loop", {"n", "", "none"}, {"all"}, {attribute_graph("body", body)}),
             node("ConcatFromSequence", {"all"}, {"joined"}, {attribute("axis", i64{0})}),
             constant("last", tensor::scalar<i64>(-1)),
             node("SequenceErase", {"all", "last"}, {"fewer"})};
  m.inputs = {holder("given", 4)};
  m.outputs = {any("joined"), holder("fewer", 4)};
  tn::value::list many;
  for (i64 k = 0; k < 200; ++k) many.emplace_back(ramp({k % 7 + 1, 4}, 0.01));
  const auto r = run_all(
      m, {{tn::value::sequence({floats({1, 2}, {0, 0}), floats({2, 2}, {0, 0, 0, 0})})}, {tn::value::sequence(many)}});
  check_equal(r[0][0], floats({3, 2}, {1, 1, 1, 1, 1, 1}));
  CHECK(r[0][1].items().size() == 1);
  CHECK(r[1][1].items().size() == 199);
}

TEST_CASE("SplitToSequence, SequenceMap and SequenceConstruct") {
  model m;
  const std::string body =
      graph("body", {any("p"), any("w")}, {node("Mul", {"p", "w"}, {"q"}), node("ReduceSum", {"q"}, {"t"})},
            {any("q"), any("t")});
  m.nodes = {node("SplitToSequence", {"x", "sizes"}, {"parts"}, {attribute("axis", i64{1})}),
             node("SequenceMap", {"parts", "w"}, {"scaled", "sums"}, {attribute_graph("body", body)}),
             node("SplitToSequence", {"x"}, {"rows"}, {attribute("keepdims", i64{0})}),
             node("SequenceConstruct", {"x", "w"}, {"two"}), node("SequenceLength", {"two"}, {"count"})};
  m.inputs = {value("x", {-1, 5}), value("sizes", {2}, elem_type::int64), value("w", {1})};
  m.outputs = {holder("scaled", 4), holder("sums", 4), holder("rows", 4), any("count", elem_type::int64)};
  m.opset = 17;
  const auto r = run_one(m, {ramp({100, 5}), numbers({2}, {2, 3}), floats({1}, {2})});
  REQUIRE(r[0].items().size() == 2);
  CHECK(r[0].items()[1].as_tensor().shape() == std::vector<i64>{100, 3});
  CHECK(r[2].items().size() == 100);
  CHECK(r[2].items()[7].as_tensor().shape() == std::vector<i64>{5});
  CHECK(r[3].as_tensor().at_i64(0) == 2);
}

TEST_CASE("optionals: given or not, as inputs and outputs") {
  model m;
  m.nodes = {
      node("OptionalHasElement", {"o"}, {"has"}),
      node("If", {"has"}, {"y"},
           {attribute_graph("then_branch", graph("a", {}, {node("OptionalGetElement", {"o"}, {"t"})}, {any("t")})),
            attribute_graph("else_branch", graph("b", {}, {constant("u", floats({1}, {7}))}, {any("u")}))}),
      node("Add", {"y", "y"}, {"z"}), node("Optional", {"z"}, {"p"})};
  m.inputs = {holder("o", 9)};
  m.outputs = {any("z"), holder("p", 9), any("has", elem_type::boolean)};
  m.opset = 18;
  const auto r = run_all(m, {{floats({2}, {1, 2})}, {tn::value()}, {ramp({3000})}});
  check_equal(r[0][0], floats({2}, {2, 4}));
  check_equal(r[1][0], floats({1}, {14}));
  CHECK(r[1][2].as_tensor().at_i64(0) == 0);
  CHECK(r[2][1].as_tensor().size() == 3000);
}

TEST_CASE("shapes that depend on values: NonZero, Compress, Unique, TopK and a chain of shapes") {
  model m;
  m.nodes = {node("Relu", {"x"}, {"r"}),
             node("NonZero", {"r"}, {"at"}),
             node("Transpose", {"at"}, {"rows"}),
             node("GatherND", {"x", "rows"}, {"kept"}),
             node("Exp", {"kept"}, {"e"}),
             node("Shape", {"e"}, {"n"}),
             constant("one", numbers({1}, {1})),
             node("Concat", {"one", "n"}, {"wide"}, {attribute("axis", i64{0})}),
             node("Reshape", {"e", "wide"}, {"row"}),
             node("Greater", {"r", "half"}, {"big"}),
             constant("flat", numbers({1}, {-1})),
             node("Reshape", {"big", "flat"}, {"mask"}),
             node("Compress", {"x", "mask"}, {"chosen"}),
             node("Unique", {"chosen"}, {"different", "first", "inverse", "counts"}, {attribute("sorted", i64{1})}),
             node("Size", {"different"}, {"size"}),
             constant("two", tensor::scalar<i64>(2)),
             node("Div", {"size", "two"}, {"some"}),
             node("Reshape", {"some", "one"}, {"k"}),
             node("TopK", {"different", "k"}, {"best", "places"}),
             node("Neg", {"best"}, {"worst"})};
  m.inputs = {value("x", {-1, -1}), value("half", {})};
  m.outputs = {any("row"), any("different"), any("counts", elem_type::int64), any("worst"),
               any("places", elem_type::int64)};
  m.opset = 17;
  const auto r = run_all(
      m, {{floats({2, 2}, {1, -1, 2, 3}), tensor::scalar(1.5f)}, {ramp({200, 100}, 0.01), tensor::scalar(0.1f)}});
  check_equal(r[0][1], floats({2}, {2, 3}));
  check_equal(r[0][3], floats({1}, {-3}));
  CHECK(r[1][0].as_tensor().rank() == 2);
  CHECK(r[1][0].as_tensor().size() > 5000);
}

TEST_CASE("NonMaxSuppression on many boxes") {
  model m;
  m.nodes = {node("Sigmoid", {"scores"}, {"p"}),
             node("NonMaxSuppression", {"boxes", "p", "most", "overlap", "least"}, {"kept"}),
             node("Cast", {"kept"}, {"f"}, {attribute("to", i64{1})}), node("Mul", {"f", "f"}, {"y"})};
  m.inputs = {value("boxes", {1, -1, 4}), value("scores", {1, 2, -1}), value("most", {1}, elem_type::int64),
              value("overlap", {1}), value("least", {1})};
  m.outputs = {any("kept", elem_type::int64), any("y")};
  tensor boxes(tn::dtype::f32, {1, 3000, 4}), scores = ramp({1, 2, 3000}, 0.02);
  for (i64 i = 0; i < 3000; ++i) {
    const double x = static_cast<double>(i % 60), y = static_cast<double>(i / 60);
    for (int d = 0; d < 4; ++d) boxes.set_f64(i * 4 + d, (d % 2 ? x : y) + (d < 2 ? 0 : 1.5));
  }
  const auto r = run_one(m, {boxes, scores, numbers({1}, {500}), floats({1}, {0.3f}), floats({1}, {0.2f})});
  CHECK(r[0].as_tensor().shape()[0] > 100);
}

TEST_CASE("strings: moved, compared, joined, split, normalized, matched, looked up") {
  model m;
  const elem_type text = elem_type::string;
  m.nodes = {node("StringConcat", {"a", "b"}, {"ab"}),
             node("Equal", {"a", "b"}, {"same"}),
             node("Where", {"same", "a", "ab"}, {"either"}),
             node("Gather", {"either", "at"}, {"picked"}),
             node("Concat", {"picked", "a"}, {"all"}, {attribute("axis", i64{0})}),
             node("StringSplit", {"all"}, {"words", "counts"}, {attribute("delimiter", std::string("-"))}),
             node("StringNormalizer", {"a"}, {"upper"},
                  {attribute("case_change_action", std::string("UPPER")), texts("stopwords", {"b"})}),
             node("RegexFullMatch", {"ab"}, {"match"}, {attribute("pattern", std::string("(\\w+)-\\d{1,3}[x-z]?"))}),
             node("LabelEncoder", {"a"}, {"codes"},
                  {texts("keys_strings", {"a-", "b"}), attribute("values_int64s", {i64{4}, i64{5}}),
                   attribute("default_int64", i64{-7})},
                  {}, "ai.onnx.ml"),
             node("Unique", {"all"}, {"sorted"}),
             node("Cast", {"numbers"}, {"written"}, {attribute("to", i64{8})}),
             node("Cast", {"written"}, {"read"}, {attribute("to", i64{1})})};
  m.inputs = {value("a", {-1}, text), value("b", {1}, text), value("at", {-1}, elem_type::int64),
              value("numbers", {-1})};
  m.outputs = {any("words", text), any("counts", elem_type::int64), any("upper", text)};
  m.outputs.insert(m.outputs.end(), {any("match", elem_type::boolean), any("codes", elem_type::int64)});
  m.outputs.insert(m.outputs.end(), {any("sorted", text), any("written", text), any("read")});
  m.opset = 20;
  m.domains.emplace_back("ai.onnx.ml", 2);
  const auto r = run_one(m, {tn::string_tensor({3}, {"a-", "b", "ä"}), tn::string_tensor({1}, {"17x"}),
                             numbers({2}, {-1, 0}), floats({4}, {1, 0.1f, -2.5e20f, INFINITY})});
  CHECK(tn::strings_of(r[0].as_tensor()) ==
        std::vector<std::string>{"ä17x", "", "a", "17x", "a", "", "b", "", "ä", ""});
  check_equal(r[1], numbers({5}, {1, 2, 2, 1, 1}));
  CHECK(tn::strings_of(r[2].as_tensor()) == std::vector<std::string>{"A-", "Ä"});
  CHECK(r[3].as_tensor().at_i64(0) == 1);
  CHECK(r[3].as_tensor().at_i64(1) == 0);
  check_equal(r[4], numbers({3}, {4, 5, -7}));
  CHECK(tn::strings_of(r[5].as_tensor()) == std::vector<std::string>{"a-", "a-17x", "b", "ä", "ä17x"});
  CHECK(tn::strings_of(r[6].as_tensor()) == std::vector<std::string>{"1", "0.1", "-2.5e+20", "INF"});
  CHECK(r[7].as_tensor().at_f64(1) == doctest::Approx(0.1));
}

TEST_CASE("what goes wrong in control flow says so") {
  const auto code_of = [](const model& m, const std::vector<tn::value>& inputs) {
    return tn::testing::code_of([&] { run_one(m, inputs); });
  };
  model m;
  m.nodes = {node("SequenceAt", {"s", "i"}, {"y"})};
  m.inputs = {holder("s", 4), value("i", {}, elem_type::int64)};
  m.outputs = {any("y")};
  CHECK(code_of(m, {tn::value::sequence({floats({1}, {1})}), tensor::scalar<i64>(1)}) == "eval");
  CHECK(code_of(m, {floats({1}, {1}), tensor::scalar<i64>(0)}) == "session.type");
  m.nodes = {node("OptionalGetElement", {"o"}, {"y"})};
  m.inputs = {holder("o", 9)};
  CHECK(code_of(m, {tn::value()}) == "eval");
  m.nodes = {
      node("If", {"c"}, {"y"},
           {attribute_graph("then_branch", graph("a", {}, {node("Neg", {"x"}, {"t"})}, {any("t")})),
            attribute_graph("else_branch",
                            graph("b", {}, {node("Cast", {"x"}, {"u"}, {attribute("to", i64{7})})}, {any("u")}))})};
  m.inputs = {value("c", {-1}, elem_type::boolean), value("x", {2})};
  CHECK(code_of(m, {tensor::from<bool>({1}, {true}), floats({2}, {1, 2})}) == "ir.infer");
}
