/// @file scanner: a place in a text: what stands there, and errors that say where.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include <tenon/core/error.hpp>
#include <tenon/text/spelling.hpp>

namespace tenon::texting {

/// For messages: bytes that are no text (control characters, broken UTF-8) are question marks, so that a binary file
/// which was taken for a module does not write to the terminal as it likes.
inline std::string printable(std::string_view bytes) {
  std::string s(bytes);
  for (size_t i = 0; i < s.size();) {
    const auto c = static_cast<unsigned char>(s[i]);
    size_t length = c < 0x80                ? 1
                    : c >= 0xc2 && c < 0xe0 ? 2
                    : c >= 0xe0 && c < 0xf0 ? 3
                    : c >= 0xf0 && c < 0xf5 ? 4
                                            : 0;
    for (size_t k = 1; k < length; ++k)
      if (i + k >= s.size() || (static_cast<unsigned char>(s[i + k]) & 0xc0) != 0x80) length = 0;
    if (length == 0 || (c < 0x20 && c != '\t') || c == 0x7f) s[i] = '?', length = 1;
    i += length;
  }
  return s;
}

/// What a hexadecimal digit stands for; -1 for other characters.
inline constexpr auto hex_values = [] {
  std::array<signed char, 256> values{};
  values.fill(-1);
  for (signed char v = 0; v < 16; ++v) values["0123456789abcdef"[v]] = values["0123456789ABCDEF"[v]] = v;
  return values;
}();

class scanner {
 public:
  scanner(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  size_t position() const { return at_; }
  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
      } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else {
        return;
      }
    }
  }
  bool at_end() { return skip_space(), at_ == text_.size(); }
  /// The next character, without space skipped; 0 at the end.
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char peek() { return skip_space(), next(); }
  /// Takes `what` if it stands here: a word only when no longer word does.
  bool take(std::string_view what) {
    skip_space();
    if (next() != what[0] || !text_.substr(at_).starts_with(what)) return false;  // mostly the first says no
    const size_t end = at_ + what.size();
    if (is_name_part(what.back()) && end < text_.size() && is_name_part(text_[end])) return false;
    at_ = end;
    return true;
  }
  /// As `take`, but no space may stand before it.
  bool take_here(std::string_view what) {
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }
  void expect(std::string_view what) {
    if (!take(what)) fail_expected("'" + std::string(what) + "'");
  }
  bool name_here(std::string_view& out) {
    if (at_ == text_.size() || !is_name_start(text_[at_])) return false;
    const size_t start = at_;
    while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    out = text_.substr(start, at_ - start);
    return true;
  }
  /// A symbol of a shape, where `x` separates.
  bool symbol_here(std::string_view& out) {
    const size_t start = at_;
    while (at_ < text_.size() && is_name_part(text_[at_]) && text_[at_] != 'x' && text_[at_] != '.') ++at_;
    out = text_.substr(start, at_ - start);
    return !out.empty();
  }
  /// Takes a run of letters, digits, `_` and `.`; may be empty.
  std::string_view name_parts_here() {
    const size_t start = at_;
    while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  std::string_view word(const char* what) {
    std::string_view s;
    skip_space();
    if (!name_here(s)) fail_expected(what);
    return s;
  }
  std::string string() {
    skip_space();
    const size_t start = at_;
    if (next() != '"') fail_expected("a string in double quotes");
    std::string s;
    for (++at_;; ++at_) {
      if (at_ >= text_.size() || text_[at_] == '\n') fail_at(start, "text.syntax", "the string has no closing quote");
      char c = text_[at_];
      if (c == '"') break;
      if (c == '\\') {
        c = ++at_ < text_.size() ? text_[at_] : '\0';
        if (c == 'n') c = '\n';
        else if (c == 't') c = '\t';
        else if (c == 'x') c = hex_byte(at_ + 1), at_ += 2;
        else if (c != '"' && c != '\\') fail_at(at_ - 1, "text.syntax", "expected one of \\\" \\\\ \\n \\t \\x00");
      }
      s += c;
    }
    ++at_;
    return s;
  }
  std::string name_or_string(const char* what) { return peek() == '"' ? string() : std::string(word(what)); }
  /// Does an integer stand here, and no other number?
  bool is_integer() {
    skip_space();
    return is_integer_at(at_);
  }
  void go_to(size_t position) { at_ = position; }
  /// What stands here up to the next `end`, with it; empty if none stands among the next `most` characters.
  std::string_view ahead_to(char end, size_t most) const {
    const std::string_view ahead = text_.substr(at_, most);
    return ahead.substr(0, ahead.find(end) + 1);  // npos + 1 is 0
  }
  template <class I>
  I integer() {
    skip_space();
    I v{};
    const auto [end, problem] = std::from_chars(here(), last(), v);
    if (problem == std::errc::result_out_of_range) fail_at(at_, "text.number", "the number is out of range");
    if (problem != std::errc{}) fail_expected("an integer");
    at_ += static_cast<size_t>(end - here());
    return v;
  }
  template <class F>
  F real() {
    skip_space();
    constexpr bool small = is_small_float_v<F>;
    if (text_.substr(at_).starts_with("0x")) {
      using bits = std::conditional_t<sizeof(F) == 1, u8,
                                      std::conditional_t<small, u16, std::conditional_t<sizeof(F) == 8, u64, u32>>>;
      at_ += 2;
      bits b{};
      const auto [end, problem] = std::from_chars(here(), last(), b, 16);
      if (problem != std::errc{}) fail_at(at_, "text.number", "expected the bits of the number in hexadecimal");
      at_ += static_cast<size_t>(end - here());
      return std::bit_cast<F>(b);
    }
    using wide = std::conditional_t<small, float, F>;
    wide v{};
    const auto [end, problem] = std::from_chars(here(), last(), v);
    if (problem == std::errc::result_out_of_range) fail_at(at_, "text.number", "the number is out of range");
    if (problem != std::errc{}) fail_expected("a number");
    at_ += static_cast<size_t>(end - here());
    return F(v);
  }
  /// The bytes of a string of hexadecimal digits.
  std::string hex_string() {
    skip_space();
    const size_t start = at_;
    if (next() != '"') fail_expected("a string of hexadecimal digits");
    const size_t close = text_.find('"', at_ + 1);
    if (close == text_.npos || (close - at_) % 2 != 1)
      fail_at(start, "text.syntax", "expected an even number of hexadecimal digits in quotes");
    std::string bytes((close - at_) / 2, '\0');
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = hex_byte(at_ + 1 + 2 * i);
    at_ = close + 1;
    return bytes;
  }

  std::string where(size_t position) const {
    size_t line = 1, start = 0;
    for (size_t i = 0; i < position && i < text_.size(); ++i)
      if (text_[i] == '\n') ++line, start = i + 1;
    return std::string(file_) + ":" + std::to_string(line) + ":" + std::to_string(position - start + 1);
  }
  [[noreturn]] void fail_at(size_t position, const char* code, const std::string& message,
                            std::string hint = {}) const {
    const size_t p = std::min(position, text_.size());
    const size_t start = p == 0 ? 0 : text_.rfind('\n', p - 1) + 1;  // npos + 1 is 0
    std::string line(text_.substr(start, std::min(text_.find('\n', p), text_.size()) - start));
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.size() > 120) line = line.substr(0, 117) + "...";
    throw error(code, message + (line.empty() ? "" : " in \"" + printable(line) + "\""), where(p), std::move(hint));
  }
  [[noreturn]] void fail_expected(const std::string& what) {
    skip_space();
    std::string found = "the end of the text";
    if (at_ < text_.size()) {
      size_t end = at_ + 1;
      if (is_name_part(text_[at_]))
        while (end < text_.size() && end - at_ < 40 && is_name_part(text_[end])) ++end;
      found = "'" + printable(text_.substr(at_, end - at_)) + "'";
    }
    fail_at(at_, "text.syntax", "expected " + what + ", found " + found);
  }

 private:
  const char* here() const { return text_.data() + at_; }
  const char* last() const { return text_.data() + text_.size(); }
  bool is_integer_at(size_t i) const {
    if (i < text_.size() && text_[i] == '-') ++i;
    const size_t start = i;
    while (i < text_.size() && text_[i] >= '0' && text_[i] <= '9') ++i;
    return i != start && (i == text_.size() || !is_name_part(text_[i]));
  }
  char hex_byte(size_t i) const {
    const auto value = [&](size_t k) {
      const int v = k < text_.size() ? hex_values[static_cast<unsigned char>(text_[k])] : -1;
      if (v < 0) fail_at(k, "text.syntax", "expected a hexadecimal digit");
      return v;
    };
    const int high = value(i);
    return static_cast<char>(high * 16 + value(i + 1));
  }

  std::string_view text_, file_;
  size_t at_ = 0;
};

}  // namespace tenon::texting
