/// @file discardable.ipp: definitions of ir/discardable.hpp.
#pragma once

#include <tenon/ir/discardable.hpp>

namespace tenon::ir {

bool is_discardable_name(std::string_view name) {
  size_t words = 0;
  for (;;) {
    const size_t end = std::min(name.find('.'), name.size());
    const std::string_view word = name.substr(0, end);
    if (word.empty() || (word[0] >= '0' && word[0] <= '9')) return false;
    for (char c : word)
      if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_') return false;
    ++words;
    if (end == name.size()) return words > 1;
    name.remove_prefix(end + 1);
  }
}

void discardable_attributes::set(std::string_view name, discardable_value value) {
  if (!is_discardable_name(name))
    throw error("ir.attribute", "'" + std::string(name) + "' is no name of a discardable attribute", {},
                "begin it with a namespace of your own, as in 'user.lanes'");
  items_.insert_or_assign(std::string(name), std::move(value));
}

bool discardable_attributes::erase(std::string_view name) {
  const auto it = items_.find(name);
  if (it == items_.end()) return false;
  items_.erase(it);
  return true;
}

namespace detail {
inline std::string field_of(std::string_view name, const attribute& a) {
  return std::string(name) + "." + std::string(a.name);
}

struct value_attacher {
  discardable_attributes& to;
  std::string name;
  bool known = false;

  template <class T>
    requires std::is_constructible_v<discardable_value, std::in_place_type_t<T>, const T&>
  void operator()(const T& v) {
    to.set(name, discardable_value(std::in_place_type<T>, v)), known = true;
  }
  void operator()(const enumeration& v) {
    to.set(name, std::string(v.names[static_cast<size_t>(v.value)])), known = true;
  }
};

struct value_taker {
  const discardable_value& from;
  bool taken = false;

  template <class T>
    requires std::is_constructible_v<discardable_value, std::in_place_type_t<T>, const T&>
  void operator()(T& v) {
    if (const T* found = std::get_if<T>(&from)) v = *found, taken = true;
  }
  void operator()(enumeration& v) {
    const std::string* text = std::get_if<std::string>(&from);
    for (size_t i = 0; text != nullptr && i < v.names.size(); ++i)
      if (v.names[i] == *text) v.value = static_cast<int>(i), taken = true;
  }
};

void attach(discardable_attributes& to, std::string_view name, std::span<const attribute> list, const void* value) {
  for (const attribute& a : list) {
    value_attacher f{to, field_of(name, a)};
    a.visit(value, f);
    if (!f.known)
      throw error("ir.attribute", "'" + f.name + "' refers to its module, and a discardable attribute does not", {},
                  "let it be a field of an op");
  }
}

bool read_attached(const discardable_attributes& from, std::string_view name, std::span<const attribute> list,
                   void* value) {
  bool any = false;
  for (const attribute& a : list)
    if (const discardable_value* v = from.find(field_of(name, a))) {
      value_taker f{*v};
      a.visit(value, f);
      any = any || f.taken;
    }
  return any;
}
}  // namespace detail

}  // namespace tenon::ir
