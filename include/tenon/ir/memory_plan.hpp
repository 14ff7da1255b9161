/// @file memory_plan: how large the arenas of a module are and which buffers a run places, as plan_memory says in the
/// metadata.
///
///     arena_bytes = "8256"     run_time_buffers = "0:3:4*n;2:5:max(`a;b`,1);"
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// A buffer that is placed when the program runs: its life, as positions of ops, and an expression of its size.
struct run_time_buffer {
  i64 first = 0, last = 0;
  std::string bytes;
};

namespace plan_detail {

inline constexpr const char* buffers_key = "run_time_buffers";
inline std::string arena_key(std::string_view space) {
  return space.empty() ? "arena_bytes" : "arena_bytes." + std::string(space);
}

[[noreturn]] inline void fail(std::string_view key, std::string_view text) {
  throw error("ir.verify",
              "metadata '" + std::string(key) + "' is \"" + std::string(text) + "\", which plan_memory does not write",
              {}, "run plan_memory");
}
inline i64 number(std::string_view key, std::string_view text) {
  i64 n = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (problem != std::errc() || end != text.data() + text.size() || n < 0) fail(key, text);
  return n;
}

}  // namespace plan_detail

/// Of the main memory, or of another memory space; nothing where memory was not planned. Error: "ir.verify".
inline std::optional<i64> arena_bytes(const module& m, std::string_view space = {}) {
  const auto it = m.metadata.find(plan_detail::arena_key(space));
  return it == m.metadata.end() ? std::nullopt : std::optional(plan_detail::number(it->first, it->second));
}
inline void set_arena_bytes(module& m, i64 bytes, std::string_view space = {}) {
  m.metadata[plan_detail::arena_key(space)] = std::to_string(bytes);
}

/// Buffer k is that of offset -2 - k. Names of extents stand between backticks where they hold such characters as part
/// buffers here. Error: "ir.verify".
inline std::vector<run_time_buffer> run_time_buffers(const module& m) {
  std::vector<run_time_buffer> all;
  const auto it = m.metadata.find(plan_detail::buffers_key);
  if (it == m.metadata.end()) return all;
  const std::string_view text = it->second;
  bool quoted = false;
  for (size_t begin = 0, k = 0; k < text.size(); ++k) {
    quoted = quoted != (text[k] == '`');
    if (text[k] != ';' || quoted) {
      if (k + 1 == text.size()) plan_detail::fail(it->first, text);
      continue;
    }
    const std::string_view one = text.substr(begin, k - begin);
    const size_t first = one.find(':'), last = first == one.npos ? first : one.find(':', first + 1);
    if (last == one.npos) plan_detail::fail(it->first, text);
    all.push_back({plan_detail::number(it->first, one.substr(0, first)),
                   plan_detail::number(it->first, one.substr(first + 1, last - first - 1)),
                   std::string(one.substr(last + 1))});
    begin = k + 1;
  }
  return all;
}
inline void set_run_time_buffers(module& m, const std::vector<run_time_buffer>& all) {
  if (all.empty()) return void(m.metadata.erase(plan_detail::buffers_key));
  std::string& text = m.metadata[plan_detail::buffers_key];
  text.clear();
  for (const run_time_buffer& b : all)
    text += std::to_string(b.first) + ":" + std::to_string(b.last) + ":" + b.bytes + ";";
}

}  // namespace tenon::ir
