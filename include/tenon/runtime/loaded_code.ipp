/// @file loaded_code.ipp: definitions over memfd_create and dlopen.
#pragma once

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/int.hpp>
#include <tenon/core/machine.hpp>
#include <tenon/runtime/loaded_code.hpp>

namespace tenon {
namespace detail {

/// A spelling of a descriptor's path that no other call gives. The loader compares names before it looks at files, and
/// descriptors are used again: by a name that it has met, it would return the code that was loaded first.
inline std::string fresh_descriptor_path(int fd) {
  static std::atomic<u64> calls{0};
  std::string path = "/proc/self/fd/";
  for (u64 n = ++calls; n != 0; n >>= 1) path += (n & 1) != 0 ? "./" : "/";
  return path + std::to_string(fd);
}

/// A shared object's own description of itself, held against its bytes (System V ABI, chapters 4 and 5). What segments,
/// the loader's table and its parts say they cover is within the file: else pages that are not there would be read.
class checked_object {
 public:
  explicit checked_object(std::span<const char> bytes) : bytes_(bytes) {
    if (bytes.size() < sizeof header_) fail("it is too short");
    header_ = read<Elf64_Ehdr>(0);
    if (std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 || header_.e_ident[EI_CLASS] != ELFCLASS64 ||
        header_.e_ident[EI_DATA] != ELFDATA2LSB || header_.e_type != ET_DYN)
      fail("it is no 64-bit shared object");
    require_machine(header_.e_machine, {});
    if (header_.e_phentsize != sizeof(Elf64_Phdr)) fail("its segments are described in a form that is not known");
    for (u64 i = 0; i < header_.e_phnum; ++i) segment(read<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)));
    if (loads_.empty() || dynamic_.p_type != PT_DYNAMIC) fail("it has nothing to load");
    if (!covers(dynamic_.p_vaddr, dynamic_.p_filesz)) fail("the loader's table is in no segment");
    for (u64 i = 0; i < header_.e_phnum; ++i) part(read<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)));
    follow();
  }

  std::optional<u64> absolute(std::string_view name) const {
    for (u64 i = 0; i < header_.e_shnum; ++i) {
      const auto table = section(i);
      if (table.sh_type != SHT_DYNSYM || table.sh_link >= header_.e_shnum) continue;
      const auto names = section(table.sh_link);
      if (!within(names.sh_offset, names.sh_size)) fail("names reach beyond its end");
      for (u64 k = 1; k < table.sh_size / sizeof(Elf64_Sym); ++k) {
        const auto s = read<Elf64_Sym>(table.sh_offset + k * sizeof(Elf64_Sym));
        if (s.st_shndx != SHN_ABS || s.st_name >= names.sh_size) continue;
        const char* text = bytes_.data() + names.sh_offset + s.st_name;
        if (std::string_view(text, ::strnlen(text, names.sh_size - s.st_name)) == name) return s.st_value;
      }
    }
    return {};
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    throw error("artifact.load", std::string("the code is no sound shared object: ") + what, {},
                "build the program again");
  }
  bool within(u64 at, u64 size) const { return at <= bytes_.size() && size <= bytes_.size() - at; }
  template <class T>
  T read(u64 at) const {
    if (!within(at, sizeof(T))) fail("a table reaches beyond its end");
    T t;
    std::memcpy(&t, bytes_.data() + at, sizeof t);
    return t;
  }
  Elf64_Shdr section(u64 i) const { return read<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr)); }

  void segment(const Elf64_Phdr& p) {
    if (p.p_type == PT_DYNAMIC) dynamic_ = p;
    if (p.p_type != PT_LOAD) return;
    constexpr u64 most = u64{1} << 40;
    if (!within(p.p_offset, p.p_filesz)) fail("a segment reaches beyond its end");
    if (p.p_filesz > p.p_memsz || p.p_memsz > most || p.p_vaddr > most) fail("a segment has a size that none has");
    if (p.p_align > most || (p.p_align & (p.p_align - 1)) != 0 ||
        (p.p_align > 1 && (p.p_vaddr - p.p_offset) % p.p_align != 0))
      fail("a segment is not aligned");
    if ((p.p_flags & PF_R) == 0) fail("a segment cannot be read");
    if (!loads_.empty() && p.p_vaddr < loads_.back().p_vaddr + loads_.back().p_memsz) fail("segments are not in order");
    loads_.push_back(p);
  }
  /// The others are parts of those that are loaded: to the ends of their pages at most.
  void part(const Elf64_Phdr& p) const {
    constexpr u32 riscv_attributes = PT_LOPROC + 3;  // which nothing loads
    if (p.p_type == PT_LOAD || p.p_type == PT_NULL || p.p_type == PT_GNU_STACK) return;
    if (p.p_type == riscv_attributes && header_.e_machine == EM_RISCV) return;
    const machine_info* here = this_machine();
    const u64 page = here != nullptr ? here->largest_page : 4096;
    const bool inside = std::any_of(loads_.begin(), loads_.end(), [&](const Elf64_Phdr& l) {
      const u64 size = (l.p_vaddr % page + l.p_memsz + page - 1) / page * page - l.p_vaddr % page;
      return p.p_vaddr >= l.p_vaddr && p.p_vaddr - l.p_vaddr <= size && p.p_memsz <= size - (p.p_vaddr - l.p_vaddr) &&
             (p.p_flags & ~l.p_flags & (PF_R | PF_W | PF_X)) == 0;
    });
    if (!inside || p.p_filesz > p.p_memsz || !within(p.p_offset, p.p_filesz))
      fail("a part of its segments is outside of them");
  }
  /// Is what is loaded to these addresses in the file?
  bool covers(u64 address, u64 size) const {
    return std::any_of(loads_.begin(), loads_.end(), [&](const Elf64_Phdr& p) {
      return address >= p.p_vaddr && address - p.p_vaddr <= p.p_filesz && size <= p.p_filesz - (address - p.p_vaddr);
    });
  }
  /// Where the loader writes: places that relocations name.
  void relocations(u64 table, u64 size) const {
    for (const Elf64_Phdr& l : loads_) {
      if (table < l.p_vaddr || table - l.p_vaddr > l.p_filesz) continue;
      for (u64 i = 0; i < size / sizeof(Elf64_Rela); ++i) {
        const auto r = read<Elf64_Rela>(l.p_offset + (table - l.p_vaddr) + i * sizeof(Elf64_Rela));
        if (!std::any_of(loads_.begin(), loads_.end(), [&](const Elf64_Phdr& p) {
              return (p.p_flags & PF_W) != 0 && r.r_offset >= p.p_vaddr && p.p_memsz >= sizeof(u64) &&
                     r.r_offset - p.p_vaddr <= p.p_memsz - sizeof(u64);
            }))
          fail("a relocation is in no segment that is written");
      }
      return;
    }
  }
  /// What the loader reads and writes by the table.
  void follow() const {
    u64 value[DT_NUM] = {};
    bool ended = false;
    for (u64 i = 0; i < dynamic_.p_filesz / sizeof(Elf64_Dyn) && !ended; ++i) {
      const auto d = read<Elf64_Dyn>(dynamic_.p_offset + i * sizeof(Elf64_Dyn));
      ended = d.d_tag == DT_NULL;
      if (d.d_tag == DT_GNU_HASH && !covers(d.d_un.d_ptr, 4 * sizeof(u32)))
        fail("a table of the loader is in no segment");
      if (d.d_tag > 0 && d.d_tag < DT_NUM) value[d.d_tag] = d.d_un.d_val;
    }
    if (!ended) fail("the loader's table has no end");
    constexpr int tables[][2] = {{DT_STRTAB, DT_STRSZ},
                                 {DT_RELA, DT_RELASZ},
                                 {DT_JMPREL, DT_PLTRELSZ},
                                 {DT_INIT_ARRAY, DT_INIT_ARRAYSZ},
                                 {DT_FINI_ARRAY, DT_FINI_ARRAYSZ}};
    for (const auto& [table, size] : tables)
      if (value[table] != 0 && !covers(value[table], value[size])) fail("a table of the loader is in no segment");
    relocations(value[DT_RELA], value[DT_RELASZ]), relocations(value[DT_JMPREL], value[DT_PLTRELSZ]);
    for (int tag : {DT_SYMTAB, DT_HASH})
      if (value[tag] != 0 && !covers(value[tag], sizeof(Elf64_Sym) / 3)) fail("a table of the loader is in no segment");
    for (int tag : {DT_INIT, DT_FINI})
      if (value[tag] != 0 && !covers(value[tag], 1)) fail("a function that the loader calls is in no segment");
  }

  std::span<const char> bytes_;
  Elf64_Ehdr header_{};
  Elf64_Phdr dynamic_{};
  std::vector<Elf64_Phdr> loads_;
};

}  // namespace detail

