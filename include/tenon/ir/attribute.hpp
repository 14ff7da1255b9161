/// @file attribute: attributes are plain members of an op struct; everything else follows from their list.
///
///     struct conv { std::vector<i64> strides; i64 group = 1;  TENON_ATTRIBUTES(strides, group) };
///
/// From the list follow printing, parsing, hashing, comparing and serializing: each is an `attribute_visitor`.
/// One function per op is instantiated (it calls `on` for each member); the visitors are ordinary classes.
#pragma once

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

/// Sees each attribute of an op in declaration order; may change it (parsing does).
class attribute_visitor {
 public:
  virtual void on(std::string_view name, bool&) = 0;
  virtual void on(std::string_view name, i64&) = 0;
  virtual void on(std::string_view name, double&) = 0;
  virtual void on(std::string_view name, std::string&) = 0;
  virtual void on(std::string_view name, dtype&) = 0;
  virtual void on(std::string_view name, std::vector<i64>&) = 0;
  virtual void on(std::string_view name, std::vector<double>&) = 0;
  virtual void on(std::string_view name, std::vector<std::string>&) = 0;
  virtual void on(std::string_view name, constant_id&) = 0;
  virtual void on(std::string_view name, function_ref&) = 0;
  virtual void on(std::string_view name, access_map&) = 0;
  virtual void on_enum(std::string_view name, int& value, std::span<const std::string_view> names) = 0;

  /// An enumeration is an attribute when `enumerator_names(E)` is found by argument-dependent lookup.
  template <class E>
    requires(std::is_enum_v<E> && !std::is_same_v<E, dtype>)
  void on(std::string_view name, E& e) {
    if constexpr (requires { enumerator_names(e); }) {
      int v = static_cast<int>(e);
      on_enum(name, v, enumerator_names(e));
      e = static_cast<E>(v);
    } else {
      static_assert(std::is_void_v<E>,
                    "an enumeration is an attribute where 'enumerator_names(E)' gives its names, in its namespace");
    }
  }
  /// What is no attribute: told in words, not as a list of all overloads.
  template <class T>
    requires(!std::is_enum_v<T>)
  void on(std::string_view, T&) {
    static_assert(std::is_void_v<T>,
                  "an attribute is an i64, double, bool, std::string, dtype, constant_id (a tensor of the "
                  "module: add_constant), an enumeration, or a vector of i64, double or std::string");
  }

 protected:
  ~attribute_visitor() = default;
};

}  // namespace tenon::ir

#define TENON_EACH_1(m, a) m(a)
#define TENON_EACH_2(m, a, ...) m(a) TENON_EACH_1(m, __VA_ARGS__)
#define TENON_EACH_3(m, a, ...) m(a) TENON_EACH_2(m, __VA_ARGS__)
#define TENON_EACH_4(m, a, ...) m(a) TENON_EACH_3(m, __VA_ARGS__)
#define TENON_EACH_5(m, a, ...) m(a) TENON_EACH_4(m, __VA_ARGS__)
#define TENON_EACH_6(m, a, ...) m(a) TENON_EACH_5(m, __VA_ARGS__)
#define TENON_EACH_7(m, a, ...) m(a) TENON_EACH_6(m, __VA_ARGS__)
#define TENON_EACH_8(m, a, ...) m(a) TENON_EACH_7(m, __VA_ARGS__)
#define TENON_EACH_9(m, a, ...) m(a) TENON_EACH_8(m, __VA_ARGS__)
#define TENON_EACH_10(m, a, ...) m(a) TENON_EACH_9(m, __VA_ARGS__)
#define TENON_EACH_11(m, a, ...) m(a) TENON_EACH_10(m, __VA_ARGS__)
#define TENON_EACH_12(m, a, ...) m(a) TENON_EACH_11(m, __VA_ARGS__)
#define TENON_EACH_N(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, n, ...) TENON_EACH_##n
#define TENON_EACH(m, ...) TENON_EACH_N(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)(m, __VA_ARGS__)
#define TENON_VISIT_ONE(a) visitor.on(#a, a);

/// Lists the attributes of an op (or the options of a pass), at most twelve.
#define TENON_ATTRIBUTES(...)                                                       \
  void visit_attributes([[maybe_unused]] ::tenon::ir::attribute_visitor& visitor) { \
    __VA_OPT__(TENON_EACH(TENON_VISIT_ONE, __VA_ARGS__))                            \
  }
