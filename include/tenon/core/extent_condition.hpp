/// @file extent_condition: what must hold of extents for code that was made for all of them to be right.
///
///     batch - rows == 0     n - 1 >= 0     n - 1 != 0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/extent_expr.hpp>

namespace tenon {

struct extent_condition {
  enum kind_t : u8 { is_zero, not_negative, not_zero };
  extent_expr value;
  kind_t kind = is_zero;

  /// For a number that the expression came to.
  bool holds(i64 v) const { return kind == is_zero ? v == 0 : kind == not_zero ? v != 0 : v >= 0; }
  /// Whether it holds for these sizes; nothing where they do not say what all names are.
  std::optional<bool> holds_with(const std::map<std::string, i64>& sizes) const;
  /// What holds where this one does not.
  extent_condition opposite() const;
  /// Known to hold, whatever the names stand for.
  bool always() const;
  /// Known to hold for no extents at all.
  bool never() const;

  /// "batch-rows==0", "n-1>=0", "n-1!=0".
  std::string text() const { return value.text() + relation() + "0"; }
  /// "==", ">=", "!=": what it is to zero, as C has it, too.
  const char* relation() const { return kind == is_zero ? "==" : kind == not_zero ? "!=" : ">="; }
  /// Reads what `text` wrote.
  static std::optional<extent_condition> parse(std::string_view text);
  friend bool operator==(const extent_condition& a, const extent_condition& b) {
    return a.kind == b.kind && a.value == b.value;
  }
};

/// The conditions of a module, each once, in the order in which they arose. Those that always hold are left out.
class condition_list {
 public:
  condition_list() = default;
  /// Which conditions are noted. `needed`: of those that make shapes simpler, where a right run need not meet them,
  /// none. `nothing`: what follows may only rely on those that always hold.
  enum class noting : u8 { all, needed, nothing };

  condition_list(const condition_list& o) : items_(o.items_) {}
  condition_list(condition_list&& o) noexcept : items_(std::move(o.items_)) {}
  condition_list& operator=(condition_list o) noexcept { return items_ = std::move(o.items_), *this; }

  /// Notes a condition. False when it can never hold: the caller knows where it comes from, and says so.
  [[nodiscard]] bool add(extent_condition c);
  /// Is it one of them that a is b?
  bool says_equal(const extent_expr& a, const extent_expr& b) const;
  noting noted() const { return noted_; }
  const std::vector<extent_condition>& items() const { return items_; }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  bool empty() const { return items_.empty(); }
  void clear() { items_.clear(); }
  friend bool operator==(const condition_list& a, const condition_list& b) { return a.items_ == b.items_; }

  /// While one lives, no more than this is noted.
  class limit {
   public:
    limit(condition_list& list, noting most) : list_(list), before_(list.noted_) {
      list.noted_ = before_ > most ? before_ : most;
    }
    limit(const limit&) = delete;
    limit& operator=(const limit&) = delete;
    ~limit() { list_.noted_ = before_; }

   private:
    condition_list& list_;
    noting before_;
  };

 private:
  std::vector<extent_condition> items_;
  noting noted_ = noting::all;  ///< belongs to the place, not to the value: copies do not have it
};

}  // namespace tenon
