/// @file parse.ipp: definitions of text/parse.hpp.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>

#include <tenon/core/nearest.hpp>
#include <tenon/ir/bounds_checks.hpp>
#include <tenon/ir/condition_scope.hpp>
#include <tenon/ir/infer.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/verify_error.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/phases/ahead.hpp>
#include <tenon/runtime/strings.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/scanner.hpp>

namespace tenon {
namespace texting {

class parser {
 public:
  parser(std::string_view text, std::string_view file, const parse_options& options)
      : s_(text, file), options_(options) {
    if (options_.ops.empty()) options_.ops = ir::built_in_op_table();
    for (const ir::op_info* info : options_.ops)
      if (const auto [known, is_new] = ops_.emplace(info->name, known_op{info, {}});
          !is_new && known->second.info && known->second.info->key != info->key)
        known->second.info = nullptr;  // several
  }
  std::string header();
  std::vector<std::string> facts;  ///< what the header notes
  text_run run;                    ///< and what is to be run
  ir::module module_text();
  void verified(const ir::module& m);
  const std::string& phase() const { return phase_; }  ///< of the first line
  ir::type type();

 private:
  friend struct attribute_parser;
  struct number_of_depth {
    explicit number_of_depth(parser& p) : depth(p.depth_) {
      if (++depth > 100) {
        --depth;
        p.s_.fail_at(p.s_.position(), "text.syntax", "nested more than 100 deep");
      }
    }
    ~number_of_depth() { --depth; }
    int& depth;
  };
  struct reference {
    std::string name;
    size_t position;
  };
  struct known_op {
    const ir::op_info* info;  ///< null: several have the name
    attr_id initial;          ///< its attributes where none are said; none before they were asked for
  };
  struct named_value {
    std::string_view name;
    value_id value;
  };
  struct read_type {
    std::string_view text;
    type_id type;
  };
  struct operand_list {
    small_vector<value_id, 4> values;
    std::optional<ir::access_map> map;
    size_t after_access = 0;  ///< operands behind the access
  };

  void constant_text();
  void artifact_text();
  void texts(std::string& bytes);  ///< of a constant of strings, as their numbers
  template <class T>
  void elements(std::string& bytes);
  void function_text(ir::function_kind kind);
  void region_text(region_id r);
  void op_text(region_id r);
  operand_list operands();
  void access(operand_list& list);
  value_id operand();
  void arguments(region_id r);
  std::string_view value_name();
  void define(std::string_view name, value_id v, size_t position);
  void forget_behind(size_t defined);
  type_id type_number();
  void attributes(std::span<const ir::attribute> list, void* of, const char* owner, std::string_view name,
                  const char* what);
  ir::discardable_value discardable_value();
  ir::kind_value kind_value();
  ir::discardable_attributes discardable(const char* open, const char* close);
  std::vector<type_id> type_list();
  ir::type shaped(ir::type_kind kind);
  std::vector<std::string> strings();
  std::vector<std::string> port_names(const char* what, size_t most, const char* of);
  known_op& op_named(std::string_view name, size_t position);
  attr_id attributes_of(known_op& op, const operand_list& list, size_t position);
  void check_type_rule(op_id op, size_t position);
  template <class F>
  void at_position(size_t position, const char* code, F&& f);

  scanner s_;
  parse_options options_;
  ir::module m_;
  std::unordered_map<std::string_view, known_op> ops_, ahead_ops_;  ///< the latter of later phases
  std::vector<named_value> defined_;                                ///< in order, so that a region's names end with it
  hash_index values_;                                               ///< into `defined_`, by name
  std::vector<read_type> read_types_;
  hash_index types_;  ///< into `read_types_`, by text
  std::unordered_map<u32, constant_id> constants_;
  std::vector<reference> references_;
  std::vector<size_t> op_positions_;  ///< in the text, by number
  std::string phase_;                 ///< of the first line
  bool ahead_ = false;                ///< the function being read is in a later phase
  int depth_ = 0;
};

/// Reads an attribute's value.
struct attribute_parser {
  parser& p;
  std::string_view name;

