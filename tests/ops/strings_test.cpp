// Ops on strings, and regular expressions.
#include <tenon/ops/graph/regex.hpp>

#include <doctest/doctest.h>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/strings.hpp>
#include <tenon/text/parse.hpp>

using namespace tenon;

namespace {

/// One op on tensors, by its text.
tensor one(const std::string& op, const std::vector<std::pair<std::string, tensor>>& inputs, const std::string& type) {
  std::string arguments;
  std::vector<tensor> given;
  for (size_t i = 0; i < inputs.size(); ++i) {
    arguments += (i ? ", %" : "%") + std::string(1, static_cast<char>('a' + i)) + ": " + inputs[i].first;
    given.push_back(inputs[i].second);
  }
  const ir::module m = parse("tenon.module phase=optimization\nfunc entry @main(" + arguments + ") -> (" + type +
                             ") {\n  %r = " + op + " : " + type + "\n  return(%r)\n}");
  return interpret(m, "main", given).at(0);
}

bool matches(std::string_view pattern, std::string_view text) {
  std::string problem;
  const auto p = op::regex::compile(pattern, problem);
  REQUIRE_MESSAGE(problem.empty(), problem);
  return op::regex::full_match(p, text);
}
std::string problem_of(std::string_view pattern) {
  std::string problem;
  op::regex::compile(pattern, problem);
  return problem;
}

}  // namespace

TEST_CASE("pattern: what RE2 matches in full") {
  CHECK(matches("", ""));
  CHECK_FALSE(matches("", "a"));
  CHECK(matches("abc", "abc"));
  CHECK_FALSE(matches("abc", "abcd"));
  CHECK(matches("a.c", "aäc"));
  CHECK_FALSE(matches("a.c", "a\nc"));
  CHECK(matches("(?s)a.c", "a\nc"));
  CHECK(matches("(a|bc)*d", "abcad"));
  CHECK(matches("a{2,3}b{2}", "aaabb"));
  CHECK_FALSE(matches("a{2,3}", "aaaa"));
  CHECK(matches("a{2,}", "aaaaaa"));
  CHECK_FALSE(matches("a{2,}", "a"));
  CHECK(matches("(ab){2}c?", "abab"));
  CHECK(matches("[a-c\\d_-]+", "a-1_c"));
  CHECK(matches("[^a-c]+", "xyz"));
  CHECK_FALSE(matches("[^a-c]+", "xbz"));
  CHECK(matches("[]a]+", "]a"));
  CHECK(matches("[[:alpha:]]+[[:^digit:]]", "abc."));
  CHECK(matches("(?i)HeLLo", "hEllO"));
  CHECK(matches("(?i:a)B", "AB"));
  CHECK_FALSE(matches("(?i:a)B", "Ab"));
  CHECK(matches("(\\W|^)[\\w.\\-]{0,25}@(yahoo|gmail)\\.com(\\W|$)", "account@gmail.com"));
  CHECK_FALSE(matches("(\\W|^)[\\w.\\-]{0,25}@(yahoo|gmail)\\.com(\\W|$)", "account@hotmail.com"));
  CHECK(matches("www.[\\w.-]+.\\bcom\\b", "www.google.com"));
  CHECK_FALSE(matches("www.[\\w.-]+.\\bcom\\b", "www.googlecom"));
  CHECK(matches("a\\x62\\x{e4}\\.", "abä."));
  CHECK(matches("(?P<name>a)(?:b)+?", "abb"));
  CHECK(matches("(a*)*b", std::string(5000, 'a') + "b"));  // linear, not exponential
  CHECK_FALSE(matches("(a*)*(a|b)*c", std::string(5000, 'a')));
  CHECK(matches("a{", "a{"));
  CHECK(matches("(a|)", ""));
}

TEST_CASE("pattern: the match that begins first, and of those the longest") {
  const auto found = [](std::string_view pattern, std::string_view text, size_t from = 0) {
    std::string problem;
    const auto p = op::regex::compile(pattern, problem);
    REQUIRE_MESSAGE(problem.empty(), problem);
    const auto m = op::regex::find_longest(p, text, from);
    return m ? std::to_string(m->begin) + "-" + std::to_string(m->end) : "none";
  };
  CHECK(found("a|ab|abc", "xxabcx") == "2-5");
  CHECK(found("b+|ab", "aab") == "1-3");
  CHECK(found("a*", "baa") == "0-0");
  CHECK(found("a*", "baa", 1) == "1-3");
  CHECK(found("c", "ab") == "none");
  CHECK(found("", "ab", 2) == "2-2");
  CHECK(found("a", "a", 2) == "none");
  CHECK(found("^a", "aa") == "0-1");
  CHECK(found("^a", "aa", 1) == "none");  // the text begins in front of it
  CHECK(found("\\bb", "ab b", 1) == "3-4");
  CHECK(found("\\bb", "ab", 1) == "none");
  CHECK(found("\\bb", "äb", 2) == "2-3");  // letters outside of ASCII are none to RE2
  CHECK(found("ä+", "xää") == "1-5");
  CHECK(found("a$", "aba") == "2-3");
  CHECK(found("(a|b)*c|d", std::string(5000, 'a') + "d") == "5000-5001");
}

TEST_CASE("pattern: what is none says why") {
  CHECK(problem_of("(a") == "'(' without ')'");
  CHECK(problem_of("a)") == "')' without '('");
  CHECK(problem_of("[a") == "'[' without ']'");
  CHECK(problem_of("*a") == "a repetition of nothing");
  CHECK(problem_of("\\y") == "an unknown escape \\y");
  CHECK(problem_of("a{3,2}") == "a wrong number of repetitions");
  CHECK(problem_of("((a{1000}){1000}){1000}") == "it is too large");
  CHECK(problem_of(std::string(5000, '(')) == "its groups nest too deep");
}

