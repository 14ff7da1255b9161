// Ops whose values come from outside of the graph's numbers.
#include <tenon/ops/graph/source.hpp>

#include <set>

#include <doctest/doctest.h>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/text/parse.hpp>

using namespace tenon;

namespace {

tensor decoded(const std::string& format, std::string_view file) {
  const tensor bytes = tensor::from<u8>({static_cast<i64>(file.size())}, std::vector<u8>(file.begin(), file.end()));
  const std::string n = std::to_string(file.size()), channels = format == "grayscale" ? "1" : "3";
  const ir::module m = parse(
      "tenon.module phase=optimization\nfunc entry @main(%a: tensor<" + n + "xu8>) -> (tensor<?x?x" + channels +
      "xu8>) {\n  %r = decode_image(%a) {pixels = " + format + "} : tensor<?x?x" + channels + "xu8>\n  return(%r)\n}");
  return interpret(m, "main", std::span<const tensor>(&bytes, 1)).at(0);
}
std::vector<i64> numbers(const tensor& t) {
  std::vector<i64> all;
  for (i64 i = 0; i < t.size(); ++i) all.push_back(t.at_i64(i));
  return all;
}

}  // namespace

TEST_CASE("decode_image, by its format") {
  const std::string_view file = "P6 1 1 255\n\x0a\x14\x1e";
  CHECK(numbers(decoded("rgb", file)) == std::vector<i64>{10, 20, 30});
  CHECK(numbers(decoded("bgr", file)) == std::vector<i64>{30, 20, 10});
  CHECK(numbers(decoded("grayscale", file)) == std::vector<i64>{18});
  CHECK(decoded("grayscale", file).shape() == std::vector<i64>{1, 1, 1});
  CHECK(decoded("rgb", "no image").shape() == std::vector<i64>{0, 0, 3});
}

TEST_CASE("draw_seed gives another number each time") {
  const ir::module m = parse(
      "tenon.module phase=optimization\nfunc entry @main() -> (tensor<u32>, tensor<u32>) {\n"
      "  %a = draw_seed() : tensor<u32>\n  %b = draw_seed() : tensor<u32>\n  return(%a, %b)\n}");
  std::set<i64> seen;
  for (int i = 0; i < 10; ++i)
    for (const tensor& t : interpret(m, "main", {})) seen.insert(t.at_i64(0));
  CHECK(seen.size() == 20);
}