  void operator()(bool& v) {
    if (p.s_.take("true")) v = true;
    else if (p.s_.take("false")) v = false;
    else p.s_.fail_expected("true or false");
  }
  void operator()(i64& v) { v = p.s_.integer<i64>(); }
  void operator()(double& v) { v = p.s_.real<double>(); }
  void operator()(std::string& v) { v = p.s_.string(); }
  void operator()(dtype& v) {
    const size_t start = (p.s_.skip_space(), p.s_.position());
    const auto t = dtype_from_name(p.s_.word("an element type"));
    if (!t) p.s_.fail_at(start, "text.type", "expected an element type such as f32");
    v = *t;
  }
  void operator()(constant_id& v) {
    v = {};
    if (p.s_.take("none")) return;
    const size_t start = (p.s_.skip_space(), p.s_.position());
    p.s_.expect("#");
    const auto it = p.constants_.find(p.s_.integer<u32>());
    if (it == p.constants_.end()) p.s_.fail_at(start, "text.undefined", "there is no such constant above");
    v = it->second;
  }
  void operator()(ir::function_ref& v) {
    p.s_.expect("@");
    const size_t start = p.s_.position();
    v.name = p.s_.name_or_string("the name of a function");
    p.references_.push_back({v.name, start});
  }
  void operator()(ir::access_map& v) { (*this)(v.rows); }
  void operator()(ir::enumeration& v) {
    const size_t start = (p.s_.skip_space(), p.s_.position());
    const std::string_view word = p.s_.word("one of its values");
    std::string all;
    for (size_t i = 0; i < v.names.size(); ++i) {
      if (v.names[i] == word) return void(v.value = static_cast<int>(i));
      all += (i == 0 ? "" : ", ") + std::string(v.names[i]);
    }
    p.s_.fail_at(start, "text.syntax", "'" + std::string(name) + "' is none of " + all);
  }
  void operator()(const ir::own_value<void>& v) {
    const size_t start = (p.s_.skip_space(), p.s_.position());
    const std::string kind(v.kind.name);
    if (const std::string_view said = p.s_.word(("a value of '" + kind + "'").c_str()); said != kind)
      p.s_.fail_at(
          start, "text.kind",
          "'" + std::string(name) + "' is of the kind '" + kind + "', and '" + std::string(said) + "' stands here");
    bool read = false;  // from there on it is the kind that fails
    try {
      v.written([&](void* form) {
        const auto list = v.kind.form();
        if (list[0].name.empty()) list[0].visit(form, attribute_parser{p, name});
        else if (p.s_.peek() != '{') p.s_.fail_expected("'{' and the fields of '" + kind + "'");
        else p.attributes(list, form, "kind", kind, "field");
        read = true;
      });
    } catch (const error& e) {
      if (!read) throw;
      p.s_.fail_at(start, "text.kind", "no '" + kind + "' is written so: " + e.message(), e.hint());
    }
  }
  template <class T>
  void operator()(std::vector<T>& v) {
    v.clear();
    p.s_.expect("[");
    if (p.s_.take("]")) return;
    do (*this)(v.emplace_back());
    while (p.s_.take(","));
    p.s_.expect("]");
  }
};

/// What is thrown without a position gets this one.
template <class F>
void parser::at_position(size_t position, const char* code, F&& f) {
  try {
    f();
  } catch (const error& e) { s_.fail_at(position, code, e.message(), e.hint()); } catch (const std::exception& e) {
    s_.fail_at(position, code, e.what());
  }
}

inline std::string parser::header() {
  s_.expect("tenon.module");
  if (s_.take("version")) {
    s_.expect("=");
    const size_t at = s_.position();
    if (const i64 version = s_.integer<i64>(); version < 1 || version > text_version)
      s_.fail_at(at, "text.version",
                 "the text is of version " + std::to_string(version) + ", and this program reads versions up to " +
                     std::to_string(text_version),
                 "read it with the program that wrote it, and save the module as a file");
  }
  std::string phase;
  if (s_.take("phase")) {
    s_.expect("=");
    phase = s_.name_or_string("the name of a phase");
  }
  if (!options_.phase.empty() && phase != options_.phase)
    s_.fail_at(s_.position(), "text.phase",
               "the module is in phase '" + phase + "', not in '" + std::string(options_.phase) + "'",
               phase.empty() ? "" : "read it with parse<phases::" + phase + ">");
  if (s_.take("fingerprint")) {
    s_.expect("=");
    m_.build.fingerprint = s_.name_or_string("a fingerprint");
  }
  if (s_.take("facts")) {
    s_.expect("=");
    const std::string names = s_.string();
    for (size_t at = 0; at < names.size();) {
      const size_t end = std::min(names.find(", ", at), names.size());
      facts.push_back(names.substr(at, end - at));
      at = end + 2;
    }
  }
  if (s_.take("passes")) s_.expect("="), run.passes = s_.string();
  if (s_.take("flags")) s_.expect("="), run.flags = s_.string();
  run.verify_each = s_.take("verify_each");
  if (s_.take("conditions")) {
    const size_t at = s_.position();
    for (const std::string& text : strings()) {
      const auto c = extent_condition::parse(text);
      if (!c)
        s_.fail_at(at, "text.condition", "'" + text + "' is no condition on extents",
                   "write \"EXPRESSION==0\" or \"EXPRESSION>=0\"");
      if (!m_.conditions.add(*c)) s_.fail_at(at, "text.condition", "'" + text + "' holds for no extents");
    }
  }
  if (s_.take("symbols"))
    for (const std::string& name : strings()) m_.symbol(name);
  if (s_.take("{")) {
    do {
      const std::string key = s_.name_or_string("a key");
      s_.expect("=");
      const size_t at = s_.position();
      std::string text = s_.string();
      at_position(at, "text.record", [&] {
        if (!m_.build.take(key, text)) m_.metadata[key] = std::move(text);
      });
    } while (s_.take(","));
    s_.expect("}");
  }
  return phase;
}

inline ir::module parser::module_text() {
  phase_ = header();
  while (!s_.at_end()) {
    if (s_.take("constant")) constant_text();
    else if (s_.take("func")) function_text(ir::function_kind::graph);
    else if (s_.take("kernel")) function_text(ir::function_kind::kernel);
    else if (s_.take("artifact")) artifact_text();
    else s_.fail_expected("'constant', 'func', 'kernel' or 'artifact'");
  }
  for (const reference& r : references_)
    if (!m_.find_function(r.name) && m_.artifacts().find(r.name) == nullptr)
      s_.fail_at(r.position, "text.undefined", "there is no function '" + r.name + "'");
  return std::move(m_);
}

template <class T>
void parser::elements(std::string& bytes) {
  if (s_.take("]")) return;
  do {
    T v{};
    if constexpr (std::same_as<T, bool>) {
      if (s_.take("true")) v = true;
      else if (!s_.take("false")) s_.fail_expected("true or false");
    } else if constexpr (is_narrow_int_v<T>) {
      const size_t start = (s_.skip_space(), s_.position());
      const auto wide = s_.integer<typename T::byte>();
      if ((v = T(wide)).value != wide) s_.fail_at(start, "text.number", "the number is out of range");
    } else if constexpr (std::integral<T>) {
      v = s_.integer<T>();
    } else {
      v = s_.real<T>();
    }
    bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
  } while (s_.take(","));
  s_.expect("]");
}

inline void parser::texts(std::string& bytes) {
  s_.expect("[");
  if (s_.take("]")) return;
  do {
    const u64 number = string_number(s_.string());
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  } while (s_.take(","));
  s_.expect("]");
}

inline void parser::constant_text() {
  s_.expect("#");
  const size_t start = s_.position();
  const u32 number = s_.integer<u32>();
  if (constants_.contains(number)) s_.fail_at(start, "text.syntax", "this number is taken by a constant above");
  std::string name;
  if (s_.peek() == '"') name = s_.string();
  s_.expect(":");
  const size_t type_at = (s_.skip_space(), s_.position());
  const ir::type t = type();
  if (!t.is_tensor() || !t.is_static()) s_.fail_at(type_at, "text.type", "a constant has a tensor type of known shape");
  s_.expect("=");
  std::string bytes;
  if (t.elem == dtype::string) texts(bytes);
  else if (s_.take("[")) visit_storage(t.elem, [&]<class T>(T) { elements<T>(bytes); });
  else if (s_.take("dense_hex")) bytes = s_.hex_string();
  else s_.fail_expected("'[' or 'dense_hex'");
  at_position(type_at, "text.type", [&] {
    const i64 count = element_count(t.extents());
    if (static_cast<u64>(bytes.size()) != static_cast<u64>(count) * static_cast<u64>(size_of(t.elem)))
      throw error("text.type", "the type has " + std::to_string(count) + " elements, but " +
                                   std::to_string(bytes.size() / static_cast<size_t>(size_of(t.elem))) + " are given");
    if (!are_elements(t.elem, bytes.data(), bytes.size()))
      throw error("text.type", "a byte is no element of " + std::string(name_of(t.elem)));
    tensor value(t.elem, t.extents());
    if (!bytes.empty()) std::memcpy(value.data(), bytes.data(), bytes.size());
    constants_.emplace(number, m_.add_constant(std::move(value), std::move(name)));
  });
}

inline void parser::artifact_text() {
  const size_t start = (s_.skip_space(), s_.position());
  ir::artifact a;
  const auto in_parentheses = [&](std::string& to) { s_.expect("("), to = s_.string(), s_.expect(")"); };
  a.symbol = s_.name_or_string("the symbol that it defines");
  s_.expect(":");
  a.format = s_.name_or_string("a format");
  if (s_.take("target")) in_parentheses(a.target);
  if (s_.take("producer")) in_parentheses(a.producer);
  s_.expect("=");
  s_.expect("dense_hex");
  const std::string bytes = s_.hex_string();
  a.bytes.assign(bytes.begin(), bytes.end());
  at_position(start, "text.artifact", [&] { m_.add_artifact(std::move(a)); });
}

inline ir::type parser::shaped(ir::type_kind kind) {
  ir::type t;
  t.kind = kind;
  s_.expect("<");
  if (s_.take("*")) {
    t.ranked = false;
    if (!s_.take_here("x")) s_.fail_expected("'x'");
  }
  for (;;) {
    const auto is_here = [&](dtype element) {
      const scanner before = s_;
      if (!s_.take(name_of(element))) return false;
      if (const char c = s_.peek(); c != '>' && c != ',') return s_ = before, false;
      t.elem = element;
      return true;
    };
    bool found = false;
    for (int i = 0; i < dtype_count && !found; ++i) found = is_here(static_cast<dtype>(i));
    for (int i = 0; i < own_dtypes_registered() && !found; ++i) found = is_here(own_dtype(i));
    if (found) {
      if (kind == ir::type_kind::buffer && s_.take(",")) t.space = s_.string();
      s_.expect(">");
      return t;
    }
    if (!t.ranked) s_.fail_expected("an element type");
    const char c = s_.peek();
    if (s_.take("?")) {
      t.shape.push_back(ir::dim::unknown());
    } else if (c >= '0' && c <= '9') {
      t.shape.emplace_back(s_.integer<i64>());
    } else if (c == '"') {
      t.shape.push_back(ir::dim::symbol(m_.symbol(s_.string())));
    } else {
      std::string_view symbol;
      const size_t start = s_.position();
      if (!s_.symbol_here(symbol)) s_.fail_expected("an extent or an element type");
      if (const char after = s_.peek(); after == '>' || after == ',')
        s_.fail_at(start, "text.type", "there is no element type '" + std::string(symbol) + "'",
                   nearest(symbol, {std::begin(dtype_names), std::end(dtype_names)}));
      t.shape.push_back(ir::dim::symbol(m_.symbol(symbol)));
    }
    if (!s_.take_here("x")) s_.fail_expected("'x' and the rest of the type");
  }
}

inline ir::type parser::type() {
  const number_of_depth guard(*this);
  const size_t start = (s_.skip_space(), s_.position());
  const std::string_view word = s_.word("a type");
  ir::type t;
  if (word == "tensor") return shaped(ir::type_kind::tensor);
  if (word == "buffer") return shaped(ir::type_kind::buffer);
  if (const auto scalar = dtype_from_name(word)) return ir::type::scalar(*scalar);
  if (word == "none") return t;
  if (word == "sequence" || word == "optional") {
    t.kind = word == "sequence" ? ir::type_kind::sequence : ir::type_kind::optional;
    s_.expect("<");
    t.parts.push_back(type_number());
    s_.expect(">");
    return t;
  }
  if (word == "function") {
    t.kind = ir::type_kind::function;
    s_.expect("<");
    t.parts = type_list();
    t.split = static_cast<u32>(t.parts.size());
    s_.expect("->");
    for (type_id r : type_list()) t.parts.push_back(r);
    s_.expect(">");
    return t;
  }
  s_.fail_at(start, "text.type", "'" + std::string(word) + "' is not a type");
}

/// The type that stands here, interned. A text that was read is not read again: a module has few types.
inline type_id parser::type_number() {
  s_.skip_space();
  const size_t start = s_.position();
  const std::string_view text = s_.ahead_to('>', 64);
  if (!(text.starts_with("tensor<") || text.starts_with("buffer<")) || text.find('"') != text.npos)
    return m_.intern(type());
  const u64 hash = hash_of(text);
  if (const u32 n = types_.find(hash, [&](u32 k) { return read_types_[k].text == text; }); n != hash_index::none) {
    s_.go_to(start + text.size());
    return read_types_[n].type;
  }
  const type_id t = m_.intern(type());
  if (s_.position() == start + text.size()) {
    types_.insert(hash, static_cast<u32>(read_types_.size()));
    read_types_.push_back({text, t});
  }
  return t;
}

inline std::vector<type_id> parser::type_list() {
  std::vector<type_id> list;
  s_.expect("(");
  if (s_.take(")")) return list;
  do list.push_back(type_number());
  while (s_.take(","));
  s_.expect(")");
  return list;
}

inline std::vector<std::string> parser::strings() {
  std::vector<std::string> list;
  s_.expect("(");
  do list.push_back(s_.string());
  while (s_.take(","));
  s_.expect(")");
  return list;
}

}  // namespace texting
}  // namespace tenon

#include <tenon/text/parse_functions.ipp>
