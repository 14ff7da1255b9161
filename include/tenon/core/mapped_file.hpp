/// @file mapped_file: a file's bytes, mapped read-only for as long as the object lives.
///
/// Regular files are mapped: pages come in on use, and are there once for all objects of a file that nobody changes.
/// Pipes and devices are read. A file that is shortened while it is mapped is outside what can be caught here.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <tenon/core/int.hpp>

namespace tenon {

class mapped_file {
 public:
  mapped_file() = default;
  /// Throws tenon::error "io.open" or "io.read" that names the path and the system's reason.
  explicit mapped_file(const std::string& path);
  mapped_file(mapped_file&& other) noexcept { swap(other); }
  mapped_file& operator=(mapped_file&& other) noexcept {
    mapped_file(std::move(other)).swap(*this);
    return *this;
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file();

  const char* data() const { return data_; }
  size_t size() const { return size_; }
  std::string_view bytes() const { return {data_, size_}; }

 private:
  void swap(mapped_file& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(mapped_, other.mapped_);
    std::swap(copy_, other.copy_);
  }

  const char* data_ = nullptr;
  size_t size_ = 0;
  bool mapped_ = false;
  std::unique_ptr<std::string> copy_;  // on the heap, so that moving the object never moves the bytes
};

/// Takes the pages of mapped files in `bytes` out of this process's memory: they come back, from the system's cache or
/// from the file, when they are read. For who will not read them soon; memory that is no mapped_file's stays as it is.
/// Cost: as of a system call, and a fault for each page that is read again.
void release_pages(std::string_view bytes) noexcept;

/// Replaces the file at `path` by `bytes`. Throws tenon::error "io.write".
void write_file(const std::string& path, std::string_view bytes);

}  // namespace tenon
