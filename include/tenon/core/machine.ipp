/// @file machine.ipp: definitions of core/machine.hpp.
#pragma once

#include <elf.h>

#include <algorithm>

#include <tenon/core/error.hpp>
#include <tenon/core/machine.hpp>

namespace tenon {
namespace detail {

inline constexpr machine_info known_machines[] = {
    {"x86_64", "__x86_64__", EM_X86_64, R_X86_64_64, 4096},
    {"aarch64", "__aarch64__", EM_AARCH64, R_AARCH64_ABS64, 65536},
    {"riscv64", "__riscv", EM_RISCV, R_RISCV_64, 4096},
};
/// Systems that a process may be one of, as triples name them.
inline constexpr std::string_view this_system =
#if defined(__linux__)
    "linux";
#elif defined(__FreeBSD__)
    "freebsd";
#else
    "";
#endif

/// Parts of a triple, one after the other.
inline std::string_view next_part(std::string_view& triple) {
  const size_t end = std::min(triple.find('-'), triple.size());
  const std::string_view part = triple.substr(0, end);
  triple.remove_prefix(std::min(end + 1, triple.size()));
  return part;
}

[[noreturn]] inline void refuse_machine(const std::string& made_for, const std::string& where) {
  const machine_info* here = this_machine();
  throw error("program.machine",
              "the code is for " + made_for + ", and this machine is " +
                  std::string(here != nullptr ? here->architecture : "another one") + "-" +
                  std::string(this_system.empty() ? "unknown" : this_system),
              where,
              "run it on such a machine, or link it for one: tenon build --emit library; to run it here, build it "
              "without the option 'triple'");
}

}  // namespace detail

std::span<const machine_info> machines() { return detail::known_machines; }

const machine_info* machine_of_triple(std::string_view triple) {
  std::string_view name = detail::next_part(triple);
  if (name == "amd64") name = "x86_64";  // other names of the same
  if (name == "arm64") name = "aarch64";
  for (const machine_info& m : machines())
    if (m.architecture == name) return &m;
  return nullptr;
}

const machine_info* machine_of_elf(u16 elf_machine) {
  for (const machine_info& m : machines())
    if (m.elf_machine == elf_machine) return &m;
  return nullptr;
}

const machine_info* this_machine() {
#if defined(__x86_64__)
  return machine_of_elf(EM_X86_64);
#elif defined(__aarch64__)
  return machine_of_elf(EM_AARCH64);
#elif defined(__riscv) && __riscv_xlen == 64
  return machine_of_elf(EM_RISCV);
#else
  return nullptr;
#endif
}

std::string_view option_in_target(std::string_view target, std::string_view name) {
  for (size_t at = 0; (at = target.find(name, at)) != target.npos; at += name.size()) {
    if (at == 0 || (target[at - 1] != ':' && target[at - 1] != ',')) continue;
    std::string_view value = target.substr(at + name.size());
    if (value.substr(0, 1) != "=") continue;
    value.remove_prefix(1);
    if (value.substr(0, 1) == "\"") return value.substr(1, value.find('"', 1) - 1);
    return value.substr(0, value.find_first_of(",)"));
  }
  return {};
}

std::string_view triple_of(std::string_view target) { return option_in_target(target, "triple"); }

bool runs_here(std::string_view triple) {
  if (triple.empty()) return true;
  if (const machine_info* made_for = machine_of_triple(triple); made_for == nullptr || made_for != this_machine())
    return false;
  if (detail::this_system.empty()) return true;
  detail::next_part(triple);
  while (!triple.empty())
    if (detail::next_part(triple).starts_with(detail::this_system)) return true;
  return false;
}

void require_machine(std::string_view target, const std::string& where) {
  if (const std::string_view triple = triple_of(target); !runs_here(triple))
    detail::refuse_machine(std::string(triple), where);
}

void require_machine(u16 elf_machine, const std::string& where) {
  const machine_info* here = this_machine();
  if (here == nullptr || here->elf_machine == elf_machine) return;
  const machine_info* made_for = machine_of_elf(elf_machine);
  detail::refuse_machine(
      made_for != nullptr ? std::string(made_for->architecture) : "ELF machine " + std::to_string(elf_machine), where);
}

}  // namespace tenon
