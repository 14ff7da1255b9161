/// @file context.ipp: the bookkeeping around each pass.
#pragma once

#include <time.h>

#include <algorithm>

#include <tenon/context.hpp>
#include <tenon/core/nearest.hpp>

namespace tenon {

TENON_INLINE void context::set_flag(std::string name, bool on) {
  for (auto& f : flags_)
    if (f.name == name) return void(f.on = on);
  flags_.push_back({std::move(name), on, false});
}

TENON_INLINE void context::meet_flags(const std::vector<std::string>& flags, bool last) {
  std::vector<std::string> unset = flags;  // what a misspelled one may have meant
  for (auto& f : flags_) {
    f.met = f.met || std::find(flags.begin(), flags.end(), f.name) != flags.end();
    unset.erase(std::remove(unset.begin(), unset.end(), f.name), unset.end());
  }
  for (const auto& f : flags_) {
    if (f.met) continue;
    const std::string message = "flag '" + f.name + "' was set, and no pass of this pipeline is optional under it";
    const std::string hint = unset.empty() ? "set none but flags of tenon::when and tenon::unless" : nearest(f.name, unset);
    const bool misspelled = std::any_of(unset.begin(), unset.end(), [&](const std::string& name) {
      return edit_distance(f.name, name) <= std::max<size_t>(1, std::min(f.name.size(), name.size()) / 4) ||
             (f.name.size() == name.size() && std::is_permutation(name.begin(), name.end(), f.name.begin()));
    });
    if (last || misspelled) throw error("flag.unknown", message, {}, hint);
    report({severity::warning, "flag.unknown", message, {}, hint});
  }
}

TENON_INLINE void context::hold(const void* key, void* made, void (*destroy)(void*)) {
  std::unique_ptr<void, void (*)(void*)> owned(made, destroy);
  slot* s = find_slot(key);
  if (!s) s = &slots_.emplace_back(slot{key, {nullptr, nullptr}});
  s->value = std::move(owned);
}

}  // namespace tenon

namespace tenon::detail {

// `<chrono>` costs 250 ms a file with g++ 12; the clock is the same.
TENON_INLINE double now_in_milliseconds() {
#if defined(CLOCK_MONOTONIC)
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
#else
  timespec t{};
  timespec_get(&t, TIME_UTC);
#endif
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

TENON_INLINE pass_scope::pass_scope(context& cx, std::string_view pass, std::string_view phase,
                                    const ir::module& before)
    : context_(cx), pass_(pass), phase_(phase), start_(0), ops_before_(cx.count_ops ? cx.count_ops(before) : 0) {
  start_ = now_in_milliseconds();
}

TENON_INLINE void pass_scope::finish(const ir::module& after, const proof* proofs, size_t count) {
  const double spent = now_in_milliseconds() - start_;
  context_.records.push_back({std::string(pass_), std::string(phase_), spent, ops_before_,
                              context_.count_ops ? context_.count_ops(after) : 0});
  if (context_.after_pass) context_.after_pass(after, pass_, phase_, context_.after_pass_user);
  if (!context_.verify_each) return;
  for (size_t i = 0; i < count; ++i) {
    if (!proofs[i].check) continue;
    try {
      proofs[i].check(after);
    } catch (const error& e) {
      throw error("tenon-E030",
                  "pass '" + std::string(pass_) + "' leaves a module of which '" + std::string(proofs[i].name) +
                      "' is said and is not true: " + e.message(),
                  e.where(), "correct the pass, or what it 'gives', 'breaks' or 'emits'");
    }
  }
}

}  // namespace tenon::detail
