/// @file object_file.ipp: definitions of artifacts/object_file.hpp.
#pragma once

#include <elf.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unordered_map>

#include <tenon/artifacts/elf.hpp>
#include <tenon/artifacts/object_file.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/machine.hpp>

namespace tenon {
namespace detail {

template <class T>
void append_bytes(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}
inline void pad_to(std::string& s, size_t alignment) { s.append((alignment - s.size() % alignment) % alignment, '\0'); }

/// What says for which machine and ABI an object is: two that differ in it are not linked with each other.
struct object_kind {
  u16 machine = 0;
  u32 flags = 0;  ///< RISC-V: in which registers floats are passed
  explicit object_kind(const Elf64_Ehdr& h) : machine(h.e_machine), flags(h.e_flags) {}
};

/// Sections, in their order; the names' section comes last and is made by `finish`.
class object_writer {
 public:
  explicit object_writer(object_kind kind) : kind_(kind), bytes_(sizeof(Elf64_Ehdr), '\0'), headers_(1) {
    names_.push_back('\0');
  }

  /// Returns its number.
  u32 section(std::string_view name, Elf64_Shdr h, std::string_view content) {
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
    e.e_machine = kind_.machine, e.e_flags = kind_.flags;
    e.e_shoff = bytes_.size(), e.e_shnum = static_cast<u16>(headers_.size()), e.e_shstrndx = static_cast<u16>(last);
    for (const Elf64_Shdr& h : headers_) append_bytes(bytes_, h);
    std::memcpy(bytes_.data(), &e, sizeof e);
    return std::move(bytes_);
  }

 private:
  object_kind kind_;
  std::string bytes_, names_;
  std::vector<Elf64_Shdr> headers_;
};

/// What an object is made of.
struct object_parts {
  struct section {
    Elf64_Shdr header;
    std::string_view name, content;
  };
  struct symbol {
    Elf64_Sym entry;
    std::string_view name;
  };
  Elf64_Ehdr header;
  std::vector<section> sections;
  std::vector<symbol> symbols;

  explicit object_parts(std::span<const char> object) {
    static_cast<void>(symbols_of_elf(object));  // its tables are within it
    const std::string_view all(object.data(), object.size());
    std::memcpy(&header, all.data(), sizeof header);
    const auto text = [](std::string_view table, u64 at) {
      if (at >= table.size()) broken("a name is outside of its table");
      return table.substr(at, table.find('\0', at) - at);
    };
    for (u64 i = 0; i < header.e_shnum; ++i) {
      section s{};
      std::memcpy(&s.header, all.data() + header.e_shoff + i * sizeof s.header, sizeof s.header);
      if (s.header.sh_type != SHT_NOBITS && s.header.sh_type != SHT_NULL) {
        if (s.header.sh_offset > all.size() || s.header.sh_size > all.size() - s.header.sh_offset)
          broken("a section is outside of it");
        s.content = all.substr(s.header.sh_offset, s.header.sh_size);
      }
      sections.push_back(s);
    }
    if (header.e_shstrndx >= sections.size()) broken("its sections have no names");
    for (section& s : sections) s.name = text(sections[header.e_shstrndx].content, s.header.sh_name);
    for (const section& s : sections) {
      if (s.header.sh_type != SHT_SYMTAB) continue;
      for (u64 k = 0; k < s.content.size() / sizeof(Elf64_Sym); ++k) {
        symbol one{};
        std::memcpy(&one.entry, s.content.data() + k * sizeof one.entry, sizeof one.entry);
        one.name = text(sections[s.header.sh_link].content, one.entry.st_name);
        symbols.push_back(one);
      }
    }
  }
  [[noreturn]] static void broken(const std::string& what) {
    throw error("artifact.elf", "an object cannot be joined with others: " + what);
  }
};

/// Joins objects: sections first, then the symbols that name places in these, then what refers to symbols.
class object_joiner {
 public:
  object_joiner(std::span<const std::span<const char>> objects, std::span<const std::string> kept) : kept_(kept) {
    for (std::span<const char> o : objects) parts_.emplace_back(o);
  }
  std::string join() {
    if (parts_.empty()) object_parts::broken("there is none");
    for (const object_parts& p : parts_)
      if (p.header.e_machine != parts_[0].header.e_machine) object_parts::broken("they are for different machines");
    Elf64_Ehdr all = parts_[0].header;
    for (const object_parts& p : parts_) all.e_flags |= p.header.e_flags;  // RISC-V: what any of them makes use of
    object_writer file{object_kind(all)};
    copy_sections(file);
    number_symbols();
    Elf64_Shdr h{};
    h.sh_type = SHT_STRTAB;
    const u32 names = file.section(".strtab", h, names_);
    h.sh_type = SHT_SYMTAB, h.sh_link = names, h.sh_info = locals_, h.sh_entsize = sizeof(Elf64_Sym);
    h.sh_addralign = sizeof(u64);
    const u32 table = file.section(".symtab", h, symbols_);
    for (size_t o = 0; o < parts_.size(); ++o)
      for (const object_parts::section& s : parts_[o].sections)
        if (s.header.sh_type == SHT_RELA) copy_relocations(file, o, s, table);
    if (unwinding_.relocations.header.sh_type == SHT_RELA)
      file.section(unwinding_.relocations.name, unwinding_.relocations.header, unwinding_.changes);
    return std::move(file).finish();
  }

