/// @file elf_sections: the sections of an object file, for who counts what is in them.
#pragma once

#include <elf.h>

#include <cstring>
#include <span>

#include <tenon/core/int.hpp>

namespace tenon::testing {

/// Calls `f` with the header of each section.
template <class F>
void for_each_section(std::span<const char> object, F&& f) {
  Elf64_Ehdr header;
  std::memcpy(&header, object.data(), sizeof header);
  for (u64 i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr s;
    std::memcpy(&s, object.data() + header.e_shoff + i * sizeof s, sizeof s);
    f(s);
  }
}

}  // namespace tenon::testing
