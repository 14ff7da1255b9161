// needs: llvm xsimd
// Inputs that do not fit: what a model of known extents refuses, the same model of open ones refuses when it runs.
#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/strings.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/xsimd_session.hpp>

#include "random_onnx/builder.hpp"

using namespace tenon;
namespace onnx = importers::onnx;
using random_onnx::model;

namespace {

onnx::model decoded(const model& m) {
  const auto bytes = std::make_shared<const std::string>(random_onnx::encode(m));
  return onnx::decode_model(*bytes, bytes, "misfit");
}

/// The same elements again and again, for an extent that differs by `by`.
tensor resized(const tensor& t, size_t dimension, i64 by) {
  std::vector<i64> shape = t.shape();
  shape[dimension] += by;
  tensor r(t.type(), shape);
  for (i64 i = 0; i < r.size() && t.size() > 0; ++i) {
    if (t.type() == dtype::string) set_string(r, i, string_at(t, i % t.size()));
    else if (is_float(t.type())) r.set_f64(i, t.at_f64(i % t.size()));
    else r.set_i64(i, t.at_i64(i % t.size()));
  }
  return r;
}

/// Why the model whose inputs' shapes are known gives no result; empty where it gives one, or would have to know what
/// the inputs are.
std::string refusal_of(model m, const std::vector<tensor>& inputs) {
  for (random_onnx::input& i : m.main.inputs) i.symbols.clear();
  try {
    interpret_values(onnx::import_model(decoded(m), {}).body(), "main",
                     std::vector<value>(inputs.begin(), inputs.end()));
  } catch (const error& e) {
    if (e.code() != "onnx.needs_constant" && e.code() != "onnx.unknown_rank") return e.what();
  }
  return {};
}

struct tally {
  int runs = 0, refused = 0;
};

/// What is inside may be of no use to the results, and then native code leaves it out.
bool has_bodies(const model& m) {
  for (const random_onnx::node& n : m.main.nodes)
    for (const random_onnx::attr& a : n.attributes)
      if (std::holds_alternative<std::shared_ptr<random_onnx::graph>>(a.value)) return true;
  return false;
}

/// One node whose inputs have no known extent, with one extent of one input changed at a time.
void try_misfits(model m, const std::string& target, tally& t) {
  m.second.clear();
  std::vector<size_t> given;
  for (size_t k = 0; k < m.main.inputs.size(); ++k) {
    random_onnx::input& i = m.main.inputs[k];
    if (!i.fixed) i.initializer = false, i.symbols.assign(i.value.shape().size(), "?");
    if (!i.initializer) given.push_back(k);
  }
  std::optional<session> open;
  try {
    open.emplace(decoded(m), session_options{.target = target});
  } catch (const error&) { return; }  // it needs what only a run knows
  for (const size_t k : given)
    for (size_t d = 0; d < m.main.inputs[k].value.shape().size(); ++d) {
      const i64 now = m.main.inputs[k].value.shape()[d];
      model other = m;
      other.main.inputs[k].value = resized(m.main.inputs[k].value, d, now > 0 && (k + d) % 2 == 0 ? -1 : 1);
      std::vector<tensor> inputs;
      for (const size_t g : given) inputs.push_back(other.main.inputs[g].value);
      ++t.runs;
      try {
        open->run(inputs);
      } catch (const error&) {
        ++t.refused;
        continue;
      }
      const std::string why = refusal_of(other, inputs);
      CHECK_MESSAGE(why.empty(), target, " gives a result for input ", m.main.inputs[k].name, " with extent ", d,
                    " changed: ", why, "\n", random_onnx::text_of(m));
    }
}

}  // namespace

TEST_CASE("what is refused of known extents is refused of open ones") {
  targets::register_cpu_target();
  targets::register_xsimd_target();
  tally t;
  bool natively = false;
  for (const std::string& op : random_onnx::drawn_operators())
    for (u64 seed = 1; seed <= 12; ++seed) {
      const model m = random_onnx::random_model(seed, nullptr, op, 1);
      if (m.main.nodes.empty() || has_bodies(m)) continue;
      try_misfits(m, natively ? "cpu" : "xsimd", t);
      natively = !natively;
      break;
    }
  CHECK(t.runs > 500);
  CHECK(t.refused > 100);
}
