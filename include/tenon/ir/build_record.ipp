/// @file build_record.ipp: definitions of ir/build_record.hpp.
#pragma once

#include <algorithm>
#include <charconv>

#include <tenon/core/error.hpp>
#include <tenon/ir/build_record.hpp>

namespace tenon::ir {
namespace detail {

inline constexpr std::string_view arena_key = "arena_bytes", buffers_key = "run_time_buffers", target_key = "target",
                                  bound_key = "bound_values", flags_key = "flags", options_key = "pass_options";

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
  std::vector<flag_setting> flags() const {
    std::vector<flag_setting> all;
    for (size_t at = 0; at <= text.size();) {
      const size_t end = std::min(text.find(", ", at), text.size());
      const std::string_view one = text.substr(at, end - at);
      const size_t equals = one.rfind('=');
      const std::string_view value = equals == one.npos ? std::string_view() : one.substr(equals + 1);
      if (equals == 0 || one.find(',') != one.npos || (value != "on" && value != "off"))
        fail("write NAME=on or NAME=off for each flag");
      all.push_back({std::string(one.substr(0, equals)), value == "on"});
      at = end + 2;
    }
    return all;
  }
  std::vector<pass_setting> passes() const {
    static constexpr const char* form = "write PASS{NAME=VALUE, ...} for each pass, with '; ' between them";
    std::vector<pass_setting> all;
    const auto follows = [&](size_t at, std::string_view what) { return text.substr(at, what.size()) == what; };
    for (size_t at = 0;; at += 2) {
      const size_t open = std::min(text.find('{', at), text.size());
      pass_setting p{std::string(text.substr(at, open - at)), {}};
      if (p.pass.empty() || open == text.size()) fail(form);
      for (at = open + 1;; at += 2) {
        const size_t equals = text.find('=', at);
        if (equals == text.npos || equals == at) fail(form);
        named_option o{std::string(text.substr(at, equals - at)), {}};
        at = equals + 1;
        if (follows(at, "\"")) {
          std::optional<std::string> quoted = quoted_option(text, at);
          if (!quoted) fail(form);
          o.value = *std::move(quoted);
        } else {
          const size_t end = std::min(text.find_first_of(",}", at), text.size());
          o.value = text.substr(at, end - at), at = end;
        }
        p.options.push_back(std::move(o));
        if (!follows(at, ", ")) break;
      }
      if (!follows(at, "}")) fail(form);
      all.push_back(std::move(p));
      if (++at == text.size()) return all;
      if (!follows(at, "; ")) fail(form);
    }
  }
};

}  // namespace detail

std::map<std::string, std::string> build_record::entries() const {
  std::map<std::string, std::string> all;
  if (!target.empty()) all.emplace(detail::target_key, target);
  if (values_are_bound) all.emplace(detail::bound_key, "inputs");
  for (const auto& [space, bytes] : memory.arenas)
    all.emplace(std::string(detail::arena_key) + (space.empty() ? "" : "." + space), std::to_string(bytes));
  if (!settings.flags.empty()) {
    std::string& text = all[std::string(detail::flags_key)];
    for (const flag_setting& f : settings.flags) text += (text.empty() ? "" : ", ") + f.name + (f.on ? "=on" : "=off");
  }
  if (!settings.passes.empty()) {
    std::string& text = all[std::string(detail::options_key)];
    for (const pass_setting& p : settings.passes) {
      text += (text.empty() ? "" : "; ") + p.pass;
      for (size_t i = 0; i < p.options.size(); ++i)
        text += (i == 0 ? "{" : ", ") + p.options[i].name + "=" + option_text(p.options[i].value);
      text += '}';
    }
  }
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
  } else if (key == detail::flags_key) settings.flags = one.flags();
  else if (key == detail::options_key) settings.passes = one.passes();
  else if (key == detail::buffers_key) memory.buffers = one.buffers();
  else if (key == detail::arena_key) memory.arenas.insert_or_assign(std::string(), one.bytes(text));
  else if (key.starts_with(detail::arena_key) && key[detail::arena_key.size()] == '.')
    memory.arenas.insert_or_assign(std::string(key.substr(detail::arena_key.size() + 1)), one.bytes(text));
  else return false;
  return true;
}

}  // namespace tenon::ir
