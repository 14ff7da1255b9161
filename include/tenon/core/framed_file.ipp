/// @file framed_file.ipp: definitions of core/framed_file.hpp.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
// Its functions come with the header: no library is linked for them.
#ifdef XXH_INLINE_ALL
#  include <xxhash.h>
#else
#  define XXH_INLINE_ALL
#  include <xxhash.h>
#  undef XXH_INLINE_ALL
#endif

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.ipp>

namespace tenon {
namespace detail {

/// All numbers little-endian, as the machines are that this runs on.
struct frame_header {
  char magic[8];
  u32 version, unused;
  u64 size;      ///< of the whole file
  u64 checksum;  ///< of the header with a zero here, then of everything behind it
  u64 table_bytes;
  char room[24];
};
static_assert(sizeof(frame_header) == file_header_bytes);

/// Calls `f(block)` for all of some bytes in order. Blocks of what is large, and of a mapped file, leave memory behind
/// it: who reads all of a file once has no more than a block of it.
template <class F>
void for_each_block(std::string_view bytes, F&& f) {
  constexpr size_t large = 16 << 20, block = 4 << 20;
  const bool release = bytes.size() > large;
  do {
    const std::string_view b = bytes.substr(0, release ? block : large);
    f(b);
    if (release) release_pages(b);
    bytes.remove_prefix(b.size());
  } while (!bytes.empty());
}

/// XXH3 of bytes that come in parts, begun with the header.
class frame_checksum {
 public:
  explicit frame_checksum(frame_header h) {
    h.checksum = 0;
    XXH3_INITSTATE(&state_);
    XXH3_64bits_reset_withSeed(&state_, XXH3_64bits(&h, sizeof h));
  }
  void add(std::string_view bytes) {
    for_each_block(bytes, [&](std::string_view b) { XXH3_64bits_update(&state_, b.data(), b.size()); });
  }
  u64 finish() const { return XXH3_64bits_digest(&state_); }

 private:
  XXH3_state_t state_;
};

/// A protobuf message whose first field is a small number, IR version, and whose second is one that models have behind
/// it.
inline bool looks_like_onnx(std::string_view file) {
  if (file.size() < 16 || file[0] != 0x08 || file[1] < 1 || file[1] > 63) return false;
  // Texts (producer, domain, documentation), the model's version, the graph, the operator sets.
  for (char tag : {0x12, 0x1a, 0x22, 0x28, 0x32, 0x3a, 0x42})
    if (file[2] == tag) return true;
  return false;
}

}  // namespace detail

bool is_file_of(const std::string& path, const file_kind& kind) {
  std::FILE* f = std::fopen(path.c_str(), "rb");
  if (f == nullptr) return false;
  char magic[8] = {};
  const size_t n = std::fread(magic, 1, sizeof magic, f);
  std::fclose(f);
  return has_magic({magic, n}, kind);
}

u64 checksum_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

namespace detail {

/// 0, or the system's number of an error.
inline int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return 0;
}

/// Hands blocks on to a function on another thread, so that the next one is made while this one is written.
template <class F>
class handed_on {
 public:
  explicit handed_on(F& f, bool on_a_thread) : f_(f) {
    if (!on_a_thread) return;
    try {
      thread_ = std::jthread([this] { run(); });
    } catch (const std::system_error&) {  // there are no more threads
    }
  }
  handed_on(const handed_on&) = delete;
  handed_on& operator=(const handed_on&) = delete;
  ~handed_on() { finish(); }

  /// Returns when the block before is done with.
  void put(std::string_view block) {
    if (!thread_.joinable()) return f_(block);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !block_; });
    block_ = block;
    changed_.notify_all();
  }
  void finish() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return block_ || ends_; });
      if (!block_) return;
      lock.unlock();
      f_(*block_);
      lock.lock();
      block_.reset();
      changed_.notify_all();
    }
  }
  F& f_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::string_view> block_;  ///< that is being worked on
  bool ends_ = false;
  std::jthread thread_;
};

}  // namespace detail

std::vector<frame_writer::piece> frame_writer::body() const {
  static constexpr char zeros[file_alignment]{};
  std::vector<piece> r{{table_, nullptr}};
  u64 size = file_header_bytes + table_.size();
  for (const piece& s : sections_) {
    const u64 gap = (file_alignment - size % file_alignment) % file_alignment;
    if (gap != 0) r.push_back({{zeros, gap}, nullptr});
    if (s.size() != 0) r.push_back(s);
    size += gap + s.size();
  }
  return r;
}