 private:
  static constexpr u32 absent = ~u32{0};
  /// Who called whom, of all objects: linkers and debuggers ask for one such section, whose records may follow those of
  /// another.
  struct unwinding_tables {
    static constexpr std::string_view name = ".eh_frame";
    u32 number = absent;
    std::string content, changes;         ///< and the relocations that change it
    object_parts::section relocations{};  ///< their header
    std::vector<u64> begin;               ///< of each object's
  };

  [[noreturn]] static void unknown_section(const object_parts::section& s) {
    object_parts::broken("section '" + std::string(s.name) + "' is of an unknown type");
  }
  void copy_sections(object_writer& file) {
    constexpr u32 unwinding = SHT_LOPROC + 1, attributes = SHT_LOPROC + 3;  // of x86-64, and of RISC-V
    bool noted = false;  // the empty section that says whether the stack is executable
    bool described = false;
    collect_unwinding(file);
    for (const object_parts& p : parts_) {
      std::vector<u32>& numbers = sections_.emplace_back(p.sections.size(), absent);
      for (size_t i = 1; i < p.sections.size(); ++i) {
        const object_parts::section& s = p.sections[i];
        switch (s.header.sh_type) {
          case SHT_NULL:
          case SHT_SYMTAB:
          case SHT_STRTAB:
          case SHT_RELA: continue;
          case SHT_PROGBITS:
          case SHT_NOBITS:
          case SHT_NOTE: break;
          case unwinding:
            if (p.header.e_machine != EM_X86_64) unknown_section(s);
            break;
          case attributes:
            if (p.header.e_machine != EM_RISCV) unknown_section(s);
            if (described) continue;  // all are of one module, made for one processor
            described = true;
            break;
          default: unknown_section(s);
        }
        if (s.header.sh_link != 0 || s.header.sh_info != 0 || (s.header.sh_flags & SHF_GROUP) != 0)
          object_parts::broken("section '" + std::string(s.name) + "' refers to others");
        if (s.name == unwinding_tables::name) {
          numbers[i] = unwinding_.number;
          continue;
        }
        const bool note = s.name == ".note.GNU-stack";
        if (!note || !noted) numbers[i] = file.section(s.name, s.header, s.content);
        noted = noted || note;
      }
    }
  }

  void collect_unwinding(object_writer& file) {
    const object_parts::section* first = nullptr;
    for (const object_parts& p : parts_) {
      unwinding_.begin.push_back(unwinding_.content.size());
      for (const object_parts::section& s : p.sections)
        if (s.name == unwinding_tables::name) unwinding_.content += s.content, first = first == nullptr ? &s : first;
    }
    if (first != nullptr) unwinding_.number = file.section(first->name, first->header, unwinding_.content);
  }

  bool is_kept(std::string_view name) const { return std::find(kept_.begin(), kept_.end(), name) != kept_.end(); }
  static bool is_local(const object_parts::symbol& s) { return ELF64_ST_BIND(s.entry.st_info) == STB_LOCAL; }
  static bool is_needed(const object_parts::symbol& s) { return !is_local(s) && s.entry.st_shndx == SHN_UNDEF; }

