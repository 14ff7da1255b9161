// A made-up library for the tests of external code generators: it has code for matmul, add and maximum, and keeps parts
// of graphs as text.
#pragma once

#include <tenon/compile/external/runner.hpp>
#include <tenon/compile/run.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/lift_lambdas.hpp>
#include <tenon/passes/run_external_codegen.hpp>
#include <tenon/pipeline.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include <support/graph.hpp>

namespace external_test {
using namespace graph_test;

struct listing {
  static constexpr fixed_string name = "listing";
};

class interpreted_part final : public external_code {
 public:
  explicit interpreted_part(ir::module m) : m_(std::move(m)) {}
  std::vector<tensor> run(std::span<const tensor> inputs, int) const override {
    return interpret(m_, m_[m_.functions().at(0)].name, inputs);
  }
  size_t result_count() const override { return m_.operands(m_.terminator(m_[m_.functions().at(0)].body)).size(); }

 private:
  ir::module m_;
};

struct listing_generator {
  using format = listing;
  static std::vector<char> compile(const external_function& part, context&) {
    ir::for_each_op(part.module, part.module[part.function].body, [&](op_id op) {
      const ir::op_view v = part.module.view(op);
      if (v.is<op::exp>()) part.no_kernel(op, "it cannot do powers", "library");
    });
    const std::string text = print(part.module.extract(part.function), {.phase = "optimization"});
    return {text.begin(), text.end()};
  }
  static std::unique_ptr<external_code> load(std::span<const char> bytes) {
    return std::make_unique<interpreted_part>(parse(std::string_view(bytes.data(), bytes.size()), "listing"));
  }
};

inline bool gives_f32(ir::op_view v) { return v.result_type().elem == dtype::f32; }

struct library {
  static constexpr fixed_string name = "library";
  using external_code_generator = listing_generator;
  using patterns = pattern_list<
      named<"linear", pattern<op::maximum, pattern<op::add, pattern<op::matmul, any, constant>, any>, constant>>,
      pattern<op::matmul, any, any>, such_that<pattern<op::add, any, any>, &gives_f32, "f32">, pattern<op::exp, any>>;
};
struct other_library : library {
  static constexpr fixed_string name = "other";
  using patterns = pattern_list<pattern<op::softmax, any>>;
};

/// `main` partitioned for a library.
template <class T>
auto partitioned(std::string_view text, context& cx, passes::partition_options o = {}) {
  passes::partition_for<T> pass;
  static_cast<passes::partition_options&>(pass) = o;
  return run(pass, graph(text), cx);
}
inline int calls_of_artifacts(const ir::module& m) {
  int n = 0;
  ir::for_each_op(m, [&](op_id op) { n += m.view(op).is<op::call_external>(); });
  return n;
}
inline size_t parts(const context& cx) {
  const partition_report* r = cx.find<partition_report>();
  return r ? r->parts.size() : 0;
}

}  // namespace external_test
