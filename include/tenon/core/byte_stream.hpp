/// @file byte_stream: numbers and texts as bytes, for the tables of files: written as short as they are, read with
/// care.
///
/// Numbers are LEB128: seven bits a byte, least first. A reader never reads beyond its bytes and never believes a count
/// that the bytes left could not hold; what does not fit is an error with the reader's code.
#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include <tenon/core/error.hpp>
#include <tenon/core/int.hpp>

namespace tenon {

class byte_writer {
 public:
  std::string bytes;
  void number(u64 v) {
    for (; v >= 0x80; v >>= 7) bytes += static_cast<char>(v | 0x80);
    bytes += static_cast<char>(v);
  }
  /// Small negative numbers are short too.
  void signed_number(i64 v) { number((static_cast<u64>(v) << 1) ^ static_cast<u64>(v >> 63)); }
  void real(double v) {
    const u64 b = std::bit_cast<u64>(v);
    bytes.append(reinterpret_cast<const char*>(&b), sizeof b);
  }
  void text(std::string_view s) { number(s.size()), bytes.append(s); }
};

class byte_reader {
 public:
  byte_reader(std::string_view bytes, const char* code, const std::string& where, const char* hint)
      : at_(bytes.data()), end_(at_ + bytes.size()), code_(code), where_(where), hint_(hint) {}

  u64 number() {
    u64 v = 0;
    for (int shift = 0;; shift += 7) {
      if (at_ == end_) fail("the table is cut short");
      const auto b = static_cast<u64>(static_cast<unsigned char>(*at_++));
      // One spelling a number: no zeros behind it, nothing beyond 64 bits.
      if (shift > 63 || (shift == 63 && b > 1) || (shift != 0 && b == 0))
        fail("a number is not spelled as it should be");
      v |= (b & 0x7f) << shift;
      if (b < 0x80) return v;
    }
  }
  u64 number(u64 limit, const char* what) {
    const u64 v = number();
    if (v > limit) fail(std::string(what) + " is out of range");
    return v;
  }
  i64 signed_number() {
    const u64 v = number();
    return static_cast<i64>((v >> 1) ^ (0 - (v & 1)));
  }
  /// How many things follow, each of at least one byte.
  size_t count(const char* what) {
    const u64 v = number();
    if (v > left()) fail(std::string(what) + " is out of range");  // of what is left behind the count itself
    return static_cast<size_t>(v);
  }
  double real() {
    if (left() < sizeof(u64)) fail("the table is cut short");
    u64 b;
    std::memcpy(&b, at_, sizeof b);
    at_ += sizeof b;
    return std::bit_cast<double>(b);
  }
  std::string_view text_view() {
    const size_t n = count("a text's length");
    const std::string_view s(at_, n);
    at_ += n;
    return s;
  }
  std::string text() { return std::string(text_view()); }
  bool flag() { return number(1, "a flag") != 0; }
  size_t left() const { return static_cast<size_t>(end_ - at_); }
  const std::string& where() const { return where_; }
  [[noreturn]] void fail(std::string message) const { throw error(code_, std::move(message), where_, hint_); }

 private:
  const char *at_, *end_;
  const char* code_;
  const std::string& where_;
  const char* hint_;
};

}  // namespace tenon