std::string frame_writer::header(const file_kind& kind, const std::vector<piece>& body) const {
  detail::frame_header h{};
  std::memcpy(h.magic, kind.magic, sizeof h.magic);
  h.version = kind.version, h.table_bytes = table_.size(), h.size = sizeof h;
  for (const piece& p : body) h.size += p.size();
  return {reinterpret_cast<const char*>(&h), sizeof h};
}

std::string frame_writer::finish(const file_kind& kind) const {
  const std::vector<piece> all = body();
  std::string file = header(kind, all);
  size_t size = file.size();
  for (const piece& p : all) size += p.size();
  file.reserve(size);
  for (const piece& p : all) {
    if (!p.source) {
      file += p.bytes;
      continue;
    }
    const size_t at = file.size();
    file.resize(at + p.size());
    p.source->write(file.data() + at, 0, p.source->parts());
  }
  seal_frame(file);
  return file;
}

class frame_writer::content final : public file_content {
 public:
  content(std::string header, std::vector<piece> body) : header_(std::move(header)), body_(std::move(body)) {}

  int write_to(int file, bool regular) const override {
    detail::frame_header h;
    std::memcpy(&h, header_.data(), sizeof h);
    // The header has the checksum of what comes behind it: it is written again, or else all is computed twice.
    if (!regular) h.checksum = checksum(h, [](std::string_view) { return 0; }).second;
    const auto as_bytes = [&] { return std::string_view(reinterpret_cast<const char*>(&h), sizeof h); };
    if (const int failed = detail::write_all(file, as_bytes())) return failed;
    const auto [failed, sum] = checksum(h, [&](std::string_view b) { return detail::write_all(file, b); });
    if (failed != 0 || !regular) return failed;
    h.checksum = sum;
    return ::lseek(file, 0, SEEK_SET) < 0 ? errno : detail::write_all(file, as_bytes());
  }

 private:
  /// Of all pieces, each block of which is also given to `also`, until that says an error.
  template <class F>
  std::pair<int, u64> checksum(const detail::frame_header& h, const F& also) const {
    constexpr u64 block = 4 << 20, worth_a_thread = 8 << 20;
    detail::frame_checksum sum(h);
    int failed = 0;
    const auto take = [&](std::string_view b) {
      if (failed == 0) sum.add(b), failed = also(b);
    };
    std::string made[2];  // one is written while the other is computed
    u64 computed = 0;
    for (const piece& p : body_) computed += p.source ? p.size() : 0;
    detail::handed_on<const decltype(take)> next(take, computed >= worth_a_thread);
    size_t turn = 0;
    for (const piece& p : body_) {
      if (!p.source) {
        detail::for_each_block(p.bytes, [&](std::string_view b) { next.put(b); });
        continue;
      }
      const u64 parts = p.source->parts(), each = p.source->part_bytes();
      for (u64 first = 0; first < parts;) {
        const u64 count = std::min(std::max<u64>(block / each, 1), parts - first);
        std::string& bytes = made[turn];
        turn = 1 - turn;
        if (bytes.size() < count * each) bytes.resize(count * each);
        p.source->write(bytes.data(), first, count);
        next.put({bytes.data(), static_cast<size_t>(count * each)});
        first += count;
      }
    }
    next.finish();
    return {failed, sum.finish()};
  }

  std::string header_;
  std::vector<piece> body_;
};

void frame_writer::write(const std::string& path, const file_kind& kind) const {
  std::vector<piece> all = body();
  std::string begin = header(kind, all);
  write_atomically(path, content(std::move(begin), std::move(all)));
}

void seal_frame(std::string& file) {
  detail::frame_header h;
  if (file.size() < sizeof h) return;
  std::memcpy(&h, file.data(), sizeof h);
  h.size = file.size();
  detail::frame_checksum sum(h);
  sum.add(std::string_view(file).substr(sizeof h));
  h.checksum = sum.finish();
  std::memcpy(file.data(), &h, sizeof h);
}

