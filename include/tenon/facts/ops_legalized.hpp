/// @file ops_legalized: no computation is left outside of kernels, neither on tensors nor on what the host keeps, nor a
/// region that is made of them.
///
/// An op-set fact: it follows from the ops that may be present, so no pass gives or breaks it by saying so.
#pragma once

#include <tenon/fact.hpp>
#include <tenon/ops/fwd.hpp>

namespace tenon::fact {

struct ops_legalized {
  static constexpr fixed_string name = "ops_legalized";
  using absent_ops = meta::concat_t<legalizable_ops, host_ops, ops<op::dataflow>>;
};

}  // namespace tenon::fact
