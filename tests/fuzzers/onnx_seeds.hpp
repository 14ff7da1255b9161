/// @file onnx_seeds: a small model for each operator that can be imported: inputs and attributes are tried until the
/// importer takes them, so a new operator has one too. Control flow and functions are written out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/registry.hpp>

#include "importers/onnx_builder.hpp"

namespace tenon::fuzzing {

/// One way to call an operator: inputs and constants by name, in the order of the node's operands.
struct call_form {
  std::vector<std::string> operands, inputs, initializers;
};

inline std::vector<call_form> call_forms() {
  using namespace onnx_builder;
  using onnx_builder::value;
  const auto in = [](const char* name, std::vector<i64> shape, elem_type t = elem_type::float32) {
    return std::pair{std::string(name), value(name, shape, t)};
  };
  std::vector<call_form> all;
  const auto add = [&](std::vector<std::pair<std::string, std::string>> inputs,
                       std::vector<std::pair<std::string, std::string>> constants = {}) {
    call_form f;
    for (auto& [name, v] : inputs) f.operands.push_back(name), f.inputs.push_back(v);
    for (auto& [name, v] : constants) f.operands.push_back(name), f.initializers.push_back(v);
    all.push_back(std::move(f));
  };
  const auto list = [](const char* name, std::initializer_list<i64> v) {
    return std::pair{std::string(name), initializer<i64>(name, {static_cast<i64>(v.size())}, v)};
  };
  const auto number = [](const char* name, float v) {
    return std::pair{std::string(name), initializer<float>(name, {}, {v})};
  };
  const auto x23 = in("x", {2, 3}), image = in("x", {1, 4, 6, 6});
  const auto i64s = elem_type::int64, bools = elem_type::boolean, u8s = elem_type::uint8, texts = elem_type::string,
             halves = elem_type::float16;
  for (const auto& x : {x23, in("x", {-1, 3})}) {
    add({x});
    add({x, in("y", {2, 3})});
    add({x, in("y", {3, 2})});
  }
  add({});
  add({x23}, {list("s", {0, 1})});
  add({x23}, {list("s", {3, 2})});
  add({x23}, {list("s", {0}), list("e", {2})});
  add({x23}, {list("s", {0}), list("e", {2}), list("a", {1})});
  add({x23}, {list("s", {0, 1, 1, 0})});
  add({x23, in("y", {2, 3}), in("z", {2, 3})});
  add({in("x", {2, 3}, bools)});
  add({in("x", {2, 3}, bools), in("y", {2, 3}, bools)});
  add({in("x", {2, 3}, bools), in("y", {2, 3}), in("z", {2, 3})});
  add({in("x", {2, 3}, i64s)});
  add({in("x", {2, 3}, i64s), in("y", {2, 3}, i64s)});
  add({in("x", {2, 3}, u8s), in("y", {2, 3}, u8s)});
  add({in("x", {}, i64s), in("y", {}, i64s), in("z", {}, i64s)});
  add({x23}, {list("i", {1, 0}), list("u", {2})});
  add({x23, in("i", {2, 3}, i64s)});
  add({x23, in("i", {2, 3}, i64s), in("u", {2, 3})});
  add({x23, in("i", {1, 2}, i64s)});
  add({x23, in("i", {1, 2}, i64s), in("u", {1})});
  add({x23}, {number("s", 0.5f)});
  add({x23}, {number("s", 0.5f), {"z", initializer<u8>("z", {}, {u8{3}})}});
  add({in("x", {2, 3}, u8s)}, {number("s", 0.5f), {"z", initializer<u8>("z", {}, {u8{3}})}});
  add({image});
  add({in("x", {1, 4, 6})});
  add({image}, {{"w", initializer<float>("w", {2, 4, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8})}});
  add({image, in("w", {4, 2, 3, 3})});
  add({image, in("s", {4}), in("b", {4})});
  add({image, in("s", {4}), in("b", {4}), in("m", {4}), in("v", {4})});
  add({image}, {{"r", initializer<float>("r", {0}, {})}, {"s", initializer<float>("s", {4}, {1, 1, 2, 0.5f})}});
  add({image, in("g", {1, 3, 3, 2})});
  add({image}, {{"r", initializer<float>("r", {1, 4}, {0, 0, 5, 5})}, list("i", {2, 2})});
  add({in("x", {3, 2, 4}), in("w", {1, 8, 4}), in("r", {1, 8, 2})});
  add({in("x", {3, 2, 4}), in("w", {1, 6, 4}), in("r", {1, 6, 2})});
  add({in("x", {3, 2, 4}), in("w", {1, 2, 4}), in("r", {1, 2, 2})});
  add({in("q", {1, 2, 3, 4}), in("k", {1, 2, 5, 4}), in("v", {1, 2, 5, 4})});
  add({in("q", {1, 3, 8}), in("k", {1, 5, 8}), in("v", {1, 5, 8})});
  add({in("x", {2, 3, 4}), in("t", {2}, i64s)});
  add({in("x", {2, 4}), in("w", {4}), in("b", {4})});
  add({in("b", {1, 3, 4}), in("s", {1, 2, 3})});
  add({in("x", {3}, texts)});
  add({in("x", {3}, texts), in("y", {3}, texts)});
  add({in("x", {2, 3}, halves), in("y", {2, 3}, halves)});
  add({in("x", {2, 3}, u8s), in("s", {}), in("z", {}, u8s), in("y", {3, 2}, u8s), in("t", {}), in("u", {}, u8s),
       in("o", {}), in("p", {}, u8s)});
  add({in("x", {2, 8}), in("i", {2}, elem_type::int32)});
  add({in("x", {16})}, {list("n", {4})});
  add({in("x", {1, 8, 1})});
  return all;
}

inline std::vector<std::vector<std::string>> attribute_forms() {
  using namespace onnx_builder;
  using onnx_builder::value;
  return {{},
          {attribute("axis", i64{0})},
          {attribute("axis", i64{1})},
          {attribute("kernel_shape", {2, 2})},
          {attribute("kernel_shape", {3, 3}), attribute("pads", {1, 1, 1, 1}), attribute("strides", {2, 2}),
           attribute("group", i64{2})},
          {attribute("to", i64{6})},
          {attribute("hidden_size", i64{2})},
          {attribute("equation", std::string("ij,jk->ik"))},
          {attribute("blocksize", i64{2})},
          {attribute("num_outputs", i64{2})},
          {attribute("size", i64{3})},
          {attribute("shape", {2, 3})},
          {attribute("perm", {1, 0})},
          {attribute("num_groups", i64{2})},
          {attribute("q_num_heads", i64{2}), attribute("kv_num_heads", i64{2}), attribute("num_heads", i64{2})},
          {attribute_tensor("value", tensor::from<float>({2}, {1, 2}))},
          {attribute("output_height", i64{2}), attribute("output_width", i64{2})},
          {attribute("detect_negative", i64{0}), attribute("k", i64{1})},
          {attribute("direction", std::string("RIGHT"))},
          {attribute_texts("keys_strings", {"a", "b"}), attribute("default_int64", i64{-1}),
           attribute_texts("cats_strings", {"a", "b"})},
          {attribute_floats("coefficients", {1, 2, 3}), attribute_floats("intercepts", {0.5f}),
           attribute_floats("scale", {2}), attribute_floats("offset", {1})}};
}

inline void add_written_out(std::map<std::string, std::string>& found) {
  using namespace onnx_builder;
  using onnx_builder::value;
  const auto graph = [](std::vector<std::string> nodes, std::vector<std::string> inputs,
                        std::vector<std::string> outputs) {
    return message([&](pbf_writer& g) {
      for (const auto& n : nodes) g.add_message(1, n);
      for (const auto& v : inputs) g.add_message(11, v);
      for (const auto& v : outputs) g.add_message(12, v);
    });
  };
  const auto body = [](const char* name, const std::string& g) {
    return message([&](pbf_writer& a) { a.add_string(1, name), a.add_message(6, g), a.add_int32(20, 5); });
  };
  const auto f32 = [](const char* name) { return value(name, {2, 3}); };
  const std::string relu = graph({node("Relu", {"x"}, {"r"})}, {}, {f32("r")}),
                    neg = graph({node("Neg", {"x"}, {"r"})}, {}, {f32("r")});
  found["If"] = model{
      .nodes = {node("If", {"c"}, {"y"}, {body("then_branch", relu), body("else_branch", neg)})},
      .inputs = {f32("x"), value("c", {}, elem_type::boolean)},
      .outputs = {
          f32("y")}}.text();
  const std::string step =
      graph({node("Add", {"s", "x"}, {"t"}), node("Identity", {"c"}, {"d"}), node("Identity", {"t"}, {"p"})},
            {value("i", {}, elem_type::int64), value("c", {}, elem_type::boolean), f32("s")},
            {value("d", {}, elem_type::boolean), f32("t"), f32("p")});
  found["Loop"] = model{.nodes = {node("Loop", {"n", "", "x"}, {"y", "z"}, {body("body", step)})},
                        .inputs = {f32("x")},
                        .outputs = {f32("y"), value("z", {3, 2, 3})},
                        .initializers = {initializer<i64>("n", {}, {3})}}
                      .text();
  const std::string scanned = graph({node("Add", {"s", "e"}, {"t"}), node("Identity", {"t"}, {"p"})},
                                    {value("s", {3}), value("e", {3})}, {value("t", {3}), value("p", {3})});
  found["Scan"] = model{
      .nodes = {node("Scan", {"i", "x"}, {"y", "z"}, {body("body", scanned), attribute("num_scan_inputs", i64{1})})},
      .inputs = {f32("x"), value("i", {3})},
      .outputs = {
          value("y", {3}),
          f32("z")}}.text();
  found["Sequences"] = model{
      .nodes = {node("SequenceConstruct", {"x", "x"}, {"s"}), node("SequenceInsert", {"s", "x"}, {"t"}),
                node("SequenceAt", {"t", "i"}, {"y"}),
                node("ConcatFromSequence", {"t"}, {"z"}, {attribute("axis", i64{0})}),
                node("SequenceLength", {"t"}, {"n"})},
      .inputs = {f32("x")},
      .outputs = {f32("y"), value("z", {6, 3}), value("n", {}, elem_type::int64)},
      .initializers = {initializer<i64>(
          "i", {}, {1})}}.text();
  found["Optional"] = model{.nodes = {node("Optional", {"x"}, {"o"}), node("OptionalHasElement", {"o"}, {"h"}),
                                      node("OptionalGetElement", {"o"}, {"y"})},
                            .inputs = {f32("x")},
                            .outputs = {f32("y"), value("h", {}, elem_type::boolean)}}
                          .text();
  found["Function"] =
      model{.nodes = {node("Twice", {"x"}, {"y"}, {}, "", "local")},
            .inputs = {f32("x")},
            .outputs = {f32("y")},
            .functions = {function("Twice", {"a"}, {"b"},
                                   {node("Once", {"a"}, {"m"}, {}, "", "local"), node("Add", {"m", "m"}, {"b"})}),
                          function("Once", {"a"}, {"b"}, {node("Exp", {"a"}, {"b"})})}}
          .text();
  found["ShapeOfSlice"] =
      model{
          .nodes = {node("Shape", {"x"}, {"s"}), node("Slice", {"s", "a", "b"}, {"t"}),
                    node("Concat", {"t", "m"}, {"u"}, {attribute("axis", i64{0})}), node("Reshape", {"x", "u"}, {"y"}),
                    node("MatMul", {"y", "w"}, {"z"}), node("Softmax", {"z"}, {"r"})},
          .inputs = {value("x", {-1, 4})},
          .outputs = {value("r", {-1, 2})},
          .initializers = {initializer<i64>("a", {1}, {0}), initializer<i64>("b", {1}, {1}),
                           initializer<i64>("m", {1}, {-1}), initializer<float>("w", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})}}
          .text();
}

