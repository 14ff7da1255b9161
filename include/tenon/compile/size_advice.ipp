/// @file size_advice.ipp: definitions of compile/size_advice.hpp.
#pragma once

#include <algorithm>
#include <map>

#include <tenon/compile/size_advice.hpp>
#include <tenon/core/attempt.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/open_extents.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/control.hpp>
#include <tenon/targets/compilation_plan.hpp>

namespace tenon {
namespace detail {

/// A size that was chosen: all dimensions of inputs that have it, by one symbol of the model.
struct chosen_size {
  struct place {
    std::string input;
    size_t dimension;
  };
  std::vector<place> places;
  i64 now;
};

inline std::vector<chosen_size> chosen_sizes(const ir::module& signature, const known_inputs& given) {
  const ir::function& entry = signature[ir::single_entry(signature)];
  std::vector<chosen_size> all;
  std::map<i64, size_t> by_symbol;
  for (size_t i = 0; i < signature[entry.body].arguments.size(); ++i) {
    const ir::type& t = signature.type_of(signature[entry.body].arguments[i]);
    const std::string name = ir::input_name(entry, i);
    const auto shape = given.shapes.find(name);
    if (shape == given.shapes.end() || !t.is_tensor() || !t.ranked || t.shape.size() != shape->second.size()) continue;
    for (size_t d = 0; d < t.shape.size(); ++d) {
      if (t.shape[d].is_static()) continue;
      size_t at = all.size();
      if (t.shape[d].is_symbol()) at = by_symbol.emplace(t.shape[d].bits, at).first->second;
      if (at == all.size()) all.push_back({{}, shape->second[d]});
      if (all[at].now == shape->second[d]) all[at].places.push_back({name, d});
    }
  }
  return all;
}

/// Tries other sizes, while there is time.
class size_search {
 public:
  size_search(const size_error& e, const module_source& source, const known_inputs& given, const target_spec& target,
              advice_time& left)
      : source_(source), given_(given), target_(target), left_(left), named_(e.sizes()), at_(e.where()) {
    if (const auto* taken = dynamic_cast<const other_sizes*>(&e)) branch_ = taken->branch();
  }

  size_search(const size_search&) = delete;
  size_search& operator=(const size_search&) = delete;
  ~size_search() { left_ -= used(); }

  /// A model that cannot be made for any sizes breaks its own rules.
  bool model_is_right() const {
    known_inputs values;
    values.values = given_.values;
    return !attempt([&] { source_.make(values); }).as<rule_error>();
  }

  /// Sizes are to be equal to one another, to one that the error names, or 1.
  std::optional<i64> likely(const chosen_size& size, const std::vector<chosen_size>& all) const {
    std::vector<i64> likely;
    for (const chosen_size& other : all) likely.push_back(other.now);
    likely.insert(likely.end(), named_.begin(), named_.end());
    likely.push_back(1);
    for (const i64 next : likely)
      if (next != size.now && fits(size, next)) {
        const i64 beside = next + (next < size.now ? 1 : -1);
        return beside != size.now && fits(size, beside) ? nearest(size, size.now, beside) : next;
      }
    return std::nullopt;
  }
  /// Farther and farther away.
  std::optional<i64> searched(const chosen_size& size) const {
    i64 less = size.now, more = size.now;
    for (i64 step = 2; step <= largest_step; step *= 2) {
      if (const i64 next = std::max<i64>(size.now, 1) * step; next > more) {
        if (fits(size, next)) return nearest(size, more, next);
        more = next;
      }
      if (const i64 next = size.now / step; next > 1) {
        if (fits(size, next)) return nearest(size, less, next);
        less = next;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr i64 largest_step = 4096, largest_size = i64{1} << 24;

  bool fits(const chosen_size& size, i64 now) const {
    if (now > largest_size || used() > left_) return false;
    known_inputs other = given_;
    for (const chosen_size::place& p : size.places) other.shapes[p.input][p.dimension] = now;
    bool fit = false;
    const failure wrong = attempt([&] {
      const sourced_module m = source_.make(other);
      if (!m.module || raises(std::as_const(*m.module).body())) return;
      static_cast<void>(plan_of(std::as_const(*m.module).body(), target_));
      fit = true;
    });
    return fit && !wrong;
  }
  /// Has it the branch that was taken, which raises again?
  bool raises(const ir::module& m) const {
    bool found = false;
    for (const function_id f : m.functions())
      ir::for_each_op(m, m[f].body, [&](op_id op) {
        const auto* r = m.view(op).get_if<op::raise>();
        found = found || (r != nullptr && branch_ >= 0 && r->branch == branch_ && m.text(m[op].location) == at_);
      });
    return found;
  }
  advice_time used() const { return std::chrono::steady_clock::now() - begun_; }
  /// Of sizes from one that does not fit to one that does: one that fits, and the next towards the former does not.
  i64 nearest(const chosen_size& size, i64 wrong, i64 right) const {
    while (std::abs(right - wrong) > 1) {
      const i64 middle = wrong + (right - wrong) / 2;
      (fits(size, middle) ? right : wrong) = middle;
    }
    return right;
  }

  const module_source& source_;
  const known_inputs& given_;
  const target_spec& target_;
  advice_time& left_;
  std::vector<i64> named_;
  std::string at_;   ///< what broke its rules
  int branch_ = -1;  ///< of an If there, which was taken
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

inline std::string text_of(const chosen_size& size) {
  std::string s;
  for (const chosen_size::place& p : size.places)
    s += (s.empty() ? "" : " and ") + ("input '" + p.input + "', dimension " + std::to_string(p.dimension));
  return s + (size.places.size() == 1 ? " is " : " are ") + std::to_string(size.now);
}

}  // namespace detail

std::string size_advice(const size_error& e, const module_source& source, const known_inputs& given,
                        const target_spec& target, advice_time& left) {
  const ir::module& signature = source.signature();
  const std::vector<detail::chosen_size> all = detail::chosen_sizes(signature, given);
  const detail::size_search search(e, source, given, target, left);
  if (!all.empty() && !search.model_is_right()) return {};
  std::vector<std::optional<i64>> found;
  for (const detail::chosen_size& size : all) found.push_back(search.likely(size, all));
  for (size_t i = 0; i < all.size(); ++i)
    if (!found[i]) found[i] = search.searched(all[i]);
  std::string s;
  for (size_t i = 0; i < all.size(); ++i)
    if (found[i])
      s += (s.empty() ? "" : "; or ") + detail::text_of(all[i]) + ": " + std::to_string(*found[i]) + " would fit";
  if (!s.empty()) return s;
  const function_id entry = ir::single_entry(signature);
  std::vector<std::optional<std::vector<i64>>> shapes;
  for (size_t i = 0; i < signature[signature[entry].body].arguments.size(); ++i) {
    const auto shape = given.shapes.find(ir::input_name(signature[entry], i));
    shapes.push_back(shape == given.shapes.end() ? std::nullopt : std::optional(shape->second));
  }
  return ir::open_extents_sentence(signature, entry, shapes);
}

}  // namespace tenon
