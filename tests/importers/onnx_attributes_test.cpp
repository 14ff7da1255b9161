/// @file onnx_attributes_test: attributes and elements of inputs that an operator's page does not allow are refused.
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/importers/onnx/registry.hpp>
#include <tenon/importers/onnx/rules.hpp>

#include "refused_node.hpp"

using namespace refused_node;

TEST_CASE("every operator says which attributes it has") {
  const std::set<std::string> types{"f", "i", "s", "t", "g", "fs", "is", "ss", "ts", "gs", "sp", "tp"};
  for (const onnx::registered_operator& o : onnx::built_in_operators()) {
    if (o.import == nullptr) continue;
    REQUIRE_MESSAGE(o.attributes.has_value(), o.op_type);
    std::istringstream list{std::string(*o.attributes)};
    for (std::string one; list >> one;) {
      if (one.back() == '!') one.pop_back();
      CHECK_MESSAGE(types.count(one.substr(one.find(':') + 1)) == 1, o.op_type << ": " << one);
    }
  }
}

TEST_CASE("every operator says which elements its inputs have") {
  for (const onnx::registered_operator& o : onnx::built_in_operators()) {
    if (o.import == nullptr || o.inputs.most == 0) continue;
    CHECK_MESSAGE(!o.elements.empty(), o.op_type);
    CHECK_MESSAGE(o.elements.find_first_not_of("fibs* ") == std::string_view::npos, o.op_type);
  }
}

TEST_CASE("inputs of elements that an operator's page does not allow are refused") {
  const std::string texts = value("t", {2, 3}, elem_type::string), ints = value("i", {2, 3}, elem_type::int64);
  const std::string x = value("x", {2, 3}), one = value("one", {1});
  const std::vector<std::string> all{texts, ints, x, one};
  const auto refused = [&](const char* op, std::vector<std::string> inputs, const std::string& reason) {
    check_refused({op, std::move(inputs), {}, all, {}, 18}, reason);
  };
  for (const char* op : {"Add", "MatMul", "Less", "Max"})
    refused(op, {"t", "t"}, "input 0 must be floats or integers, not string");
  refused("Add", {"x", "t"}, "input 1 must be floats or integers, not string");
  refused("Reshape", {"x", "one"}, "input 1 must be integers, not f32");
  refused("Gather", {"x", "one"}, "input 1 must be integers, not f32");
  refused("ScatterND", {"x", "x", "x"}, "input 1 must be integers, not f32");
  refused("Where", {"x", "x", "x"}, "input 0 must be bools, not f32");
  refused("And", {"i", "i"}, "input 0 must be bools, not i64");
  refused("Sin", {"i"}, "input 0 must be floats, not i64");
  refused("Conv", {"i", "i"}, "input 0 must be floats, not i64");
  refused("BitwiseAnd", {"x", "x"}, "input 0 must be integers, not f32");
  refused("Max", {"x", "x", "x", "t"}, "input 3 must be floats or integers, not string");
  check_refused({"StringConcat", {"x", "x"}, {}, all}, "input 0 must be texts, not f32");
  check_taken({"StringConcat", {"t", "t"}, {}, all});
  check_taken({"Transpose", {"t"}, {}, all});
  check_taken({"Equal", {"t", "t"}, {}, all});
  // An operator of a program's own that has a known name takes what its handler takes.
  onnx::import_options options;
  options.operators.push_back({"Sin", [](onnx::import_context& cx, const onnx::node&) { cx.out(cx.in(0)); }});
  CHECK(error_of(one_node{"Sin", {"t"}, {}, all}.text(), options).code() == "none");
  // One that says so is held to it.
  options.operators.back().elements = "fi";
  CHECK(std::string(error_of(one_node{"Sin", {"t"}, {}, all}.text(), options).what())
            .find("input 0 must be floats or integers, not string") != std::string::npos);
  options.operators.back().elements = "real";
  CHECK(std::string(error_of(one_node{"Sin", {"t"}, {}, all}.text(), options).what())
            .find("the operator's row says 'real' of its elements") != std::string::npos);
  check_refused({"MatMulNBits",
                 {"x", "x", "x"},
                 {attribute("K", i64{3}), attribute("N", i64{3}), attribute("block_size", i64{16})},
                 {x},
                 {},
                 17,
                 {"y"},
                 "com.microsoft"},
                "input 1 must be integers, not f32");
}

TEST_CASE("attributes that an operator does not have are refused, and those of another type") {
  check_refused({"Softmax", {"x"}, {attribute("axes", i64{1})}, {x23}},
                "no attribute 'axes' in version 20; did you mean 'axis'?");
  check_refused({"Relu", {"x"}, {attribute("alpha", 1.f)}, {x23}},
                "Relu has no attribute 'alpha' in version 20; it has none");
  // That it has in another version is more to the point than what is spelled like it.
  check_refused({"Squeeze", {"x"}, {attribute("axes", {0})}, {value("x", {1, 3})}, {}, 13},
                "no attribute 'axes' in version 13; the operator's versions that have it begin at 1");
  check_taken({"Squeeze", {"x"}, {attribute("axes", {0})}, {value("x", {1, 3})}, {}, 12});
  check_refused({"Softmax", {"x"}, {attribute("axis", {1})}, {x23}}, "attribute 'axis' must be of type int, not ints");
  // Read by no handler: it says with which precision is computed.
  check_refused({"LayerNormalization", {"x", "w"}, {attribute("stash_type", 1.f)}, {x23, value("w", {3})}},
                "must be of type int, not float");
  check_refused({"Softmax", {"x"}, {attribute("axis", i64{1}), attribute("axis", i64{0})}, {x23}},
                "'axis' is given twice");
  check_refused({"Cast", {"x"}, {}, {x23}}, "attribute 'to' is missing");
  check_refused({"Cast", {"x"}, {attribute("to", i64{1}), attribute("saturate", i64{1})}, {x23}, {}, 13},
                "begin at 19");
  check_refused({"Binarizer", {"x"}, {attribute("treshold", 1.f)}, {x23}, {}, 17, {"y"}, "ai.onnx.ml"},
                "did you mean 'threshold'?");
  check_taken({"Softmax", {"x"}, {attribute("axis", i64{1}), attribute("__of_a_tool", i64{1})}, {x23}});
}