/// Models by name.
inline std::map<std::string, std::string> onnx_seeds() {
  using namespace onnx_builder;
  using onnx_builder::value;
  namespace onnx = importers::onnx;
  std::map<std::string, std::string> found;
  const auto forms = call_forms();
  const auto attributes = attribute_forms();
  for (const onnx::registered_operator& o : onnx::built_in_operators()) {
    const std::string name = std::string(o.op_type) + "_" + std::to_string(o.since);
    const auto one = [&](const call_form& f, const std::vector<std::string>& given) {
      const std::string file =
          model{.nodes = {node(std::string(o.op_type), f.operands, {"out"}, given, "", std::string(o.domain))},
                .inputs = f.inputs,
                .outputs = {value("out", {})},
                .initializers = f.initializers,
                .opset = o.domain.empty() ? std::max<i64>(o.since, 18) : 18,
                .domains = {{"ai.onnx.ml", 3}, {"com.microsoft", 1}}}
              .text();
      try {
        onnx::import_model(onnx::decode_model(file, nullptr, "seed"));
      } catch (const error&) { return false; }
      found[name] = file;
      return true;
    };
    const auto any = [&] {
      for (const auto& given : attributes)
        for (const call_form& f : forms)
          if (one(f, given)) return true;
      return false;
    };
    any();
  }
  add_written_out(found);
  return found;
}

}  // namespace tenon::fuzzing
