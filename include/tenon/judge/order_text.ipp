/// @file order_text.ipp: definitions of judge/order_text.hpp.
#pragma once

#include <algorithm>

#include <tenon/core/error.hpp>
#include <tenon/judge/order_text.hpp>

namespace tenon {
namespace detail {

class order_parser {
 public:
  order_parser(std::string_view text, std::span<const std::string_view> known) : text_(text), known_(known) {}

  std::vector<pass_text> all() {
    std::vector<pass_text> r = items(0);
    if (at_ != text_.size()) fail("there is no '(' that this one closes");
    return r;
  }

 private:
  static constexpr int most_depth = 16;
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static bool ends_name(char c) { return is_blank(c) || c == ',' || c == '{' || c == '}'; }

  void blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::vector<pass_text> items(int depth) {
    if (depth > most_depth) fail("passes are nested more than 16 deep");
    std::vector<pass_text> r;
    for (;;) {
      while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == ',')) ++at_;
      if (at_ == text_.size() || text_[at_] == ')') return r;
      r.push_back(item(depth));
    }
  }
  pass_text item(int depth) {
    pass_text p;
    p.position = at_ + 1;
    size_t end = at_;
    while (end < text_.size() && !ends_name(text_[end])) ++end;
    const bool known = std::find(known_.begin(), known_.end(), text_.substr(at_, end - at_)) != known_.end();
    if (!known)
      for (end = at_; end < text_.size() && !ends_name(text_[end]) && text_[end] != '(' && text_[end] != ')';) ++end;
    p.name = text_.substr(at_, end - at_);
    at_ = end;
    if (p.name.empty()) fail("expected the name of a pass");
    options(p);
    if (known || !take('(')) return p;
    if (p.name != "repeat") fail("only 'repeat' takes passes, and not '" + p.name + "'");
    p.members = items(depth + 1);
    if (!take(')')) fail("expected ')'");
    if (p.members.empty()) fail("'repeat' has no pass: name those that it repeats");
    return p;
  }
  void options(pass_text& p) {
    const size_t before = at_;
    if (!take('{')) return void(at_ = before);
    if (take('}')) return;
    do {
      named_option o;
      blanks();
      const size_t begin = at_;
      while (at_ < text_.size() && !ends_name(text_[at_]) && text_[at_] != '=') ++at_;
      o.name = text_.substr(begin, at_ - begin);
      if (o.name.empty()) fail("expected the name of an option of '" + p.name + "'");
      if (!take('=')) fail("expected '=' after option '" + o.name + "'");
      o.value = value();
      p.options.push_back(std::move(o));
    } while (take(','));
    if (!take('}')) fail("expected ',' or '}' after the options of '" + p.name + "'");
  }
  std::string value() {
    blanks();
    if (at_ < text_.size() && text_[at_] == '"') {
      if (std::optional<std::string> v = ir::quoted_option(text_, at_)) return *std::move(v);
      fail("expected a closing quote");
    }
    std::string v;
    while (at_ < text_.size() && !ends_name(text_[at_])) v += text_[at_++];
    return v;
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw usage_error("pass.syntax", "'" + std::string(text_) + "', at " + std::to_string(at_ + 1) + ": " + message, {},
                      "passes are written as in: infer_shapes, repeat(simplify, eliminate_dead), fuse{max_ops=8}");
  }

  std::string_view text_;
  std::span<const std::string_view> known_;
  size_t at_ = 0;
};

}  // namespace detail

std::vector<pass_text> parse_passes(std::string_view text, std::span<const std::string_view> known) {
  return detail::order_parser(text, known).all();
}

std::string to_text(const pass_text& p) {
  std::string s = p.name;
  for (size_t i = 0; i < p.options.size(); ++i)
    s += (i ? ", " : "{") + p.options[i].name + "=" + ir::option_text(p.options[i].value);
  if (!p.options.empty()) s += '}';
  for (size_t i = 0; i < p.members.size(); ++i) s += (i ? ", " : "(") + to_text(p.members[i]);
  return p.members.empty() ? s : s + ')';
}

}  // namespace tenon
