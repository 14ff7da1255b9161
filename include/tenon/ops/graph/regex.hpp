/// @file regex: regular expressions in RE2's syntax, matched in time linear in the text (Thompson 1968, Cox 2007).
///
/// Literals, `.`, classes with ranges, escapes \d \w \s \D \W \S \b \B \A \z and [:names:], groups, alternation,
/// anchors, the repetitions * + ? {m} {m,} {m,n} and their lazy forms, flags (?i) (?s) (?m). A pattern is a list of
/// instructions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/int.hpp>

namespace tenon::op::regex {

struct instruction {
  enum class kind_t : u8 { set, split, jump, assert_, match };
  kind_t kind = kind_t::match;
  u32 next = 0, other = 0;                  ///< split: both; else the one that follows
  char test = 0;                            ///< assert_: ^ $ b B A z
  bool negated = false;                     ///< set: none of the ranges
  std::vector<std::pair<u32, u32>> ranges;  ///< set: code points, both ends in it
};
using program = std::vector<instruction>;

/// An empty program and a problem in words when the pattern is none.
program compile(std::string_view pattern, std::string& problem);
/// Does the program match all of the text?
bool full_match(const program& p, std::string_view text);

/// A part of a text: from `begin` to before `end`, in bytes.
struct place {
  size_t begin = 0, end = 0;
  bool operator==(const place&) const = default;
};
/// The match that begins first, at `from` or behind it, and of those the longest. Anchors and \b see what stands before
/// `from`.
std::optional<place> find_longest(const program& p, std::string_view text, size_t from = 0);

/// The code point at a position of UTF-8, which moves behind it; a byte that is no UTF-8 is U+FFFD.
u32 next_code_point(std::string_view s, size_t& at);
void append_code_point(std::string& s, u32 c);
/// The partner of a letter in the other case, for the alphabets where that is one code point; others stay.
u32 upper(u32 c);
u32 lower(u32 c);

}  // namespace tenon::op::regex
