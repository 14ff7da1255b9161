/// @file object_file: relocatable objects and static libraries as bytes: what is linked into other people's programs.
///
///     std::string code = renamed_symbol(object, "tenon_main", "squeezenet_entry");
///     std::string data = constant_object({"squeezenet_constants", constants, {}}, object);
///     write_atomically("libsqueezenet.a", archive_of({{"code.o", code}, {"data.o", data}}));
/// 64-bit little-endian ELF (System V ABI, chapter 4) and GNU ar. Needs no LLVM and no linker.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/int.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon {

/// The object with what it defines as `from` under another name. Error "artifact.elf" where it does not define it.
std::string renamed_symbol(std::span<const char> object, std::string_view from, std::string_view to);

/// Objects as one, with their sections side by side. What another of them defines is found; what is not among `kept` is
/// nobody else's then. Errors "artifact.elf": two of them define a symbol, or they have what no section can be said of.
std::string joined_objects(std::span<const std::span<const char>> objects, std::span<const std::string> kept);

struct constant_table {
  std::string symbol;                                ///< an array of pointers, null for tensors that are not defined
  std::span<const tensor> constants;                 ///< read-only in the program, each at a multiple of 64 bytes
  std::vector<std::pair<std::string, u64>> scratch;  ///< memory that begins as zeros, aligned to 64 bytes
};
/// An object for the machine, and the ABI, that another one is for. Errors: "artifact.elf" for one that is no sound
/// object, or is for a machine that there is no code for.
std::string constant_object(const constant_table& t, std::span<const char> beside);

/// A static library; members have names of at most 15 characters. Its index lists what they define.
std::string archive_of(std::span<const std::pair<std::string, std::string>> members);

}  // namespace tenon
