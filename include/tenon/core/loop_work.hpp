/// @file loop_work: what a loop nest does when it runs: operations, and bytes that it touches, as a function of sizes.
///
///     loop_work w = …;                                   // ir/entry_steps.hpp makes it from a kernel's loops
///     work_total t = w.evaluate([](const std::string& name) { return name == "n" ? 128 : 1; });
/// A tree of loops, kept as a list in preorder. Trip counts are exact: a loop whose bounds depend on an outer index is
/// counted for each value of that index. Of each buffer, a byte counts once however often it is read, which is the
/// least that has to come from memory: an access touches as many places as the loops that its address depends on have
/// iterations, and never more than the buffer has.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tenon/core/int.hpp>

namespace tenon {

/// A number that follows from sizes and from the indices of loops: reverse Polish, empty where it is not known.
struct index_formula {
  enum class code : u8 { number, size, index, add, sub, mul, floor_div, mod, min, max };
  struct item {
    code what = code::number;
    i64 value = 0;  ///< the number; which size; which index, counted by the depth of its loop
    friend bool operator==(const item&, const item&) = default;
  };
  std::vector<item> items;

  static index_formula number(i64 v) { return {{{code::number, v}}}; }
  static index_formula size(size_t i) { return {{{code::size, static_cast<i64>(i)}}}; }
  static index_formula index(size_t depth) { return {{{code::index, static_cast<i64>(depth)}}}; }
  static index_formula apply(code f, const index_formula& a, const index_formula& b);
  bool known() const { return !items.empty(); }
  bool uses_index(size_t depth) const;
  i64 evaluate(std::span<const i64> sizes, std::span<const i64> indices) const;
  friend bool operator==(const index_formula&, const index_formula&) = default;
};

/// Operations are those of floating point, and products and sums of contractions of any type; see `loop::flops_of`.
struct work_total {
  double flops = 0, bytes_read = 0, bytes_written = 0;
  bool exact = true;  ///< else a bound: the course depends on data
};

struct loop_work {
  enum class kind : u8 {
    loop,         ///< index `number`, from low, below high, by `step`; nodes up to `end` are inside
    alternative,  ///< nodes up to `middle` run, or those behind it up to `end`
    flops,        ///< `amount` operations
    read,
    write,  ///< `amount` bytes of buffer `number`
  };
  struct node {
    kind what = kind::flops;
    u32 middle = 0, end = 0, number = 0;
    i64 step = 1;
    u64 depends = 0;  ///< read, write: bit d says that the address depends on the loop of depth d
    index_formula low, high, amount;
  };
  static constexpr size_t most_depth = 60;

  std::vector<node> nodes;
  std::vector<index_formula> buffers;  ///< bytes of each
  std::vector<std::string> sizes;      ///< expressions of named extents (core/extent_expr.hpp)
  bool exact = true;

  /// `lookup(name)` gives the extents that the sizes are made of. Throws "extent.overflow" as extent_expr does.
  template <class F>
  work_total evaluate(F&& lookup) const {
    using function = std::remove_reference_t<F>;
    return evaluate_with(
        +[](const void* f, const std::string& n) -> i64 { return (*static_cast<const function*>(f))(n); }, &lookup);
  }

  /// As a part of a file's table; `parse` refuses what no `bytes` wrote: error "program.file".
  std::string bytes() const;
  static loop_work parse(std::string_view bytes, const std::string& where);

 private:
  work_total evaluate_with(i64 (*lookup)(const void*, const std::string&), const void* with) const;
};

}  // namespace tenon
