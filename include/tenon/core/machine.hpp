/// @file machine: the machines that code is made for, by their triples and by what ELF files say of them.
///
///     machine_of_triple("aarch64-linux-gnu")->elf_machine      // EM_AARCH64
///     require_machine("cpu:triple=aarch64-unknown-linux-gnu,…", "model.tenon");   // else "program.machine"
///
/// A triple is ARCHITECTURE-VENDOR-SYSTEM-ENVIRONMENT, where VENDOR may be left out; it says the ABI and the form of
/// objects as well. Machines are 64-bit and little-endian, their objects are ELF. Needs no LLVM.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tenon/core/int.hpp>

namespace tenon {

struct machine_info {
  std::string_view architecture;  ///< as triples begin
  std::string_view macro;         ///< what C compilers define for it
  u16 elf_machine;                ///< of ELF headers
  u32 elf_address;                ///< the relocation that puts a symbol's address into 64 bits
  u64 largest_page;               ///< that a system may have, and linkers keep segments apart by
};

/// Those that there is code for.
std::span<const machine_info> machines();
/// Null where there is no code for it.
const machine_info* machine_of_triple(std::string_view triple);
const machine_info* machine_of_elf(u16 elf_machine);
/// The one that this library was compiled for; null where there is no code for it.
const machine_info* this_machine();

/// The triple that a target's text says its code is for; empty where it says none, which is the machine that made it.
std::string_view triple_of(std::string_view target);
/// Could a processor and system of this kind run code for the triple? An empty one is theirs.
bool runs_here(std::string_view triple);
/// Error "program.machine" where the target's code is for another kind of machine; `where` names the code.
void require_machine(std::string_view target, const std::string& where);
/// The same for code by its ELF header.
void require_machine(u16 elf_machine, const std::string& where);

/// The value of an option in a target's text, as it stands there; values that may be asked for have no escapes.
std::string_view option_in_target(std::string_view target, std::string_view name);

}  // namespace tenon
