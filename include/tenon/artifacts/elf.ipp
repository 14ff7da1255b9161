/// @file elf.ipp: reading the symbol table of 64-bit little-endian ELF files (System V ABI, chapters 4 and 5).
#pragma once

#include <algorithm>
#include <cstring>

#include <elf.h>

#include <tenon/artifacts/elf.hpp>

namespace tenon {

elf_symbols symbols_of_elf(std::span<const char> bytes) {
  const auto fail = [](const char* what) { throw error("artifact.elf", std::string("not a sound ELF file: ") + what); };
  const auto read = [&]<class T>(T& to, u64 at) {
    if (at > bytes.size() || sizeof to > bytes.size() - at) fail("a table reaches beyond its end");
    std::memcpy(&to, bytes.data() + at, sizeof to);
  };
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header) fail("it is too short");
  read(header, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    fail("it is not 64-bit little-endian");
  const auto section = [&](u64 i) {
    Elf64_Shdr s;
    read(s, header.e_shoff + i * sizeof s);
    return s;
  };
  elf_symbols list;
  for (u64 i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr table = section(i);
    // A shared object is seen by others through its dynamic table, an object through the only one that it has.
    if (table.sh_type != (header.e_type == ET_DYN ? SHT_DYNSYM : SHT_SYMTAB)) continue;
    if (table.sh_link >= header.e_shnum) fail("a table has no names");
    const Elf64_Shdr names = section(table.sh_link);
    if (names.sh_offset > bytes.size() || names.sh_size > bytes.size() - names.sh_offset)
      fail("the names reach beyond its end");
    for (u64 k = 1; k < table.sh_size / sizeof(Elf64_Sym); ++k) {
      Elf64_Sym symbol;
      read(symbol, table.sh_offset + k * sizeof symbol);
      if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL || symbol.st_name >= names.sh_size) continue;
      const char* name = bytes.data() + names.sh_offset + symbol.st_name;
      const size_t length = strnlen(name, names.sh_size - symbol.st_name);
      if (length != 0) (symbol.st_shndx == SHN_UNDEF ? list.needed : list.defined).emplace_back(name, length);
    }
  }
  std::sort(list.defined.begin(), list.defined.end());
  std::sort(list.needed.begin(), list.needed.end());
  return list;
}

}  // namespace tenon
