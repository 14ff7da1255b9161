/// @file image_codecs.ipp: image formats that libraries decode. Each library is optional: TENON_HAS_X says which there
/// are.
#pragma once

#include <tenon/runtime/image_file.hpp>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#if TENON_HAS_JPEG
#  include <jpeglib.h>
#endif
#if TENON_HAS_PNG
#  include <png.h>
#endif
#if TENON_HAS_WEBP
#  include <webp/decode.h>
#endif
#if TENON_HAS_TIFF
#  include <tiffio.h>
#endif
#if TENON_HAS_JPEG2000
#  include <openjpeg.h>
#endif

namespace tenon::image_codecs {

#if TENON_HAS_JPEG
namespace {

struct jpeg_failure {
  jpeg_error_mgr base;  // first: libjpeg gives its address
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};
void leave_jpeg(j_common_ptr info) {
  auto* const f = reinterpret_cast<jpeg_failure*>(info->err);
  f->base.format_message(info, f->message);
  std::longjmp(f->back, 1);
}
void stay_quiet(j_common_ptr) {}

/// Nothing between setjmp and longjmp has a destructor. `image` stays what it was when `make` fails.
bool read_jpeg(std::span<const u8> file, jpeg_failure& failure, std::unique_ptr<tensor>& image,
               std::unique_ptr<u8[]>& row) {
  jpeg_decompress_struct info;
  std::memset(&info, 0, sizeof info);
  info.err = jpeg_std_error(&failure.base);
  failure.base.error_exit = leave_jpeg;
  failure.base.output_message = stay_quiet;
  if (setjmp(failure.back)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, file.data(), file.size());
  jpeg_read_header(&info, TRUE);
  const bool four = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  info.out_color_space = four ? JCS_CMYK : JCS_RGB;
  if (i64{info.image_width} * info.image_height > (i64{1} << 28)) {
    jpeg_destroy_decompress(&info);
    std::snprintf(failure.message, sizeof failure.message, "it has too many pixels");
    return false;
  }
  jpeg_start_decompress(&info);
  *image = make_image(info.output_height, info.output_width);
  row = std::make_unique<u8[]>(size_t{info.output_width} * 4);
  u8* to = image->data<u8>().data();
  while (info.output_scanline < info.output_height) {
    u8* line = row.get();
    jpeg_read_scanlines(&info, &line, 1);
    for (size_t x = 0; x < info.output_width; ++x)
      for (size_t c = 0; c < 3; ++c)  // Adobe's inks are stored as what is left of the light
        *to++ = four ? static_cast<u8>(line[4 * x + c] * line[4 * x + 3] / 255) : line[3 * x + c];
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return true;
}

}  // namespace

tensor decode_jpeg(std::span<const u8> file) {
  jpeg_failure failure{};
  auto image = std::make_unique<tensor>();
  std::unique_ptr<u8[]> row;
  if (!read_jpeg(file, failure, image, row)) malformed("JPEG", failure.message);
  return std::move(*image);
}
#else
tensor decode_jpeg(std::span<const u8>) { missing("JPEG", "libjpeg62-turbo-dev"); }
#endif

#if TENON_HAS_PNG
tensor decode_png(std::span<const u8> file) {
  png_image info{};
  info.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&info, file.data(), file.size())) malformed("PNG", info.message);
  struct release {
    png_image& info;
    ~release() { png_image_free(&info); }
  } const at_end{info};
  info.format = PNG_FORMAT_RGBA;
  tensor image = make_image(info.height, info.width);
  std::vector<u8> pixels(PNG_IMAGE_SIZE(info));
  if (!png_image_finish_read(&info, nullptr, pixels.data(), 0, nullptr)) malformed("PNG", info.message);
  u8* to = image.data<u8>().data();
  for (size_t p = 0; p < pixels.size(); p += 4)
    for (size_t c = 0; c < 3; ++c) *to++ = pixels[p + c];
  return image;
}
#else
tensor decode_png(std::span<const u8>) { missing("PNG", "libpng-dev"); }
#endif

#if TENON_HAS_WEBP
tensor decode_webp(std::span<const u8> file) {
  int width = 0, height = 0;
  if (!WebPGetInfo(file.data(), file.size(), &width, &height)) malformed("WebP", "its header is broken");
  tensor image = make_image(height, width);
  const std::span<u8> to = image.data<u8>();
  if (!WebPDecodeRGBInto(file.data(), file.size(), to.data(), to.size(), 3 * width))
    malformed("WebP", "its data is broken");
  return image;
}
#else
tensor decode_webp(std::span<const u8>) { missing("WebP", "libwebp-dev"); }
#endif

#if TENON_HAS_TIFF || TENON_HAS_JPEG2000
namespace {
/// A file in memory with a place to read from, as both libraries want it.
struct memory_file {
  std::span<const u8> bytes;
  size_t at = 0;

  size_t read(void* to, size_t count) {
    count = at < bytes.size() ? std::min(count, bytes.size() - at) : 0;
    if (count > 0) std::memcpy(to, bytes.data() + at, count);
    at += count;
    return count;
  }
};
}  // namespace
#endif