TEST_CASE("operators of com.microsoft have the attributes that ONNX Runtime knows, and no others") {
  const std::string x = value("x", {1, 2, 8}), ids = value("ids", {1, 2}, elem_type::int64), table = value("t", {4, 4});
  const auto rotary = [&](const std::string& given) {
    return one_node{"RotaryEmbedding", {"x", "ids", "t", "t"}, {given}, {x, ids, table}, {}, 17, {"y"},
                    "com.microsoft"};
  };
  check_taken(rotary(attribute("interleaved", i64{1})));
  check_refused(rotary(attribute("interleave", i64{1})), "no attribute 'interleave'");
  check_refused(rotary(attribute("interleaved", 1.f)), "attribute 'interleaved' must be of type int, not float");
  check_refused({"Gelu", {"x"}, {attribute("approximate", std::string("tanh"))}, {x}, {}, 17, {"y"}, "com.microsoft"},
                "Gelu has no attribute 'approximate' in version 1");  // that of the standard has it
  check_refused({"UnfoldTensor", {"x"}, {}, {x}, {}, 17, {"y"}, "com.microsoft"}, "attribute 'size' is missing");
}

TEST_CASE("an attribute of com.microsoft that asks for what is not there is refused, and its initial value is not") {
  const auto code = [](const char* op, std::vector<std::string> inputs, std::vector<std::string> values,
                       std::vector<std::string> attributes, const std::string& given) {
    attributes.push_back(given);
    return error_of(one_node{op, inputs, attributes, values, {}, 17, {"y"}, "com.microsoft"}.text()).code();
  };
  const auto check_both = [&](const auto& with, const std::string& initial, const std::string& other) {
    CHECK_MESSAGE(with(initial) == "none", initial);
    CHECK_MESSAGE(with(other) == "onnx.unsupported", other);
  };
  const std::string x = value("x", {1, 2, 8});
  check_both(
      [&](const std::string& given) {
        return code("RotaryEmbedding", {"x", "ids", "t", "t"},
                    {x, value("ids", {1, 2}, elem_type::int64), value("t", {4, 4})}, {}, given);
      },
      attribute("scale", 1.f), attribute("scale", 2.f));
  check_both(
      [&](const std::string& given) {
        return code("Attention", {"x", "w", "b"}, {x, value("w", {8, 24}), value("b", {24})},
                    {attribute("num_heads", i64{2})}, given);
      },
      attribute("past_present_share_buffer", i64{0}), attribute("past_present_share_buffer", i64{1}));
  check_both(
      [&](const std::string& given) {
        return code("DecoderMaskedMultiHeadAttention", {"q", "q", "q"}, {value("q", {1, 1, 8})},
                    {attribute("num_heads", i64{2})}, given);
      },
      attribute("output_qk", i64{0}), attribute("output_qk", i64{1}));
  const auto grouped = [&](const std::string& given) {
    return code("GroupQueryAttention", {"x", "x", "x", "", "", "n", "one"},
                {x, value("n", {1}, elem_type::int32), value("one", {}, elem_type::int32)},
                {attribute("num_heads", i64{2}), attribute("kv_num_heads", i64{2})}, given);
  };
  check_both(grouped, attribute("qk_output", i64{0}), attribute("qk_output", i64{1}));
  check_both(grouped, attribute("sliding_window_cache", i64{0}), attribute("sliding_window_cache", i64{1}));
  check_both(grouped, attribute("k_quant_type", std::string("NONE")),
             attribute("v_quant_type", std::string("PER_TENSOR")));
  check_both(
      [&](const std::string& given) {
        return code("MatMulNBits", {"x", "w", "s"},
                    {value("x", {1, 32}), value("w", {2, 1, 16}, elem_type::uint8), value("s", {2})},
                    {attribute("K", i64{32}), attribute("N", i64{2}), attribute("block_size", i64{32})}, given);
      },
      attribute("weight_prepacked", i64{0}), attribute("weight_prepacked", i64{1}));
  const auto experts = [&](const std::string& given) {
    return code("QMoE", {"x", "r", "w", "s", "", "w", "s"},
                {value("x", {3, 8}), value("r", {3, 2}), value("w", {2, 8, 4}, elem_type::uint8), value("s", {2, 8})},
                {}, given);
  };
  check_both(experts, attribute("quant_type", std::string("int")), attribute("quant_type", std::string("fp4")));
  check_both(experts, attribute("weights_prepacked", i64{0}), attribute("weights_prepacked", i64{1}));
}

TEST_CASE("a program's own operators may say which attributes they have") {
  onnx::import_options options;
  options.operators.push_back({.op_type = "Own",
                               .import = [](onnx::import_context& cx, const onnx::node&) { cx.out(cx.in(0)); },
                               .domain = "com.example",
                               .inputs = 1});
  const auto text = [](const char* name) {
    return one_node{"Own", {"x"}, {attribute(name, 1.f)}, {x23}, {}, 17, {"y"}, "com.example"}.text();
  };
  CHECK(error_of(text("beta"), options).code() == "none");
  options.operators.back().attributes = "alpha:f";
  CHECK(error_of(text("alpha"), options).code() == "none");
  CHECK(error_of(text("beta"), options).code() == "onnx.bad_node");
}
