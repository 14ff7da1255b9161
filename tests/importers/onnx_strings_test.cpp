// com.microsoft's Tokenizer, and the pipelines of sklearn-onnx that have it. Values are those of ONNX Runtime 1.30.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/runtime/strings.hpp>

#include "on_cpu.hpp"

using namespace onnx_builder;
namespace tn = tenon;
using tn::tensor;

namespace {

using texts = std::vector<std::string>;

struct tokens {
  std::vector<i64> shape;
  texts all;
};
tokens tokens_of(const tensor& x, std::vector<std::string> attributes, i64 least = 1, i64 mark = 0) {
  attributes.push_back(attribute("mincharnum", least));
  attributes.push_back(attribute("mark", mark));
  attributes.push_back(attribute("pad_value", std::string("#")));
  const tensor y = run_node("com.microsoft", 1, "Tokenizer", {x}, attributes)[0];
  return {y.shape(), tn::strings_of(y)};
}
std::string expression(const std::string& e) { return attribute("tokenexp", e); }
std::string separators(const texts& s) { return attribute_texts("separators", s); }

}  // namespace

TEST_CASE("Tokenizer: matches of an expression, the first and longest") {
  const tensor x = tn::string_tensor({3}, {"Hello, wörld! it", "one_two-three  4444", ""});
  const tokens words = tokens_of(x, {expression("[a-zA-Z0-9_]+")});
  CHECK(words.shape == std::vector<i64>{3, 4});
  CHECK(words.all == texts{"Hello", "w", "rld", "it", "one_two", "three", "4444", "#", "#", "#", "#", "#"});
  const tokens longer = tokens_of(x, {expression("[a-zA-Z0-9_]+")}, 3);
  CHECK(longer.all == texts{"Hello", "rld", "#", "one_two", "three", "4444", "#", "#", "#"});
  const tensor pairs = tn::string_tensor({2, 2}, {"abcd abcbcd", "acd", "aabb", "xyz"});
  const tokens longest = tokens_of(pairs, {expression("(ab|a)(c|bcd)(d*)")});
  CHECK(longest.shape == std::vector<i64>{2, 2, 2});
  CHECK(longest.all == texts{"abcd", "abc", "acd", "#", "#", "#", "#", "#"});
  const tokens first = tokens_of(pairs, {expression("^[a-z]+")});
  CHECK(first.all == texts{"abcd", "acd", "aabb", "xyz"});
}

TEST_CASE("Tokenizer: what is between separators, which are expressions, and characters") {
  const tensor x = tn::string_tensor({2}, {"a b,c  dé.", "x"});
  const tokens parts = tokens_of(x, {separators({" ", ",", "[.!?]"})});
  CHECK(parts.all == texts{"a", "b", "c", "dé", "x", "#", "#", "#"});
  CHECK(tokens_of(x, {separators({"[ ,]+"})}, 2).all == texts{"dé.", "#"});
  const tokens marked = tokens_of(tn::string_tensor({2}, {"aé", "x"}), {separators({""})}, 1, 1);
  CHECK(marked.shape == std::vector<i64>{2, 4});
  CHECK(marked.all == texts{"\x02", "a", "é", "\x03", "\x02", "x", "\x03", "#"});
  CHECK(tokens_of(tn::string_tensor({1}, {"aé"}), {expression(".")}).all == texts{"a", "é"});
  const tokens nothing = tokens_of(tn::string_tensor({2}, {"", " "}), {separators({" "})}, 1, 1);
  CHECK(nothing.shape == std::vector<i64>{2, 0});
}

TEST_CASE("Tokenizer refuses what no text has") {
  const tensor x = tn::string_tensor({1}, {"a"});
  CHECK_THROWS_WITH_AS(tokens_of(x, {expression("(a")}), doctest::Contains("the pattern '(a'"), tn::error);
  CHECK_THROWS_WITH_AS(tokens_of(x, {}), doctest::Contains("either a pattern of tokens or separators"), tn::error);
  CHECK_THROWS_WITH_AS(tokens_of(x, {expression("a")}, 0), doctest::Contains("at least one character"), tn::error);
  CHECK_THROWS_WITH_AS(tokens_of(x, {expression(".")}, 2), doctest::Contains("mincharnum"), tn::error);
}
