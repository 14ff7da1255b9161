/// @file discardable.ipp: definitions of ir/discardable.hpp.
#pragma once

#include <tenon/ir/discardable.hpp>

namespace tenon::ir {

bool operator==(const kind_value& a, const kind_value& b) { return a.kind == b.kind && a.fields == b.fields; }

bool is_well_formed(const discardable_value& value) {
  const kind_value* v = std::get_if<kind_value>(&value);
  if (v == nullptr) return true;
  if (!is_namespaced_name(v->kind)) return false;
  const bool alone = v->fields.size() == 1 && v->fields[0].name.empty();
  for (size_t i = 0; i < v->fields.size(); ++i) {
    if (!alone && !is_namespaced_name("field." + v->fields[i].name)) return false;
    for (size_t k = 0; k < i; ++k)
      if (v->fields[k].name == v->fields[i].name) return false;
    if (!is_well_formed(v->fields[i].value)) return false;
  }
  return true;
}

void discardable_attributes::set(std::string_view name, discardable_value value) {
  if (!is_namespaced_name(name))
    throw error("ir.attribute", "'" + std::string(name) + "' is no name of a discardable attribute", {},
                "begin it with a namespace of your own, as in 'user.lanes'");
  if (!is_well_formed(value))
    throw error("ir.attribute", "'" + std::string(name) + "' has a value that cannot be spelled", {},
                "its kind has a namespace, and each of its fields a name of its own");
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
  std::optional<discardable_value>& to;

  template <class T>
    requires std::is_constructible_v<discardable_value, std::in_place_type_t<T>, const T&>
  void operator()(const T& v) {
    to.emplace(std::in_place_type<T>, v);
  }
  void operator()(const enumeration& v) { to.emplace(std::string(v.names[static_cast<size_t>(v.value)])); }
  void operator()(const dtype& v) { to.emplace(std::string(name_of(v))); }
  void operator()(const own_value<const void>& v) { to.emplace(write_kind(v.kind, v.at)); }
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
  void operator()(dtype& v) {
    const std::string* text = std::get_if<std::string>(&from);
    const auto type = text == nullptr ? std::nullopt : dtype_from_name(*text);
    if (type) v = *type, taken = true;
  }
  void operator()(const own_value<void>& v) {
    const kind_value* found = std::get_if<kind_value>(&from);
    if (found != nullptr && found->kind == v.kind.name) read_kind(*found, v.kind, v.at), taken = true;
  }
};

inline discardable_value attached_value(const attribute& a, const void* of, const std::string& name) {
  std::optional<discardable_value> value;
  a.visit(of, value_attacher{value});
  if (!value)
    throw error("ir.attribute",
                "'" + name + "' holds a constant, a function or an access map, and a discardable attribute does not",
                {}, "let it be a field of an op");
  return *std::move(value);
}

kind_value write_kind(const own_kind& kind, const void* value) {
  kind_value to;
  to.kind = kind.name;
  own_value<const void>{kind, value}.written([&](const void* form) {
    for (const attribute& a : kind.form())
      to.fields.push_back(
          {std::string(a.name), attached_value(a, form, a.name.empty() ? to.kind : field_of(kind.name, a))});
  });
  return to;
}

void read_kind(const kind_value& from, const own_kind& kind, void* value) {
  own_value<void>{kind, value}.written([&](void* form) {
    for (const kind_field& said : from.fields) {
      value_taker f{said.value};
      for (const attribute& a : kind.form())
        if (a.name == said.name) a.visit(form, f);
      if (!f.taken)
        throw error("ir.attribute",
                    "a value of '" + from.kind + "' says " +
                        (said.name.empty() ? "one value" : "the field '" + said.name + "'") +
                        ", which the kind has not here, or of another kind",
                    {}, "it was written by a program in which '" + from.kind + "' is another kind");
    }
  });
}

void attach(discardable_attributes& to, std::string_view name, std::span<const attribute> list, const void* value) {
  for (const attribute& a : list) {
    const std::string field = field_of(name, a);
    to.set(field, attached_value(a, value, field));
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
