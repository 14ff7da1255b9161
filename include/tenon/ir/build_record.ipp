/// @file build_record.ipp: definitions of ir/build_record.hpp.
#pragma once

#include <charconv>

#include <tenon/core/error.hpp>
#include <tenon/ir/build_record.hpp>

namespace tenon::ir {
namespace detail {

inline constexpr std::string_view arena_key = "arena_bytes", buffers_key = "run_time_buffers", target_key = "target",
                                  bound_key = "bound_values";

/// One entry that is read.
struct record_entry {
  std::string_view key, text;

  [[noreturn]] void fail(std::string hint) const {
    throw error("ir.record", "'" + std::string(key) + "' cannot be \"" + std::string(text) + "\"", {}, std::move(hint));
  }
  i64 bytes(std::string_view digits) const {
    i64 n = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (problem != std::errc() || end != digits.data() + digits.size() || n < 0)
      fail("write what plan_memory writes: a number of bytes");
    return n;
  }
  std::vector<run_time_buffer> buffers() const {
    static constexpr const char* form = "write what plan_memory writes: FIRST:LAST:BYTES; for each buffer";
    std::vector<run_time_buffer> all;
    bool quoted = false;
    size_t begin = 0;
    for (size_t k = 0; k < text.size(); ++k) {
      quoted = quoted != (text[k] == '`');
      if (text[k] != ';' || quoted) continue;
      const std::string_view one = text.substr(begin, k - begin);
      const size_t first = one.find(':'), last = first == one.npos ? first : one.find(':', first + 1);
      if (last == one.npos) fail(form);
      all.push_back({bytes(one.substr(0, first)), bytes(one.substr(first + 1, last - first - 1)),
                     std::string(one.substr(last + 1))});
      begin = k + 1;
    }
    if (begin != text.size()) fail(form);
    return all;
  }
};

}  // namespace detail

std::map<std::string, std::string> build_record::entries() const {
  std::map<std::string, std::string> all;
  if (!target.empty()) all.emplace(detail::target_key, target);
  if (values_are_bound) all.emplace(detail::bound_key, "inputs");
  for (const auto& [space, bytes] : memory.arenas)
    all.emplace(std::string(detail::arena_key) + (space.empty() ? "" : "." + space), std::to_string(bytes));
  if (!memory.buffers.empty()) {
    std::string& text = all[std::string(detail::buffers_key)];
    for (const run_time_buffer& b : memory.buffers)
      text += std::to_string(b.first) + ":" + std::to_string(b.last) + ":" + b.bytes + ";";
  }
  return all;
}

bool build_record::take(std::string_view key, std::string_view text) {
  const detail::record_entry one{key, text};
  if (key == detail::target_key) target = text;
  else if (key == detail::bound_key) {
    if (text != "inputs") one.fail("write \"inputs\", or leave it out");
    values_are_bound = true;
  } else if (key == detail::buffers_key) memory.buffers = one.buffers();
  else if (key == detail::arena_key) memory.arenas.insert_or_assign(std::string(), one.bytes(text));
  else if (key.starts_with(detail::arena_key) && key[detail::arena_key.size()] == '.')
    memory.arenas.insert_or_assign(std::string(key.substr(detail::arena_key.size() + 1)), one.bytes(text));
  else return false;
  return true;
}

}  // namespace tenon::ir
