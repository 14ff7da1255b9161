/// @file laws: what the laws share: the corpus, whether a fact holds, and sets of ops by name.
#pragma once

#include <doctest/doctest.h>

#include <set>
#include <string>

#include <tenon/compile/run.hpp>
#include <tenon/facts/buffer_lives_known.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/generate_code.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "support/random_module.hpp"

namespace laws {

using namespace tenon;

using all_built_in_analyses = facts<fact::purity_known, fact::buffer_lives_known>;

/// Programs that a random module hardly is: calls, closures, dead code, equal code, ones that fold and simplify.
inline std::vector<ir::module> fixed_corpus() {
  std::vector<ir::module> corpus;
  for (const char* text : {R"(
    func entry @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) inputs("x") outputs("y") pure {
      %a = call(%x) {callee = @f} : tensor<2x3xf32>
      %b = call(%a) {callee = @f} : tensor<2x3xf32>
      return(%b)
    }
    func @f(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) forced_pure {
      %y = mul(%x, %x) : tensor<2x3xf32>
      return(%y)
    })",
                           R"(
    constant #0 : tensor<2xi64> = [3, -1]
    func entry @main(%x: tensor<2x6xf32>, %y: tensor<2x6xf32>) -> (tensor<3x4xf32>, tensor<2x6xf32>) inputs("x", "y") outputs("a", "b") {
      %s = constant() {value = #0} : tensor<2xi64>
      %a = add(%x, %y) : tensor<2x6xf32>
      %b = add(%y, %x) : tensor<2x6xf32>
      %dead = exp(%a) : tensor<2x6xf32>
      %c = reshape(%b, %s) : tensor<3x4xf32>
      %d = neg(%c) : tensor<3x4xf32>
      %e = neg(%d) : tensor<3x4xf32>
      return(%e, %a)
    })",
                           R"(
    func entry @main(%x: tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>) inputs("x") outputs("a", "b") {
      return(%x, %x)
    })"})
    corpus.push_back(parse("tenon.module phase=optimization\n" + std::string(text)));
  return corpus;
}

inline std::vector<ir::module> corpus(u64 from, u64 seeds) {
  std::vector<ir::module> all = fixed_corpus();
  for (u64 seed = from; seed < from + seeds; ++seed) all.push_back(testing::random_module(seed));
  return all;
}

/// The ops of functions in the module's phase; what is ahead is spoken of by nobody.
inline std::set<std::string> kinds_of(const ir::module& m) {
  std::set<std::string> names;
  for (function_id f : m.functions())
    if (m[f].phase.empty()) ir::for_each_op(m, m[f].body, [&](op_id op) { names.emplace(m.view(op).name()); });
  return names;
}
template <class Ops>
std::set<std::string> names_of() {
  std::set<std::string> names;
  for (const ir::op_info* o : ir::op_table_of<Ops>()) names.emplace(o->name);
  return names;
}

/// A pass as data: what a law does with each pass is compiled once.
struct named_pass {
  std::string_view name;
  std::unique_ptr<ir::module> (*run)(std::unique_ptr<ir::module>, context&);
};
template <class P>
std::unique_ptr<ir::module> run_pass(std::unique_ptr<ir::module> m, context& cx) {
  return tenon::detail::run_body(P{}, std::move(m), cx);
}
template <class... Ps>
std::vector<named_pass> named_passes(meta::detail::box<pass_list<Ps...>>) {
  return {{std::string_view(Ps::name), &run_pass<Ps>}...};
}
/// Those of a pipeline before code is generated, for which LLVM may not be there.
template <class List>
std::vector<named_pass> passes_before_code(meta::detail::box<List>) {
  return named_passes(meta::detail::box<meta::without_t<List, pass_list<passes::generate_code>>>{});
}

/// By the fact's checker, or by the ops that it says are absent.
template <class Fact>
bool holds(const ir::module& m) {
  if constexpr (requires { Fact::check(m); }) {
    try {
      tenon::detail::prove<Fact>(m);
    } catch (const error&) { return false; }
    return true;
  } else {
    const auto kinds = kinds_of(m);
    for (const std::string& name : names_of<typename Fact::absent_ops>())
      if (kinds.count(name)) return false;
    return true;
  }
}

/// What differs in the results, or nothing.
inline std::string difference(const std::vector<tensor>& got, const std::vector<tensor>& want) {
  if (got.size() < want.size()) return "number of results";
  for (size_t i = 0; i < want.size(); ++i) {
    const double t = 6e-2;  // 16-bit floats are rounded in other places after fusion
    if (const comparison c = compare(got[i], want[i], {t, t, t, false}); !c.ok)
      return "result " + std::to_string(i) + ": " + c.message;
  }
  return "";
}

}  // namespace laws
