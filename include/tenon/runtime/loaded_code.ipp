/// @file loaded_code.ipp: definitions over memfd_create and dlopen.
#pragma once

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include <tenon/core/error.hpp>
#include <tenon/core/int.hpp>
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

}  // namespace detail

TENON_INLINE loaded_code::loaded_code(std::span<const char> shared_object, const std::string& symbol) {
  const auto fail = [](std::string what) { throw error("artifact.load", std::move(what), {}, "build the program again"); };
  const int fd = ::memfd_create("tenon", MFD_CLOEXEC);
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
  void* handle = ::dlopen(detail::fresh_descriptor_path(fd).c_str(), RTLD_NOW | RTLD_LOCAL);
  ::close(fd);
  if (handle == nullptr) fail(std::string("cannot load the code: ") + ::dlerror());
  handle_ = std::shared_ptr<const void>(handle, [](const void* x) { ::dlclose(const_cast<void*>(x)); });
  entry_ = reinterpret_cast<tenon_entry>(find(symbol));
  if (entry_ == nullptr) fail("the code does not define '" + symbol + "'");
}

TENON_INLINE void* loaded_code::find(const std::string& symbol) const {
  return ::dlsym(const_cast<void*>(handle_.get()), symbol.c_str());
}

}  // namespace tenon