  u32 add(size_t object, const object_parts::symbol& s, unsigned char bind) {
    Elf64_Sym e = s.entry;
    e.st_info = ELF64_ST_INFO(bind, ELF64_ST_TYPE(e.st_info));
    if (bind == STB_LOCAL) e.st_other = STV_DEFAULT;
    if (e.st_shndx != SHN_UNDEF && e.st_shndx < SHN_LORESERVE) {
      const u32 section = e.st_shndx < sections_[object].size() ? sections_[object][e.st_shndx] : absent;
      if (section >= SHN_LORESERVE) object_parts::broken("'" + std::string(s.name) + "' is in no section of its code");
      e.st_shndx = static_cast<u16>(section);
      if (section == unwinding_.number) e.st_value += unwinding_.begin[object];
    } else if (e.st_shndx != SHN_UNDEF && e.st_shndx != SHN_ABS) {
      object_parts::broken("'" + std::string(s.name) + "' is in a special section");
    }
    e.st_name = s.name.empty() ? 0 : static_cast<u32>(names_.size());
    if (!s.name.empty()) names_.append(s.name).push_back('\0');
    append_bytes(symbols_, e);
    return static_cast<u32>(symbols_.size() / sizeof e - 1);
  }
  /// Local ones come first, as the format asks; those that only name a file say nothing.
  void number_symbols() {
    names_.assign(1, '\0'), symbols_.assign(sizeof(Elf64_Sym), '\0');
    std::unordered_map<std::string_view, u32> known;
    const auto define = [&](std::string_view name, u32 number) {
      if (!known.emplace(name, number).second) object_parts::broken("another one defines '" + std::string(name) + "'");
    };
    const auto each = [&](auto&& take) {
      for (size_t o = 0; o < parts_.size(); ++o)
        for (size_t k = 1; k < parts_[o].symbols.size(); ++k) take(o, parts_[o].symbols[k], numbers_[o][k]);
    };
    for (const object_parts& p : parts_) numbers_.emplace_back(p.symbols.size(), absent);
    each([&](size_t o, const object_parts::symbol& s, u32& number) {
      const auto type = ELF64_ST_TYPE(s.entry.st_info);
      if (type == STT_FILE || is_needed(s) || (!is_local(s) && is_kept(s.name))) return;
      // Of a section that all have alike and one is enough of; RISC-V marks what is data in each ('$d').
      if (is_local(s) && s.entry.st_shndx < sections_[o].size() && sections_[o][s.entry.st_shndx] == absent) return;
      number = add(o, s, STB_LOCAL);
      if (!is_local(s)) define(s.name, number);
    });
    locals_ = static_cast<u32>(symbols_.size() / sizeof(Elf64_Sym));
    each([&](size_t o, const object_parts::symbol& s, u32& number) {
      if (is_local(s) || is_needed(s) || !is_kept(s.name)) return;
      number = add(o, s, ELF64_ST_BIND(s.entry.st_info));
      define(s.name, number);
    });
    each([&](size_t o, const object_parts::symbol& s, u32& number) {
      if (!is_needed(s)) return;
      const auto [at, fresh] = known.emplace(s.name, absent);
      if (fresh) at->second = add(o, s, ELF64_ST_BIND(s.entry.st_info));
      number = at->second;
    });
  }

  void copy_relocations(object_writer& file, size_t object, const object_parts::section& s, u32 table) {
    const u32 changed = s.header.sh_info < sections_[object].size() ? sections_[object][s.header.sh_info] : absent;
    if (changed == absent) object_parts::broken("section '" + std::string(s.name) + "' speaks of none");
    const bool unwinds = changed == unwinding_.number;
    std::string content(s.content);
    for (size_t at = 0; at + sizeof(Elf64_Rela) <= content.size(); at += sizeof(Elf64_Rela)) {
      Elf64_Rela r;
      std::memcpy(&r, content.data() + at, sizeof r);
      const u64 symbol = ELF64_R_SYM(r.r_info);
      if (symbol >= numbers_[object].size() || (symbol != 0 && numbers_[object][symbol] == absent))
        object_parts::broken("section '" + std::string(s.name) + "' refers to no symbol");
      r.r_info = ELF64_R_INFO(u64{symbol == 0 ? 0 : numbers_[object][symbol]}, ELF64_R_TYPE(r.r_info));
      if (unwinds) r.r_offset += unwinding_.begin[object];
      std::memcpy(content.data() + at, &r, sizeof r);
    }
    Elf64_Shdr h = s.header;
    h.sh_link = table, h.sh_info = changed;
    if (!unwinds) return void(file.section(s.name, h, content));
    unwinding_.relocations = {h, s.name, {}}, unwinding_.changes += content;
  }

  std::vector<object_parts> parts_;
  unwinding_tables unwinding_;
  std::span<const std::string> kept_;
  std::vector<std::vector<u32>> sections_, numbers_;  ///< in the joined object, by object and old number
  std::string symbols_, names_;
  u32 locals_ = 0;  ///< how many symbols come before the first that others see
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

std::string joined_objects(std::span<const std::span<const char>> objects, std::span<const std::string> kept) {
  return detail::object_joiner(objects, kept).join();
}

std::string constant_object(const constant_table& t, std::span<const char> beside) {
  constexpr u64 alignment = 64;
  static_cast<void>(symbols_of_elf(beside));  // it is an object
  Elf64_Ehdr other;
  std::memcpy(&other, beside.data(), sizeof other);
  const machine_info* machine = machine_of_elf(other.e_machine);
  if (machine == nullptr)
    throw error("artifact.elf",
                "the object is for ELF machine " + std::to_string(other.e_machine) + ", which there is no code for");
  const u64 address_relocation = machine->elf_address;
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
  detail::object_writer file{detail::object_kind(other)};
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
