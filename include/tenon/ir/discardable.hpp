/// @file discardable: attributes that no op declares: what users note on ops, values and functions by name.
///
///     m.set_discardable(op, "user.lanes", i64{4});                     // any pass may read it, none has to
///     const i64* lanes = m.discardable(op).get<i64>("user.lanes");
///     m.set_discardable(op, "user.scale", quant::scale{0.5});          // a kind of your own: ir/attribute_format.hpp
///     std::optional<quant::scale> s = m.discardable(op).get<quant::scale>("user.scale");
///     ir::attach(notes, my_hint{.lanes = 4, .why = "measured"});       // each field of a struct as one
///
/// A name has a namespace: "user.lanes". Code must be right without them: who drops one loses advice, never meaning.
/// What must not be lost is a field of an op, of the function or of the build record (docs/decisions/061).
///
/// Every pass carries them, since they travel with what passes keep anyway. Those of an op are beside its location:
/// what a pass makes in the place of the op has them, each part of one that is split, and a fused op has those of its
/// members (where two say one name, the anchor's). Those of a value go to what takes its place
/// (`module::replace_uses`), which keeps what it says itself. Those of a function stay with it and with its copies;
/// calls that are inlined leave them behind. Ops that are merged keep those of the one that stays.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/ir/attribute.hpp>

namespace tenon::ir {

struct kind_field;

/// A value of a program's own kind, as it is written: a program that does not know the kind carries it, prints it and
/// writes it to files as it found it; one that does reads it by `get<T>`.
struct kind_value {
  std::string kind;
  std::vector<kind_field> fields;  ///< the members of a struct; one without a name: what the value is written as

  kind_value() = default;
  /// Error "ir.attribute" where it holds a constant, a function or an access map.
  template <own_attribute T>
  kind_value(const T& value);  // implicit: values of own kinds are set as others are
  friend bool operator==(const kind_value& a, const kind_value& b);
};

using discardable_value = std::variant<bool, i64, double, std::string, std::vector<i64>, std::vector<double>,
                                       std::vector<std::string>, kind_value>;

struct kind_field {
  std::string name;
  discardable_value value;
  friend bool operator==(const kind_field&, const kind_field&) = default;
};

namespace detail {
kind_value write_kind(const own_kind& kind, const void* value);
void read_kind(const kind_value& from, const own_kind& kind, void* value);
}  // namespace detail

template <own_attribute T>
kind_value::kind_value(const T& value) : kind_value(detail::write_kind(detail::own_kind_of<T>(), &value)) {}

/// Names with values, in the order of the names.
class discardable_attributes {
 public:
  using map = std::map<std::string, discardable_value, std::less<>>;

  bool empty() const { return items_.empty(); }
  size_t size() const { return items_.size(); }
  map::const_iterator begin() const { return items_.begin(); }
  map::const_iterator end() const { return items_.end(); }

  /// Error "ir.attribute" for a name without a namespace.
  void set(std::string_view name, discardable_value value);
  bool erase(std::string_view name);
  const discardable_value* find(std::string_view name) const {
    const auto it = items_.find(name);
    return it == items_.end() ? nullptr : &it->second;
  }
  /// The value, if there is one of this type.
  template <class T>
    requires(!own_attribute<T>)
  const T* get(std::string_view name) const {
    const discardable_value* v = find(name);
    return v ? std::get_if<T>(v) : nullptr;
  }
  /// The value, if there is one of this kind; fields that it does not say are as in `T{}`. Error "ir.attribute" where
  /// it says a field that the kind has not here, or has of another kind.
  template <own_attribute T>
  std::optional<T> get(std::string_view name) const {
    const kind_value* v = get<kind_value>(name);
    if (v == nullptr || v->kind != detail::own_kind_of<T>().name) return std::nullopt;
    T value{};
    detail::read_kind(*v, detail::own_kind_of<T>(), &value);
    return value;
  }
  /// Takes those that it does not have.
  void join(const discardable_attributes& other) { items_.insert(other.items_.begin(), other.items_.end()); }
  friend bool operator==(const discardable_attributes&, const discardable_attributes&) = default;

 private:
  map items_;
};

/// Can a value of a program's own kind be spelled: has the kind a namespace, each field a name of its own?
bool is_well_formed(const discardable_value& value);

namespace detail {
void attach(discardable_attributes& to, std::string_view name, std::span<const attribute> list, const void* value);
bool read_attached(const discardable_attributes& from, std::string_view name, std::span<const attribute> list,
                   void* value);
}  // namespace detail

/// Notes a struct that has a name ("user.hint") and TENON_ATTRIBUTES: each field as "user.hint.field". The same struct
/// can be the attributes of an op later. Fields are all but constants, functions and access maps.
template <class T>
void attach(discardable_attributes& to, const T& value) {
  detail::attach(to, std::string_view(T::name), detail::attributes_of<T>(), &value);
}
/// What was attached; none where no field is there. Fields that are missing are as in `T{}`.
template <class T>
std::optional<T> attached(const discardable_attributes& from) {
  T value{};
  if (!detail::read_attached(from, std::string_view(T::name), detail::attributes_of<T>(), &value)) return std::nullopt;
  return value;
}

}  // namespace tenon::ir
