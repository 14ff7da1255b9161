/// @file ids: strong indices. An `op_id` is not a `value_id`, and none of them is an `int`.
#pragma once

#include <tenon/core/int_names.hpp>

namespace tenon {

/// A dense index into an arena, typed by what it indexes. The default value refers to nothing.
template <class Tag>
struct id {
  static constexpr u32 none = 0xffffffffu;
  u32 index = none;

  constexpr id() = default;
  constexpr explicit id(size_t i) : index(static_cast<u32>(i)) {}
  constexpr explicit operator bool() const { return index != none; }
  friend constexpr bool operator==(id, id) = default;
  // (`<=>` would ask for <compare>, which who only judges does not include.)
  friend constexpr bool operator<(id a, id b) { return a.index < b.index; }
  friend constexpr bool operator>(id a, id b) { return b < a; }
  friend constexpr bool operator<=(id a, id b) { return !(b < a); }
  friend constexpr bool operator>=(id a, id b) { return !(a < b); }
};

using op_id = id<struct op_tag>;
using value_id = id<struct value_tag>;
using type_id = id<struct type_tag>;
using attr_id = id<struct attr_tag>;
using region_id = id<struct region_tag>;
using function_id = id<struct function_tag>;
using constant_id = id<struct constant_tag>;
using symbol_id = id<struct symbol_tag>;
using location_id = id<struct location_tag>;
using discardable_id = id<struct discardable_tag>;
using use_id = id<struct use_tag>;

}  // namespace tenon
