/// @file timing.ipp: definitions of compile/instruments/timing.hpp.
#pragma once

#include <algorithm>
#include <cstdio>

#include <tenon/compile/instruments/timing.hpp>

namespace tenon::instrument {

void timing::before(const pass_event&) { inside_.push_back(0); }

void timing::failed(const pass_event&, const std::exception&) {
  if (!inside_.empty()) inside_.pop_back();
}

void timing::after(const pass_event& e) {
  auto it = std::find_if(entries.begin(), entries.end(), [&](const entry& x) { return x.pass == e.pass; });
  if (it == entries.end()) it = entries.insert(it, entry{std::string(e.pass)});
  const double spent = e.record->milliseconds, others = inside_.empty() ? 0 : inside_.back();
  ++it->runs, it->milliseconds += spent, it->own += spent - others;
  if (!inside_.empty()) inside_.pop_back();
  if (!inside_.empty()) inside_.back() += spent;
}

std::string timing::text() const {
  std::vector<entry> sorted = entries;
  std::sort(sorted.begin(), sorted.end(),
            [](const entry& a, const entry& b) { return a.own != b.own ? a.own > b.own : a.pass < b.pass; });
  char line[160];
  std::snprintf(line, sizeof line, "%-32s%8s%12s%12s\n", "pass", "runs", "ms", "own ms");
  std::string s = line;
  double all = 0;
  for (const entry& x : sorted) {
    std::snprintf(line, sizeof line, "%-32.60s%8zu%12.2f%12.2f\n", x.pass.c_str(), x.runs, x.milliseconds, x.own);
    s += line, all += x.own;
  }
  std::snprintf(line, sizeof line, "%-32s%8s%12s%12.2f\n", "all passes", "", "", all);
  return s + line;
}

}  // namespace tenon::instrument
