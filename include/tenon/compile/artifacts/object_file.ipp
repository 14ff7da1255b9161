/// @file object_file.ipp: definitions of compile/artifacts/object_file.hpp.
#pragma once

#include <elf.h>

#include <cstdio>
#include <cstring>

#include <tenon/compile/artifacts/elf.hpp>
#include <tenon/compile/artifacts/object_file.hpp>
#include <tenon/core/error.hpp>

namespace tenon {
namespace detail {

template <class T>
void append_bytes(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}
inline void pad_to(std::string& s, size_t alignment) { s.append((alignment - s.size() % alignment) % alignment, '\0'); }

/// Sections, in their order; the names' section comes last and is made by `finish`.
class object_writer {
 public:
  object_writer() : bytes_(sizeof(Elf64_Ehdr), '\0'), headers_(1) { names_.push_back('\0'); }

  /// Returns its number.
  u32 section(const char* name, Elf64_Shdr h, std::string_view content) {
    const size_t alignment = std::max<size_t>(h.sh_addralign, 1);
    pad_to(bytes_, alignment);
    h.sh_name = static_cast<u32>(names_.size()), h.sh_offset = bytes_.size(), h.sh_addralign = alignment;
    if (h.sh_type != SHT_NOBITS) h.sh_size = content.size(), bytes_ += content;
    names_.append(name).push_back('\0');
    headers_.push_back(h);
    return static_cast<u32>(headers_.size() - 1);
  }
  std::string finish() && {
    Elf64_Shdr names{};
    names.sh_type = SHT_STRTAB;
    const u32 last = section(".shstrtab", names, {});
    headers_[last].sh_size = names_.size();
    bytes_ += names_;
    pad_to(bytes_, alignof(Elf64_Shdr));
    Elf64_Ehdr e{};
    std::memcpy(e.e_ident, ELFMAG, SELFMAG);
    e.e_ident[EI_CLASS] = ELFCLASS64, e.e_ident[EI_DATA] = ELFDATA2LSB, e.e_ident[EI_VERSION] = EV_CURRENT;
    e.e_type = ET_REL, e.e_version = EV_CURRENT, e.e_ehsize = sizeof e, e.e_shentsize = sizeof(Elf64_Shdr);
#if defined(__aarch64__)
    e.e_machine = EM_AARCH64;
#else
    e.e_machine = EM_X86_64;
#endif
    e.e_shoff = bytes_.size(), e.e_shnum = static_cast<u16>(headers_.size()), e.e_shstrndx = static_cast<u16>(last);
    for (const Elf64_Shdr& h : headers_) append_bytes(bytes_, h);
    std::memcpy(bytes_.data(), &e, sizeof e);
    return std::move(bytes_);
  }

