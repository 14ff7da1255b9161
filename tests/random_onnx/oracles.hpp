/// @file oracles: what a model gives on each way of running it, and whether that is the same.
///
/// The interpreter is the reference. What floats may differ by is found, not guessed: where a result differs, the model
/// is computed node by node a few times with each float result moved by a few units in the last place; how far a result
/// moves then is how far rounding can move it. Integers that such noise changes are not compared.
#pragma once

#include "graph.hpp"

namespace random_onnx {

/// A way of running a model.
struct way {
  std::string name;    ///< "cpu", "cpu/2 threads", "cpu/specialize", "cpu/file", "xsimd", "any shape", …
  std::string target;  ///< of a session
  int threads = 1;
  bool specialize = false, file = false, any_shape = false, mixed = false;
};
/// Those of a list of names: `cpu,xsimd,…`. Error "usage" for others.
std::vector<way> ways_named(const std::string& list);

enum class verdict : char { same, refused, wrong };
struct finding {
  verdict what = verdict::same;
  std::string how;  ///< in words; of a refusal the code first
};

/// The values of the outputs for each set of inputs (one, or two with model::second): by the interpreter.
struct reference {
  std::vector<std::vector<tensor>> sets;
  std::string failed;    ///< why the interpreter gives nothing for the first set
  bool refused = false;  ///< it says that the model needs what only a run knows
};
reference reference_of(const model& m);
/// What the nodes give for the inputs as they are now.
void refresh(model& m);
std::vector<tensor> inputs_of(const model& m, size_t set);

/// How far rounding can move each output, and whether that is known: a tensor of f64 for each, NaN where anything may
/// be.
std::vector<tensor> spread_of(const model& m, size_t set, u64 seed);

finding compare_with(const model& m, const reference& r, const way& w);
/// The model with f64 for each f32, where the interpreter takes that: another evaluation of the same numbers.
finding compare_in_f64(const model& m, const reference& r);
}  // namespace random_onnx
