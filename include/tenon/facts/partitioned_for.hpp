/// @file partitioned_for: what a target's patterns match stands in functions that are constrained to it.
#pragma once

#include <string>
#include <string_view>

#include <tenon/fact.hpp>

namespace tenon {
namespace ir { class module; }
namespace fact {

/// Proves that the parts of a target are functions that only calls reach, and that no op in them changes anything.
/// Throws "fact.partitioned_for".
void check_partition(const ir::module& m, std::string_view target);

template <class T>
struct partitioned_for {
  static constexpr auto name = fixed_string("partitioned_for_") + T::name;
  static void check(const ir::module& m) { check_partition(m, T::name); }
};

}  // namespace fact
}  // namespace tenon
