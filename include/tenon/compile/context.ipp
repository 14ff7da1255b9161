/// @file context.ipp: the bookkeeping around each pass.
#pragma once

#include <time.h>

#include <algorithm>

#include <tenon/compile/context.hpp>
#include <tenon/core/nearest.hpp>

namespace tenon {

void context::set_flag(std::string name, bool on) {
  for (auto& f : flags_)
    if (f.name == name) return void(f.on = on);
  flags_.push_back({std::move(name), on, false});
}

namespace detail {

/// One list for the whole program, also where a part of it is a shared library that hides what it defines.
[[gnu::visibility("default")]] asked_flag*& asked_flags() {
  static asked_flag* first = nullptr;
  return first;
}
asked_flag::asked_flag(label n) : name(n), next(asked_flags()) {
  __atomic_store_n(&asked_flags(), this, __ATOMIC_RELEASE);  // a library may be loaded while another thread compiles
}
asked_flag::~asked_flag() {
  for (asked_flag** at = &asked_flags(); *at; at = &(*at)->next)
    if (*at == this) {
      *at = next;
      return;
    }
}
inline std::vector<std::string> flags_of_program() {
  std::vector<std::string> names;
  for (const asked_flag* f = __atomic_load_n(&asked_flags(), __ATOMIC_ACQUIRE); f; f = f->next)
    names.emplace_back(f->name.data(), f->name.size());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace detail

void context::meet_flags(const std::vector<std::string>& flags) {
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (auto& f : flags_) {
    f.met = f.met || has(flags, f.name);
    if (f.met) continue;
    const std::string what = "flag '" + f.name + "' was set, and no pass of this ";
    const std::vector<std::string> all = detail::flags_of_program();
    if (!has(all, f.name))
      throw error(
          "flag.unknown", what + "program is optional under it", {},
          all.empty() ? "make one tenon::optional under tenon::when<\"" + f.name + "\">" : nearest(f.name, all));
    report({severity::warning, "flag.unknown", what + "pipeline is optional under it", {}, nearest(f.name, flags)});
  }
}

void context::hold(const void* key, void* made, void (*destroy)(void*)) {
  std::unique_ptr<void, void (*)(void*)> owned(made, destroy);
  slot* s = find_slot(key);
  if (!s) s = &slots_.emplace_back(slot{key, {nullptr, nullptr}});
  s->value = std::move(owned);
}

}  // namespace tenon

namespace tenon::detail {

// `<chrono>` costs 250 ms a file with g++ 12; the clock is the same.
double now_in_milliseconds() {
#if defined(CLOCK_MONOTONIC)
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
#else
  timespec t{};
  timespec_get(&t, TIME_UTC);
#endif
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

pass_scope::pass_scope(context& cx, std::string_view pass, std::string_view phase, const ir::module& before)
    : context_(cx), pass_(pass), phase_(phase), start_(0), ops_before_(cx.count_ops ? cx.count_ops(before) : 0) {
  start_ = now_in_milliseconds();
}

void pass_scope::finish(const ir::module& after, const proof* proofs, size_t count) {
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
