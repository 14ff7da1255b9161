/// @file c_source: portable C11: compiled code that any C compiler finishes; it needs libc and libm only.
///
/// One translation unit that defines its entry with the signature of `tenon_entry` (runtime/abi.hpp); constants are
/// arrays in it. `link` runs the system's compiler ($CC, else `cc`), if there is one.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/artifacts/elf.hpp>

namespace tenon {
namespace formats {

struct c_source {
  static constexpr fixed_string name = "c_source";
  using abilities = tenon::abilities<can::save, can::link>;
  static constexpr fixed_string advice = "compile it first: load(link(source))";
  /// By the compiler's optimization level, 0 to 3; `symbols` are absolute ones that the code is to define. Errors:
  /// "artifact.compiler" when there is none, or when it does not take the source.
  static artifact<elf_shared> link(const artifact<c_source>& a, int optimize = 3,
                                   std::span<const std::pair<std::string, u64>> symbols = {});
};

}  // namespace formats

/// Whether the system has a C compiler that `link` can run.
bool has_c_compiler();

}  // namespace tenon
