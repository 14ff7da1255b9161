/// @file parse: reads the text form of a module (see text/print.hpp for what it looks like).
///
/// Nothing half-read comes back: what is not well-formed, or contradicts an op's signature or type rule, is an error
/// with file, line and column, what was expected, and the line. Codes: "text.syntax", "text.number", "text.undefined",
/// "text.type", "text.op", "text.phase", "text.version".
#pragma once

#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/ir/op_table.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/text/print.hpp>

namespace tenon {

struct parse_options {
  std::string_view phase;                   ///< the phase that the first line must name; empty: any
  std::span<const ir::op_info* const> ops;  ///< the ops that there are; empty: all that are built in
};

ir::module parse(std::string_view text, std::string_view file_name = "text", const parse_options& options = {});

/// The phase that the first line names; empty when it names none.
std::string phase_of_text(std::string_view text, std::string_view file_name = "text");
/// The facts that the first line notes: what was known when it was written. A text proves nothing: `establish` does.
std::vector<std::string> facts_of_text(std::string_view text, std::string_view file_name = "text");

/// What the first line says is to be run on the module; nothing, where it says nothing.
text_run run_of_text(std::string_view text, std::string_view file_name = "text");

/// Reads a module of a phase, with the ops of that phase only.
template <class Phase>
ir_module<Phase> parse(std::string_view text, std::string_view file_name = "text") {
  const parse_options options{std::string_view(Phase::name.data(), Phase::name.size()), ir::op_table_of_phase<Phase>()};
  return ir_module<Phase>::adopt(parse(text, file_name, options));
}

}  // namespace tenon