TEST_CASE("string_split: words, delimiters, and how many") {
  const tensor x = string_tensor({3}, {"a.com", " b  c ", "d.e.f"});
  const auto split = [&](const std::string& attributes) {
    const ir::module m = parse(
        "tenon.module phase=optimization\nfunc entry @main(%x: tensor<3xstring>) -> (tensor<3x?xstring>, "
        "tensor<3xi64>) {\n"
        "  %p, %n = string_split(%x)" +
        attributes + " : (tensor<3x?xstring>, tensor<3xi64>)\n  return(%p, %n)\n}");
    return interpret(m, "main", std::vector{x});
  };
  const auto dots = split(" {delimiter = \".\"}");
  CHECK(strings_of(dots[0]) == std::vector<std::string>{"a", "com", "", " b  c ", "", "", "d", "e", "f"});
  CHECK(dots[1].at_i64(1) == 1);
  CHECK(strings_of(split("")[0]) == std::vector<std::string>{"a.com", "", "b", "c", "d.e.f", ""});
  CHECK(strings_of(split(" {delimiter = \".\", most = 1}")[0]) ==
        std::vector<std::string>{"a", "com", " b  c ", "", "d", "e.f"});
}

TEST_CASE("numbers and texts") {
  const tensor x = tensor::from<double>({4}, {0.1, 1e300, -0.0, 3});
  const tensor t = one("number_to_string(%a)", {{"tensor<4xf64>", x}}, "tensor<4xstring>");
  CHECK(strings_of(t) == std::vector<std::string>{"0.1", "1e+300", "-0", "3"});
  CHECK(same_bits(one("string_to_number(%a) {to = f64}", {{"tensor<4xstring>", t}}, "tensor<4xf64>"), x));
  // As C's %g does with the digits of a float: with an exponent from nine digits on.
  const tensor sizes = tensor::from<float>({6}, {1e10f, 1e8f, 12345678.f, 1e-4f, 1e-5f, 123456.78f});
  CHECK(strings_of(one("number_to_string(%a)", {{"tensor<6xf32>", sizes}}, "tensor<6xstring>")) ==
        std::vector<std::string>{"1e+10", "1e+08", "12345678", "1e-04", "1e-05", "123456.78"});
  const tensor odd = string_tensor({4}, {" -1.5e3 ", "nan", "-inf", "+7"});
  const tensor read = one("string_to_number(%a) {to = f32}", {{"tensor<4xstring>", odd}}, "tensor<4xf32>");
  CHECK(read.at_f64(0) == -1500);
  CHECK(read.at_f64(1) != read.at_f64(1));
  CHECK(read.at_f64(2) < -1e30);
  CHECK(read.at_f64(3) == 7);
  CHECK_THROWS_WITH_AS(
      one("string_to_number(%a) {to = i32}", {{"tensor<1xstring>", string_tensor({1}, {"x"})}}, "tensor<1xi32>"),
      doctest::Contains("'x' is not a number"), error);
}

TEST_CASE("lookup: equal numbers are one key") {
  const tensor x = tensor::from<float>({4}, {0.f, -0.f, 2.5f, std::numeric_limits<float>::quiet_NaN()});
  const tensor keys = tensor::from<float>({3}, {0.f, 2.5f, std::numeric_limits<float>::quiet_NaN()});
  const tensor r = one("lookup(%a, %b, %c, %d)",
                       {{"tensor<4xf32>", x},
                        {"tensor<3xf32>", keys},
                        {"tensor<3xstring>", string_tensor({3}, {"zero", "more", "nan"})},
                        {"tensor<1xstring>", string_tensor({1}, {"?"})}},
                       "tensor<4xstring>");
  CHECK(strings_of(r) == std::vector<std::string>{"zero", "zero", "more", "nan"});
}

TEST_CASE("murmur_hash: MurmurHash3_x86_32, as its published test vectors have it") {
  const auto hashes = [](std::vector<std::string> texts, const std::string& seed) {
    const i64 n = static_cast<i64>(texts.size());
    return one("murmur_hash(%a) {seed = " + seed + "}",
               {{"tensor<" + std::to_string(n) + "xstring>", string_tensor({n}, std::span<const std::string>(texts))}},
               "tensor<" + std::to_string(n) + "xu32>");
  };
  const tensor plain = hashes({"", "test", "Hello, world!", "The quick brown fox jumps over the lazy dog"}, "0");
  CHECK(plain.at_i64(0) == 0);
  CHECK(plain.at_i64(1) == 0xba6bd213);
  CHECK(plain.at_i64(2) == 0xc0363e43);
  CHECK(plain.at_i64(3) == 0x2e4ff723);
  const tensor seeded = hashes({"", "a", "aa", "aaa", "aaaa", "abc"}, "2538058380");  // 0x9747b28c
  for (const i64 k : {0, 1, 2, 3, 4, 5})
    CHECK(seeded.at_i64(k) ==
          std::vector<i64>{0xebb6c228, 0x7fa09ea6, 0x5d211726, 0x283e0130, 0x5a97808a, 0xc84a62dd}.at(
              static_cast<size_t>(k)));
  CHECK(hashes({""}, "-1").at_i64(0) == 0x81f16f39);  // its lower 32 bits
  // An element's bytes are those of a text.
  const tensor numbers = tensor::from<u32>({2}, std::vector<u32>{0x64636261, 0});
  const tensor of_numbers = one("murmur_hash(%a)", {{"tensor<2xu32>", numbers}}, "tensor<2xu32>");
  CHECK(of_numbers.at_i64(0) == hashes({"abcd"}, "0").at_i64(0));
  CHECK(of_numbers.at_i64(1) == 0x2362f9de);
}
