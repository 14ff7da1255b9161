/// @file image_file.ipp: definitions of runtime/image_file.hpp: the formats that need no library.
#pragma once

#include <algorithm>
#include <string_view>

#include <tenon/core/error.hpp>
#include <tenon/runtime/image_file.hpp>

namespace tenon {
namespace image_codecs {

void malformed(const char* format, const std::string& why) {
  throw malformed_image("image.malformed", std::string("the ") + format + " image cannot be read: " + why, {}, {});
}
void missing(const char* format, const char* package) {
  throw unsupported_error(
      "image.unsupported", std::string("this tenon was built without a library for ") + format + " images", {},
      std::string("install ") + package + " (scripts/install-deps --optional), and configure tenon again");
}
inline void check_image(i64 height, i64 width) {
  if (height < 1 || width < 1 || height > (i64{1} << 28) / width) malformed("large", "it has no pixels, or too many");
}
tensor make_image(i64 height, i64 width) {
  check_image(height, width);
  return tensor(dtype::u8, {height, width, 3});
}

/// A file's bytes, read in order; reading behind the end is an error.
class byte_reader {
 public:
  byte_reader(std::span<const u8> file, const char* format) : file_(file), format_(format) {}
  u8 at(size_t i) const {
    if (i >= file_.size()) malformed(format_, "it ends too early");
    return file_[i];
  }
  u32 number(size_t i, int bytes) const {  // little-endian
    u32 v = 0;
    for (int k = bytes; k-- > 0;) v = v << 8 | at(i + static_cast<size_t>(k));
    return v;
  }
  i64 integer(size_t i) const { return static_cast<i32>(number(i, 4)); }

