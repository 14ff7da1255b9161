/// @file onnx_rules_test: what an operator's page forbids is refused, with the node and the reason.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/importers/onnx/registry.hpp>

#include "refused_node.hpp"

using namespace refused_node;
using tn::tensor;

TEST_CASE("every built-in operator says how many inputs and outputs it has") {
  for (const onnx::registered_operator& o : onnx::built_in_operators()) {
    if (o.import == nullptr) continue;  // no longer in the operator set
    CHECK_MESSAGE(o.inputs.least <= o.inputs.most, o.op_type);
    CHECK_MESSAGE(o.outputs.least <= o.outputs.most, o.op_type);
    const bool open = o.inputs.least == 0 && o.inputs.most == onnx::arity::any;
    CHECK_MESSAGE(!open, o.op_type);
  }
}

TEST_CASE("positions, extents and counts are integers") {
  const std::string x = value("x", {2, 3}), list = value("list", {2}), one = value("one", {1});
  const auto refused = [&](const char* op, const std::vector<std::string>& inputs, const std::string& which) {
    check_refused({op, inputs, {}, {x, list, one}, {}, 18}, "input " + which + " must be integers, not f32");
  };
  for (const char* op : {"Expand", "Tile", "Pad", "CenterCropPad"}) refused(op, {"x", "list"}, "1");
  for (const char* op : {"Trilu", "ReverseSequence"}) refused(op, {"x", "one"}, "1");
  check_refused({"TopK", {"x", "one"}, {}, {x, one}, {}, 18, {"y", "i"}}, "input 1 must be integers, not f32");
  refused("Slice", {"x", "one", "one"}, "1");
  refused("ConstantOfShape", {"list"}, "0");
  refused("Resize", {"x", "", "", "list"}, "3");
}

TEST_CASE("TensorScatter writes at one place for each of the batch") {
  const std::vector<std::string> values{value("cache", {2, 4, 3}), value("update", {2, 1, 3}),
                                        value("two", {2}, elem_type::int64), value("one", {1}, elem_type::int64)};
  check_taken({"TensorScatter", {"cache", "update", "two"}, {}, values, {}, 24});
  check_refused({"TensorScatter", {"cache", "update", "one"}, {}, values, {}, 24},
                "input 2 has the shape [1], not [2]");
}

TEST_CASE("nodes with more inputs or outputs than their operator has are refused") {
  check_refused({"Relu", std::vector<std::string>(1000, "x"), {}, {x23}}, "there are 1000 inputs, but Relu has 1");
  check_refused({"Relu", {"x", "x"}, {}, {x23}}, "there are 2 inputs, but Relu has 1");
  check_refused({"Add", {"x"}, {}, {x23}}, "there are 1 inputs, but Add has 2");
  check_refused({"Relu", {"x"}, {}, {x23}, {}, 20, {"y", "z"}}, "there are 2 outputs, but Relu has 1");
  check_refused({"MatMul", {"x", "x", "x"}, {}, {value("x", {2, 2})}}, "but MatMul has 2");
  check_refused({"TopK", {"x"}, {attribute("k", i64{1})}, {x23}, {}, 20, {"y", "i"}}, "but TopK has 2");
  check_taken({"TopK", {"x"}, {attribute("k", i64{1})}, {x23}, {}, 9, {"y", "i"}});
  // What is left out at the end may be named as left out; each version has its own numbers.
  check_taken({"Relu", {"x", "", ""}, {}, {x23}});
  const std::string low = value("low", {});
  check_taken({"Clip", {"x", "low", ""}, {}, {x23, low}, {}, 11});
  check_refused({"Clip", {"x", "low"}, {}, {x23, low}, {}, 10}, "but Clip has 1");
  check_refused({"Clip", {"x", "low", "low", "low"}, {}, {x23, low}}, "but Clip has 1 to 3");
  check_taken({"Max", {"x", "x", "x", "x"}, {}, {x23}});
  check_refused({"Max", {}, {}, {x23}}, "at least 1");
  check_refused({"Concat", {"x", ""}, {attribute("axis", i64{0})}, {x23}}, "input 1 is missing");
  check_refused({"Gelu", {"x", "x"}, {}, {x23}, {}, 20, {"y"}, "com.microsoft"}, "but Gelu has 1");
  // An operator of a program's own has as many as it likes, unless it says.
  onnx::import_options options;
  const auto handler = [](onnx::import_context& cx, const onnx::node&) { cx.out(cx.in(0)); };
  options.operators.push_back({"Mine", handler, "com.example"});
  const one_node mine{"Mine", {"x", "x", "x"}, {}, {x23}, {}, 20, {"y"}, "com.example"};
  CHECK(error_of(mine.text(), options).code() == "none");
  options.operators.back().inputs = {1, 2};
  CHECK(contains(error_of(mine.text(), options).what(), "but Mine has 1 to 2"));
}

