/// @file c_sizes.ipp: extents in C: numbers, or what the table of a run's sizes (runtime/abi.hpp) has for a symbol; and
/// what follows from them: the strides of buffers, and their bytes.
#pragma once

#include <map>
#include <set>
#include <string>
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
  /// The function's first lines. Behind its body, which says what they must hold.
  std::string declarations() const {
    std::string s;
    for (u32 i : symbols_) s += "  const int64_t " + name(i) + " = sizes[" + std::to_string(i) + "];\n";
    return s;
  }
  /// Whether the function has a table `sizes`.
  bool used() const { return table_; }
  /// Whether any function has.
  bool any() const { return any_; }

  /// A number, or a variable of the function's.
  std::string extent(ir::dim d) { return d.is_static() ? number(d.extent()) : of_symbol(d.symbol().index); }
  /// Of an extent that is a symbol of the module by this text; empty where none is.
  std::string of_text(const std::string& expression) {
    for (u32 i = 0; i < m_.symbol_count(); ++i)
      if (m_.name(symbol_id(size_t{i})) == expression) return of_symbol(i);
    return {};
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
  std::string of_symbol(u32 symbol) {
    table();
    symbols_.insert(symbol);
    return name(symbol);
  }

  const ir::module& m_;
  std::set<u32> symbols_;
  bool table_ = false, any_ = false;
};

}  // namespace tenon::passes::c_code
