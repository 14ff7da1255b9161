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
  for (size_t i = 0; i < n; ++i) out += digits[b[i] >> 4], out += digits[b[i] & 15];
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

/// Spells each attribute of an op: its name and its value.
class attribute_printer final : public ir::attribute_visitor {
 public:
  struct item {
    std::string_view name;
    std::string value;
  };
  std::vector<item> items;
  int enumerations = 0;

  void on(std::string_view n, bool& v) override { add(n) = v ? "true" : "false"; }
  void on(std::string_view n, i64& v) override { integer(add(n), v); }
  void on(std::string_view n, double& v) override { real(add(n), v); }
  void on(std::string_view n, std::string& v) override { quote(add(n), v); }
  void on(std::string_view n, dtype& v) override { add(n) = name_of(v); }
  void on(std::string_view n, std::vector<i64>& v) override { numbers(add(n), v); }
  void on(std::string_view n, std::vector<double>& v) override {
    list(add(n), v, [](std::string& out, double x) { real(out, x); });
  }
  void on(std::string_view n, std::vector<std::string>& v) override {
    list(add(n), v, [](std::string& out, const std::string& s) { quote(out, s); });
  }
  void on(std::string_view n, constant_id& v) override {
    std::string& out = add(n);
    if (v) out += '#', integer(out, v.index);
    else out += "none";
  }
  void on(std::string_view n, ir::function_ref& v) override {
    std::string& out = add(n);
    out += '@';
    name_or_quote(out, v.name);
  }
  void on(std::string_view n, ir::access_map& v) override {
    list(add(n), v.rows, [](std::string& out, const std::vector<i64>& row) { numbers(out, row); });
  }
  void on_enum(std::string_view n, int& v, std::span<const std::string_view> names) override {
    add(n) = names[static_cast<size_t>(v)];
    ++enumerations;
  }

 private:
  std::string& add(std::string_view n) { return items.emplace_back(item{n, {}}).value; }
  static void list(std::string& out, const auto& v, auto&& each) {
    out += '[';
    for (size_t i = 0; i < v.size(); ++i) {
      if (i != 0) out += ", ";
      each(out, v[i]);
    }
    out += ']';
  }
  static void numbers(std::string& out, const std::vector<i64>& v) {
    list(out, v, [](std::string& o, i64 x) { integer(o, x); });
  }
};

}  // namespace texting
}  // namespace tenon
