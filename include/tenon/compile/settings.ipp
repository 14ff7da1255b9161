/// @file settings.ipp: definitions of compile/settings.hpp.
#pragma once

#include <algorithm>

#include <tenon/compile/settings.hpp>
#include <tenon/core/nearest.hpp>

namespace tenon::detail {
namespace settings {

[[noreturn]] inline void disagree(const std::string& begun, const std::string& asked) {
  throw error("build.settings", "the module was begun with " + begun + ", and " + asked + " is asked", {},
              "go on as it was begun; or forget that: editable.body().build.settings = {}");
}
inline std::string shown(const ir::flag_setting& f) { return "flag '" + f.name + (f.on ? "' on" : "' off"); }
inline std::string shown(const ir::pass_setting& p) {
  std::string s = "'" + p.pass;
  for (size_t i = 0; i < p.options.size(); ++i)
    s += (i == 0 ? "{" : ", ") + p.options[i].name + "=" + ir::option_text(p.options[i].value);
  return s + (p.options.empty() ? "' as it is initially" : "}'");
}
inline const tuned_pass* find(std::span<const tuned_pass> passes, std::string_view name) {
  for (const tuned_pass& p : passes)
    if (std::string_view(p.name) == name) return &p;
  return nullptr;
}
inline void agree(const ir::flag_setting& begun, const context& cx, context& assumed) {
  for (const auto& [name, on] : cx.flags())
    if (name == begun.name && on != begun.on) disagree(shown(begun), shown(ir::flag_setting{name, on}));
  assumed.set_flag(begun.name, begun.on);
}
inline void agree(const ir::pass_setting& begun, const tuned_pass& pass, const context& cx, context& assumed) {
  if (auto asked = pass.said(cx); asked && *asked != begun.options)
    disagree(shown(begun), shown(ir::pass_setting{begun.pass, *std::move(asked)}));
  pass.give(assumed, begun);
}

}  // namespace settings

void settle(ir::module& m, context& cx, context assumed, const tunable& by) {
  cx.assume({});
  const ir::build_settings& begun = m.build.settings;
  ir::build_settings noted;
  for (const ir::flag_setting& f : begun.flags) settings::agree(f, cx, assumed);
  for (const ir::pass_setting& p : begun.passes) {
    if (const tuned_pass* pass = settings::find(by.passes, p.pass)) {
      settings::agree(p, *pass, cx, assumed);
    } else if (by.whole) {
      std::vector<std::string> known;
      for (const tuned_pass& k : by.passes) known.emplace_back(std::string_view(k.name));
      throw error("build.settings",
                  "the module was begun with " + settings::shown(p) + ", and no pass with options has that name here",
                  {}, nearest(p.pass, known));
    } else {
      noted.passes.push_back(p);
    }
  }
  cx.assume(std::move(assumed));
  // What the host of a composite says of itself follows from its target, and is nothing to the parts of others.
  context of_all(&cx, context::for_another_target{});
  for (const auto& [name, on] : of_all.flags()) {
    const bool asked = std::any_of(by.all.begin(), by.all.end(), [&name = name](const pass_desc* p) {
      return p->more().flag_key != 0 && std::string_view(p->more().flag) == name;
    });
    const bool known = std::any_of(begun.flags.begin(), begun.flags.end(),
                                   [&name = name](const ir::flag_setting& f) { return f.name == name; });
    if (asked || known) noted.flags.push_back({name, on});
  }
  for (const tuned_pass& p : by.passes)
    if (auto said = p.said(of_all); said && !said->empty())
      noted.passes.push_back({std::string(std::string_view(p.name)), *std::move(said)});
  m.build.settings = std::move(noted);
}

}  // namespace tenon::detail
