/// @file options.ipp: definitions of ir/options.hpp.
#pragma once

#include <algorithm>
#include <charconv>

#include <tenon/core/error.hpp>
#include <tenon/core/nearest.hpp>
#include <tenon/ir/options.hpp>

namespace tenon::ir {

/// What an option takes, and its value, as text; an option is a bool, an integer, a number, text or an enumeration.
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
  const option_owner& owner;
  const option_value& said;

  void operator()(bool& v) {
    if (said.value == "true" || said.value == "1") v = true;
    else if (said.value == "false" || said.value == "0") v = false;
    else fail("true or false");
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
    throw error(std::string(owner.kind) + ".value", subject() + " cannot be '" + said.value + "'", {},
                nearest(said.value, known));
  }

 private:
  template <class N>
  void number(N& v, const char* kind) {
    N read{};
    const char *first = said.value.data(), *last = first + said.value.size();
    const auto r = std::from_chars(first, last, read);
    if (r.ec != std::errc() || r.ptr != last) fail(kind);
    v = read;
  }
  [[noreturn]] void fail(const char* kind) const {
    throw error(std::string(owner.kind) + ".value", subject() + " is " + kind + ", and '" + said.value + "' was given");
  }
  std::string subject() const {
    return "option '" + said.name + "' of " + std::string(owner.kind) + " '" + std::string(owner.name) + "'";
  }
};

/// What an option may hold: what `option_reader` and `option_writer` know.
constexpr bool is_option(attribute_kind kind) {
  using enum attribute_kind;
  return kind == boolean || kind == integer || kind == real || kind == text || kind == enumeration;
}

std::vector<option_info> list_options(std::span<const attribute> list, const void* of) {
  std::vector<option_info> found;
  for (const attribute& a : list) {
    if (!is_option(a.kind)) continue;
    a.visit(of, option_reader{found.emplace_back(option_info{std::string(a.name), {}, {}})});
  }
  return found;
}

std::vector<option_value> read_options(std::span<const attribute> list, const void* of, const void* initial) {
  const std::vector<option_info> now = list_options(list, of), before = list_options(list, initial);
  std::vector<option_value> r;
  for (size_t i = 0; i < now.size(); ++i)
    if (now[i].initial != before[i].initial) r.push_back({now[i].name, now[i].initial});
  return r;
}

void write_options(std::span<const attribute> list, void* to, std::span<const option_value> given,
                   const option_owner& owner) {
  for (const option_value& o : given) {
    const auto it = std::find_if(list.begin(), list.end(),
                                 [&](const attribute& a) { return a.name == o.name && is_option(a.kind); });
    if (it != list.end()) {
      it->visit(to, option_writer{owner, o});
      continue;
    }
    std::vector<std::string> known;
    for (const option_info& i : list_options(list, to)) known.push_back(i.name);
    throw error(std::string(owner.kind) + ".option",
                std::string(owner.kind) + " '" + std::string(owner.name) + "' has no option '" + o.name + "'", {},
                known.empty() ? "it has none" : nearest(o.name, known));
  }
}

}  // namespace tenon::ir
