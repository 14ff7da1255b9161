/// @file strings: ops on tensors of strings, and hashes; they run on the host. Strings are UTF-8.
///
/// What only moves or compares elements (reshape, gather, concat, where, equal …) are the ops of the other files.
#pragma once

#include <array>

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>

namespace tenon::op {

/// `string_concat(a, b)`: each of a before each of b, with broadcasting.
struct string_concat {
  static constexpr fixed_string name = "string_concat";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 2, .max_operands = 2};
};
/// `parts, counts = string_split(x)`: the parts of each string between delimiters, at most `most` + 1 unless that is
/// negative, in a new last dimension as long as the most parts, filled up with empty strings; and how many there are.
/// Without a delimiter: the words between white space.
struct string_split {
  static constexpr fixed_string name = "string_split";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .results = 2};
  std::string delimiter;
  i64 most = -1;
  TENON_ATTRIBUTES(delimiter, most)
};

enum class letter_case : u8 { none, lower, upper };
inline constexpr std::array<std::string_view, 3> letter_case_names{"none", "lower", "upper"};
constexpr const auto& enumerator_names(letter_case) { return letter_case_names; }

/// `string_normalize(x[n] or [1, n])`: the strings that are no stop words, in another case; one empty string when none
/// is left. Without `case_sensitive`, stop words are compared in that case too (in lower case when it is none).
struct string_normalize {
  static constexpr fixed_string name = "string_normalize";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  letter_case to = letter_case::none;
  bool case_sensitive = false;
  std::vector<std::string> stop_words;
  TENON_ATTRIBUTES(to, case_sensitive, stop_words)
};
/// `regex_full_match(x)`: bool: does the pattern (RE2's syntax) match the whole string?
struct regex_full_match {
  static constexpr fixed_string name = "regex_full_match";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  std::string pattern;
  TENON_ATTRIBUTES(pattern)
};
/// `string_tokenize(x)`: the tokens of each string, in a new last dimension as long as the most tokens, filled up with
/// `pad`. Tokens are what `pattern` matches, the first and longest match each, or, where that is empty, what is left
/// between the matches of the first of `separators`, then of the next one in each part, …; those of less than `least`
/// code points are left out. With `mark`, U+0002 stands before the tokens of each string and U+0003 behind them, but
/// where no string has any. Patterns are of RE2's syntax. com.microsoft's Tokenizer: a match that is too short is read
/// again from its second code point on, and one that is empty takes the code point behind it away.
struct string_tokenize {
  static constexpr fixed_string name = "string_tokenize";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  std::string pattern;
  std::vector<std::string> separators;
  std::string pad;
  i64 least = 1;
  bool mark = false;
  TENON_ATTRIBUTES(pattern, separators, pad, least, mark)
};
/// `number_to_string(x)`: numbers as strings: the shortest decimal that reads back as the same number, with an exponent
/// below 1e-4 and from 1e16 on; "NaN", "INF" and "-INF".
struct number_to_string {
  static constexpr fixed_string name = "number_to_string";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};
/// `string_to_number(x)`: strings as numbers of a type: decimals, with an exponent, or NaN and infinities. An error if
/// it is none.
struct string_to_number {
  static constexpr fixed_string name = "string_to_number";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  dtype to = dtype::f32;
  TENON_ATTRIBUTES(to)
};
/// `lookup(x, keys[n], values[n], otherwise)`: for each element the value of its key, the last of equal keys;
/// `otherwise` has the one element for what is no key. NaN is a key like others.
struct lookup {
  static constexpr fixed_string name = "lookup";
  static constexpr op_traits traits{.min_operands = 4, .max_operands = 4};
};
/// `murmur_hash(x)`: u32: MurmurHash3_x86_32 (Austin Appleby, https://github.com/aappleby/smhasher) of the bytes of
/// each string, or of each element of 4 or 8 bytes, the lowest first.
struct murmur_hash {
  static constexpr fixed_string name = "murmur_hash";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  i64 seed = 0;  ///< its lower 32 bits
  TENON_ATTRIBUTES(seed)
};

void infer(const string_concat&, ir::infer_context&);
void infer(const string_split&, ir::infer_context&);
void infer(const string_normalize&, ir::infer_context&);
void infer(const regex_full_match&, ir::infer_context&);
void infer(const string_tokenize&, ir::infer_context&);
void infer(const number_to_string&, ir::infer_context&);
void infer(const string_to_number&, ir::infer_context&);
void infer(const lookup&, ir::infer_context&);
void infer(const murmur_hash&, ir::infer_context&);

void evaluate(const string_concat&, eval_context&);
void evaluate(const string_split&, eval_context&);
void evaluate(const string_normalize&, eval_context&);
void evaluate(const regex_full_match&, eval_context&);
void evaluate(const string_tokenize&, eval_context&);
void evaluate(const number_to_string&, eval_context&);
void evaluate(const string_to_number&, eval_context&);
void evaluate(const lookup&, eval_context&);
void evaluate(const murmur_hash&, eval_context&);

}  // namespace tenon::op