TEST_CASE("an output that is declared as something else is refused") {
  const auto declared = [](const std::string& output) {
    return error_of(
        model{.nodes = {node("Relu", {"x"}, {"y"})}, .inputs = {value("x", {2, -1})}, .outputs = {output}}.text());
  };
  for (const std::string& wrong :
       {value("y", {2, -1}, elem_type::int64), value("y", {3, -1}), value("y", {2}), value("y", {2, -1, 1})}) {
    const tn::error e = declared(wrong);
    CHECK(e.code() == "onnx.output_type");
    CHECK_MESSAGE(contains(e.what(), "output 'y'"), e.what());
    CHECK_MESSAGE(contains(e.what(), "f32[2,?]"), e.what());
  }
  // What one side leaves open is no contradiction.
  for (const std::string& right : {value("y", {2, -1}), value("y", {2, 7}), value("y", {-1, -1}), open_value("y")})
    CHECK(declared(right).code() == "none");
  const std::string list = message([](pbf_writer& v) {
    v.add_string(1, "y");
    pbf_writer t(v, 2);
    t.add_message(4, std::string());
  });
  CHECK(declared(list).code() == "onnx.output_type");
}

TEST_CASE("Split: parts and outputs agree, and are not computed before that is known") {
  const auto split = [](i64 parts, std::vector<std::string> outputs) {
    return one_node{"Split", {"x"}, {attribute("num_outputs", parts)}, {value("x", {6})}, {}, 18, outputs};
  };
  check_taken(split(2, {"y", "z"}));
  for (const i64 parts : {i64{0}, i64{-1}, i64{3}, i64{1} << 32, INT64_MAX, INT64_MIN})
    check_refused(split(parts, {"y", "z"}), "num_outputs");
  const auto sizes = [](std::initializer_list<i64> s) {
    return one_node{"Split", {"x", "s"}, {}, {value("x", {6})}, {initializer<i64>("s", {2}, s)}, 13, {"y", "z"}};
  };
  check_taken(sizes({2, 4}));
  check_refused(sizes({7, -1}), "a part of -1");
  check_refused(sizes({2, 3}), "5 elements");
  CHECK(error_of(sizes({INT64_MAX, INT64_MAX}).text()).code() == "extent.overflow");
}

TEST_CASE("recurrent operators: attributes and weights are for one number of units") {
  const auto lstm = [](std::vector<std::string> attributes, std::vector<i64> w, std::vector<i64> r,
                       std::vector<i64> b = {1, 32}) {
    return one_node{"LSTM",
                    {"x", "w", "r", "b"},
                    std::move(attributes),
                    {value("x", {2, 1, 3}), value("w", w), value("r", r), value("b", b)}};
  };
  check_taken(lstm({attribute("hidden_size", i64{4})}, {1, 16, 3}, {1, 16, 4}));
  check_taken(lstm({}, {1, 16, 3}, {1, 16, 4}));
  for (const i64 size : {-3, 0, 5})
    check_refused(lstm({attribute("hidden_size", size)}, {1, 16, 3}, {1, 16, 4}), "hidden_size is");
  check_refused(lstm({}, {1, 16, 5}, {1, 16, 4}), "input 1 has the shape [1,16,5], not [1,16,3]");
  check_refused(lstm({}, {1, 12, 3}, {1, 16, 4}), "input 1");
  check_refused(lstm({}, {1, 16, 3}, {1, 12, 4}), "input 2");
  check_refused(lstm({}, {1, 16, 3}, {1, 16, 4}, {1, 16}), "input 3");
  check_refused(lstm({attribute("direction", std::string("bidirectional"))}, {1, 16, 3}, {1, 16, 4}), "not [2,16,3]");
}

TEST_CASE("einsum: letters, and each of the output once") {
  const auto einsum = [](const std::string& equation, std::vector<i64> shape = {3, 3}) {
    return one_node{"Einsum", {"x"}, {attribute("equation", equation)}, {value("x", std::move(shape))}};
  };
  for (const char* good : {"ij->ji", "ii->i", "ij", "...->...", "i...->..."}) check_taken(einsum(good));
  check_refused(einsum("ij->ii"), "names 'i' twice");
  check_refused(einsum("ij->ik"), "names 'k'");
  for (const char* odd : {"i0->i0", "i.->i", "i...j...->i", "i>-", "ij->i-"}) check_refused(einsum(odd), "");
  check_refused(einsum("ii->i", {3, 4}), "different extents");
  for (const std::vector<i64>& open : {std::vector<i64>{3, -1}, {-1, 3}, {-1, -1}}) {
    const tn::error e = error_of(einsum("ii->i", open).text());
    CHECK(e.code() == "onnx.unsupported");
  }
}

