/// @file byte_source.ipp: definitions of core/byte_source.hpp.
#pragma once

#include <algorithm>

#include <tenon/core/byte_source.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.hpp>

namespace tenon {

void stored_bytes::write(void* to, u64, u64 count) const {
  if (count == 0) return;
  bytes_.copy(static_cast<char*>(to), bytes_.size());
  release_pages(bytes_);
}

bool stored_bytes::same(const byte_source& other) const {
  const auto* o = dynamic_cast<const stored_bytes*>(&other);
  return o != nullptr && bytes_ == o->bytes_;
}

u64 stored_bytes::hash() const {
  constexpr size_t ends = 64;  // which tell most apart
  return checksum_of(bytes_.substr(0, ends)) +
         31 * checksum_of(bytes_.substr(bytes_.size() - std::min(bytes_.size(), ends)));
}

}  // namespace tenon
