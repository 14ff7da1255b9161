/// @file reproducer.ipp: definitions of compile/instruments/reproducer.hpp.
#pragma once

#include <tenon/compile/instruments/reproducer.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/judge/pass_desc.hpp>
#include <tenon/targets/spec.hpp>
#include <tenon/text/print.hpp>

namespace tenon::instrument {

void reproducer::before(const pass_event& e) {
  if (e.depth == 0) found = std::make_shared<const ir::module>(*e.module);
}

void reproducer::failed(const pass_event& e, const std::exception& why) {
  if (e.depth != 0 || !found) return;
  ir::module shown = *found;
  if (e.cx.target) shown.build.target = to_text(*e.cx.target);
  const std::vector<std::string> known = e.known();
  const text_run run{e.rest(), e.cx.flags_text(), e.cx.verify_each};
  print_options style;
  style.phase = std::string_view(e.said.from->name), style.facts = known, style.run = &run;
  std::string reason = why.what();
  for (char& c : reason)
    if (c == '\n' || c == '\r') c = ' ';
  write_atomically(path, "// Pass '" + std::string(e.pass) + "' fails: " + reason +
                             "\n// To see it: tenon opt FILE, or what has the pass in place of tenon\n" +
                             print(shown, style));
  written = true;
}

}  // namespace tenon::instrument
