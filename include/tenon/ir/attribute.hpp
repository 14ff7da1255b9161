/// @file attribute: attributes are plain members of an op struct; everything else follows from their list.
///
///     struct conv { std::vector<i64> strides; i64 group = 1;  TENON_ATTRIBUTES(strides, group) };
///
/// The list is data: each attribute's name, what it holds, and where in the struct. Printing, parsing, hashing,
/// comparing and serializing go through it (`op_info::attributes`), and none of them is compiled once for each op.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tenon/core/dtype.hpp>
#include <tenon/core/ids.hpp>

namespace tenon::ir {

/// One row per dimension of the accessed buffer: row[0] is the constant, row[1 + k] the coefficient of the k-th index.
struct access_map {
  std::vector<std::vector<i64>> rows;
  friend bool operator==(const access_map&, const access_map&) = default;
};

/// The name of a function of the module.
struct function_ref {
  std::string name;
  friend bool operator==(const function_ref&, const function_ref&) = default;
};

/// The value of an attribute of any enumeration: the position of its name.
struct enumeration {
  std::span<const std::string_view> names;
  int value = 0;
};

enum class attribute_kind : u8 {
  boolean,
  integer,
  real,
  text,
  element_type,
  integers,
  reals,
  texts,
  constant,
  function,
  access,
  enumeration
};

/// One attribute of an op: its name, what it holds, and where it stands in the op's struct.
struct attribute {
  std::string_view name;
  attribute_kind kind = attribute_kind::integer;
  u32 offset = 0;
  u32 width = 0;                             ///< bytes, of an enumeration
  std::span<const std::string_view> values;  ///< the names of an enumeration's values

