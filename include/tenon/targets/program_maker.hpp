/// @file program_maker: from a module to the bytes of a program file, in whatever form the target has code for it.
///
///     write_atomically("model.tenon", make_program(importers::onnx::load("model.onnx"), parse_target("cpu")));
/// One piece of native code where there can be one; else a host with native regions, parts on several devices, or the
/// module that a target's runtime takes (targets/bundle.hpp).
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <memory>
#include <string>
#include <string_view>

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/phases/ingestion.hpp>
#include <tenon/targets/compilation_plan.hpp>

namespace tenon {

/// Errors: "target.unknown"; the plan's reason, where the target has no code for the module.
std::string make_program(ir_module<phases::ingestion> m, const target_spec& target);
/// `configured` is the context, configured for the target.
std::string make_program(ir_module<phases::ingestion> m, const target_spec& target, context& configured);
/// The same of a composite, whose members' common passes go on with pass `from`.
std::string make_linked_program(std::unique_ptr<ir::module> m, const target_spec& composite, context& configured,
                                size_t from = 0);
/// Constrains what is named so (ir::constrain_named) to `where`: for a composite one of its members, else the target
/// that the program is for, with options that a function may have by itself. Errors: those, "target.no_member",
/// "target.elsewhere", "target.unknown".
void constrain_for(const target_spec& program, ir::module& m, std::string_view name, std::string where);
/// Writes the file only where the module is one piece of code, which `program::open` runs; else it is false. The bytes
/// are not in memory together, where the target can write them so.
bool save_whole_program(const std::string& path, ir_module<phases::ingestion> m, const target_spec& target,
                        context& configured);

}  // namespace tenon