 private:
  std::span<const u8> file_;
  const char* format_;
};

/// The bits of a mask in a pixel, as 8 bits.
inline u8 masked(u32 pixel, u32 mask) {
  if (mask == 0) return 0;
  int shift = 0;
  while ((mask >> shift & 1) == 0) ++shift;
  const u64 most = mask >> shift;
  return static_cast<u8>((u64{(pixel & mask) >> shift} * 255 + most / 2) / most);
}

/// Uncompressed images of 1, 4 or 8 bits with a palette, and of 16, 24 or 32 bits.
inline tensor decode_bmp(std::span<const u8> file) {
  const byte_reader in(file, "BMP");
  const size_t start = in.number(10, 4), header = in.number(14, 4);
  if (header < 40) malformed("BMP", "its header is of an old version");
  const i64 width = in.integer(18), rows = in.integer(22), height = rows < 0 ? -rows : rows;
  const u32 bits = in.number(28, 2), compression = in.number(30, 4);
  if (compression != 0 && compression != 3) malformed("BMP", "it is compressed");
  if (bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 24 && bits != 32)
    malformed("BMP", "it has " + std::to_string(bits) + " bits per pixel");
  check_image(height, width);
  u32 masks[3] = {0xff0000, 0xff00, 0xff};
  if (bits == 16) masks[0] = 0x7c00, masks[1] = 0x3e0, masks[2] = 0x1f;
  for (int c = 0; compression == 3 && c < 3; ++c) masks[c] = in.number(54 + 4 * static_cast<size_t>(c), 4);
  const size_t palette = 14 + header, stride = (static_cast<size_t>(width) * bits + 31) / 32 * 4;
  in.at(start + stride * static_cast<size_t>(height) - 1);  // before there is memory for what the file does not hold
  tensor image = make_image(height, width);
  u8* to = image.data<u8>().data();
  for (i64 y = 0; y < height; ++y) {
    const size_t row = start + stride * static_cast<size_t>(rows < 0 ? y : height - 1 - y);
    for (size_t x = 0; x < static_cast<size_t>(width); ++x, to += 3) {
      if (bits <= 8) {
        const u32 index = in.at(row + x * bits / 8) >> (8 - bits - x * bits % 8) & ((1u << bits) - 1);
        for (size_t c = 0; c < 3; ++c) to[c] = in.at(palette + 4 * index + 2 - c);
      } else if (bits == 24) {
        for (size_t c = 0; c < 3; ++c) to[c] = in.at(row + 3 * x + 2 - c);
      } else {
        const u32 pixel = in.number(row + x * bits / 8, static_cast<int>(bits / 8));
        for (size_t c = 0; c < 3; ++c) to[c] = masked(pixel, masks[c]);
      }
    }
  }
  return image;
}

/// P1 to P6: bits, grays and colors, as text or as bytes.
inline tensor decode_pnm(std::span<const u8> file) {
  const byte_reader in(file, "PNM");
  size_t at = 2;
  const auto space = [](u8 c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  const auto skip = [&] {
    while (space(in.at(at)) || in.at(at) == '#')
      if (in.at(at++) == '#')
        while (in.at(at) != '\n') ++at;
  };
  const auto number = [&] {
    skip();
    i64 v = 0;
    if (in.at(at) < '0' || in.at(at) > '9') malformed("PNM", "a number is missing");
    for (; at < file.size() && file[at] >= '0' && file[at] <= '9'; ++at)
      if ((v = v * 10 + (file[at] - '0')) > (i64{1} << 28)) malformed("PNM", "a number is too large");
    return v;
  };
  const int kind = in.at(1) - '0', channels = kind % 3 == 0 ? 3 : 1;
  const bool text = kind <= 3, bits = kind % 3 == 1;
  const i64 width = number(), height = number(), most = bits ? 1 : number();
  if (most < 1 || most > 65535) malformed("PNM", "the largest number is " + std::to_string(most));
  check_image(height, width);
  ++at;  // one space before the bytes
  // What the samples take at least, before there is memory for what the file does not hold.
  const i64 row = text || !bits ? width * channels * (!text && most > 255 ? 2 : 1) : (width + 7) / 8;
  in.at(at + static_cast<size_t>(row * height) - 1);
  tensor image = make_image(height, width);
  u8* to = image.data<u8>().data();
  const auto sample = [&](i64 x) -> i64 {
    if (bits && text) {
      skip();
      return in.at(at++) == '0';  // one is black
    }
    if (bits) {
      const i64 v = in.at(at) >> (7 - x % 8) & 1;
      if (x % 8 == 7 || x == width - 1) ++at;
      return 1 - v;
    }
    if (text) return number();
    i64 v = in.at(at++);
    if (most > 255) v = v << 8 | in.at(at++);
    return v;
  };
  for (i64 y = 0; y < height; ++y)
    for (i64 x = 0; x < width; ++x, to += 3)
      for (int c = 0; c < 3; ++c) {
        if (c >= channels) {
          to[c] = to[0];
          continue;
        }
        const i64 v = sample(x);
        if (v > most) malformed("PNM", "a number is larger than the largest");
        to[c] = static_cast<u8>((v * 255 + most / 2) / most);
      }
  return image;
}

}  // namespace image_codecs

tensor decode_image(std::span<const u8> file) {
  using namespace image_codecs;
  const std::string_view head(reinterpret_cast<const char*>(file.data()), file.size());
  const auto starts = [&](std::string_view with, size_t at = 0) {
    return head.substr(std::min(at, head.size()), with.size()) == with;
  };
  if (starts("BM")) return decode_bmp(file);
  if (file.size() > 2 && head[0] == 'P' && head[1] >= '1' && head[1] <= '6') return decode_pnm(file);
  const bool jpeg = starts("\xff\xd8\xff"), png = starts("\x89PNG"), webp = starts("RIFF") && starts("WEBP", 8),
             tiff = starts({"II*\0", 4}) || starts({"MM\0*", 4}),
             jpeg2000 = starts({"\0\0\0\x0cjP  ", 8}) || starts("\xff\x4f\xff\x51");
  if (jpeg) return decode_jpeg(file);
  if (png) return decode_png(file);
  if (webp) return decode_webp(file);
  if (tiff) return decode_tiff(file);
  if (jpeg2000) return decode_jpeg2000(file);
  malformed("given", "its first bytes are of no known format");
}

}  // namespace tenon
