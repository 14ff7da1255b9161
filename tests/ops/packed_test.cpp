// Calls of the host's functions: what they are given, what they may give back, and what passes may do with them.
#include <tenon/ops/graph/packed.hpp>

#include <tenon/compile/run_pipeline.hpp>
#include <tenon/facts/pure_calls_unwrapped.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/runtime/host_functions.hpp>

#include <support/graph.hpp>

using namespace graph_test;

namespace {

struct registered {
  std::string name;
  template <class F>
  registered(std::string n, F f) : name(std::move(n)) {
    add_host_function(name, std::move(f));
  }
  ~registered() { remove_host_function(name); }
};
std::string calls(const std::string& op, int times, const std::string& type = "tensor<2xf32>") {
  std::string s = "func entry @main(%x: tensor<2xf32>) -> (" + type + ") inputs(\"x\") outputs(\"y\") {\n";
  for (int i = 0; i < times; ++i)
    s += "  %" + std::to_string(i) + " = " + op + "(%x) {function = \"packed.f\"} : " + type + "\n";
  return s + "  return(%" + std::to_string(times - 1) + ")\n}\n";
}
const tensor x = tensor::from<float>({2}, {1, -2});
std::vector<tensor> evaluated(const std::string& text) { return interpret(graph(text).body(), "main", {&x, 1}); }
template <class... Ps>
ir_module<phases::optimization> after(const std::string& text) {
  context cx;
  cx.verify_each = true;
  return run_pipeline<pipeline<Ps...>>(graph(text), cx).edit();
}

}  // namespace

TEST_CASE("a function of the host is given operands, and gives results") {
  const registered f("packed.f", [](std::span<const tensor> in) {
    tensor y = in[0].clone();
    for (i64 i = 0; i < y.size(); ++i) y.set_f64(i, y.at_f64(i) * 10);
    return std::vector<tensor>{y};
  });
  for (const char* op : {"call_packed", "call_pure_packed"}) {
    CHECK(evaluated(calls(op, 1))[0].at_f64(1) == -20);
    CHECK(evaluated(calls(op, 1, "tensor<?xf32>"))[0].at_f64(0) == 10);
    CHECK(evaluated(calls(op, 1, "tensor<*xf32>"))[0].shape() == std::vector<i64>{2});
  }
}

TEST_CASE("what a function gives is held to what the module states") {
  const registered f("packed.f", [](std::span<const tensor> in) { return std::vector<tensor>(in.begin(), in.end()); });
  const auto refused = [](const std::string& type) {
    const error e = caught([&] { evaluated(calls("call_packed", 1, type)); });
    CHECK(e.code() == "eval");
    return e.message();
  };
  CHECK(refused("tensor<3xf32>") ==
        "call_packed: result 0 of function 'packed.f' is f32[2], and the module states f32[3]");
  CHECK(refused("tensor<2xi32>") ==
        "call_packed: result 0 of function 'packed.f' is f32[2], and the module states i32[2]");
  CHECK(refused("tensor<?x2xf32>") ==
        "call_packed: result 0 of function 'packed.f' is f32[2], and the module states f32[?,2]");
  const error two = caught([] {
    evaluated(R"(
func entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>) {
  %y, %z = call_packed(%x) {function = "packed.f"} : (tensor<2xf32>, tensor<2xf32>)
  return(%y)
})");
  });
  CHECK(two.message() == "call_packed: function 'packed.f' gives 1 results, and the module states 2");
}

TEST_CASE("a function that is not there, or fails, is named") {
  CHECK(code_of([] { evaluated(calls("call_packed", 1)); }) == "host_function.absent");
  const registered f("packed.f",
                     [](std::span<const tensor>) -> std::vector<tensor> { throw std::runtime_error("no disk"); });
  CHECK(caught([] { evaluated(calls("call_packed", 1)); }).message() ==
        "call_packed: function 'packed.f' failed: no disk");
}

TEST_CASE("plain calls run as often as they stand there; pure ones are deleted and merged") {
  using passes::eliminate_common, passes::eliminate_dead, passes::unwrap_pure_calls;
  CHECK(count(after<eliminate_common, eliminate_dead>(calls("call_packed", 3)), "call_packed") == 3);
  CHECK(count(after<eliminate_common, eliminate_dead>(calls("call_pure_packed", 3)), "call_pure_packed") == 1);
  const auto kept = after<unwrap_pure_calls, eliminate_common, eliminate_dead>(calls("call_pure_packed", 3));
  CHECK(count(kept, "call_packed") == 3);
  CHECK(kept.body()[kept.body().find_function("main")].purity == ir::function_purity::forced_pure);
}

TEST_CASE("nobody calls the host's functions while the model is compiled") {
  bool called = false;
  const registered f("packed.f", [&called](std::span<const tensor> in) {
    called = true;
    return std::vector<tensor>{in[0]};
  });
  const auto m = after<passes::infer_shapes, passes::fold_constants, passes::use_byte_products, passes::simplify>(R"(
constant #0 : tensor<2xf32> = [1, 2]
func entry @main() -> (tensor<2xf32>) {
  %c = constant() {value = #0} : tensor<2xf32>
  %y = call_pure_packed(%c) {function = "packed.f"} : tensor<2xf32>
  return(%y)
})");
  CHECK(!called);
  CHECK(count(m, "call_pure_packed") == 1);
}
