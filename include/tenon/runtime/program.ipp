/// @file program.ipp: definitions of runtime/program.hpp.
///
/// File: 64 bytes of header (magic, version, offsets, XXH3 checksum of the rest), a table of ports and sections, then
/// code and constants, each at a multiple of 64 so that a mapped file serves them in place. All numbers little-endian.
#pragma once

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cstdio>
#include <cstring>
#include <mutex>

#include <tenon/core/error.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/runtime/threads.hpp>

namespace tenon {

struct program::state {
  parts p;
  std::vector<const void*> constants;
  mutable std::mutex mutex;
  mutable std::vector<tensor> arenas;  ///< free ones
};

TENON_INLINE const program::parts& program::description() const { return state_->p; }

TENON_INLINE program::program(parts p) : state_(std::make_shared<state>()) {
  state_->p = std::move(p);
  for (const tensor& c : state_->p.constants) state_->constants.push_back(std::as_const(c).data());
}

TENON_INLINE program::entry_point program::operator[](std::string_view name) const {
  if (name != state_->p.name)
    throw error("program.entry", "the program has no entry '" + std::string(name) + "'", {}, "it has '" + state_->p.name + "'");
  return entry_point(*this);
}

TENON_INLINE std::vector<tensor> program::run(std::span<const tensor> inputs, int threads) const {
  std::vector<tensor> outputs;
  for (const port& o : state_->p.outputs) outputs.emplace_back(o.type, o.shape);
  run_into(inputs, outputs, threads);
  return outputs;
}

TENON_INLINE void program::run_into(std::span<const tensor> inputs, std::span<tensor> outputs, int threads) const {
  const state& s = *state_;
  auto check = [](std::span<const tensor> given, const std::vector<port>& ports, const char* what) {
    if (given.size() != ports.size())
      throw error("program.count", "the program has " + std::to_string(ports.size()) + " " + what + "s, and " + std::to_string(given.size()) + " were given");
    for (size_t i = 0; i < given.size(); ++i)
      if (given[i].type() != ports[i].type || given[i].shape() != ports[i].shape)
        throw error("program.type", std::string(what) + " '" + ports[i].name + "' is " + tensor(ports[i].type, ports[i].shape).describe() +
                                        ", and " + given[i].describe() + " was given", {}, "give a tensor of that type and shape, or compile for this one");
  };
  check(inputs, s.p.inputs, "input");
  check({outputs.data(), outputs.size()}, s.p.outputs, "output");
  std::vector<void*> in, out;
  for (const tensor& t : inputs) in.push_back(const_cast<void*>(t.data()));
  for (tensor& t : outputs) out.push_back(t.data());
  tensor arena;
  {
    const std::lock_guard lock(s.mutex);
    if (!s.arenas.empty()) {
      arena = std::move(s.arenas.back());
      s.arenas.pop_back();
    }
  }
  if (!arena.defined() || arena.bytes() < s.p.arena_bytes) arena = tensor(dtype::u8, {std::max<i64>(s.p.arena_bytes, 64)});
  const tenon_runtime runtime = make_runtime(threads);
  s.p.entry(in.data(), out.data(), arena.data(), s.constants.data(), &runtime);
  const std::lock_guard lock(s.mutex);
  s.arenas.push_back(std::move(arena));
}

namespace detail {

struct program_header {
  char magic[8];
  u32 version, flags;
  u64 size;      ///< of the whole file
  u64 checksum;  ///< XXH3 of all bytes after the header
  u64 table_bytes;
  char unused[24];
};
static_assert(sizeof(program_header) == 64);
inline constexpr char program_magic[8] = {'T', 'E', 'N', 'O', 'N', 'P', 'R', 'G'};
inline constexpr u32 program_version = 1;

class table_writer {
 public:
  std::string bytes;
  void number(u64 v) { bytes.append(reinterpret_cast<const char*>(&v), sizeof v); }
  void text(std::string_view s) { number(s.size()), bytes.append(s); }
  void ports(const std::vector<port>& list) {
    number(list.size());
    for (const port& p : list) {
      text(p.name), number(static_cast<u64>(p.type)), number(p.shape.size());
      for (i64 d : p.shape) number(static_cast<u64>(d));
    }
  }
};

class table_reader {
 public:
  table_reader(const char* data, size_t size, const std::string& file) : at_(data), end_(data + size), file_(file) {}
  u64 number() {
    u64 v;
    if (static_cast<size_t>(end_ - at_) < sizeof v) fail("the table is cut short");
    std::memcpy(&v, at_, sizeof v);
    at_ += sizeof v;
    return v;
  }
  u64 number(u64 limit, const char* what) {
    const u64 v = number();
    if (v > limit) fail(std::string(what) + " is out of range");
    return v;
  }
  std::string text() {
    const u64 n = number(static_cast<u64>(end_ - at_), "a text's length");
    if (n > static_cast<u64>(end_ - at_)) fail("a text is cut short");
    std::string s(at_, n);
    at_ += n;
    return s;
  }
  std::vector<port> ports() {
    std::vector<port> r(number(1 << 20, "the number of ports"));
    for (port& p : r) {
      p.name = text();
      p.type = static_cast<dtype>(number(dtype_count - 1, "an element type"));
      p.shape.resize(number(64, "a rank"));
      for (i64& d : p.shape) d = static_cast<i64>(number(u64{1} << 40, "an extent"));
    }
    return r;
  }
  [[noreturn]] void fail(std::string message) const {
    throw error("program.file", std::move(message), file_, "build the program again");
  }

