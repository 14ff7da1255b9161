/// @file target_spec.ipp: definitions of targets/spec.hpp.
#pragma once

#include <algorithm>
#include <charconv>
#include <mutex>

#include <tenon/compile/context.hpp>
#include <tenon/core/nearest.hpp>
#include <tenon/ir/options.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {
namespace detail {

/// May stand in the name of a target, of a member and of an option.
inline bool is_target_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == '+';
}

bool is_target_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_target_word(c); });
}

void set_option(target_spec& s, target_option o) {
  for (target_option& old : s.options)
    if (old.name == o.name) return void(old.value = std::move(o.value));
  s.options.push_back(std::move(o));
}

void resolve_tag(target_spec& s) {
  if (!s.members.empty()) return;
  for (const target_tag& t : target_tags()) {
    if (t.name != s.name) continue;
    target_spec meant = parse_target(t.target);
    meant.label = std::move(s.label);
    for (target_option& o : s.options) set_option(meant, std::move(o));
    s = std::move(meant);
    return;
  }
}

/// Reads `[label@]name[(member,…)][:option=value,…]`.
class target_parser {
 public:
  explicit target_parser(std::string_view text) : text_(text) {}

  target_spec all() {
    target_spec s = target(0);
    if (at_ != text_.size()) fail("expected the end");
    return s;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string word(const char* what) {
    blanks();
    const size_t start = at_;
    while (at_ < text_.size() && is_target_word(text_[at_])) ++at_;
    if (at_ == start) fail(std::string("expected ") + what);
    return std::string(text_.substr(start, at_ - start));
  }
  std::string value() {
    blanks();
    if (at_ < text_.size() && text_[at_] == '"') {
      if (std::optional<std::string> v = ir::quoted_option(text_, at_)) return *std::move(v);
      fail("expected a closing quote");
    }
    std::string v;
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')' && text_[at_] != '(' && text_[at_] != '"')
      v += text_[at_++];
    while (!v.empty() && v.back() == ' ') v.pop_back();
    return v;
  }
  /// After a comma: another option of the same target, not the next member of a composite?
  bool option_follows() {
    const size_t start = at_;
    blanks();
    while (at_ < text_.size() && is_target_word(text_[at_])) ++at_;
    blanks();
    const bool yes = at_ < text_.size() && text_[at_] == '=';
    at_ = start;
    return yes;
  }
  target_spec target(int depth) {
    if (depth > target_spec::max_depth) fail("composites are nested too deep");
    target_spec s;
    s.name = word("the name of a target");
    if (take('@')) s.label = s.name, s.name = word("the name of a target after '@'");
    if (take('(')) {
      do s.members.push_back(target(depth + 1));
      while (take(','));
      if (!take(')')) fail("expected ',' or ')'");
    }
    resolve_tag(s);
    if (!take(':')) return s;
    for (bool more = true; more;) {
      target_option o;
      o.name = word("the name of an option");
      if (!take('=')) fail("expected '=' after option '" + o.name + "'");
      o.value = value();
      set_option(s, std::move(o));
      const size_t before = at_;
      more = take(',') && option_follows();
      if (!more) at_ = before;
    }
    return s;
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw usage_error("target.syntax", "'" + std::string(text_) + "', at " + std::to_string(at_ + 1) + ": " + message,
                      {}, "a target is written as in cpu:arch=znver4,threads=2");
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace detail

namespace detail {
/// Why a module that was begun for one target cannot go on for the other; empty if it can, and then `joined` is both.
inline std::string quarrel(const target_spec& begun, const target_spec& asked, target_spec& joined) {
  if (begun.name != asked.name) return "'" + asked.name + "' is another target than '" + begun.name + "'";
  joined = begun;
  for (const target_option& o : asked.options) {
    bool said = false;
    for (const target_option& b : begun.options) {
      if (b.name != o.name) continue;
      said = true;
      if (b.value != o.value) return "option '" + o.name + "' was " + b.value + ", and is to be " + o.value;
    }
    if (!said) joined.options.push_back(o);
  }
  if (asked.members.empty()) return {};
  if (asked.members.size() != begun.members.size()) return "the members are others";
  for (size_t i = 0; i < asked.members.size(); ++i) {
    if (asked.members[i].label != begun.members[i].label) return "the members have other names";
    if (std::string why = quarrel(begun.members[i], asked.members[i], joined.members[i]); !why.empty()) return why;
  }
  return {};
}

void agree(const std::string& begun, const target_spec& target, context& cx,
           void (*configure)(const target_spec&, context&)) {
  const target_spec asked = cx.target.value_or(target);
  if (begun == to_text(asked)) return;
  target_spec joined = agreed_target(parse_target(begun), asked);
  if (joined == asked) return;
  configure(joined, cx);
  cx.target = std::move(joined);
}
}  // namespace detail

target_spec agreed_target(const target_spec& begun, const target_spec& asked) {
  target_spec joined;
  if (const std::string why = detail::quarrel(begun, asked, joined); !why.empty())
    throw error("build.target",
                "the module was begun for '" + to_text(begun) + "', and '" + to_text(asked) + "' is asked: " + why, {},
                "go on for what it was begun for, or begin again for the other");
  return joined;
}

int threads_of(const target_spec& spec) {
  for (const target_option& o : spec.options)
    if (int n = 0; o.name == "threads" &&
                   std::from_chars(o.value.data(), o.value.data() + o.value.size(), n).ec == std::errc() && n > 0)
      return n;
  return spec.members.empty() ? 0 : threads_of(spec.members.front());
}

std::string nearest_target(std::string_view name, const std::vector<std::string>& targets) {
  std::vector<std::string> all = targets;
  for (const target_tag& t : target_tags()) all.emplace_back(t.name);
  const std::string near = nearest(name, all);
  return near.starts_with("did you mean") ? near : nearest(name, targets);
}

namespace detail {
struct tag_list {
  std::mutex mutex;
  std::vector<target_tag> tags{
      {"x86-64", "cpu:arch=x86-64", "any x86-64 processor: SSE2"},
      {"x86-64-v2", "cpu:arch=x86-64-v2", "SSE4.2"},
      {"x86-64-v3", "cpu:arch=x86-64-v3", "AVX2 and FMA"},
      {"x86-64-v4", "cpu:arch=x86-64-v4", "AVX-512"},
      {"haswell", "cpu:arch=haswell", "Intel Core of the 4th generation, Xeon v3"},
      {"skylake", "cpu:arch=skylake", "Intel Core of the 6th generation"},
      {"skylake-server", "cpu:arch=skylake-avx512", "Intel Xeon Scalable"},
      {"sapphire-rapids", "cpu:arch=sapphirerapids", "Intel Xeon Scalable of the 4th generation"},
      {"zen2", "cpu:arch=znver2", "AMD Ryzen 3000, EPYC 7002"},
      {"zen3", "cpu:arch=znver3", "AMD Ryzen 5000, EPYC 7003"},
      {"zen4", "cpu:arch=znver4", "AMD Ryzen 7000, EPYC 9004"},
      {"aarch64", "cpu:triple=aarch64-linux-gnu", "any 64-bit Arm processor with Linux: NEON"},
      {"cortex-a72", "cpu:triple=aarch64-linux-gnu,arch=cortex-a72", "Raspberry Pi 4 with Linux"},
      {"neoverse-n1", "cpu:triple=aarch64-linux-gnu,arch=neoverse-n1", "AWS Graviton2, Ampere Altra with Linux"},
      {"riscv64", "cpu:triple=riscv64-linux-gnu", "any RV64GC processor with Linux, without vectors"},
      {"gpu", "opencl", "the first GPU that OpenCL finds, or what else it serves"},
  };
};
inline bool names_target(const target_spec& s, std::string_view name) {
  return s.name == name ||
         std::any_of(s.members.begin(), s.members.end(), [&](const target_spec& m) { return names_target(m, name); });
}
inline tag_list& tags() {
  static tag_list list;
  return list;
}
}  // namespace detail

std::vector<target_tag> target_tags() {
  detail::tag_list& list = detail::tags();
  const std::lock_guard lock(list.mutex);
  return list.tags;
}

void register_target_tag(target_tag tag) {
  if (!detail::is_target_word(tag.name))
    throw usage_error("target.syntax", "'" + tag.name + "' cannot be the name of a tag", {},
                      "a tag is named by letters, digits, '_', '-', '.' and '+'");
  const target_spec meant = parse_target(tag.target);
  if (detail::names_target(meant, tag.name))
    throw usage_error("target.syntax", "tag '" + tag.name + "' would stand for itself, by '" + tag.target + "'", {},
                      "let it stand for a target");
  tag.target = to_text(meant);  // so that no tag stands for another one, and none for itself
  detail::tag_list& list = detail::tags();
  const std::lock_guard lock(list.mutex);
  for (target_tag& t : list.tags)
    if (t.name == tag.name) return void(t = std::move(tag));
  list.tags.push_back(std::move(tag));
}

std::string to_text(const target_spec& spec) {
  std::string s = spec.label.empty() ? spec.name : spec.label + "@" + spec.name;
  if (!spec.members.empty()) {
    s += '(';
    for (size_t i = 0; i < spec.members.size(); ++i) s += (i ? "," : "") + to_text(spec.members[i]);
    s += ')';
  }
  for (size_t i = 0; i < spec.options.size(); ++i) {
    s += (i ? ',' : ':') + spec.options[i].name + "=" + ir::option_text(spec.options[i].value);
  }
  return s;
}

target_spec parse_target(std::string_view text) { return detail::target_parser(text).all(); }

}  // namespace tenon