 private:
  std::string bytes_, names_;
  std::vector<Elf64_Shdr> headers_;
};

}  // namespace detail

std::string renamed_symbol(std::span<const char> object, std::string_view from, std::string_view to) {
  static_cast<void>(symbols_of_elf(object));  // its tables are within it
  std::string bytes(object.data(), object.size());
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto section_at = [&](u64 i) { return header.e_shoff + i * sizeof(Elf64_Shdr); };
  for (u64 i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr table, names;
    std::memcpy(&table, bytes.data() + section_at(i), sizeof table);
    if (table.sh_type != SHT_SYMTAB) continue;
    std::memcpy(&names, bytes.data() + section_at(table.sh_link), sizeof names);
    for (u64 k = 1; k < table.sh_size / sizeof(Elf64_Sym); ++k) {
      Elf64_Sym s;
      const u64 at = table.sh_offset + k * sizeof s;
      std::memcpy(&s, bytes.data() + at, sizeof s);
      if (ELF64_ST_BIND(s.st_info) == STB_LOCAL || s.st_shndx == SHN_UNDEF || s.st_name >= names.sh_size) continue;
      const char* known = bytes.data() + names.sh_offset + s.st_name;
      if (std::string_view(known, strnlen(known, names.sh_size - s.st_name)) != from) continue;
      // The names move to the end of the file, with one more.
      const std::string all = bytes.substr(names.sh_offset, names.sh_size);
      s.st_name = static_cast<u32>(all.size());
      names.sh_offset = bytes.size(), names.sh_size = all.size() + to.size() + 1;
      std::memcpy(bytes.data() + at, &s, sizeof s);
      std::memcpy(bytes.data() + section_at(table.sh_link), &names, sizeof names);
      return bytes.append(all).append(to).append(1, '\0');
    }
  }
  throw error("artifact.elf", "the object does not define '" + std::string(from) + "'", {}, "build the program again");
}

std::string constant_object(const constant_table& t) {
  constexpr u64 alignment = 64;
  constexpr u64 address_relocation =
#if defined(__aarch64__)
      R_AARCH64_ABS64;
#else
      R_X86_64_64;
#endif
  std::string data, relocations;
  const u64 one_at_least = std::max<size_t>(t.constants.size(), 1);
  for (size_t i = 0; i < t.constants.size(); ++i) {
    const tensor& c = t.constants[i];
    if (!c.defined()) continue;
    detail::pad_to(data, alignment);
    Elf64_Rela r{};
    r.r_offset = i * sizeof(u64), r.r_info = ELF64_R_INFO(1, address_relocation);  // symbol 1: the data's section
    r.r_addend = static_cast<Elf64_Sxword>(data.size());
    detail::append_bytes(relocations, r);
    data.append(static_cast<const char*>(c.data()), static_cast<size_t>(c.bytes()));
    if (c.bytes() == 0) data.append(1, '\0');  // a place of its own
  }
  u64 scratch = 0;
  std::string names(1, '\0'), symbols(sizeof(Elf64_Sym), '\0');
  const auto symbol = [&](const std::string& name, u16 section, u64 value, u64 size) {
    Elf64_Sym s{};
    s.st_name = name.empty() ? 0 : static_cast<u32>(names.size());
    s.st_info = name.empty() ? ELF64_ST_INFO(STB_LOCAL, STT_SECTION) : ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    s.st_shndx = section, s.st_value = value, s.st_size = size;
    if (!name.empty()) names.append(name).push_back('\0');
    detail::append_bytes(symbols, s);
  };
  constexpr u16 data_section = 1, table_section = 2, scratch_section = 4, names_section = 6;
  symbol({}, data_section, 0, 0);
  symbol(t.symbol, table_section, 0, one_at_least * sizeof(u64));
  for (const auto& [name, bytes] : t.scratch) {
    scratch = (scratch + alignment - 1) / alignment * alignment;
    symbol(name, scratch_section, scratch, bytes);
    scratch += bytes;
  }
  detail::object_writer file;
  const auto header = [](u32 type, u64 flags, u64 align) {
    Elf64_Shdr h{};
    h.sh_type = type, h.sh_flags = flags, h.sh_addralign = align;
    return h;
  };
  file.section(".rodata", header(SHT_PROGBITS, SHF_ALLOC, alignment), data);
  // Written once, by the loader, where the program may lie anywhere.
  file.section(".data.rel.ro", header(SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, alignment),
               std::string(one_at_least * sizeof(u64), '\0'));
  Elf64_Shdr h = header(SHT_RELA, SHF_INFO_LINK, sizeof(u64));
  h.sh_link = 5, h.sh_info = table_section, h.sh_entsize = sizeof(Elf64_Rela);
  file.section(".rela.data.rel.ro", h, relocations);
  h = header(SHT_NOBITS, SHF_ALLOC | SHF_WRITE, alignment), h.sh_size = scratch;
  file.section(".bss", h, {});
  h = header(SHT_SYMTAB, 0, sizeof(u64));
  h.sh_link = names_section, h.sh_info = 2, h.sh_entsize = sizeof(Elf64_Sym);  // two are local
  file.section(".symtab", h, symbols);
  file.section(".strtab", header(SHT_STRTAB, 0, 1), names);
  file.section(".note.GNU-stack", header(SHT_PROGBITS, 0, 1), {});
  return std::move(file).finish();
}

std::string archive_of(std::span<const std::pair<std::string, std::string>> members) {
  const auto header = [](std::string name, size_t size) {
    char text[61];
    std::snprintf(text, sizeof text, "%-16s%-12d%-6d%-6d%-8s%-10zu`\n", name.c_str(), 0, 0, 0, "644", size);
    return std::string(text, 60);
  };
  std::vector<std::vector<std::string>> defined;
  std::string names;
  u32 count = 0;
  for (const auto& [name, bytes] : members) {
    if (name.size() > 15) throw error("artifact.archive", "'" + name + "' is too long for a member of an archive");
    defined.push_back(symbols_of_elf(bytes).defined);
    for (const std::string& s : defined.back()) names.append(s).push_back('\0'), ++count;
  }
  const auto even = [](size_t n) { return n + n % 2; };
  const size_t index = 4 + size_t{4} * count + names.size();
  std::string table;
  const auto number = [&](u64 n) {
    for (int shift = 24; shift >= 0; shift -= 8) table.push_back(static_cast<char>(n >> shift));
  };
  number(count);
  u64 at = 8 + 60 + even(index);
  for (size_t i = 0; i < members.size(); ++i) {
    for (size_t k = 0; k < defined[i].size(); ++k) number(at);
    at += 60 + even(members[i].second.size());
  }
  if (at >> 32 != 0)
    throw error("artifact.archive", "a static library of more than 4 GB has no index that linkers read", {},
                "link the objects themselves: --emit object");
  std::string file = "!<arch>\n" + header("/", index) + table + names;
  for (const auto& [name, bytes] : members) {
    if (file.size() % 2 != 0) file += '\n';
    file += header(name + "/", bytes.size()) + bytes;
  }
  if (file.size() % 2 != 0) file += '\n';
  return file;
}

}  // namespace tenon
