/// @file ingestion: what front ends say.
///
/// Entered by importers, the text parser and the C++ front end. Holds closures and inner functions, tensors of unknown
/// shape, front-end ops, control flow and effects. Invariants: SSA; types agree with op signatures.
#pragma once

#include <tenon/ops/fwd.hpp>
#include <tenon/phase.hpp>
#include <tenon/phases/optimization.hpp>

namespace tenon::phases {

struct ingestion {
  static constexpr fixed_string name = "ingestion";
  using op_list = meta::concat_t<front_end_ops, graph_ops, host_ops, call_ops>;
  using op_effects = effects<effect::random, effect::io>;
  static constexpr bool open = true;
  using calls_into = phase_list<lowering, build>;  // kernels that a library brings
};

}  // namespace tenon::phases
