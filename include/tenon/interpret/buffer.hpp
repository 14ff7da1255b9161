/// @file buffer: mutable memory as the interpreter sees it: who owns it, what it holds, and whether it may be written.
#pragma once

#include <cstring>
#include <memory>

#include <tenon/runtime/tensor.hpp>

namespace tenon::interpreting {

struct buffer {
  dtype type = dtype::f32;
  bool writable = true;
  std::vector<i64> shape;
  i64 count = 0;
  unsigned char* data = nullptr;
  std::shared_ptr<const void> owner;

  buffer() = default;
  buffer(dtype t, std::vector<i64> extents, unsigned char* p, std::shared_ptr<const void> keep, bool may_write)
      : type(t), writable(may_write), shape(std::move(extents)), count(element_count(shape)), data(p),
        owner(std::move(keep)) {}
  /// The elements of a tensor, which stay as they are.
  static buffer read_only(const tensor& t) {
    return {t.type(), t.shape(), static_cast<unsigned char*>(const_cast<void*>(t.data())),
            std::make_shared<const tensor>(t), false};
  }
  /// Storage for a result. It is filled with ones (NaN for floats), so that an element that is never written shows.
  static buffer fresh(tensor& t) {
    unsigned char* p = static_cast<unsigned char*>(t.data());
    if (t.bytes() != 0) std::memset(p, 0xff, static_cast<size_t>(t.bytes()));
    return {t.type(), t.shape(), p, std::make_shared<const tensor>(t), true};
  }
  i64 bytes() const { return count * size_of(type); }
  std::string describe() const { return std::string(name_of(type)) + shape_text(shape); }
};

}  // namespace tenon::interpreting