 private:
  const char *at_, *end_;
  const std::string& file_;
};

inline void write_atomically(const std::string& path, std::span<const std::string_view> pieces) {
  const std::string temporary = path + ".part" + std::to_string(::getpid());
  std::FILE* f = std::fopen(temporary.c_str(), "wb");
  bool ok = f != nullptr;
  for (std::string_view p : pieces) ok = ok && std::fwrite(p.data(), 1, p.size(), f) == p.size();
  if (f != nullptr) ok = std::fclose(f) == 0 && ok;
  ok = ok && std::rename(temporary.c_str(), path.c_str()) == 0;
  if (!ok) {
    const std::string why = std::strerror(errno);
    std::remove(temporary.c_str());
    throw error("io.write", "cannot write '" + path + "': " + why, {}, "check the folder and the free space");
  }
}

}  // namespace detail

TENON_INLINE void save_program(const std::string& path, const program::parts& parts, std::span<const char> shared_object,
                               std::string_view entry_symbol) {
  auto aligned = [](u64 n) { return (n + 63) / 64 * 64; };
  detail::table_writer table;
  table.text(parts.name), table.text(parts.target), table.text(parts.fingerprint), table.text(entry_symbol);
  table.number(static_cast<u64>(parts.arena_bytes));
  table.ports(parts.inputs), table.ports(parts.outputs);
  table.number(shared_object.size());
  table.number(parts.constants.size());
  for (const tensor& c : parts.constants) {
    table.number(static_cast<u64>(c.type())), table.number(c.shape().size());
    for (i64 d : c.shape()) table.number(static_cast<u64>(d));
  }
  std::string body = table.bytes;
  auto section = [&](const void* data, u64 size) {
    body.resize(aligned(body.size()));
    body.append(static_cast<const char*>(data), size);
  };
  section(shared_object.data(), shared_object.size());
  for (const tensor& c : parts.constants) section(c.data(), static_cast<u64>(c.bytes()));
  detail::program_header h{};
  std::memcpy(h.magic, detail::program_magic, 8);
  h.version = detail::program_version;
  h.size = sizeof h + body.size();
  h.checksum = XXH3_64bits(body.data(), body.size());
  h.table_bytes = table.bytes.size();
  const std::string_view pieces[2] = {{reinterpret_cast<const char*>(&h), sizeof h}, body};
  detail::write_atomically(path, pieces);
}

TENON_INLINE bool is_program_file(const std::string& path) {
  std::FILE* f = std::fopen(path.c_str(), "rb");
  if (f == nullptr) return false;
  char magic[8] = {};
  const bool yes = std::fread(magic, 1, 8, f) == 8 && std::memcmp(magic, detail::program_magic, 8) == 0;
  std::fclose(f);
  return yes;
}

TENON_INLINE program program::open(const std::string& path) {
  const auto file = std::make_shared<const mapped_file>(path);
  const char* data = file->data();
  const size_t size = file->size();
  auto fail = [&](std::string m) { throw error("program.file", std::move(m), path, "build the program again"); };
  detail::program_header h;
  if (size < sizeof h) fail("not a program file: it has only " + std::to_string(size) + " bytes");
  std::memcpy(&h, data, sizeof h);
  if (std::memcmp(h.magic, detail::program_magic, 8) != 0) fail("not a program file");
  if (h.version != detail::program_version)
    fail("program file of version " + std::to_string(h.version) + ", this library reads version " + std::to_string(detail::program_version));
  if (h.size != size) fail("the file has " + std::to_string(size) + " bytes and says it has " + std::to_string(h.size));
  if (XXH3_64bits(data + sizeof h, size - sizeof h) != h.checksum) fail("the checksum does not agree: the file was changed");
  if (h.table_bytes > size - sizeof h) fail("the table is larger than the file");

  detail::table_reader table(data + sizeof h, h.table_bytes, path);
  parts p;
  p.name = table.text(), p.target = table.text(), p.fingerprint = table.text();
  const std::string symbol = table.text();
  p.arena_bytes = static_cast<i64>(table.number(u64{1} << 46, "the arena's size"));
  p.inputs = table.ports(), p.outputs = table.ports();
  u64 at = h.table_bytes;
  auto section = [&](u64 n) {
    at = (at + 63) / 64 * 64;
    if (at > size - sizeof h || n > size - sizeof h - at) table.fail("a section reaches beyond the end of the file");
    const char* s = data + sizeof h + at;
    at += n;
    return s;
  };
  p.code_bytes = static_cast<i64>(table.number(size, "the code's size"));
  const char* code = section(static_cast<u64>(p.code_bytes));
  const u64 constants = table.number(size, "the number of constants");
  for (u64 i = 0; i < constants; ++i) {
    const dtype t = static_cast<dtype>(table.number(dtype_count - 1, "an element type"));
    std::vector<i64> shape(table.number(64, "a rank"));
    u64 bytes = static_cast<u64>(size_of(t));
    for (i64& d : shape) {
      d = static_cast<i64>(table.number(size, "an extent"));
      if (d != 0 && bytes > size / static_cast<u64>(d)) table.fail("a constant is larger than the file");
      bytes *= static_cast<u64>(d);
    }
    p.constants.push_back(tensor::view(t, std::move(shape), section(bytes), file));
  }

  // The loader wants a file: a nameless one in memory, which lives as long as the code is mapped.
  const int fd = ::memfd_create("tenon", MFD_CLOEXEC);
  if (fd < 0) fail(std::string("cannot make a file in memory: ") + std::strerror(errno));
  for (i64 done = 0; done < p.code_bytes;) {
    const auto n = ::write(fd, code + done, static_cast<size_t>(p.code_bytes - done));
    if (n <= 0) {
      ::close(fd);
      fail(std::string("cannot write to a file in memory: ") + std::strerror(errno));
    }
    done += n;
  }
  void* handle = ::dlopen(("/proc/self/fd/" + std::to_string(fd)).c_str(), RTLD_NOW | RTLD_LOCAL);
  ::close(fd);
  if (handle == nullptr) fail(std::string("cannot load the code: ") + ::dlerror());
  p.code = std::shared_ptr<const void>(handle, [](const void* x) { ::dlclose(const_cast<void*>(x)); });
  p.entry = reinterpret_cast<tenon_entry>(::dlsym(handle, symbol.c_str()));
  if (p.entry == nullptr) fail("the code does not define '" + symbol + "'");
  return program(std::move(p));
}

}  // namespace tenon
