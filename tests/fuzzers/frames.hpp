/// @file frames: libFuzzer's mutations for files with a table and a checksum (core/framed_file.hpp). Include it once.
///
/// Numbers of a table become absurd ones where they stand; a target tries a file as it is, and with right checksums.
#pragma once

#include <algorithm>
#include <cstring>
#include <random>

#include <tenon/core/framed_file.hpp>

#include "fuzzers/fuzzer.hpp"
#include "support/protobuf_edits.hpp"

namespace tenon::fuzzing {

/// The file with right checksums: of each file within that begins as `inner` do, and its own.
inline std::string sealed(std::string file, std::initializer_list<file_kind> inner = {}) {
  for (const file_kind& kind : inner) {
    const std::string_view magic(kind.magic, 8);
    for (size_t at = file.find(magic, 1); at != file.npos; at = file.find(magic, at + 1)) {
      u64 says = 0;
      if (file.size() - at < file_header_bytes) break;
      std::memcpy(&says, file.data() + at + 16, sizeof says);
      std::string part = file.substr(at, says < file_header_bytes || says > file.size() - at ? file.npos : says);
      seal_frame(part);
      file.replace(at, part.size(), part);
    }
  }
  seal_frame(file);
  return file;
}

}  // namespace tenon::fuzzing

extern "C" size_t LLVMFuzzerCustomMutator(unsigned char* data, size_t size, size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  if (random() % 2 == 0 || size <= tenon::file_header_bytes) return LLVMFuzzerMutate(data, size, most);
  // A number, seven bits a byte: where it ends is seen, where it begins is not, so any byte may be one.
  const size_t at = tenon::file_header_bytes + random() % std::min<size_t>(size - tenon::file_header_bytes, 512);
  size_t end = at;
  while (end < size && (data[end] & 0x80) != 0) ++end;
  std::string number;
  auto v =
      static_cast<tenon::u64>(tenon::testing::absurd_integers[random() % std::size(tenon::testing::absurd_integers)]);
  if (random() % 2 == 0) v = random() % 70;
  for (; v >= 0x80; v >>= 7) number += static_cast<char>(v | 0x80);
  number += static_cast<char>(v);
  std::string file(reinterpret_cast<const char*>(data), size);
  file.replace(at, std::min(end + 1, size) - at, number);
  if (file.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, file.data(), file.size());
  return file.size();
}