TEST_CASE("ConvTranspose: output_padding chooses between extents, and adds no rows of its own") {
  const auto turned = [](i64 padding, i64 stride, i64 dilation) {
    return one_node{
        "ConvTranspose",
        {"x", "w"},
        {attribute("output_padding", {padding}), attribute("strides", {stride}), attribute("dilations", {dilation})},
        {value("x", {1, 1, 5}), value("w", {1, 1, 3})}};
  };
  check_taken(turned(1, 2, 1));
  check_taken(turned(1, 1, 2));
  check_taken(turned(0, 1, 1));
  check_refused(turned(2, 2, 1), "output_padding");
  check_refused(turned(1, 1, 1), "output_padding");
  check_refused(turned(-1, 2, 1), "output_padding");
  check_refused(
      {"ConvTranspose", {"x", "w"}, {attribute("output_shape", {-5})}, {value("x", {1, 1, 5}), value("w", {1, 1, 3})}},
      "output_shape");
  CHECK(error_of(one_node{"ConvTranspose",
                          {"x", "w"},
                          {attribute("output_shape", {INT64_MAX})},
                          {value("x", {1, 1, 5}), value("w", {1, 1, 3})}}
                     .text())
            .code() != "none");
}

TEST_CASE("MaxUnpool: indices lie in the result, and a larger result is no smaller one") {
  const auto unpool = [](std::initializer_list<i64> indices, std::vector<i64> shape, std::initializer_list<i64> to) {
    one_node n{"MaxUnpool",
               {"x", "i"},
               {attribute("kernel_shape", {2, 2}), attribute("strides", {2, 2})},
               {value("x", {1, 1, 2, 2})},
               {initializer<i64>("i", shape, indices)}};
    if (to.size() > 0) n.inputs.push_back("to"), n.initializers.push_back(initializer<i64>("to", {4}, to));
    return n;
  };
  check_taken(unpool({0, 2, 8, 15}, {1, 1, 2, 2}, {}));
  check_taken(unpool({0, 2, 8, 15}, {1, 1, 2, 2}, {1, 1, 5, 5}));
  check_refused(unpool({0, 2, 8, 16}, {1, 1, 2, 2}, {}), "index 16");
  check_refused(unpool({0, 2, 8, -1}, {1, 1, 2, 2}, {}), "index -1");
  check_refused(unpool({0, 2, 8, 15}, {4}, {}), "input 1 has the shape [4]");
  check_refused(unpool({0, 2, 8, 15}, {1, 1, 2, 2}, {1, 1, 3, 5}), "output_shape");
}

TEST_CASE("indices that are given as values of inputs are data, which may be out of range") {
  const tn::tensor far = tn::tensor::from<i64>({1, 1, 2, 2}, {0, 2, 8, 100});
  const auto given = [&](const one_node& n) {
    onnx::import_options o;
    o.constants.emplace("i", far);
    return error_of(n.text(), o).code();
  };
  const std::vector<std::string> image{value("x", {1, 1, 2, 2}), value("i", {1, 1, 2, 2}, elem_type::int64)};
  CHECK(given({"MaxUnpool", {"x", "i"}, {attribute("kernel_shape", {2, 2}), attribute("strides", {2, 2})}, image}) ==
        "none");
  CHECK(given({"Gather", {"x", "i"}, {attribute("axis", i64{3})}, image}) == "none");
  CHECK(given({"ScatterElements", {"x", "i", "x"}, {}, image}) == "none");
}

