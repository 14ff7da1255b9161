/// @file order_text: how an order of passes is written: names, options, and passes that are repeated.
///
///     lift_lambdas, infer_shapes, repeat(simplify, fold_constants{max_bytes=64}), fuse{max_ops=8, max_outputs=1}
///
///     order  = item { (',' | blank) item }
///     item   = NAME [options]  |  'repeat' [options] '(' order ')'
///     options = '{' NAME '=' VALUE { ',' NAME '=' VALUE } '}'
/// A value with commas, blanks or braces stands in double quotes. Errors: "pass.syntax", with the position.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/ir/options.hpp>

namespace tenon {

/// A pass as text says it.
struct pass_text {
  std::string name;
  std::vector<named_option> options;
  std::vector<pass_text> members;  ///< of `repeat`
  size_t position = 0;             ///< in the text, from 1
  bool repeats() const { return !members.empty(); }
};

/// `known`: names of passes, which may look like more than a word, as that of `repeat<a, b>` in a registry.
std::vector<pass_text> parse_passes(std::string_view text, std::span<const std::string_view> known = {});
/// `parse_passes(to_text(p))` is `p`, positions aside.
std::string to_text(const pass_text& p);

}  // namespace tenon
