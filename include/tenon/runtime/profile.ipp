/// @file profile.ipp: definitions of runtime/profile.hpp.
#pragma once

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

#include <tenon/runtime/profile.hpp>

namespace tenon {

struct profile::state {
  size_t most_events = 0;
  mutable std::mutex mutex;
  std::vector<row> rows;
  std::vector<event> events;
  std::unordered_map<const run_step*, size_t> by_address;  ///< what was there before may be gone: compared again
  std::map<std::string, size_t> by_text;
  std::vector<std::thread::id> threads;
  u64 lost = 0;

  size_t row_of(const run_step& s) {
    const auto near = by_address.find(&s);
    if (near != by_address.end() && rows[near->second].step == s) return near->second;
    std::string key = std::to_string(static_cast<int>(s.kind)) + s.name;
    for (const std::string& source : s.sources) key += '\n' + source;
    const auto [it, fresh] = by_text.try_emplace(std::move(key), rows.size());
    if (fresh) rows.push_back({s, 0, 0, {}, false});
    by_address[&s] = it->second;
    return it->second;
  }
  int thread_number() {
    const auto it = std::find(threads.begin(), threads.end(), std::this_thread::get_id());
    if (it != threads.end()) return static_cast<int>(it - threads.begin());
    threads.push_back(std::this_thread::get_id());
    return static_cast<int>(threads.size()) - 1;
  }
};

profile::profile(size_t most_events) : state_(std::make_unique<state>()) { state_->most_events = most_events; }
profile::~profile() = default;

void profile::step_done(const run_step& step, i64 begin, i64 end, const work_total* work) noexcept {
  state& s = *state_;
  const std::lock_guard lock(s.mutex);
  try {
    const size_t n = s.row_of(step);
    row& r = s.rows[n];
    ++r.calls, r.nanoseconds += end - begin;
    if (work != nullptr) {
      r.has_work = true, r.work.exact = r.work.exact && work->exact;
      r.work.flops += work->flops;
      r.work.bytes_read += work->bytes_read, r.work.bytes_written += work->bytes_written;
    }
    if (s.events.size() < s.most_events) s.events.push_back({n, s.thread_number(), begin, end});
  } catch (...) { ++s.lost; }
}

void profile::clear() {
  const std::lock_guard lock(state_->mutex);
  state_->rows.clear(), state_->events.clear(), state_->by_address.clear(), state_->by_text.clear();
  state_->threads.clear(), state_->lost = 0;
}

std::vector<profile::row> profile::rows() const {
  const std::lock_guard lock(state_->mutex);
  return state_->rows;
}
std::vector<profile::event> profile::events() const {
  const std::lock_guard lock(state_->mutex);
  return state_->events;
}
u64 profile::lost() const {
  const std::lock_guard lock(state_->mutex);
  return state_->lost;
}

namespace detail {
inline void append_json_text(std::string& to, std::string_view s) {
  to += '"';
  for (const char c : s) {
    if (c == '"' || c == '\\') (to += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      to += code;
    } else to += c;
  }
  to += '"';
}
}  // namespace detail

std::string profile::trace() const {
  const std::lock_guard lock(state_->mutex);
  static constexpr const char* kinds[] = {"kernel", "copy", "host"};
  std::string out = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  i64 zero = 0;
  for (const event& e : state_->events) zero = &e == state_->events.data() ? e.begin : std::min(zero, e.begin);
  for (const event& e : state_->events) {
    const row& r = state_->rows[e.row];
    out += &e == state_->events.data() ? "\n" : ",\n";
    out += "{\"name\": ";
    detail::append_json_text(out, r.step.name);
    char numbers[160];
    std::snprintf(numbers, sizeof numbers,
                  ", \"cat\": \"%s\", \"ph\": \"X\", \"pid\": 1, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f",
                  kinds[static_cast<size_t>(r.step.kind)], e.thread, static_cast<double>(e.begin - zero) * 1e-3,
                  static_cast<double>(e.end - e.begin) * 1e-3);
    out += numbers;
    out += ", \"args\": {\"nodes\": [";
    for (size_t i = 0; i < r.step.sources.size(); ++i) {
      if (i != 0) out += ", ";
      detail::append_json_text(out, r.step.sources[i]);
    }
    out += ']';
    if (r.has_work && r.calls != 0) {
      const double n = static_cast<double>(r.calls);
      std::snprintf(numbers, sizeof numbers, ", \"flops\": %.0f, \"bytes_read\": %.0f, \"bytes_written\": %.0f",
                    r.work.flops / n, r.work.bytes_read / n, r.work.bytes_written / n);
      out += numbers;
    }
    out += "}}";
  }
  return out + "\n]}\n";
}

}  // namespace tenon
