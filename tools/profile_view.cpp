// What the steps of a model take, as a table and as JSON.
#include "profile_view.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common.hpp"

namespace tenon::tool {
namespace {

double seconds_of(const profile::row& r) { return static_cast<double>(r.nanoseconds) * 1e-9; }
double bytes_of(const profile::row& r) { return r.work.bytes_read + r.work.bytes_written; }

std::string shortened(const std::string& s, size_t most) { return s.size() <= most ? s : s.substr(0, most - 2) + ".."; }
std::string nodes_text(const std::vector<std::string>& sources, size_t most) {
  if (sources.empty()) return "";
  const std::string more = sources.size() > 1 ? fmt::format(" +{}", sources.size() - 1) : "";
  return shortened(short_place(sources.front()), most - more.size()) + more;
}
/// Four figures at most, in eight columns.
std::string figure(double v) {
  if (v <= 0) return v < 0 ? "-" : "0";
  return fmt::format("{:.{}f}", v, v < 10 ? 2 : v < 100 ? 1 : 0);
}

/// Of one run; a whole number for all but steps that depend on data.
std::string calls_text(u64 calls, u64 runs) {
  return calls % runs == 0 ? std::to_string(calls / runs)
                           : figure(static_cast<double>(calls) / static_cast<double>(runs));
}

const char* const kind_names[] = {"kernel", "copy", "host"};

}  // namespace

std::string short_place(const std::string& place) {
  const size_t begin = place.find('\'');
  const size_t end = begin == place.npos ? place.npos : place.find('\'', begin + 1);
  return end == place.npos ? place : place.substr(begin + 1, end - begin - 1);
}

profiled profile_runs(const std::function<void()>& once, int threads, bool trace) {
  profiled p;
  p.threads = threads;
  once();  // what is made in the first run is made
  const double least_ms = 100;
  std::vector<double> plain;
  for (const double begin = now_ms(); plain.size() < 3 || now_ms() - begin < least_ms;) {
    const double from = now_ms();
    once();
    plain.push_back(now_ms() - from);
  }
  std::nth_element(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(plain.size() / 2), plain.end());
  p.unwatched_ms = plain[plain.size() / 2];
  profile watched(trace ? 100'000 : 0);
  const observed_runs watch(watched);
  once();  // what steps do is counted once for each size, which takes its time
  watched.clear();
  const double begin = now_ms();
  double end = begin;
  while (p.runs < 3 || end - begin < 2 * least_ms) once(), ++p.runs, end = now_ms();
  p.run_ms = (end - begin) / static_cast<double>(p.runs);
  p.rows = watched.rows();
  std::sort(p.rows.begin(), p.rows.end(), [](const auto& a, const auto& b) {
    return a.nanoseconds != b.nanoseconds
               ? a.nanoseconds > b.nanoseconds
               : std::tie(a.step.name, a.step.sources) < std::tie(b.step.name, b.step.sources);
  });
  for (const profile::row& r : p.rows) p.steps_ms += seconds_of(r) * 1e3 / static_cast<double>(p.runs);
  if (trace) p.trace = watched.trace();
  p.peaks = measure_peaks(threads);
  return p;
}

peak_share share_of_peak(const profile::row& r, const machine_peaks& p) {
  const double s = seconds_of(r);
  if (!r.has_work || s <= 0 || p.gflops <= 0 || p.gbytes <= 0) return {};
  const double compute = r.work.flops / s * 1e-9 / p.gflops, memory = bytes_of(r) / s * 1e-9 / p.gbytes;
  return memory > compute ? peak_share{memory, true} : peak_share{compute, false};
}

std::string profile_text(const profiled& p) {
  const double runs = static_cast<double>(p.runs);
  std::string s = fmt::format(
      "{} runs of {:.4g} ms on {} thread{}; without watching {:.4g} ms; its steps take {:.4g} ms, {:.1f} %\n", p.runs,
      p.run_ms, p.threads, p.threads == 1 ? "" : "s", p.unwatched_ms, p.steps_ms,
      p.run_ms > 0 ? 100 * p.steps_ms / p.run_ms : 0);
  s += fmt::format("peaks measured now: {:.0f} GFLOP/s (f32 multiply-adds), {:.1f} GB/s (reads from memory)\n",
                   p.peaks.gflops, p.peaks.gbytes);
  s += fmt::format("  {:<23}{:>6}{:>9}{:>7}{:>9}{:>8}{:>8}{:>8}{:>6}  {}\n", "kernel", "calls", "ms", "%", "GFLOP/s",
                   "MB in", "MB out", "GB/s", "peak", "nodes");
  bool guessed = false;
  for (const profile::row& r : p.rows) {
    const double seconds = seconds_of(r);
    const peak_share share = share_of_peak(r, p.peaks);
    guessed = guessed || (r.has_work && !r.work.exact);
    const std::string name = (r.step.kind == run_step::kind_t::host ? "host: " : "") + r.step.name;
    const bool known = r.has_work && seconds > 0;
    s += fmt::format(
        "  {:<23}{:>6}{:>9.4f}{:>7.1f}{:>9}{:>8}{:>8}{:>8}{:>6}  {}\n", shortened(name, 22),
        calls_text(r.calls, p.runs), seconds * 1e3 / runs, p.steps_ms > 0 ? 100 * seconds * 1e3 / runs / p.steps_ms : 0,
        known ? figure(r.work.flops / seconds * 1e-9) + (r.work.exact ? "" : "~") : "-",
        known ? figure(r.work.bytes_read / runs * 1e-6) : "-", known ? figure(r.work.bytes_written / runs * 1e-6) : "-",
        known ? figure(bytes_of(r) / seconds * 1e-9) : "-",
        share.share < 0 ? "-" : fmt::format("{:.0f}{}", 100 * share.share, share.by_memory ? "m" : "c"),
        nodes_text(r.step.sources, 14));
  }
  s += "  calls, ms and MB of one run; peak: per cent of the measured peak that it comes nearer to, of computing (c) "
       "or\n"
       "  memory (m: above 100 where caches serve it); bytes: each that is touched counts once\n";
  if (guessed) s += "  ~: a bound, since what runs depends on data\n";
  return s;
}

nlohmann::ordered_json profile_json(const profiled& p) {
  const double runs = static_cast<double>(p.runs);
  nlohmann::ordered_json j = {{"runs", p.runs},
                              {"threads", p.threads},
                              {"run_ms", p.run_ms},
                              {"unwatched_run_ms", p.unwatched_ms},
                              {"steps_ms", p.steps_ms},
                              {"peaks", {{"gflops", p.peaks.gflops}, {"gbytes_per_second", p.peaks.gbytes}}},
                              {"steps", nlohmann::ordered_json::array()}};
  for (const profile::row& r : p.rows) {
    const double seconds = seconds_of(r);
    nlohmann::ordered_json one = {
        {"name", r.step.name},        {"kind", kind_names[static_cast<size_t>(r.step.kind)]},
        {"nodes", r.step.sources},    {"calls", static_cast<double>(r.calls) / runs},
        {"ms", seconds * 1e3 / runs}, {"share", p.steps_ms > 0 ? seconds * 1e3 / runs / p.steps_ms : 0}};
    if (r.has_work) {
      one["flops"] = r.work.flops / runs;
      one["bytes_read"] = r.work.bytes_read / runs, one["bytes_written"] = r.work.bytes_written / runs;
      one["exact"] = r.work.exact;
      if (seconds > 0) {
        const peak_share share = share_of_peak(r, p.peaks);
        one["gflops"] = r.work.flops / seconds * 1e-9, one["gbytes_per_second"] = bytes_of(r) / seconds * 1e-9;
        if (share.share >= 0)
          one["peak_share"] = share.share, one["limited_by"] = share.by_memory ? "memory" : "compute";
      }
    }
    j["steps"].push_back(std::move(one));
  }
  return j;
}

}  // namespace tenon::tool
