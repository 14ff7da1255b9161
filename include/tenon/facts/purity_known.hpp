/// @file purity_known: which functions do nothing besides computing results, an analysis (ir/purity.hpp).
#pragma once

#include <tenon/fact.hpp>
#include <tenon/ir/purity.hpp>

namespace tenon::fact {

using purity = ir::purity;

struct purity_known {
  static constexpr fixed_string name = "purity_known";
  static purity compute(const ir::module& m);
};

}  // namespace tenon::fact