TEST_CASE("numbers that no block, norm, window or batch has are refused, however large") {
  const std::string image = value("x", {1, 4, 4, 4});
  for (const char* op : {"DepthToSpace", "SpaceToDepth"})
    for (const i64 block : {i64{0}, i64{-2}, i64{1} << 32, INT64_MIN})
      check_refused({op, {"x"}, {attribute("blocksize", block)}, {image}}, "blocksize");
  check_refused(
      {"DepthToSpace", {"x"}, {attribute("blocksize", i64{2}), attribute("mode", std::string("ABC"))}, {image}},
      "mode is 'ABC'");
  const one_node norm{"LpPool", {"x"}, {attribute("kernel_shape", {2, 2}), attribute("p", 1e30f)}, {image}, {}, 1};
  CHECK(error_of(norm.text()).code() != "none");
  check_refused({"LpPool", {"x"}, {attribute("kernel_shape", {2, 2}), attribute("p", i64{0})}, {image}, {}, 18},
                "p is 0");
  check_refused({"GlobalLpPool", {"x"}, {attribute("p", i64{-1})}, {image}}, "p is -1");
  check_refused({"MaxRoiPool", {"x", "r"}, {attribute("pooled_shape", {i64{-1}, i64{2}})}, {image, value("r", {1, 5})}},
                "bins");
  check_refused({"HannWindow", {"n"}, {}, {}, {initializer<i64>("n", {}, {-4})}}, "a window of -4");
  check_refused({"RandomNormal", {}, {attribute("shape", {i64{2}, i64{-3}})}}, "shape is [2,-3]");
  check_refused({"Multinomial", {"x"}, {attribute("sample_size", i64{-1})}, {x23}}, "sample_size");
  check_refused({"STFT",
                 {"x", "step"},
                 {},
                 {value("x", {1, 16, 1}), value("step", {})},
                 {initializer<float>("step", {}, {1e30f})}},
                "input 1 must be integers, not f32");
  CHECK(error_of(one_node{"Cast", {"x"}, {attribute("to", (i64{1} << 33) + 1)}, {x23}}.text()).code() ==
        "onnx.unsupported_type");
}

TEST_CASE("operands that are broadcast to another do not make it grow") {
  check_refused({"Clip", {"x", "low"}, {}, {x23, value("low", {4, 2, 3})}}, "would grow");
  check_refused({"PRelu", {"x", "s"}, {}, {x23, value("s", {4, 1, 1})}}, "would grow");
  check_refused({"Gemm", {"x", "w", "c"}, {}, {x23, value("w", {3, 1}), value("c", {2, 7})}}, "would grow");
  check_refused({"LayerNormalization", {"x", "s"}, {}, {x23, value("s", {5, 2, 3})}}, "would grow");
  const std::string four = value("s", {4});
  check_refused({"BatchNormalization", {"x", "s", "s", "s", "s"}, {}, {value("x", {1, 3, 2}), four}},
                "4 parameters for 3 channels");
  check_refused({"InstanceNormalization", {"x", "o", "o"}, {}, {value("x", {1, 3, 2}), value("o", {1})}},
                "1 parameters for 3 channels");
  check_taken({"Gemm", {"x", "w", "c"}, {}, {x23, value("w", {3, 7}), value("c", {7})}});
  check_taken({"PRelu", {"x", "s"}, {}, {x23, value("s", {1})}});
}

TEST_CASE("trees ask for features that are there") {
  const auto tree = [](i64 feature) {
    return one_node{
        "TreeEnsembleRegressor",
        {"x"},
        {attribute("nodes_treeids", {0, 0, 0}), attribute("nodes_nodeids", {0, 1, 2}),
         attribute("nodes_featureids", {feature, i64{0}, i64{0}}), attribute("nodes_truenodeids", {1, 0, 0}),
         attribute("nodes_falsenodeids", {2, 0, 0}), attribute_texts("nodes_modes", {"BRANCH_LEQ", "LEAF", "LEAF"}),
         attribute_floats("nodes_values", {0.5f, 0.f, 0.f}), attribute("target_treeids", {0, 0}),
         attribute("target_nodeids", {1, 2}), attribute("target_ids", {0, 0}),
         attribute_floats("target_weights", {1.f, 2.f}), attribute("n_targets", i64{1})},
        {x23},
        {},
        20,
        {"y"},
        "ai.onnx.ml"};
  };
  check_taken(tree(2));
  check_refused(tree(3), "feature 3");
  check_refused(tree(-1), "feature -1");
}

TEST_CASE("operators are of versions of the operator set") {
  check_refused({"BitwiseNot", {"x"}, {}, {value("x", {2}, elem_type::int32)}, {}, 17},
                "operator 'BitwiseNot' of domain 'ai.onnx', version 17 is of version 18 and later");
  const std::vector<std::string> scattered{x23, value("i", {1, 1}, elem_type::int64), value("u", {1, 1})};
  check_taken({"Scatter", {"x", "i", "u"}, {}, scattered, {}, 10});
  check_refused({"Scatter", {"x", "i", "u"}, {}, scattered, {}, 11},
                "is no longer in that version of the operator set");
}

