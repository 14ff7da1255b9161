/// @file elf: machine code as ELF files: relocatable objects, and shared objects that a process can load.
///
/// An object is linked in process by lld (`tenon::llvm`); loading needs neither LLVM nor a linker.
#pragma once

#include <tenon/artifact.hpp>
#include <tenon/runtime/processor.hpp>

namespace tenon {
namespace formats {

struct elf_shared {
  static constexpr fixed_string name = "elf_shared";
  using abilities = tenon::abilities<can::save, can::load>;
  static constexpr fixed_string advice = "it is linked already: load it, or link the object that it was made from";
  static loaded_code load(const artifact<elf_shared>& a) {
    require_processor(a.target(), a.symbol());
    return loaded_code(a.bytes(), a.symbol());
  }
};

struct elf_object {
  static constexpr fixed_string name = "elf_object";
  using abilities = tenon::abilities<can::save, can::link>;
  static constexpr fixed_string advice = "link it first: load(link(object))";
  /// Defined in the compiled part of the library (src/native).
  static artifact<elf_shared> link(const artifact<elf_object>& a);
};

/// Code in this process's memory: what `jit` gives. No artifact is of this format, so a module can always be
/// serialized.
struct jit {
  static constexpr fixed_string name = "jit";
  using abilities = tenon::abilities<can::call>;
  static constexpr fixed_string advice = "it is memory of this process; save what it was made from: save(path, built)";
};

}  // namespace formats

/// The symbols of an ELF file: what it defines for others, and what it needs from them. Error "artifact.elf".
struct elf_symbols {
  std::vector<std::string> defined, needed;
};
elf_symbols symbols_of_elf(std::span<const char> bytes);

}  // namespace tenon
