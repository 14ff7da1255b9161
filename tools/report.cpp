// How the command line shows a compilation and a run.
#include "report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tenon/ir/walk.hpp>

namespace tenon::tool {

void observer::attach(context& cx) {
  phases.clear();
  tenon::attach(cx, counts_);
  if (explain) tenon::attach(cx, *this);
}

void observer::look(const ir::module& m, std::string_view phase) {
  if (phases.empty() || phases.back().phase != phase) phases.emplace_back();
  phase_summary s;
  s.phase = phase;
  for (function_id f : m.functions()) ++(m[f].kind == ir::function_kind::kernel ? s.kernels : s.functions);
  ir::for_each_op(m, [&](op_id op) { ++s.ops[std::string(m.view(op).name())]; });
  phases.back() = std::move(s);
}

std::string histogram_text(const std::map<std::string, size_t>& counts, size_t shown) {
  std::vector<std::pair<std::string, size_t>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second > b.second || (a.second == b.second && a.first < b.first);
  });
  std::string s;
  for (size_t i = 0; i < sorted.size() && i < shown; ++i)
    s += fmt::format("{}{} x{}", i ? ", " : "", sorted[i].first, sorted[i].second);
  if (sorted.size() > shown) s += fmt::format(", {} more", sorted.size() - shown);
  return s;
}

void print_passes(const context& cx) {
  if (cx.records.empty()) return;
  fmt::print("\n  {:<14}{:<24}{:>10}  {:>14}\n", "phase", "pass", "ms", "ops");
  double total = 0;
  std::string phase;
  for (const pass_record& r : cx.records) {
    const std::string ops =
        r.ops_before == r.ops_after ? std::to_string(r.ops_after) : fmt::format("{} -> {}", r.ops_before, r.ops_after);
    fmt::print("  {:<14}{:<24}{:>10.2f}  {:>14}\n", r.phase == phase ? "" : r.phase, r.name, r.milliseconds, ops);
    phase = r.phase;
    total += r.milliseconds;
  }
  fmt::print("  {:<14}{:<24}{:>10.2f}\n\n", "", "all passes", total);
}

void print_phases(const observer& o) {
  for (const auto& p : o.phases) {
    fmt::print("  at the end of {}: {} function{}", p.phase, p.functions, p.functions == 1 ? "" : "s");
    if (p.kernels) fmt::print(", {} kernel{}", p.kernels, p.kernels == 1 ? "" : "s");
    fmt::print("{}{}\n", p.ops.empty() ? "" : ": ", histogram_text(p.ops, 6));
  }
  if (!o.phases.empty()) fmt::print("\n");
}

void print_output(const std::string& name, const tensor& t) {
  fmt::print("output {} {}", name, t.describe());
  std::vector<i64> order;
  i64 not_numbers = 0;
  for (i64 i = 0; i < t.size(); ++i) {
    if (std::isnan(t.at_f64(i))) ++not_numbers;
    else order.push_back(i);
  }
  const size_t shown = std::min<size_t>(5, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(), [&](i64 a, i64 b) {
    const double x = t.at_f64(a), y = t.at_f64(b);
    return x != y ? x > y : a < b;
  });
  for (size_t i = 0; i < shown; ++i) {
    std::string place;
    i64 rest = order[i];
    for (int d = t.rank() - 1; d >= 0; --d) {
      const i64 extent = t.shape()[static_cast<size_t>(d)];
      place = std::to_string(rest % extent) + (place.empty() ? "" : ",") + place;
      rest /= extent;
    }
    const std::string value =
        is_float(t.type()) ? fmt::format("{:.6g}", t.at_f64(order[i])) : std::to_string(t.at_i64(order[i]));
    fmt::print("{}[{}] {}", i ? "  " : ": ", place, value);
  }
  if (not_numbers) fmt::print("  ({} of {} are NaN)", not_numbers, t.size());
  fmt::print("\n");
}

void print_latency(const latency& l, int threads) {
  fmt::print("latency: median {:.4g} ms, least {:.4g} ms ({} runs, {} thread{})\n", l.median, l.least, l.runs, threads,
             threads == 1 ? "" : "s");
}

}  // namespace tenon::tool
