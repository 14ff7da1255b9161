/// @file attribute: attributes are plain members of an op struct; everything else follows from their list.
///
///     struct conv { std::vector<i64> strides; i64 group = 1;  TENON_ATTRIBUTES(strides, group) };
///
/// Kinds of a program's own are said by ir/attribute_format.hpp.
///
/// The list is data: each attribute's name, what it holds, and where in the struct. Printing, parsing, hashing,
/// comparing and serializing go through it (`op_info::attributes`), and none of them is compiled once for each op.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/dtype.hpp>
#include <tenon/core/ids.hpp>
#include <tenon/ir/attribute_format.hpp>

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
  enumeration,
  own  ///< of a kind of the program's own: ir/attribute_format.hpp
};

/// One attribute of an op: its name, what it holds, and where it stands in the op's struct.
struct attribute {
  std::string_view name;
  attribute_kind kind = attribute_kind::integer;
  u32 offset = 0;
  u32 width = 0;                             ///< bytes, of an enumeration
  std::span<const std::string_view> values;  ///< the names of an enumeration's values
  const own_kind* own = nullptr;             ///< the program's own kind, if it is of one

  /// Calls `f` with the value, if it takes one of that type: `const T&` for a `const void* op`, `T&` for a `void*`.
  /// A value of an enumeration comes as an `enumeration`, and what `f` makes of it is stored. One of a program's own
  /// kind comes as an `own_value`, or, if `f` takes none, as the values that it is written as.
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
        return;
      }
      case attribute_kind::own: {
        const own_value<Op> v{*own, at};
        if constexpr (requires { f(v); }) f(v);
        else
          v.written([&](Op* form) {
            for (const attribute& a : own->form()) a.visit(form, f);
          });
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
  } else if constexpr (own_attribute<T>) return own;
  else {
    static_assert(std::is_void_v<T>,
                  "tenon-E006: the printer has nothing for a member of this type: an attribute is an i64, double, "
                  "bool, std::string, dtype, constant_id (a tensor of the module: add_constant), an enumeration, a "
                  "vector of i64, double or std::string, or of a kind of your own: a struct with a name and "
                  "TENON_ATTRIBUTES, or what ir::attribute_format is specialized for");
    return own;
  }
}

template <class T>
const own_kind& own_kind_of();

/// A member that is an attribute: where it is and what it holds.
struct attribute_member {
  const void* at;
  attribute_kind kind;
  u32 width = 0;
  std::span<const std::string_view> values{};
  const own_kind* own = nullptr;

  template <class T>
  attribute_member(const T& member) : at(&member), kind(kind_of_attribute<T>()) {
    if constexpr (is_attribute_enumeration<T>)
      if constexpr (requires { enumerator_names(member); }) width = sizeof(T), values = enumerator_names(member);
    if constexpr (own_attribute<T>)
      if (kind == attribute_kind::own) own = &own_kind_of<T>();
  }
};
/// The members of `op` as its attributes; `names` are those of the list in the source, with commas between.
inline std::vector<attribute> list_members(std::string_view names, const void* op,
                                           std::initializer_list<attribute_member> members) {
  std::vector<attribute> list;
  list.reserve(members.size());
  for (const attribute_member& m : members) {
    const std::string_view name = names.substr(0, names.find_first_of(", "));
    names.remove_prefix(std::min(names.size(), names.find_first_not_of(", ", name.size())));
    const auto offset = static_cast<const std::byte*>(m.at) - static_cast<const std::byte*>(op);
    list.push_back({name, m.kind, static_cast<u32>(offset), m.width, m.values, m.own});
  }
  return list;
}

/// The attributes of an op, or the options of a target, in the order in which they are listed.
template <class Op>
std::span<const attribute> attributes_of() {
  if constexpr (requires(const Op& op) { op.list_attributes(); }) {
    static const std::vector<attribute> list = Op{}.list_attributes();
    return list;
  } else return {};
}

/// The attributes of what a value is written as: the members of a struct, or the value itself, without a name.
template <class Written>
std::span<const attribute> form_of() {
  if constexpr (lists_members<Written>) return attributes_of<Written>();
  else {
    static const Written value{};
    static const std::vector<attribute> list = list_members("", &value, {value});
    return list;
  }
}

template <class T>
const own_kind& own_kind_of() {
  if constexpr (formatted<T>) {
    using format = attribute_format<T>;
    using form = std::remove_cvref_t<decltype(format::to(std::declval<const T&>()))>;
    static_assert(is_namespaced_name(std::string_view(format::name)),
                  "tenon-E009: text and files know a kind of attributes by its name, which begins with a namespace, as "
                  "in 'mine.layout'");
    static constexpr own_kind kind{std::string_view(format::name), &form_of<form>,
                                   [](const void* value, void (*f)(const void*, void*), void* with) {
                                     const form written = format::to(*static_cast<const T*>(value));
                                     f(&written, with);
                                   },
                                   [](void* value, void (*f)(void*, void*), void* with) {
                                     form written = format::to(*static_cast<const T*>(value));
                                     f(&written, with);
                                     *static_cast<T*>(value) = format::from(written);
                                   }};
    return kind;
  } else {
    static_assert(is_namespaced_name(std::string_view(T::name)),
                  "tenon-E009: text and files know a kind of attributes by its name, which begins with a namespace, as "
                  "in 'mine.scale'");
    static constexpr own_kind kind{std::string_view(T::name), &form_of<T>,
                                   [](const void* value, void (*f)(const void*, void*), void* with) { f(value, with); },
                                   [](void* value, void (*f)(void*, void*), void* with) { f(value, with); }};
    return kind;
  }
}
}  // namespace detail

}  // namespace tenon::ir

/// Lists the attributes of an op, or the options of a target. `tie_attributes` calls what it is given with the members,
/// for who computes with them as types (hana.hpp).
#define TENON_ATTRIBUTES(...)                                                       \
  static constexpr const char* attribute_names = #__VA_ARGS__;                      \
  ::std::vector<::tenon::ir::attribute> list_attributes() const {                   \
    return ::tenon::ir::detail::list_members(attribute_names, this, {__VA_ARGS__}); \
  }                                                                                 \
  template <class Tie>                                                              \
  constexpr decltype(auto) tie_attributes(Tie&& tie) {                              \
    return tie(__VA_ARGS__);                                                        \
  }
