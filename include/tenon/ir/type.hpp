/// @file type: what is known of a value: tensors and buffers with static, symbolic and unknown dimensions, scalars.
///
/// Types are interned in their module: two equal types of one module have one `type_id`.
#pragma once

#include <string>
#include <vector>

#include <tenon/core/checked.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/ids.hpp>

namespace tenon::ir {

/// An extent: a number, a symbol of the module (two uses of one symbol are equal), or unknown.
struct dim {
  i64 bits = -1;  // >= 0: the extent; -1: unknown; <= -2: symbol number -2 - bits

  constexpr dim() = default;
  constexpr dim(i64 extent) : bits(extent) {}
  static constexpr dim unknown() { return {}; }
  static constexpr dim symbol(symbol_id s) { return dim(-2 - static_cast<i64>(s.index)); }

  constexpr bool is_static() const { return bits >= 0; }
  constexpr bool is_unknown() const { return bits == -1; }
  constexpr bool is_symbol() const { return bits <= -2; }
  /// The number; throws "ir.not_static" for a symbol: code that needs numbers does not go on without.
  constexpr i64 extent() const {
    if (bits < 0) throw error("ir.not_static", "an extent is needed that is known only when the program runs");
    return bits;
  }
  constexpr symbol_id symbol() const { return symbol_id(static_cast<size_t>(-2 - bits)); }
  friend constexpr bool operator==(dim, dim) = default;
};

enum class type_kind : u8 {
  none,      ///< no value; an absent optional operand has no type at all
  tensor,    ///< graph level: immutable dense array
  buffer,    ///< loop level: mutable dense row-major array in a memory space
  scalar,    ///< loop level: one element, or an index
  sequence,  ///< parts[0] is the element type
  optional,  ///< parts[0] is the element type
  function,  ///< a closure: parts are operand types, then result types; split at `split`
};

struct type {
  type_kind kind = type_kind::none;
  dtype elem = dtype::f32;
  bool ranked = true;  ///< false: even the number of dimensions is unknown, and `shape` is empty
  u32 split = 0;       ///< function: how many of `parts` are operands
  std::string space;   ///< buffer: memory space; empty is the host's memory
  std::vector<dim> shape;
  std::vector<type_id> parts;

  static type tensor(dtype t, std::vector<dim> shape) {
    return {type_kind::tensor, t, true, 0, {}, std::move(shape), {}};
  }
  static type unranked_tensor(dtype t) { return {type_kind::tensor, t, false, 0, {}, {}, {}}; }
  static type buffer(dtype t, std::vector<dim> shape, std::string space = {}) {
    return {type_kind::buffer, t, true, 0, std::move(space), std::move(shape), {}};
  }
  static type scalar(dtype t) { return {type_kind::scalar, t, true, 0, {}, {}, {}}; }

  bool is_tensor() const { return kind == type_kind::tensor; }
  bool is_buffer() const { return kind == type_kind::buffer; }
  bool is_scalar() const { return kind == type_kind::scalar; }
  int rank() const { return static_cast<int>(shape.size()); }
  bool is_static() const {
    if (!ranked) return false;
    for (dim d : shape)
      if (!d.is_static()) return false;
    return true;
  }
  /// Extents of a static type.
  std::vector<i64> extents() const {
    std::vector<i64> e;
    for (dim d : shape) e.push_back(d.extent());
    return e;
  }
  /// Can a value of this type exist, as far as its numbers say? No extent is negative, and their product is at most
  /// `max_elements`. Modules hold no other types.
  bool fits() const {
    i64 n = 1;
    for (dim d : shape) {
      if (d.bits <= 0) continue;
      if (n > max_elements / d.bits) return false;
      n *= d.bits;
    }
    return true;
  }
  /// Number of elements of a static type.
  i64 count() const {
    if (!fits()) tenon::detail::throw_overflow();
    i64 n = 1;
    for (dim d : shape) n *= d.extent();
    return n;
  }
  i64 bytes() const { return count() * size_of(elem); }
  friend bool operator==(const type&, const type&) = default;
};

/// "[2,?,3]": a question mark for each extent that is no number.
inline std::string extents_text(const type& t) {
  std::string s = "[";
  for (dim d : t.shape)
    s += (s.size() > 1 ? "," : "") + (d.is_static() ? std::to_string(d.extent()) : std::string("?"));
  return s += ']';
}

}  // namespace tenon::ir
