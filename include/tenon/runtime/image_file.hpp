/// @file image_file: decodes image files: BMP, PNM, and by libraries JPEG, PNG, WebP, TIFF and JPEG 2000.
///
/// The format follows from the first bytes. Which libraries there are is decided when tenon::compiled is configured,
/// or by TENON_HAS_JPEG=1, _PNG, _WEBP, _TIFF, _JPEG2000 where definitions.hpp is included (runtime/image_codecs.ipp).
#pragma once

#include <span>
#include <string>

#include <tenon/core/error.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon {

/// "image.malformed": a file is broken, or of no known format.
class malformed_image : public error {
 public:
  using error::error;
};
/// u8[height, width, 3], red first; transparency is left out. Errors: `malformed_image`, "image.unsupported" for one
/// whose library is missing.
tensor decode_image(std::span<const u8> file);

namespace image_codecs {
/// An image's pixels before they are filled: at most 2^28, and at least one.
tensor make_image(i64 height, i64 width);
[[noreturn]] void malformed(const char* format, const std::string& why);
[[noreturn]] void missing(const char* format, const char* package);
tensor decode_jpeg(std::span<const u8>);
tensor decode_png(std::span<const u8>);
tensor decode_webp(std::span<const u8>);
tensor decode_tiff(std::span<const u8>);
tensor decode_jpeg2000(std::span<const u8>);
}  // namespace image_codecs
}  // namespace tenon