std::optional<u64> absolute_symbol(std::span<const char> shared_object, std::string_view name) {
  return detail::checked_object(shared_object).absolute(name);
}

bool perf_map_asked() {
  const char* said = std::getenv("TENON_PERF_MAP");
  return said != nullptr && std::string_view(said) == "1";
}

namespace detail {
/// A file to load code from, and its path. Nameless, unless profilers are to find it.
inline int code_file(std::string& path) {
  if (perf_map_asked()) {
    static std::atomic<int> count{0};
    const char* folder = std::getenv("TMPDIR");
    path = std::string(folder != nullptr && *folder != 0 ? folder : "/tmp") + "/tenon-" + std::to_string(::getpid()) +
           "-" + std::to_string(++count) + ".so";
    if (const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600); fd >= 0) return fd;
  }
  const int fd = ::memfd_create("tenon", MFD_CLOEXEC);
  if (fd >= 0) path = fresh_descriptor_path(fd);
  return fd;
}
}  // namespace detail

loaded_code::loaded_code(std::span<const char> shared_object, const std::string& symbol) {
  static_cast<void>(detail::checked_object(shared_object));
  const auto fail = [](std::string what) {
    throw error("artifact.load", std::move(what), {}, "build the program again");
  };
  std::string path;
  const int fd = detail::code_file(path);
  if (fd < 0) fail(std::string("cannot make a file in memory: ") + std::strerror(errno));
  for (size_t done = 0; done < shared_object.size();) {
    const auto n = ::write(fd, shared_object.data() + done, shared_object.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int why = errno;
      ::close(fd);
      fail(std::string("cannot write to a file in memory: ") + std::strerror(why));
    }
    done += static_cast<size_t>(n);
  }
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ::close(fd);
  if (handle == nullptr) fail(std::string("cannot load the code: ") + ::dlerror());
  handle_ = std::shared_ptr<const void>(handle, [](const void* x) { ::dlclose(const_cast<void*>(x)); });
  entry_ = reinterpret_cast<tenon_entry>(find(symbol));
  if (entry_ == nullptr) fail("the code does not define '" + symbol + "'");
}

void* loaded_code::find(const std::string& symbol) const {
  return ::dlsym(const_cast<void*>(handle_.get()), symbol.c_str());
}

}  // namespace tenon
