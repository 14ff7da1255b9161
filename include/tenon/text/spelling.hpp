/// @file spelling: how names, numbers, types and attributes are written; `text/print` puts them together.
#pragma once

#include <bit>
#include <charconv>
#include <concepts>

#include <tenon/ir/module.hpp>

namespace tenon {
namespace texting {

inline void quote(std::string& out, std::string_view s) {
  constexpr char digits[] = "0123456789abcdef";
  out += '"';
  for (char c : s) {
    const unsigned char u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\', out += c;
    else if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (u < 0x20 || u == 0x7f) out += "\\x", out += digits[u >> 4], out += digits[u & 15];
    else out += c;
  }
  out += '"';
}

constexpr bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9') || c == '.'; }

inline bool is_plain_name(std::string_view s) {
  if (s.empty() || !is_name_start(s[0])) return false;
  for (char c : s)
    if (!is_name_part(c)) return false;
  return true;
}
/// In a shape, `x` separates, so a symbol with an x in it is quoted.
inline bool is_plain_symbol(std::string_view s) { return is_plain_name(s) && s.find_first_of("x.") == s.npos; }
inline void name_or_quote(std::string& out, std::string_view s) {
  if (is_plain_name(s)) out += s;
  else quote(out, s);
}

inline void hex_bytes(std::string& out, const void* p, size_t n) {
  constexpr char digits[] = "0123456789abcdef";
  const auto* b = static_cast<const unsigned char*>(p);
  const size_t start = out.size();
  out.resize(start + 2 * n);
  for (size_t i = 0; i < n; ++i) out[start + 2 * i] = digits[b[i] >> 4], out[start + 2 * i + 1] = digits[b[i] & 15];
}

inline void integer(std::string& out, std::integral auto v) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, v).ptr);
}

/// The shortest decimal that reads back as the same number; NaNs as their bits.
template <class F>
void real(std::string& out, F v) {
  constexpr bool small = is_small_float_v<F>;
  const auto wide = static_cast<std::conditional_t<small, float, F>>(v);
  char text[64];
  if (wide == wide) {
    out.append(text, std::to_chars(text, text + sizeof text, wide).ptr);
    return;
  }
  using bits = std::conditional_t<sizeof(F) == 1, u8,
                                  std::conditional_t<small, u16, std::conditional_t<sizeof(F) == 8, u64, u32>>>;
  out += "0x";
  out.append(text, std::to_chars(text, text + sizeof text, std::bit_cast<bits>(v), 16).ptr);
}

inline void type_text(std::string& out, const ir::module& m, const ir::type& t) {
  const auto parts = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      if (i != from) out += ", ";
      type_text(out, m, m[t.parts[i]]);
    }
  };
  switch (t.kind) {
    case ir::type_kind::none: out += "none"; return;
    case ir::type_kind::scalar: out += name_of(t.elem); return;
    case ir::type_kind::sequence: out += "sequence<", parts(0, t.parts.size()), out += ">"; return;
    case ir::type_kind::optional: out += "optional<", parts(0, t.parts.size()), out += ">"; return;
    case ir::type_kind::function:
      out += "function<(", parts(0, t.split), out += ") -> (", parts(t.split, t.parts.size()), out += ")>";
      return;
    case ir::type_kind::tensor: out += "tensor<"; break;
    case ir::type_kind::buffer: out += "buffer<"; break;
  }
  if (!t.ranked) out += "*x";
  for (ir::dim d : t.shape) {
    if (d.is_static()) integer(out, d.extent());
    else if (d.is_unknown()) out += '?';
    else if (is_plain_symbol(m.name(d.symbol()))) out += m.name(d.symbol());
    else quote(out, m.name(d.symbol()));
    out += 'x';
  }
  out += name_of(t.elem);
  if (!t.space.empty()) out += ", ", quote(out, t.space);
  out += '>';
}

/// Spells an attribute's value.
struct attribute_printer {
  std::string& out;

  void operator()(const bool& v) { out += v ? "true" : "false"; }
  void operator()(const i64& v) { integer(out, v); }
  void operator()(const double& v) { real(out, v); }
  void operator()(const std::string& v) { quote(out, v); }
  void operator()(const dtype& v) { out += name_of(v); }
  void operator()(const constant_id& v) {
    if (v) out += '#', integer(out, v.index);
    else out += "none";
  }
  void operator()(const ir::function_ref& v) { out += '@', name_or_quote(out, v.name); }
  void operator()(const ir::access_map& v) { (*this)(v.rows); }
  void operator()(const ir::enumeration& v) { out += v.names[static_cast<size_t>(v.value)]; }
  void operator()(const ir::own_value<const void>& v) {
    out += v.kind.name, out += ' ';
    v.written([&](const void* form) {
      const auto list = v.kind.form();
      if (list[0].name.empty()) return list[0].visit(form, *this);
      for (const ir::attribute& a : list) {
        out += &a == &list[0] ? "{" : ", ";
        out += a.name, out += " = ";
        a.visit(form, *this);
      }
      out += '}';
    });
  }
  template <class T>
  void operator()(const std::vector<T>& v) {
    out += '[';
    for (size_t i = 0; i < v.size(); ++i) {
      if (i != 0) out += ", ";
      (*this)(v[i]);
    }
    out += ']';
  }
};

/// Spells the value of a discardable attribute, so that its type can be read back: reals have a point or an exponent,
/// and lists without elements say what they are lists of.
struct discardable_printer {
  std::string& out;

  void operator()(const bool& v) { attribute_printer{out}(v); }
  void operator()(const i64& v) { attribute_printer{out}(v); }
  void operator()(const std::string& v) { attribute_printer{out}(v); }
  void operator()(const double& v) {
    const size_t start = out.size();
    attribute_printer{out}(v);
    if (out.find_first_not_of("-0123456789", start) == out.npos) out += ".0";
  }
  void operator()(const std::vector<i64>& v) { attribute_printer{out}(v); }
  void operator()(const std::vector<double>& v) { list(v, "reals"); }
  void operator()(const std::vector<std::string>& v) { list(v, "texts"); }
  void operator()(const ir::kind_value& v) {
    out += v.kind, out += ' ';
    if (v.fields.size() == 1 && v.fields[0].name.empty()) return std::visit(*this, v.fields[0].value);
    out += '{';
    for (size_t i = 0; i < v.fields.size(); ++i) {
      if (i != 0) out += ", ";
      out += v.fields[i].name, out += " = ";
      std::visit(*this, v.fields[i].value);
    }
    out += '}';
  }

 private:
  template <class T>
  void list(const std::vector<T>& v, const char* kind) {
    if (v.empty()) out += kind, out += ' ';
    out += '[';
    for (size_t i = 0; i < v.size(); ++i) {
      if (i != 0) out += ", ";
      (*this)(v[i]);
    }
    out += ']';
  }
};

/// The value of an attribute of `op` as text.
inline std::string spelled(const ir::attribute& a, const void* op) {
  std::string text;
  a.visit(op, attribute_printer{text});
  return text;
}

}  // namespace texting
}  // namespace tenon
