/// @file sizes_outside.ipp: definitions of core/sizes_outside.hpp.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/sizes_outside.hpp>

namespace tenon {
namespace detail {

class search_outside {
 public:
  search_outside(const condition_list& met, std::span<const condition_list> broken) : met_(met), broken_(broken) {}

  sizes_found run() {
    if (broken_.empty()) wanted_ = met_.items();
    choose(0);
    return std::move(found_);
  }

 private:
  struct asked {
    extent_condition condition;
    std::vector<size_t> names;
  };
  static constexpr int most_evaluations = 20000;

  /// One condition of each list is the one that does not hold.
  bool choose(size_t list) {
    if (list == broken_.size()) return solve();
    const auto is_wanted = [&](const extent_condition& c) {
      return std::find(wanted_.begin(), wanted_.end(), c) != wanted_.end();
    };
    for (const extent_condition& c : broken_[list])
      if (is_wanted(c.opposite())) return choose(list + 1);  // broken already
    for (const extent_condition& c : broken_[list]) {
      const extent_condition other = c.opposite();
      if (other.never() || is_wanted(c)) continue;
      wanted_.push_back(other);
      const bool done = choose(list + 1);
      wanted_.pop_back();
      if (done) return true;
    }
    return false;
  }

  /// True: there is no need to go on.
  bool solve() {
    if (++evaluations_ > most_evaluations) return !(found_.complete = false);
    names_.clear(), asked_.clear(), sizes_.clear();
    std::set<i64> pool{0, 1, 2, 3};
    for (const extent_condition& c : wanted_) take(c, pool);
    std::vector<bool> taken(met_.items().size(), broken_.empty());
    for (bool more = true; more;) {  // whoever shares a name is asked, too
      more = false;
      for (size_t i = 0; i < taken.size(); ++i) {
        const std::vector<std::string> of = met_.items()[i].value.names();
        if (taken[i] || std::none_of(of.begin(), of.end(), [&](const std::string& n) {
              return std::find(names_.begin(), names_.end(), n) != names_.end();
            }))
          continue;
        taken[i] = more = true;
        take(met_.items()[i], pool);
      }
    }
    pool_.assign(pool.begin(), pool.end());
    std::rotate(pool_.begin(), pool_.begin() + 1, pool_.end());  // 0 last: nobody's first choice
    if (!assign()) return !found_.complete;
    found_.sizes.emplace();
    for (size_t i = 0; i < names_.size(); ++i) found_.sizes->emplace(names_[i], sizes_[i]);
    found_.complete = true;
    return true;
  }
  void take(const extent_condition& c, std::set<i64>& pool) {
    asked a{c, {}};
    for (const std::string& n : c.value.names()) {
      const auto at = std::find(names_.begin(), names_.end(), n);
      a.names.push_back(static_cast<size_t>(at - names_.begin()));
      if (at == names_.end()) names_.push_back(n);
    }
    const std::string text = c.text();
    for (size_t at = 0; at < text.size();) {
      i64 n = 0;
      size_t end = at;
      for (; end < text.size() && text[end] >= '0' && text[end] <= '9' && n < (i64{1} << 40); ++end)
        n = n * 10 + (text[end] - '0');
      if (end != at) pool.insert({std::max<i64>(n - 1, 0), n, n + 1});
      at = end + 1;
    }
    asked_.push_back(std::move(a));
  }

  /// Sizes for the names that have none yet, where there are any.
  bool assign() {
    const size_t next = sizes_.size();
    if (next == names_.size()) return true;
    for (const i64 size : pool_) {
      sizes_.push_back(size);
      if (holds_now(next) && assign()) return true;
      sizes_.pop_back();
      if (!found_.complete) return false;
    }
    return false;
  }
  /// Do the conditions hold of which this name was the last to have a size?
  bool holds_now(size_t last) {
    return std::all_of(asked_.begin(), asked_.end(), [&](const asked& a) {
      if (std::find(a.names.begin(), a.names.end(), last) == a.names.end() ||
          std::any_of(a.names.begin(), a.names.end(), [&](size_t n) { return n > last; }))
        return true;
      if (++evaluations_ > most_evaluations) return found_.complete = false;
      try {
        return a.condition.holds(a.condition.value.evaluate([&](const std::string& n) {
          return sizes_[static_cast<size_t>(std::find(names_.begin(), names_.end(), n) - names_.begin())];
        }));
      } catch (const error&) { return false; }  // too large
    });
  }

  const condition_list& met_;
  std::span<const condition_list> broken_;
  std::vector<extent_condition> wanted_;
  std::vector<std::string> names_;
  std::vector<asked> asked_;
  std::vector<i64> pool_, sizes_;
  int evaluations_ = 0;
  sizes_found found_;
};

}  // namespace detail

sizes_found sizes_outside(const condition_list& met, std::span<const condition_list> broken) {
  return detail::search_outside(met, broken).run();
}

}  // namespace tenon
