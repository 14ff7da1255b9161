/// @file options.ipp: definitions of ir/options.hpp.
#pragma once

#include <algorithm>
#include <charconv>

#include <tenon/core/error.hpp>
#include <tenon/core/nearest.hpp>
#include <tenon/ir/options.hpp>

namespace tenon::ir {
namespace detail {

/// What an option takes, and its value, as text.
struct option_reader {
  option_info& to;

  void operator()(const bool& v) { to.kind = "true or false", to.initial = v ? "true" : "false"; }
  void operator()(const i64& v) { to.kind = "integer", to.initial = std::to_string(v); }
  void operator()(const double& v) {
    char text[40];
    to.kind = "number", to.initial.assign(text, std::to_chars(text, text + sizeof text, v).ptr);
  }
  void operator()(const std::string& v) { to.kind = "text", to.initial = v; }
  void operator()(const enumeration& v) {
    for (std::string_view name : v.names) to.kind += (to.kind.empty() ? "" : " or ") + std::string(name);
    to.initial = v.names[static_cast<size_t>(v.value)];
  }
};

/// Gives an option the value that a text says.
struct option_writer {
  std::string_view kind, name;
  const named_option& said;

  void operator()(bool& v) {
    if (said.value == "true" || said.value == "1") v = true;
    else if (said.value == "false" || said.value == "0") v = false;
    else fail("is true or false, and '" + said.value + "' was given");
  }
  void operator()(i64& v) { number(v, "an integer"); }
  void operator()(double& v) { number(v, "a number"); }
  void operator()(std::string& v) { v = said.value; }
  void operator()(enumeration& v) {
    std::vector<std::string> known;
    for (size_t i = 0; i < v.names.size(); ++i) {
      if (v.names[i] == said.value) return void(v.value = static_cast<int>(i));
      known.emplace_back(v.names[i]);
    }
    fail("cannot be '" + said.value + "'", nearest(said.value, known));
  }

 private:
  template <class N>
  void number(N& v, const char* what) {
    N read{};
    const char *first = said.value.data(), *last = first + said.value.size();
    const auto r = std::from_chars(first, last, read);
    if (r.ec != std::errc() || r.ptr != last) fail("is " + std::string(what) + ", and '" + said.value + "' was given");
    v = read;
  }
  [[noreturn]] void fail(const std::string& why, std::string hint = {}) const {
    throw usage_error(std::string(kind) + ".value",
                      "option '" + said.name + "' of " + std::string(kind) + " '" + std::string(name) + "' " + why, {},
                      std::move(hint));
  }
};

/// What an option may hold: what `option_reader` and `option_writer` know.
constexpr bool is_option(attribute_kind kind) {
  using enum attribute_kind;
  return kind == boolean || kind == integer || kind == real || kind == text || kind == enumeration;
}
}  // namespace detail

std::vector<option_info> list_options(std::span<const attribute> list, const void* of) {
  std::vector<option_info> found;
  for (const attribute& a : list) {
    if (!detail::is_option(a.kind)) continue;
    a.visit(of, detail::option_reader{found.emplace_back(option_info{std::string(a.name), {}, {}})});
  }
  return found;
}

std::vector<named_option> read_options(std::span<const attribute> list, const void* of, const void* initial) {
  const std::vector<option_info> now = list_options(list, of), before = list_options(list, initial);
  std::vector<named_option> r;
  for (size_t i = 0; i < now.size(); ++i)
    if (now[i].initial != before[i].initial) r.push_back({now[i].name, now[i].initial});
  return r;
}

void write_options(std::span<const attribute> list, void* of, std::span<const named_option> said, std::string_view kind,
                   std::string_view name) {
  for (const named_option& o : said) {
    const auto it = std::find_if(list.begin(), list.end(),
                                 [&](const attribute& a) { return a.name == o.name && detail::is_option(a.kind); });
    if (it != list.end()) {
      it->visit(of, detail::option_writer{kind, name, o});
      continue;
    }
    std::vector<std::string> known;
    for (const option_info& i : list_options(list, of)) known.push_back(i.name);
    throw usage_error(std::string(kind) + ".option",
                      std::string(kind) + " '" + std::string(name) + "' has no option '" + o.name + "'", {},
                      known.empty() ? "it has none" : nearest(o.name, known));
  }
}

std::string option_text(const std::string& value) {
  if (value.find_first_of(",(){}\"\\= ") == value.npos && !value.empty()) return value;
  std::string s = "\"";
  for (char c : value) {
    if (c == '"' || c == '\\') s += '\\';
    s += c;
  }
  return s + '"';
}

std::optional<std::string> quoted_option(std::string_view text, size_t& at) {
  std::string v;
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    v += text[at];
  }
  if (at == text.size()) return std::nullopt;
  ++at;
  return v;
}

}  // namespace tenon::ir
