/// @file bundle: a program file of several parts: a module that says what happens, and the code of what it calls.
///
///     save_bundle("loop.tenon", host_bundle(split, compile));      // what a host program calls is native, made ahead
///     std::unique_ptr<executable> p = open_executable("loop.tenon");   // this, or a plain program file
///
/// Kinds: "host", a graph that the interpreter runs, whose regions are native programs (targets/host_program.hpp);
/// "linked", the joined module of a composite target (targets/composite.hpp); and "module", what a target's own runtime
/// takes as it is where that is known; parts that are "needed" name the formats of the artifacts that it calls; and
/// "alternatives", whole program files, of which the first runs that does not refuse the inputs' sizes. Parts
/// are whole files within the file, each in its own form, checked by its own reader and served in place; one that is a
/// bundle is opened as one. No LLVM is needed. Errors: core/framed_file.hpp; "bundle.file", "bundle.part",
/// "bundle.target".
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/framed_file.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/runtime/executable.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/targets/compilation_plan.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {

inline constexpr file_kind bundle_file_kind{"TENONBND", 1, "a program file of several parts",
                                            "build the program again"};

struct bundle {
  struct part {
    std::string name;    ///< the function, or the part, that it is the code of
    std::string form;    ///< "program", "module" or "bundle": what the bytes are; "none": it is evaluated; "needed"
    std::string target;  ///< what it was made for, as text
    std::string note;    ///< of "none": why there is no code
    std::string_view bytes;
    std::shared_ptr<const void> owner;  ///< of the bytes
  };
  std::string kind, target, fingerprint;
  ir::module module;
  std::string phase;  ///< that the module is in
  std::vector<part> parts;
};

std::string serialize(const bundle& b);
/// Reads and verifies all but the parts. `owner` keeps the bytes alive, `where` names them in errors.
bundle read_bundle(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& where);
/// Atomic: the file is complete or not there.
void save_bundle(const std::string& path, const bundle& b);
bundle read_bundle(const std::string& path);
bool is_bundle_file(const std::string& path);

/// "a host with 3 native regions, 1 that is evaluated"
std::string summary_of(const bundle& b);

/// Reads a "program" part. Errors name the part.
program_contents program_of(const bundle::part& p);
/// Puts all code into the process.
std::unique_ptr<executable> load(bundle b);
/// A program as what sessions and files run.
/// Opens a program file of either kind.
std::unique_ptr<executable> open_executable(const std::string& path);

/// Makes a region's code for operands of any extents, or says why there is none.
using region_to_program = region_file (*)(const ir::module& host, function_id region, const void* user);
/// A module that `outline_regions` left, with code for each of its regions. A region without code is evaluated, and the
/// bundle says why. `target` is the text of what the regions are made for.
bundle host_bundle(ir::module split, std::string target, region_to_program make, const void* user);
/// The same with the code of a registered target that makes program files; the context is configured for it. Error
/// "target.unknown".
bundle host_bundle(ir::module split, const target_spec& target, context& configured);

/// Can what is built for a registered target be kept in a file? Errors: "target.no_program", where its format says that
/// it cannot be saved; "target.unknown".
void check_makes_files(const target_spec& target);
/// What all passes of a registered target left, for its runtime. Errors: "target.unknown", "target.no_program".
bundle module_bundle(ir::module built, const target_spec& target);
/// What `link_parts` joined for a composite target (targets/composite.hpp), each part in a form of its own: a program,
/// where its member makes program files, else a module, which its target loads.
bundle linked_bundle(const ir::module& linked, const target_spec& composite);
/// Program files of an entry and of its variants (ir/variant.hpp), in that order. The bundle's module has the entry's
/// types and no more.
bundle alternatives_bundle(const ir::module& with_variants, const target_spec& target, std::vector<std::string> files);

}  // namespace tenon
