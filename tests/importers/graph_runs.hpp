/// @file graph_runs: runs graphs written in C++ in the interpreter, and asks the target cpu for the same, where the
/// library has code generation; numbers for their tests.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/graph.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/verify.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#endif

#include <support/caught.hpp>

namespace graph_runs {
using namespace tenon;
using numbers = std::vector<double>;

inline tensor floats(std::vector<i64> shape, const numbers& list) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, list[static_cast<size_t>(i)]);
  return t;
}
inline tensor integers(std::vector<i64> shape, const std::vector<i64>& list) {
  return tensor::from<i64>(std::move(shape), std::span<const i64>(list));
}
/// Small numbers of both signs, none of them special.
inline numbers some(size_t n, unsigned seed = 1) {
  numbers r;
  for (size_t i = 0; i < n; ++i) r.push_back(static_cast<double>((i * 7 + seed * 5) % 13) / 4 - 1.375);
  return r;
}

/// What the interpreter gives for each list of inputs, which is what the target cpu gives, compiled once.
inline std::vector<std::vector<tensor>> run_each(nn::graph& g, const std::vector<std::vector<tensor>>& inputs) {
  auto m = std::move(g).finish();
  ir::verify<phases::ingestion>(m.body());
  std::vector<std::vector<tensor>> results;
  for (const auto& in : inputs) results.push_back(interpret(m.body(), "main", in));
#if TENON_HAS_LLVM
  targets::register_cpu_target();
  session native(std::move(m), session_options{.target = "cpu"});
  for (size_t k = 0; k < inputs.size(); ++k) {
    const std::vector<tensor> got = native.run(inputs[k]);
    REQUIRE(got.size() == results[k].size());
    for (size_t i = 0; i < got.size(); ++i) {
      const tensor& want = results[k][i];
      CHECK(got[i].type() == want.type());
      REQUIRE(got[i].shape() == want.shape());
      for (i64 e = 0; e < got[i].size(); ++e) {
        const double a = got[i].at_f64(e), b = want.at_f64(e);
        CHECK_MESSAGE((a == b || std::fabs(a - b) <= 1e-5 * (1 + std::fabs(b))),
                      "result " << i << ", element " << e << ": " << a << " natively, and " << b);
      }
    }
  }
#endif
  return results;
}
inline std::vector<tensor> run(nn::graph& g, const std::vector<tensor>& inputs) { return run_each(g, {inputs})[0]; }

inline void check_near(const tensor& got, const std::vector<i64>& shape, const numbers& want) {
  REQUIRE(got.shape() == shape);
  REQUIRE(got.size() == static_cast<i64>(want.size()));
  for (i64 i = 0; i < got.size(); ++i)
    CHECK_MESSAGE(got.at_f64(i) == doctest::Approx(want[static_cast<size_t>(i)]).epsilon(1e-5), "element " << i);
}

/// Where an error is said to be: the line of the call, in a scope.
inline bool is_at(const error& e, const std::string& file, int line, const std::string& scope) {
  return e.where() == file + ":" + std::to_string(line) + ", in '" + scope + "'";
}

}  // namespace graph_runs