TEST_CASE("a model says once which operators it means, in a file whose format is known") {
  const model relu{.nodes = {node("Relu", {"x"}, {"y"})}, .inputs = {x23}, .outputs = {open_value("y")}};
  model two = relu;
  two.domains.emplace_back("", 12);
  const tn::error e = error_of(two.text());
  CHECK(e.code() == "onnx.malformed");
  CHECK_MESSAGE(contains(e.what(), "versions 17 and 12 of the operator set ''"), e.what());
  two.domains.back().second = 17;
  CHECK(error_of(two.text()).code() == "none");

  const auto import_with = [&](auto change) {
    onnx::model m = onnx_builder::decoded(relu);
    change(m);
    try {
      onnx::import_model(m);
    } catch (const tn::error& refused) { return refused.code(); }
    return std::string("none");
  };
  CHECK(import_with([](onnx::model& m) { m.ir_version = onnx::newest_ir_version; }) == "none");
  CHECK(import_with([](onnx::model& m) { m.ir_version = onnx::newest_ir_version + 1; }) == "onnx.unsupported_ir");
  CHECK(import_with([](onnx::model& m) { m.opset_imports.clear(); }) == "onnx.malformed");
  CHECK(import_with([](onnx::model& m) { m.opset_imports.clear(), m.ir_version = 2; }) == "none");  // had none
}

TEST_CASE("what an import never comes to is a part of the model, too") {
  const auto error_in_branch = [](const std::string& then) {
    const auto branch = [](const char* name, const std::string& n) {
      const std::string g = message([&](pbf_writer& w) {
        w.add_message(1, n);
        w.add_string(2, name);
        w.add_message(12, open_value("r"));
      });
      return message([&](pbf_writer& a) { a.add_string(1, name), a.add_message(6, g), a.add_int32(20, 5); });
    };
    return error_of(model{
        .nodes = {node("If", {"no"}, {"y"},
                       {branch("then_branch", then), branch("else_branch", node("Relu", {"x"}, {"r"}))}, "choice"),
                  node("Neg", {"x"}, {"late"})},
        .inputs = {x23},
        .outputs = {open_value("y")},
        .initializers = {initializer<bool>("no", {}, {false})}}
                        .text());
  };
  CHECK(error_in_branch(node("Abs", {"x"}, {"r"})).code() == "none");
  CHECK(error_in_branch(node("Abs", {"late"}, {"r"})).code() == "none");  // made behind the If that reads it
  const tn::error counts = error_in_branch(node("Abs", {"x", "x"}, {"r"}, {}, "broken"));
  CHECK(counts.code() == "onnx.bad_node");
  CHECK_MESSAGE(contains(counts.what(), "'broken'"), counts.what());
  CHECK(error_in_branch(node("Abs", {"x"}, {"r"}, {attribute("axis", i64{0})})).code() == "onnx.bad_node");
  CHECK(error_in_branch(node("Abs", {"nothing"}, {"r"})).code() == "onnx.undefined_value");
  CHECK(error_in_branch(node("Abs", {"x"}, {"q"})).code() == "onnx.undefined_value");
  CHECK(error_in_branch(node("Softmaxx", {"x"}, {"r"})).code() == "onnx.unsupported_op");
  CHECK(error_in_branch(node("Own", {"x"}, {"r"}, {}, "own", "com.example")).code() == "none");

  // A function that nobody calls.
  const tn::error unused =
      error_of(model{.nodes = {node("Relu", {"x"}, {"y"})},
                     .inputs = {x23},
                     .outputs = {open_value("y")},
                     .functions = {function("Unused", {"a"}, {"b"}, {node("Relu", {"a", "a"}, {"b"})})}}
                   .text());
  CHECK(unused.code() == "onnx.bad_node");
  CHECK_MESSAGE(contains(unused.what(), "in function 'Unused'"), unused.what());
}

TEST_CASE("a name is made once") {
  const auto code = [](const model& m) { return error_of(m.text()).code(); };
  const std::vector<std::string> relu{node("Relu", {"x"}, {"y"})}, y{open_value("y")};
  CHECK(code({.nodes = relu, .inputs = {x23}, .outputs = y}) == "none");
  CHECK(code({.nodes = relu, .inputs = {x23, x23}, .outputs = y}) == "onnx.duplicate_name");
  const std::string w = initializer<float>("w", {1}, {1}), of_y = initializer<float>("y", {1}, {1});
  CHECK(code({.nodes = relu, .inputs = {x23}, .outputs = y, .initializers = {w}}) == "none");
  CHECK(code({.nodes = relu, .inputs = {x23}, .outputs = y, .initializers = {w, w}}) == "onnx.duplicate_name");
  CHECK(code({.nodes = relu, .inputs = {x23, value("w", {1})}, .outputs = y, .initializers = {w}}) == "none");
  CHECK(code({.nodes = relu, .inputs = {x23}, .outputs = y, .initializers = {of_y}}) == "onnx.duplicate_name");
}