framed open_frame(std::string_view file, const file_kind& kind, const std::string& where, frame_check check) {
  const auto fail = [&](const char* code, std::string message, const char* hint = nullptr) {
    throw error(code, std::move(message), where, hint != nullptr ? hint : kind.hint);
  };
  const std::string what = kind.what;
  detail::frame_header h;
  const bool known = has_magic(file, kind);
  if (has_magic(file, module_file_kind) && !known)
    fail("file.kind", "this is a partly compiled module, not " + what, "finish it: tenon build FILE -o PROGRAM");
  if (has_magic(file, program_file_kind) && !known)
    fail("file.kind", "this is a program, not " + what, "run it: tenon run FILE; a program holds no module any more");
  if (file.starts_with("TENONBND") && !known)  // targets/bundle.hpp
    fail("file.kind", "this is a program of several parts, not " + what,
         "run it: tenon run FILE, or open_executable of targets/bundle.hpp");
  if (detail::looks_like_onnx(file))
    fail("file.kind", "this is an ONNX model, not " + what, "compile it: tenon build FILE -o PROGRAM");
  if (!known && !(file.size() < 8 && std::string_view(kind.magic, 8).starts_with(file)))
    fail("file.kind", "not " + what);
  if (file.size() < sizeof h) fail("file.cut", what + " of only " + std::to_string(file.size()) + " bytes");
  std::memcpy(&h, file.data(), sizeof h);
  if (h.version < kind.oldest || h.version > kind.version)
    fail("file.version",
         what + " of version " + std::to_string(h.version) + ", and this library reads " +
             (kind.oldest < kind.version ? "versions " + std::to_string(kind.oldest) + " to " : "version ") +
             std::to_string(kind.version),
         h.version > kind.version ? "read it with a newer tenon" : nullptr);
  if (h.size != file.size())
    fail(file.size() < h.size ? "file.cut" : "file.changed",
         "the file has " + std::to_string(file.size()) + " bytes and says it has " + std::to_string(h.size));
  const std::string_view body = file.substr(sizeof h);
  if (check == frame_check::all) {
    detail::frame_checksum sum(h);
    sum.add(body);
    if (sum.finish() != h.checksum) fail("file.changed", "the checksum does not agree: the file was changed");
  }
  if (h.table_bytes > body.size()) fail("file.changed", "the table is larger than the file");
  return {body.substr(0, h.table_bytes), body, h.version};
}

namespace detail {
class bytes_apart final : public file_content {
 public:
  explicit bytes_apart(const std::vector<std::string_view>& pieces) : pieces_(pieces) {}
  int write_to(int file, bool) const override {
    int failed = 0;
    for (std::string_view p : pieces_)
      for_each_block(p, [&](std::string_view b) { failed = failed != 0 ? failed : write_all(file, b); });
    return failed;
  }

 private:
  const std::vector<std::string_view>& pieces_;
};
}  // namespace detail

void write_atomically(const std::string& path, std::string_view bytes) {
  write_atomically(path, std::vector<std::string_view>{bytes});
}

void write_atomically(const std::string& path, const std::vector<std::string_view>& pieces) {
  written_file(path, pieces).keep();
}

void write_atomically(const std::string& path, const file_content& content) { written_file(path, content).keep(); }

written_file::written_file(const std::string& path, const std::vector<std::string_view>& pieces)
    : written_file(path, detail::bytes_apart(pieces)) {}

written_file::written_file(const std::string& path, const file_content& content) : given_(path), path_(path) {
  static std::atomic<unsigned> number{0};
  struct ::stat there{};
  const bool exists = ::stat(path.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode))
    throw file_error("io.write", "cannot write '" + path + "': it is a folder", {}, "name a file in it");
  // A link stays, and what it points to is replaced. A device or a pipe is written to: replacing it would take it away.
  const bool replace = !exists || S_ISREG(there.st_mode);
  if (char* const real = exists && replace ? ::realpath(path.c_str(), nullptr) : nullptr) path_ = real, std::free(real);
  if (replace) part_ = path_ + ".part" + std::to_string(::getpid()) + "_" + std::to_string(number++);
  if (exists && replace) mode_ = static_cast<int>(there.st_mode & 07777);
  const auto remove = [&] {
    if (!part_.empty()) std::remove(part_.c_str());
  };
  detail::file_descriptor file(
      ::open((replace ? part_ : path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  int why = file.fd < 0 ? errno : 0;
  try {
    if (why == 0) why = content.write_to(file.fd, replace);
  } catch (...) {
    remove();  // the destructor does not run
    throw;
  }
  if (file.fd >= 0 && ::close(std::exchange(file.fd, -1)) != 0 && why == 0) why = errno;
  if (why == 0) return;
  remove();
  fail(why);
}

written_file::written_file(written_file&& other) noexcept
    : given_(std::move(other.given_)), path_(std::move(other.path_)), part_(std::exchange(other.part_, {})),
      mode_(other.mode_) {}

written_file::~written_file() {
  if (!part_.empty()) std::remove(part_.c_str());
}

void written_file::keep() {
  if (part_.empty()) return;
  if ((mode_ >= 0 && ::chmod(part_.c_str(), static_cast<::mode_t>(mode_)) != 0) ||
      std::rename(part_.c_str(), path_.c_str()) != 0)
    fail(errno);
  part_.clear();
}

void written_file::fail(int why) const {
  throw file_error("io.write", "cannot write '" + given_ + "': " + std::strerror(why), {},
                   "check the folder and the free space");
}

}  // namespace tenon
