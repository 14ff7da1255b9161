/// @file c_sizes.ipp: extents in C: numbers, or what the table of a run's sizes (runtime/abi.hpp) has for a symbol; and
/// what follows from them: the strides of buffers, and their bytes.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/ir/dims.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/passes/c_scalars.ipp>

namespace tenon::passes::c_code {

using strings = std::vector<std::string>;

/// What an index is multiplied with: a number, or a sum of products of a number and extents that only the run knows.
class factor {
 public:
  factor(i64 value) { add({}, value); }
  bool is(i64 value) const { return *this == factor(value); }

  factor& operator+=(const factor& other) {
    for (const auto& [extents, by] : other.terms_) add(extents, by);
    return *this;
  }
  friend factor operator*(const factor& a, i64 by) {
    factor product = 0;
    for (const auto& [extents, value] : a.terms_) product.add(extents, checked_mul(value, by));
    return product;
  }
  /// Times an extent by its name in C.
  factor times(const std::string& extent) const {
    factor product = 0;
    for (const auto& [extents, value] : terms_) {
      strings all = extents;
      all.insert(std::lower_bound(all.begin(), all.end(), extent), extent);
      product.add(all, value);
    }
    return product;
  }
  std::string text() const {
    if (terms_.empty()) return "0";
    std::string sum;
    for (const auto& [extents, value] : terms_) {
      std::string product = extents.empty() || value != 1 ? number(value) : "";
      for (const std::string& e : extents) product += (product.empty() ? "" : " * ") + e;
      sum += (sum.empty() ? "" : " + ") + product;
    }
    return terms_.size() == 1 ? sum : "(" + sum + ")";
  }
  friend bool operator==(const factor&, const factor&) = default;

 private:
  void add(const strings& extents, i64 value) {
    if (value == 0) return;
    if (i64& sum = terms_[extents]; (sum = checked_add(sum, value)) == 0) terms_.erase(extents);
  }
  std::map<strings, i64> terms_;  ///< by their extents, sorted; none has the number 0
};

/// The sizes that one function of the unit reads.
class sizes {
 public:
  explicit sizes(const ir::module& m) : m_(m) {}

  void begin() { symbols_.clear(), table_ = false; }
  /// The function's first lines: what its body names of that which was asked for. Strides are asked for of all
  /// dimensions, also of those that an access has no index for.
  std::string declarations(std::string_view body) {
    std::string s;
    for (u32 i : symbols_)
      if (names(body, name(i))) s += "  const int64_t " + name(i) + " = " + table() + "[" + std::to_string(i) + "];\n";
    return s;
  }
  /// Whether the function has a table `sizes`. Behind its declarations.
  bool used() const { return table_; }
  /// Whether any function has.
  bool any() const { return any_; }

  /// A number, or a variable of the function's.
  std::string extent(ir::dim d) { return d.is_static() ? number(d.extent()) : of_symbol(d.symbol().index); }
  /// The symbol of the module with this text.
  std::optional<u32> symbol_of(const std::string& expression) const {
    for (u32 i = 0; i < m_.symbol_count(); ++i)
      if (m_.name(symbol_id(size_t{i})) == expression) return i;
    return std::nullopt;
  }
  /// The variable of a symbol, which the function declares from here on.
  std::string of_symbol(u32 symbol) {
    symbols_.insert(symbol);
    return name(symbol);
  }
  std::string table() { return table_ = any_ = true, "sizes"; }
  /// Where a buffer that is placed for each run begins; `number` is its place in the plan.
  std::string offset(u64 number) { return table() + "[" + std::to_string(m_.symbol_count() + number) + "]"; }
  /// By dimension, in elements of a dense buffer.
  std::vector<factor> strides(const ir::type& t) {
    std::vector<factor> all(t.shape.size(), factor(1));
    for (size_t d = t.shape.size(); d-- > 1;)
      all[d - 1] = t.shape[d].is_static() ? all[d] * t.shape[d].extent() : all[d].times(extent(t.shape[d]));
    return all;
  }
  std::string bytes(const ir::type& t) {
    factor n = size_of(t.elem);
    for (ir::dim d : t.shape) n = d.is_static() ? n * d.extent() : n.times(extent(d));
    return n.text();
  }

 private:
  static std::string name(u32 symbol) { return "z" + std::to_string(symbol); }
  static bool names(std::string_view text, std::string_view word) {
    const auto of_word = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
      const size_t end = at + word.size();
      if ((at == 0 || !of_word(text[at - 1])) && (end == text.size() || !of_word(text[end]))) return true;
    }
    return false;
  }

  const ir::module& m_;
  std::set<u32> symbols_;
  bool table_ = false, any_ = false;
};

}  // namespace tenon::passes::c_code
