/// @file print.ipp: definitions of text/print.hpp.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>

#include <tenon/ir/bounds_checks.hpp>
#include <tenon/ops/loop/loop.hpp>
#include <tenon/runtime/strings.hpp>
#include <tenon/text/print.hpp>
#include <tenon/text/spelling.hpp>

namespace tenon {
namespace texting {

class printer {
 public:
  printer(const ir::module& m, const print_options& o) : m_(m), options_(o) {}
  std::string out;

  void module_text();
  void function_text(const ir::function& f);
  void op_text(op_id op, int depth);

 private:
  void header();
  void constant_text(size_t number);
  void artifact_text(const ir::artifact& a);
  void elements(const tensor& t);
  void region_text(region_id r, int depth);
  void attributes(const ir::op_view& v, std::string_view hidden);
  void types(std::span<const type_id> list, bool always_parenthesized);
  void typed(std::span<const value_id> list);
  void discardable(const ir::discardable_attributes& d, const char* open, const char* close);
  void value(value_id v);
  void define(value_id v) {
    numbers_.insert(hash_mixed(hash_start, v.index), static_cast<u32>(defined_.size()));
    defined_.push_back(v);
  }
  void type(type_id t);
  void indent(int depth) { out.append(static_cast<size_t>(2 * depth), ' '); }
  bool access_text(const ir::op_view& v);
  void affine(const ir::access_map& map, const ir::op_view& v, int first);