  /// Calls `f` with the value, if it takes one of that type: `const T&` for a `const void* op`, `T&` for a `void*`.
  /// A value of an enumeration comes as an `enumeration`, and what `f` makes of it is stored.
  template <class Op, class F>
  void visit(Op* op, F&& f) const {
    static_assert(std::is_void_v<Op>);
    using bytes = std::conditional_t<std::is_const_v<Op>, const std::byte, std::byte>;
    bytes* at = static_cast<bytes*>(op) + offset;
    const auto as = [&]<class T>(std::type_identity<T>) {
      using value = std::conditional_t<std::is_const_v<Op>, const T, T>;
      if constexpr (requires(value& v) { f(v); }) f(*reinterpret_cast<value*>(at));
    };
    switch (kind) {
      case attribute_kind::boolean: return as(std::type_identity<bool>{});
      case attribute_kind::integer: return as(std::type_identity<i64>{});
      case attribute_kind::real: return as(std::type_identity<double>{});
      case attribute_kind::text: return as(std::type_identity<std::string>{});
      case attribute_kind::element_type: return as(std::type_identity<dtype>{});
      case attribute_kind::integers: return as(std::type_identity<std::vector<i64>>{});
      case attribute_kind::reals: return as(std::type_identity<std::vector<double>>{});
      case attribute_kind::texts: return as(std::type_identity<std::vector<std::string>>{});
      case attribute_kind::constant: return as(std::type_identity<constant_id>{});
      case attribute_kind::function: return as(std::type_identity<function_ref>{});
      case attribute_kind::access: return as(std::type_identity<access_map>{});
      case attribute_kind::enumeration: {
        u64 bits = 0;
        std::memcpy(&bits, at, width);  // little-endian, as every processor that tenon knows
        using value = std::conditional_t<std::is_const_v<Op>, const enumeration, enumeration>;
        value e{values, static_cast<int>(bits)};
        if constexpr (requires { f(e); }) f(e);
        if constexpr (!std::is_const_v<Op>) bits = static_cast<u64>(e.value), std::memcpy(at, &bits, width);
      }
    }
  }
};

namespace detail {
template <class T>
constexpr bool is_attribute_enumeration = std::is_enum_v<T> && !std::is_same_v<T, dtype>;

template <class T>
consteval attribute_kind kind_of_attribute() {
  using enum attribute_kind;
  if constexpr (std::is_same_v<T, bool>) return boolean;
  else if constexpr (std::is_same_v<T, i64>) return integer;
  else if constexpr (std::is_same_v<T, double>) return real;
  else if constexpr (std::is_same_v<T, std::string>) return text;
  else if constexpr (std::is_same_v<T, dtype>) return element_type;
  else if constexpr (std::is_same_v<T, std::vector<i64>>) return integers;
  else if constexpr (std::is_same_v<T, std::vector<double>>) return reals;
  else if constexpr (std::is_same_v<T, std::vector<std::string>>) return texts;
  else if constexpr (std::is_same_v<T, constant_id>) return constant;
  else if constexpr (std::is_same_v<T, function_ref>) return function;
  else if constexpr (std::is_same_v<T, access_map>) return access;
  else if constexpr (is_attribute_enumeration<T>) {
    static_assert(
        requires(T e) { enumerator_names(e); },
        "an enumeration is an attribute where 'enumerator_names(E)' gives its names, in its namespace");
    return enumeration;
  } else {
    static_assert(std::is_void_v<T>,
                  "an attribute is an i64, double, bool, std::string, dtype, constant_id (a tensor of the "
                  "module: add_constant), an enumeration, or a vector of i64, double or std::string");
  }
}

/// The attribute that is `member` of `op`.
template <class T>
attribute attribute_of(std::string_view name, const T& member, const void* op) {
  attribute a;
  a.name = name, a.kind = kind_of_attribute<T>();
  a.offset = static_cast<u32>(reinterpret_cast<const std::byte*>(&member) - static_cast<const std::byte*>(op));
  if constexpr (is_attribute_enumeration<T>)
    if constexpr (requires { enumerator_names(member); }) a.width = sizeof(T), a.values = enumerator_names(member);
  return a;
}

/// The attributes of an op, or the options of a target, in the order in which they are listed.
template <class Op>
std::span<const attribute> attributes_of() {
  if constexpr (requires(const Op& op) { op.list_attributes(); }) {
    static const std::vector<attribute> list = Op{}.list_attributes();
    return list;
  } else return {};
}
}  // namespace detail

}  // namespace tenon::ir

#define TENON_AGAIN_1(...) TENON_AGAIN_2(TENON_AGAIN_2(TENON_AGAIN_2(TENON_AGAIN_2(__VA_ARGS__))))
#define TENON_AGAIN_2(...) TENON_AGAIN_3(TENON_AGAIN_3(TENON_AGAIN_3(TENON_AGAIN_3(__VA_ARGS__))))
#define TENON_AGAIN_3(...) TENON_AGAIN_4(TENON_AGAIN_4(TENON_AGAIN_4(TENON_AGAIN_4(__VA_ARGS__))))
#define TENON_AGAIN_4(...) __VA_ARGS__
#define TENON_NOTHING ()
#define TENON_EACH_THEN() TENON_EACH_FROM
#define TENON_EACH_FROM(m, a, ...) m(a) __VA_OPT__(TENON_EACH_THEN TENON_NOTHING(m, __VA_ARGS__))
/// `m(a)` for each argument: each pass over the text makes one, TENON_AGAIN_1 is more than 80 of them.
#define TENON_EACH(m, ...) __VA_OPT__(TENON_AGAIN_1(TENON_EACH_FROM(m, __VA_ARGS__)))
#define TENON_ATTRIBUTE(a) ::tenon::ir::detail::attribute_of(#a, this->a, this),

/// Lists the attributes of an op, or the options of a target.
#define TENON_ATTRIBUTES(...) \
  ::std::vector<::tenon::ir::attribute> list_attributes() const { return {TENON_EACH(TENON_ATTRIBUTE, __VA_ARGS__)}; }
