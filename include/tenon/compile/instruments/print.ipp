/// @file print.ipp: definitions of compile/instruments/print.hpp.
#pragma once

#include <algorithm>
#include <cstdio>

#include <tenon/compile/instruments/print.hpp>
#include <tenon/ir/ahead.hpp>
#include <tenon/judge/pass_desc.hpp>
#include <tenon/text/print.hpp>

namespace tenon::instrument {
namespace detail {
inline void put(std::string* to, const std::string& text) {
  if (to) to->append(text);
  else std::fwrite(text.data(), 1, text.size(), stdout);
}
inline std::string titled(const std::string& title, const ir::module& m, std::string_view phase, bool elide) {
  print_options style;
  style.phase = phase, style.elide_constants = elide;
  return "// " + title + "\n" + tenon::print(m, style) + "\n";
}
inline bool is_meant(const std::string& pass, const pass_event& e) { return pass.empty() || pass == e.pass; }
}  // namespace detail

void print_before::before(const pass_event& e) const {
  if (detail::is_meant(pass, e))
    detail::put(to,
                detail::titled("before " + std::string(e.pass), *e.module, std::string_view(e.said.from->name), elide));
}

void print_after::after(const pass_event& e) const {
  if (detail::is_meant(pass, e))
    detail::put(to, detail::titled("after " + std::string(e.pass), *e.module, e.phase, elide));
}
void print_after::failed(const pass_event& e, const std::exception&) const {
  if (detail::is_meant(pass, e) && e.module)
    detail::put(to, detail::titled("after " + std::string(e.pass) + ", which failed", *e.module, e.phase, elide));
}

void print_changed::before(const pass_event& e) {
  hashes& found = seen.emplace_back();
  if (!detail::is_meant(pass, e)) return;
  for (function_id f : e.module->functions())
    found.emplace_back((*e.module)[f].name, ir::hash_of_function(*e.module, f));
}
void print_changed::failed(const pass_event&, const std::exception&) {
  if (!seen.empty()) seen.pop_back();
}
void print_changed::after(const pass_event& e) {
  if (seen.empty()) return;
  hashes old = std::move(seen.back());
  seen.pop_back();
  if (!detail::is_meant(pass, e)) return;
  const ir::module& m = *e.module;
  print_options style;
  style.elide_constants = elide;
  std::string text, removed;
  for (function_id f : m.functions()) {
    const auto it = std::find_if(old.begin(), old.end(), [&](const auto& s) { return s.first == m[f].name; });
    const bool same = it != old.end() && it->second == ir::hash_of_function(m, f);
    if (it != old.end()) old.erase(it);
    if (!same) text += tenon::print(m, f, style) + "\n";
  }
  for (const auto& [name, hash] : old) removed += " @" + name;
  const std::string name(e.pass);
  if (text.empty() && removed.empty()) return detail::put(to, "// " + name + " changed nothing\n\n");
  detail::put(to, "// changed by " + name + (removed.empty() ? "" : "; removed:" + removed) + "\n" + text);
}

}  // namespace tenon::instrument
