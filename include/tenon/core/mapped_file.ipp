/// @file mapped_file: definitions over POSIX open, fstat, mmap.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tenon/core/error.hpp>
#include <tenon/core/mapped_file.hpp>

namespace tenon {
namespace detail {

struct file_descriptor {
  int fd = -1;
  explicit file_descriptor(int f) : fd(f) {}
  file_descriptor(const file_descriptor&) = delete;
  file_descriptor& operator=(const file_descriptor&) = delete;
  ~file_descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

[[noreturn]] inline void throw_io(const char* code, const char* what, const std::string& path, int number) {
  throw file_error(code, std::string(what) + ": " + std::strerror(number), path, "check the path and its permissions");
}

/// What is mapped now. Pages of other memory must not be released: their content would be lost.
struct mapped_ranges {
  /// A file in one state. What was written to it since has other times, and is mapped anew.
  using state = std::array<i64, 7>;
  struct range {
    std::uintptr_t end = 0;
    state of{};
    size_t uses = 0;
  };
  std::mutex mutex;
  std::map<std::uintptr_t, range> by_begin;
  std::map<state, std::uintptr_t> by_file;

  static state state_of(const struct stat& s) {
    return {static_cast<i64>(s.st_dev), static_cast<i64>(s.st_ino), s.st_size,        s.st_mtim.tv_sec,
            s.st_mtim.tv_nsec,          s.st_ctim.tv_sec,           s.st_ctim.tv_nsec};
  }
  /// Where the file is mapped, which counts as one more use; null where it cannot be.
  const char* map(int fd, const struct stat& s) {
    const std::lock_guard lock(mutex);
    const auto [file, fresh] = by_file.try_emplace(state_of(s), 0);
    if (!fresh) return ++by_begin.at(file->second).uses, reinterpret_cast<const char*>(file->second);
    const auto size = static_cast<size_t>(s.st_size);
    void* const p = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED) return by_file.erase(file), nullptr;
    file->second = reinterpret_cast<std::uintptr_t>(p);
    try {
      by_begin[file->second] = {file->second + size, file->first, 1};
    } catch (...) {
      ::munmap(p, size), by_file.erase(file);
      throw;
    }
    return static_cast<const char*>(p);
  }
  void unmap(const char* data) {
    const std::lock_guard lock(mutex);  // until it is unmapped: the addresses may be another's then
    const auto at = by_begin.find(reinterpret_cast<std::uintptr_t>(data));
    if (--at->second.uses != 0) return;
    by_file.erase(at->second.of);
    ::munmap(const_cast<char*>(data), at->second.end - at->first);
    by_begin.erase(at);
  }
  static mapped_ranges& all() {
    static auto* const ranges = new mapped_ranges;  // files of static storage are unmapped after the end of main
    return *ranges;
  }
};

}  // namespace detail

mapped_file::mapped_file(const std::string& path) {
  detail::file_descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) detail::throw_io("io.open", "cannot open the file", path, errno);
  struct stat info{};
  if (::fstat(file.fd, &info) != 0) detail::throw_io("io.open", "cannot look at the file", path, errno);
  if (S_ISDIR(info.st_mode)) detail::throw_io("io.open", "cannot read the file", path, EISDIR);
  if (S_ISREG(info.st_mode)) {
    size_ = static_cast<size_t>(info.st_size);
    if (size_ == 0) return;  // mmap refuses length 0
    data_ = detail::mapped_ranges::all().map(file.fd, info);
    mapped_ = data_ != nullptr;
    if (mapped_) return;
  }
  copy_ = std::make_unique<std::string>();
  char block[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file.fd, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) detail::throw_io("io.read", "cannot read the file", path, errno);
    if (n == 0) break;
    copy_->append(block, static_cast<size_t>(n));
  }
  data_ = copy_->data();
  size_ = copy_->size();
}

mapped_file::~mapped_file() {
  if (mapped_) detail::mapped_ranges::all().unmap(data_);
}

void release_pages(std::string_view bytes) noexcept {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(bytes.data());
  if (bytes.size() < page) return;
  detail::mapped_ranges& ranges = detail::mapped_ranges::all();
  const std::lock_guard lock(ranges.mutex);
  auto range = ranges.by_begin.upper_bound(first);
  if (range == ranges.by_begin.begin() || first >= (--range)->second.end) return;
  // Whole pages only: what lies beside `bytes` in the others may be wanted.
  const std::uintptr_t begin = (first + page - 1) / page * page,
                       end = std::min(first + bytes.size(), range->second.end) / page * page;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void write_file(const std::string& path, std::string_view bytes) {
  detail::file_descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.fd < 0) detail::throw_io("io.write", "cannot create the file", path, errno);
  while (!bytes.empty()) {
    const ssize_t n = ::write(file.fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) detail::throw_io("io.write", "cannot write the file", path, errno);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

}  // namespace tenon