#if TENON_HAS_TIFF
tensor decode_tiff(std::span<const u8> file) {
  static const bool quiet = [] {
    TIFFSetErrorHandler(nullptr);
    TIFFSetWarningHandler(nullptr);
    return true;
  }();
  static_cast<void>(quiet);
  memory_file source{file};
  TIFF* const opened = TIFFClientOpen(
      "image", "rm", &source,
      [](thandle_t f, void* to, tmsize_t n) -> tmsize_t {
        return static_cast<tmsize_t>(static_cast<memory_file*>(f)->read(to, static_cast<size_t>(n)));
      },
      [](thandle_t, void*, tmsize_t) -> tmsize_t { return 0; },
      [](thandle_t f, toff_t offset, int from) -> toff_t {
        auto* const m = static_cast<memory_file*>(f);
        m->at = static_cast<size_t>(offset) + (from == SEEK_CUR ? m->at : from == SEEK_END ? m->bytes.size() : 0);
        return m->at;
      },
      [](thandle_t) { return 0; }, [](thandle_t f) -> toff_t { return static_cast<memory_file*>(f)->bytes.size(); },
      [](thandle_t, void**, toff_t*) { return 0; }, [](thandle_t, void*, toff_t) {});
  if (opened == nullptr) malformed("TIFF", "its header is broken");
  const std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(opened, TIFFClose);
  u32 width = 0, height = 0;
  if (!TIFFGetField(opened, TIFFTAG_IMAGEWIDTH, &width) || !TIFFGetField(opened, TIFFTAG_IMAGELENGTH, &height))
    malformed("TIFF", "it does not say its size");
  tensor image = make_image(height, width);
  std::vector<u32> pixels(size_t{width} * height);
  if (!TIFFReadRGBAImageOriented(opened, width, height, pixels.data(), ORIENTATION_TOPLEFT, 1))
    malformed("TIFF", "its data is broken");
  u8* to = image.data<u8>().data();
  for (const u32 p : pixels) {
    *to++ = static_cast<u8>(TIFFGetR(p));
    *to++ = static_cast<u8>(TIFFGetG(p));
    *to++ = static_cast<u8>(TIFFGetB(p));
  }
  return image;
}
#else
tensor decode_tiff(std::span<const u8>) { missing("TIFF", "libtiff-dev"); }
#endif

#if TENON_HAS_JPEG2000
namespace {

/// A component's sample as 8 bits.
u8 sample_of(const opj_image_comp_t& c, size_t x, size_t y) {
  const size_t column = std::min<size_t>(x / c.dx, c.w - 1), row = std::min<size_t>(y / c.dy, c.h - 1);
  i64 v = c.data[row * c.w + column];
  if (c.sgnd) v += i64{1} << (c.prec - 1);
  const i64 most = (i64{1} << c.prec) - 1;
  v = std::clamp<i64>(v, 0, most);
  return static_cast<u8>(c.prec > 8 ? v >> (c.prec - 8) : v * 255 / most);
}
u8 rounded(double v) { return static_cast<u8>(std::clamp(v + 0.5, 0., 255.)); }

}  // namespace

tensor decode_jpeg2000(std::span<const u8> file) {
  memory_file source{file};
  const std::unique_ptr<opj_stream_t, void (*)(opj_stream_t*)> stream(
      opj_stream_create(OPJ_J2K_STREAM_CHUNK_SIZE, OPJ_TRUE), opj_stream_destroy);
  opj_stream_t* const s = stream.get();
  opj_stream_set_user_data(s, &source, nullptr);
  opj_stream_set_user_data_length(s, file.size());
  opj_stream_set_read_function(s, [](void* to, OPJ_SIZE_T n, void* f) {
    const size_t got = static_cast<memory_file*>(f)->read(to, n);
    return got == 0 ? static_cast<OPJ_SIZE_T>(-1) : got;
  });
  opj_stream_set_skip_function(s, [](OPJ_OFF_T n, void* f) -> OPJ_OFF_T {
    static_cast<memory_file*>(f)->at += static_cast<size_t>(n);
    return n;
  });
  opj_stream_set_seek_function(s, [](OPJ_OFF_T n, void* f) -> OPJ_BOOL {
    static_cast<memory_file*>(f)->at = static_cast<size_t>(n);
    return OPJ_TRUE;
  });
  const bool boxed = file[0] == 0;  // a file of boxes, or the code stream alone
  const std::unique_ptr<opj_codec_t, void (*)(opj_codec_t*)> codec(
      opj_create_decompress(boxed ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K), opj_destroy_codec);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  opj_image_t* read = nullptr;
  bool good = opj_setup_decoder(codec.get(), &parameters) && opj_read_header(s, codec.get(), &read);
  const std::unique_ptr<opj_image_t, void (*)(opj_image_t*)> image(read, opj_image_destroy);
  if (!good || read->numcomps < 1) malformed("JPEG 2000", "its header is broken");
  const i64 height = i64{read->y1} - read->y0, width = i64{read->x1} - read->x0;
  tensor result = make_image(height, width);
  good = opj_decode(codec.get(), s, read) && opj_end_decompress(codec.get(), s);
  const size_t count = read->numcomps < 3 ? 1 : 3;
  for (size_t c = 0; good && c < count; ++c)
    good = read->comps[c].data != nullptr && read->comps[c].prec >= 1 && read->comps[c].prec <= 31 &&
           read->comps[c].w > 0 && read->comps[c].h > 0;
  if (!good) malformed("JPEG 2000", "its data is broken");
  u8* to = result.data<u8>().data();
  for (size_t y = 0; y < static_cast<size_t>(height); ++y)
    for (size_t x = 0; x < static_cast<size_t>(width); ++x, to += 3) {
      for (size_t c = 0; c < 3; ++c) to[c] = sample_of(read->comps[count == 1 ? 0 : c], x, y);
      if (count == 1 || read->color_space != OPJ_CLRSPC_SYCC) continue;
      const double luma = to[0], blue = to[1] - 128., red = to[2] - 128.;
      to[0] = rounded(luma + 1.402 * red);
      to[1] = rounded(luma - 0.344136 * blue - 0.714136 * red);
      to[2] = rounded(luma + 1.772 * blue);
    }
  return result;
}
#else
tensor decode_jpeg2000(std::span<const u8>) { missing("JPEG 2000", "libopenjp2-7-dev"); }
#endif

}  // namespace tenon::image_codecs
