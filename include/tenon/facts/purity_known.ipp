/// @file purity_known.ipp: definitions of facts/purity_known.hpp.
#pragma once

#include <tenon/facts/purity_known.hpp>

namespace tenon::fact {

purity purity_known::compute(const ir::module& m) { return purity(m); }

}  // namespace tenon::fact
