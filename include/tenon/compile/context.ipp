/// @file context.ipp: flags, and values by type.
#pragma once

#include <algorithm>

#include <tenon/compile/context.hpp>
#include <tenon/core/nearest.hpp>

namespace tenon {

void context::set_flag(std::string name, bool on) {
  if (!sets_own_) std::erase_if(flags_, [&](const named_flag& f) { return f.name == name && f.own; });
  for (auto& f : flags_)
    if (f.name == name && f.own == sets_own_) return void((f.on = on, f.assumed = false));
  flags_.push_back({std::move(name), on, false, false, sets_own_});
}

std::vector<std::pair<std::string, bool>> context::flags() const { return flags(false); }
std::vector<std::pair<std::string, bool>> context::flags(bool another) const {
  std::vector<std::pair<std::string, bool>> all;
  if (whole_) all = whole_->flags(another || of_another_);
  for (const auto& f : flags_) {
    if (another && f.own) continue;
    const auto it = std::find_if(all.begin(), all.end(), [&](const auto& known) { return known.first == f.name; });
    if (it != all.end()) it->second = f.on;
    else all.emplace_back(f.name, f.on);
  }
  return all;
}

std::string context::flags_text() const {
  std::string s;
  for (const auto& [name, on] : flags()) s += (s.empty() ? "" : ", ") + name + (on ? "=on" : "=off");
  return s;
}

void context::set_flags(std::string_view text) {
  constexpr std::string_view separators = ", ";
  for (size_t at = text.find_first_not_of(separators); at != text.npos;) {
    const size_t end = std::min(text.find_first_of(separators, at), text.size());
    const std::string_view word = text.substr(at, end - at), name = word.substr(0, word.find('='));
    const std::string_view value = name.size() == word.size() ? "" : word.substr(name.size() + 1);
    if (name.empty() || (value != "on" && value != "off"))
      throw usage_error("flag.syntax", "'" + std::string(word) + "' sets no flag", {}, "write NAME=on or NAME=off");
    set_flag(std::string(name), value == "on");
    at = text.find_first_not_of(separators, end);
  }
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
      throw usage_error(
          "flag.unknown", what + "program is optional under it", {},
          all.empty() ? "make one tenon::optional under tenon::when<\"" + f.name + "\">" : nearest(f.name, all));
    report({severity::warning, "flag.unknown", what + "pipeline is optional under it", {}, nearest(f.name, flags)});
  }
}

void context::hold(const void* key, void* made, void (*destroy)(void*)) {
  std::unique_ptr<void, void (*)(void*)> owned(made, destroy);
  // What is set behind a target's own takes its place; what the target sets leaves others' to other targets.
  if (!sets_own_) std::erase_if(slots_, [&](const slot& s) { return s.key == key && s.own; });
  const auto it =
      std::find_if(slots_.begin(), slots_.end(), [&](const slot& s) { return s.key == key && s.own == sets_own_; });
  slot& s = it != slots_.end() ? *it : slots_.emplace_back(slot{key, {nullptr, nullptr}, false, sets_own_});
  s.value = std::move(owned);
  s.assumed = false;
}

void context::assume(context initial) {
  std::erase_if(slots_, [](const slot& s) { return s.assumed; });
  std::erase_if(flags_, [](const named_flag& f) { return f.assumed; });
  for (slot& s : initial.slots_) {
    if (!find_slot(s.key, false)) slots_.push_back(std::move(s)), slots_.back().assumed = true;
  }
  for (const named_flag& f : initial.flags_)
    if (!find_flag(f.name, false)) flags_.push_back({f.name, f.on, false, true});
}

}  // namespace tenon