  const ir::module& m_;
  print_options options_;
  std::vector<value_id> defined_;   ///< in the function, by the numbers that they are called by
  hash_index numbers_;              ///< into `defined_`
  std::vector<std::string> types_;  ///< as they are written, once they were
};

inline void printer::value(value_id v) {
  if (!v) {
    out += '_';
    return;
  }
  const u32 number = numbers_.find(hash_mixed(hash_start, v.index), [&](u32 n) { return defined_[n] == v; });
  if (number == hash_index::none) out += "%?", integer(out, v.index);
  else out += '%', integer(out, number);
}

inline void printer::type(type_id t) {
  if (types_.size() <= t.index) types_.resize(m_.type_count());
  std::string& text = types_[t.index];
  if (text.empty()) type_text(text, m_, m_[t]);
  out += text;
}

inline void printer::types(std::span<const type_id> list, bool always) {
  if (list.size() != 1 || always) out += '(';
  for (size_t i = 0; i < list.size(); ++i) {
    if (i != 0) out += ", ";
    type(list[i]);
  }
  if (list.size() != 1 || always) out += ')';
}

/// Types of results, each with the discardable attributes of its value.
inline void printer::typed(std::span<const value_id> list) {
  if (list.size() != 1) out += '(';
  for (size_t i = 0; i < list.size(); ++i) {
    if (i != 0) out += ", ";
    type(m_[list[i]].type);
    discardable(m_.discardable(list[i]), " [", "]");
  }
  if (list.size() != 1) out += ')';
}

inline void printer::discardable(const ir::discardable_attributes& d, const char* open, const char* close) {
  if (d.empty()) return;
  bool first = true;
  for (const auto& [name, value] : d) {
    out += first ? open : ", ";
    first = false;
    out += name;
    out += " = ";
    std::visit(discardable_printer{out}, value);
  }
  out += close;
}

inline void printer::header() {
  out += "tenon.module";
  if (!options_.phase.empty()) out += " phase=", name_or_quote(out, options_.phase);
  if (!m_.build.fingerprint.empty()) out += " fingerprint=", name_or_quote(out, m_.build.fingerprint);
  for (size_t i = 0; i < options_.facts.size(); ++i) out += (i == 0 ? " facts=\"" : ", ") + options_.facts[i];
  if (!options_.facts.empty()) out += '"';
  if (const text_run* run = options_.run) {
    out += " passes=", quote(out, run->passes);
    if (!run->flags.empty()) out += " flags=", quote(out, run->flags);
    if (run->verify_each) out += " verify_each";
  }
  for (size_t i = 0; i < m_.conditions.items().size(); ++i)
    out += i == 0 ? " conditions(" : ", ", quote(out, m_.conditions.items()[i].text());
  if (!m_.conditions.empty()) out += ')';
  if (options_.phase == "built" && m_.symbol_count() > 0) {
    // Compiled code knows symbols by their numbers.
    for (size_t i = 0; i < m_.symbol_count(); ++i)
      out += i == 0 ? " symbols(" : ", ", quote(out, m_.name(symbol_id(i)));
    out += ')';
  }
  std::map<std::string, std::string> entries = m_.build.entries();
  entries.insert(m_.metadata.begin(), m_.metadata.end());
  bool first = true;
  for (const auto& [key, text] : entries) {
    out += first ? " {" : ", ";
    first = false;
    name_or_quote(out, key);
    out += " = ";
    quote(out, text);
  }
  out += first ? "\n" : "}\n";
}

inline void printer::elements(const tensor& t) {
  const auto bytes = [&] {
    out += "dense_hex \"", hex_bytes(out, t.data(), static_cast<size_t>(t.bytes())), out += '"';
  };
  if (t.type() == dtype::string) {
    out += '[';
    for (i64 i = 0; i < t.size(); ++i) {
      if (i != 0) out += ", ";
      quote(out, string_at(t, i));
    }
    out += ']';
    return;
  }
  if (t.size() > options_.decimal_elements) {
    if (options_.elide_constants) out += "elided";
    else bytes();
    return;
  }
  if (t.type() == dtype::boolean)
    for (i64 i = 0; i < t.size(); ++i)
      if (static_cast<const u8*>(t.data())[i] > 1) return bytes();
  out += '[';
  visit_storage(t.type(), [&]<class T>(T) {
    for (i64 i = 0; i < t.size(); ++i) {
      if (i != 0) out += ", ";
      const auto v = static_cast<const T*>(t.data())[i];
      if constexpr (std::same_as<T, bool>) out += v ? "true" : "false";
      else if constexpr (is_narrow_int_v<T>) integer(out, v.value);
      else if constexpr (std::integral<T>) integer(out, v);
      else real(out, v);
    }
  });
  out += ']';
}

inline void printer::constant_text(size_t number) {
  const ir::constant_node& c = m_[constant_id(number)];
  out += "constant #", integer(out, number);
  if (!c.name.empty()) out += ' ', quote(out, c.name);
  out += " : ";
  type_text(out, m_, ir::type::tensor(c.value.type(), {c.value.shape().begin(), c.value.shape().end()}));
  out += " = ";
  elements(c.value);
  out += '\n';
}

inline void printer::module_text() {
  header();
  size_t digits = 0;  // of long constants, next to which all else is small
  for (size_t i = 0; i < m_.constant_count() && !options_.elide_constants; ++i)
    if (const tensor& t = m_[constant_id(i)].value; t.size() > options_.decimal_elements)
      digits += 2 * static_cast<size_t>(t.bytes());
  out.reserve(out.size() + digits + digits / 64);
  if (m_.constant_count() != 0) out += '\n';
  for (size_t i = 0; i < m_.constant_count(); ++i) constant_text(i);
  for (function_id f : m_.functions()) {
    out += '\n';
    function_text(m_[f]);
  }
  for (const ir::artifact& a : m_.artifacts()) artifact_text(a);
}

inline void printer::artifact_text(const ir::artifact& a) {
  out += "\nartifact ", name_or_quote(out, a.symbol), out += " : ", name_or_quote(out, a.format);
  if (!a.target.empty()) out += " target(", quote(out, a.target), out += ')';
  if (!a.producer.empty()) out += " producer(", quote(out, a.producer), out += ')';
  out += " = ";
  if (options_.elide_constants && static_cast<i64>(a.bytes.size()) > options_.decimal_elements) out += "elided";
  else out += "dense_hex \"", hex_bytes(out, a.bytes.data(), a.bytes.size()), out += '"';
  out += '\n';
}

inline void printer::function_text(const ir::function& f) {
  numbers_.clear(), defined_.clear();
  out += f.kind == ir::function_kind::kernel ? "kernel " : "func ";
  if (f.entry) out += "entry ";
  out += '@';
  name_or_quote(out, f.name);
  out += '(';
  const ir::region_node& body = m_[f.body];
  for (size_t i = 0; i < body.arguments.size(); ++i) {
    if (i != 0) out += ", ";
    define(body.arguments[i]);
    value(body.arguments[i]);
    out += ": ";
    type(m_[body.arguments[i]].type);
    discardable(m_.discardable(body.arguments[i]), " [", "]");
  }
  out += ')';
  if (!f.result_types.empty()) out += " -> ", types(f.result_types, true);
  const auto names = [&](const char* word, const std::vector<std::string>& list) {
    if (list.empty()) return;
    out += word;
    for (size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out += ", ";
      quote(out, list[i]);
    }
    out += ')';
  };
  names(" inputs(", f.argument_names);
  names(" outputs(", f.result_names);
  discardable(f.discardable, " attributes(", ")");
  if (!f.target.empty()) out += " target(", quote(out, f.target), out += ')';
  if (!f.phase.empty() && f.phase != options_.phase) out += " phase(", name_or_quote(out, f.phase), out += ')';
  if (f.purity != ir::function_purity::unsaid) out += ' ', out += ir::purity_names[static_cast<size_t>(f.purity)];
  out += " {\n";
  for (op_id op : body.ops) op_text(op, 1);
  out += "}\n";
}

inline void printer::region_text(region_id r, int depth) {
  out += "{";
  const ir::region_node& node = m_[r];
  if (!node.arguments.empty()) {
    out += " ^(";
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (i != 0) out += ", ";
      define(node.arguments[i]);
      value(node.arguments[i]);
      out += ": ";
      type(m_[node.arguments[i]].type);
      discardable(m_.discardable(node.arguments[i]), " [", "]");
    }
    out += "):";
  }
  out += '\n';
  for (op_id op : node.ops) op_text(op, depth + 1);
  indent(depth);
  out += '}';
}

inline void printer::attributes(const ir::op_view& v, std::string_view hidden) {
  const ir::op_info& info = v.info();
  const std::span<const ir::attribute> list = info.attributes();
  if (list.empty()) return;
  const void* const mine = m_.attributes(m_[v.id()].attributes);
  const std::unique_ptr<void, void (*)(void*)> initial{info.make(), info.destroy};
  // Which function a `loop.scalar` computes is said even when it is the first of them.
  const bool says_all = list.size() == 1 && list[0].kind == ir::attribute_kind::enumeration;
  bool first = true;
  for (const ir::attribute& a : list) {
    const std::string value = spelled(a, mine);
    if ((value == spelled(a, initial.get()) && !says_all) || hidden.find(a.name) != hidden.npos) continue;
    out += first ? " {" : ", ";
    first = false;
    out += a.name;
    out += " = ";
    out += value;
  }
  if (!first) out += '}';
}

inline void printer::affine(const ir::access_map& map, const ir::op_view& v, int first) {
  out += '[';
  for (size_t d = 0; d < map.rows.size(); ++d) {
    if (d != 0) out += ", ";
    const auto& row = map.rows[d];
    bool any = false;
    for (size_t k = 1; k < row.size(); ++k) {
      const i64 c = row[k];
      if (c == 0) continue;
      const bool minus = any && c < 0 && c != std::numeric_limits<i64>::min();
      if (any) out += minus ? " - " : " + ";
      value(v.operand(first + static_cast<int>(k) - 1));
      if ((minus ? -c : c) != 1) out += " * ", integer(out, minus ? -c : c);
      any = true;
    }
    if (!any) integer(out, row[0]);
    else if (row[0] < 0 && row[0] != std::numeric_limits<i64>::min()) out += " - ", integer(out, -row[0]);
    else if (row[0] != 0) out += " + ", integer(out, row[0]);
  }
  out += ']';
}

/// Loads and stores with their access as written on paper, when reading that gives the same operands in the same order.
inline bool printer::access_text(const ir::op_view& v) {
  const auto* l = v.get_if<loop::load>();
  const auto* s = v.get_if<loop::store>();
  if (l == nullptr && s == nullptr) return false;
  const ir::access_map& map = l != nullptr ? l->map : s->map;
  const int first = l != nullptr ? 1 : 2, end = v.operand_count() - (l != nullptr && l->guarded ? 1 : 0);
  std::vector<bool> seen(static_cast<size_t>(std::max(end - first, 0)), false);
  size_t next = 0;
  for (int i = 0; i < v.operand_count(); ++i)
    if (!v.has_operand(i)) return false;
  if (end < first) return false;
  for (int i = first; i < end; ++i)
    for (int j = first; j < i; ++j)
      if (v.operand(i) == v.operand(j)) return false;
  for (const auto& row : map.rows) {
    if (row.size() != 1 + seen.size()) return false;
    for (size_t k = 0; k < seen.size(); ++k) {
      if (row[1 + k] == 0 || seen[k]) continue;
      if (k != next) return false;
      seen[k] = true, ++next;
    }
  }
  if (next != seen.size()) return false;
  out += '(';
  if (s != nullptr) value(v.operand(0)), out += ", ";
  value(v.operand(first - 1));
  affine(map, v, first);
  if (l != nullptr && l->guarded) out += ", ", value(v.operand(end));
  out += ')';
  return true;
}

inline void printer::op_text(op_id op, int depth) {
  const ir::op_view v = m_.view(op);
  indent(depth);
  for (int i = 0; i < v.result_count(); ++i) {
    define(v.result(i));
    if (i != 0) out += ", ";
    value(v.result(i));
  }
  if (v.result_count() != 0) out += " = ";
  out += v.name();
  if (access_text(v)) {
    attributes(v, "map guarded");
  } else {
    out += '(';
    for (int i = 0; i < v.operand_count(); ++i) {
      if (i != 0) out += ", ";
      value(v.operand(i));
    }
    out += ')';
    attributes(v, {});
  }
  if (v.result_count() != 0) {
    out += " : ";
    typed(m_.results(op));
  }
  if (v.region_count() != 0) {
    if (v.info().traits.regions < 0) out += " regions(", integer(out, v.region_count()), out += ')';
    out += " (";
    for (int i = 0; i < v.region_count(); ++i) {
      if (i != 0) out += ", ";
      region_text(v.region(i), depth);
    }
    out += ')';
  }
  discardable(m_.discardable(op), " attributes(", ")");
  if (const std::string& t = m_.target(v.location()); !t.empty()) out += " target(", quote(out, t), out += ')';
  if (options_.locations && !m_.text(v.location()).empty())
    out += " loc(", quote(out, m_.text(v.location())), out += ')';
  out += '\n';
}

}  // namespace texting

std::string print(const ir::module& m, const print_options& options) {
  texting::printer p(m, options);
  p.module_text();
  return std::move(p.out);
}
std::string print(const ir::module& m, function_id f, const print_options& options) {
  texting::printer p(m, options);
  p.function_text(m[f]);
  return std::move(p.out);
}
std::string print(const ir::module& m, op_id op, const print_options& options) {
  texting::printer p(m, options);
  p.op_text(op, 0);
  return std::move(p.out);
}
std::string print(const ir::module& m, const ir::type& t) {
  std::string s;
  texting::type_text(s, m, t);
  return s;
}

}  // namespace tenon
