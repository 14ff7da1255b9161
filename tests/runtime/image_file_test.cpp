// Image files: written here by hand or by their libraries, each of two pixels at most.
#include <tenon/runtime/image_file.hpp>

#include <doctest/doctest.h>

#include <tenon/core/error.hpp>

#include "support/skip.hpp"

using namespace tenon;

namespace {

std::vector<u8> of_hex(const std::string& hex) {
  std::vector<u8> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<u8>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}
std::vector<u8> of_text(std::string_view s) { return {s.begin(), s.end()}; }

std::vector<int> pixels(const std::vector<u8>& file) {
  const tensor t = decode_image(file);
  CHECK(t.shape().at(2) == 3);
  std::vector<int> all;
  for (i64 i = 0; i < t.size(); ++i) all.push_back(static_cast<int>(t.at_i64(i)));
  return all;
}
std::string code_of(const std::vector<u8>& file) {
  try {
    decode_image(file);
  } catch (const error& e) { return e.code(); }
  return "none";
}
/// What a library decodes; and no beginning of the file does harm.
void check_codec(const std::string& hex, const std::vector<int>& want) {
  const std::vector<u8> file = of_hex(hex);
  if (code_of(file) == "image.unsupported") return testing::skip("built without this image format");
  CHECK(pixels(file) == want);
  for (size_t n = 0; n < file.size(); ++n) {
    const std::string code = code_of({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n)});
    CHECK((code == "image.malformed" || code == "none"));  // JPEG fills up what is missing
  }
}
using colors = std::vector<int>;

}  // namespace

TEST_CASE("PNM of all kinds") {
  CHECK(pixels(of_text("P1 2 1\n# comment\n1 0")) == colors{0, 0, 0, 255, 255, 255});
  CHECK(pixels(of_text("P2\n2 1\n4\n0 1\n")) == colors{0, 0, 0, 64, 64, 64});
  CHECK(pixels(of_text("P3 1 1 255 1 2 3")) == colors{1, 2, 3});
  CHECK(pixels(of_text("P4\n3 2\n\xa0\x40")) ==
        colors{0, 0, 0, 255, 255, 255, 0, 0, 0, 255, 255, 255, 0, 0, 0, 255, 255, 255});
  CHECK(pixels(of_text("P5 1 1 255\n\x07")) == colors{7, 7, 7});
  CHECK(pixels(of_text({"P5 1 1 65535\n\x80\x00", 15})) == colors{128, 128, 128});
  CHECK(pixels(of_text("P6 1 1 255\n\x01\x02\x03")) == colors{1, 2, 3});
  for (const char* broken :
       {"P6 1 1 255\n\x01\x02", "P2 1 1 4 9", "P2 1 1", "P5 0 1 255\n", "P5 99999 99999 255\n", "P7 1 1 1", "P3 x"})
    CHECK(code_of(of_text(broken)) == "image.malformed");
}

TEST_CASE("BMP with and without a palette") {
  const auto header = [](int start, const std::string& width, const std::string& height, int bits, int compression) {
    const auto byte = [](int v) {
      const char* digits = "0123456789abcdef";
      return std::string{digits[v / 16], digits[v % 16]};
    };
    return "424d"
           "00000000"
           "00000000" +
           byte(start) +
           "000000"
           "28000000" +
           width + height + "0100" + byte(bits) + "00" + byte(compression) +
           "000000"
           "00000000"
           "00000000"
           "00000000"
           "00000000"
           "00000000";
  };
  // Rows from below, each filled up to four bytes; blue comes first.
  const std::string two_rows = header(54, "01000000", "02000000", 24, 0) +
                               "03020100"
                               "0a1e1400";
  CHECK(pixels(of_hex(two_rows)) == colors{20, 30, 10, 1, 2, 3});
  CHECK(pixels(of_hex(header(54, "01000000", "feffffff", 24, 0) + "03020100"
                                                                  "0a1e1400")) == colors{1, 2, 3, 20, 30, 10});
  CHECK(pixels(of_hex(header(62, "02000000", "01000000", 1, 0) + "00000000"
                                                                 "0a0b0c00"
                                                                 "40000000")) == colors{0, 0, 0, 12, 11, 10});
  CHECK(pixels(of_hex(header(62, "02000000", "01000000", 4, 0) + "00000000"
                                                                 "0a0b0c00"
                                                                 "10000000")) == colors{12, 11, 10, 0, 0, 0});
  CHECK(pixels(of_hex(header(54, "01000000", "01000000", 32, 0) + "030201ff")) == colors{1, 2, 3});
  CHECK(pixels(of_hex(header(66, "01000000", "01000000", 16, 3) + "00f80000"
                                                                  "e0070000"
                                                                  "1f000000"
                                                                  "00f80000")) == colors{255, 0, 0});
  for (size_t n = 0; n < two_rows.size(); n += 2) CHECK(code_of(of_hex(two_rows.substr(0, n))) == "image.malformed");
  CHECK(code_of(of_hex(header(54, "01000000", "01000000", 24, 1) + "03020100")) == "image.malformed");
}

TEST_CASE("formats of libraries") {
  check_codec(
      "89504e470d0a1a0a0000000d4948445200000002000000010806000000f4227f8a0000001149444154789c63f8cfc0d0c02522f71f000c20"
      "02bbc64f"
      "8a140000000049454e44ae426082",
      {255, 0, 0, 10, 20, 30});
  check_codec(
      "49492a000e000000ff00000a141e090000010300010000000200000001010300010000000100000002010300030000008000000003010300"
      "0100000001"
      "0000000601030001000000020000001101040001000000080000001501030001000000030000001601030001000000010000001701040001"
      "00000006"
      "00000000000000080008000800",
      {255, 0, 0, 10, 20, 30});
  check_codec("5249464620000000574542505650384c140000002f010000000f30145ff81f8ff90f2d5420a2ff01",
              {255, 0, 0, 10, 20, 30});
  check_codec(
      "ffd8ffe000104a46494600010100000100010000ffdb004300010101010101010101010101010101010101010101010101010101010101"
      "01010101010101010101010101010101010101010101010101010101010101010101ffc0000b080001000101011100ffc4001400010000"
      "000000000000000000000000000affc40014100100000000000000000000000000000000ffda0008010100003f00480fffd9",
      {200, 200, 200});
  CHECK(code_of(of_text("GIF89a")) == "image.malformed");
  CHECK(code_of({}) == "image.malformed");
}
