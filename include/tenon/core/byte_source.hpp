/// @file byte_source: bytes that are computed when somebody needs them, part by part.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include <tenon/core/int.hpp>

namespace tenon {

class byte_source {
 public:
  virtual ~byte_source() = default;
  /// How many parts there are, of `part_bytes` each.
  virtual u64 parts() const = 0;
  virtual u64 part_bytes() const = 0;
  /// All bytes of `count` parts from `first` on. Any number of threads may ask, for the same parts too.
  virtual void write(void* to, u64 first, u64 count) const = 0;
  /// Are the bytes known to be the same, without computing them? Sources that are the same have equal hashes.
  virtual bool same(const byte_source& other) const = 0;
  virtual u64 hash() const = 0;
  /// Where the bytes lie, if they are computed by copying: at any address, as long as this lives; else null.
  virtual const void* stored() const { return nullptr; }
  u64 bytes() const { return parts() * part_bytes(); }

 protected:
  byte_source() = default;
  byte_source(const byte_source&) = default;
  byte_source& operator=(const byte_source&) = default;
};

/// Bytes that lie somewhere already, such as numbers of a file that are not aligned.
class stored_bytes final : public byte_source {
 public:
  stored_bytes(std::string_view bytes, std::shared_ptr<const void> owner) : bytes_(bytes), owner_(std::move(owner)) {}
  u64 parts() const override { return 1; }
  u64 part_bytes() const override { return bytes_.size(); }
  void write(void* to, u64 first, u64 count) const override;
  bool same(const byte_source& other) const override;
  u64 hash() const override;
  const void* stored() const override { return bytes_.data(); }

 private:
  std::string_view bytes_;
  std::shared_ptr<const void> owner_;
};

}  // namespace tenon
