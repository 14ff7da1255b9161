/// @file run_module: runs what a fuzzer made, on small inputs, in every way that needs no LLVM.
#pragma once

#include <tenon/compile/build.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/runtime/strings.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "fuzzers/fuzzer.hpp"

namespace tenon::fuzzing {

/// Runs are for tensors of few elements: a fuzzer has no use for large ones.
inline constexpr i64 most_elements = 2048;

/// Have all values few elements, as far as their types say?
inline bool is_small(const ir::module& m) {
  bool small = true;
  const auto look = [&](value_id v) {
    i64 n = 1;
    for (ir::dim d : m.type_of(v).shape)
      if (d.is_static())
        small = small && d.extent() <= most_elements && (n *= std::max<i64>(d.extent(), 1)) <= most_elements;
  };
  for (function_id f : m.functions())
    for (value_id v : m[m[f].body].arguments) look(v);
  ir::for_each_op(m, [&](op_id op) {
    for (value_id v : m.results(op)) look(v);
    // Loops of kernels end when their bounds say so.
    if (const auto* l = m.view(op).get_if<loop::literal>()) small = small && l->integer < 64 && l->integer > -64;
  });
  return small;
}

/// Inputs for the entry, made of a number; empty extents and strings too. Symbols are 2, but for one in four numbers,
/// and so is what is not known, which then does not fit.
inline std::vector<tensor> inputs_of(const ir::module& m, function_id f, u64 seed) {
  std::vector<tensor> inputs;
  u64 state = seed * 2862933555777941757u + 3037000493u;
  const auto next = [&] { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33; };
  for (value_id v : m[m[f].body].arguments) {
    const ir::type& t = m.type_of(v);
    if (!t.is_tensor()) throw error("fuzz.input", "inputs are tensors here");
    std::vector<i64> shape;
    for (ir::dim d : t.shape)
      shape.push_back(d.is_static()   ? d.extent()
                      : seed % 4 != 0 ? 2
                                      : static_cast<i64>(d.is_symbol() ? d.symbol().index % 4 : next() % 4));
    if (!t.ranked) shape = {2, 3};
    tensor x(t.elem, shape);
    for (i64 i = 0; i < x.size(); ++i) {
      const i64 n = static_cast<i64>(next() % 9) - 3;
      if (t.elem == dtype::string) set_string(x, i, n > 2 ? "a" : n > 0 ? "b c" : "");
      else if (t.elem == dtype::boolean) x.set_i64(i, n & 1);
      else if (is_float(t.elem))
        x.set_f64(i, seed % 5 == 0 && n == 5 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(n) / 2);
      else x.set_i64(i, is_unsigned_int(t.elem) ? n & 7 : n);
    }
    inputs.push_back(std::move(x));
  }
  return inputs;
}

inline u64 number_of(std::string_view bytes) {
  u64 h = 1469598103934665603u;
  for (char c : bytes) h = (h ^ static_cast<u8>(c)) * 1099511628211u;
  return h >> 7;
}

/// What an import may take here; its own budgets must see to it that it takes no more.
inline constexpr testing::allocation_budget of_an_import{.calls = 3'000'000, .bytes = u64{256} << 20};

/// The file's model as a module, if it can be imported; shapes as declared, or with 2 for all that is open.
inline bool imported(std::string_view file, bool closed, ir::module& into) {
  namespace onnx = importers::onnx;
  bool done = false;
  tried(of_an_import, false, [&] {
    const onnx::model m = onnx::decode_model(file, nullptr, "fuzz.onnx");
    onnx::import_options options;
    options.budget = {.nodes = 5000, .bytes = i64{32} << 20, .seconds = 10};
    options.random_seed = 1;
    if (closed)
      for (const onnx::value_info& v : m.graph.inputs) {
        if (v.type.kind != onnx::value_type::kind_t::tensor || !v.type.has_shape) continue;
        bool has_initializer = false;
        for (const auto& t : m.graph.initializers) has_initializer = has_initializer || t.name == v.name;
        if (has_initializer) continue;
        std::vector<i64>& shape = options.shapes[v.name];
        for (const onnx::dimension& d : v.type.dims) shape.push_back(d.is_known() ? d.value : 2);
      }
    ir_module<phases::ingestion> made = onnx::import_model(m, options);
    into = std::move(made).edit().body();
    done = true;
  });
  return done;
}

}  // namespace tenon::fuzzing
