/// @file error_test: an error is said in other words without becoming another one, and what a program goes on by is no
/// text.
#include <doctest/doctest.h>

#include <stdexcept>

#include <tenon/core/attempt.hpp>
#include <tenon/core/checked.hpp>

using namespace tenon;

TEST_CASE("who knows more of an error says it in other words: it stays of its class, and keeps all else") {
  const auto restated = [] {
    try {
      other_sizes made("two rows are left", "node", {}, {4, 2}, 1);
      made.note_pass("simplify");
      throw made;
    } catch (error& e) {
      e.restate("conv: " + e.message(), "model.onnx: " + e.where(), "give other sizes");
      throw;
    }
  };
  const failure f = attempt(restated);
  REQUIRE(f.as<other_sizes>() != nullptr);
  CHECK(std::string(f->what()) == "model.onnx: node: conv: two rows are left; give other sizes [program.condition]");
  CHECK(f->message() == "conv: two rows are left");
  CHECK(f->where() == "model.onnx: node");
  CHECK(f->hint() == "give other sizes");
  CHECK(f->pass() == "simplify");
  CHECK(f.as<other_sizes>()->sizes() == std::vector<i64>{4, 2});
  CHECK(f.as<other_sizes>()->branch() == 1);
}

TEST_CASE("the sizes that a rule is about: each once, those that can be extents, and no more than some") {
  const rule_error few("ir.infer", "message", {}, {}, {3, 0, -1, 3, 5});
  CHECK(few.sizes() == std::vector<i64>{3, 5});
  std::vector<i64> many;
  for (i64 i = 1; i < 100; ++i) many.push_back(i);
  CHECK(rule_error("ir.infer", "message", {}, {}, many).sizes().size() == 16);
}

TEST_CASE("an error knows whether it says which pass it is of") {
  error e("test", "message");
  CHECK(!e.says_pass());
  e.note_pass("simplify");
  CHECK(!e.says_pass());
  e.note_pass("tidy", true);
  CHECK(e.says_pass());
  CHECK(e.pass() == "simplify in tidy");
}

TEST_CASE("an attempt gives back why it failed, of the class that was thrown") {
  i64 sum = 0;
  CHECK(!attempt([&] { sum = checked_add(1, 2); }));
  CHECK(sum == 3);
  const failure f = attempt([&] { sum = checked_mul(i64{1} << 62, 4); });
  REQUIRE(f);
  CHECK(sum == 3);
  CHECK(f->code() == "extent.overflow");
  CHECK((*f).message() == "a size is larger than 2^63");
  CHECK(f.as<extent_error>() != nullptr);
  CHECK(f.as<rule_error>() == nullptr);
  CHECK(failure().as<error>() == nullptr);
}

TEST_CASE("a failure is thrown on as it was, and copies of it are the same") {
  const failure first = attempt([] { throw rule_error("ir.infer", "message", "place", "hint", {7}); });
  const failure copy = first;
  const failure again = attempt([&] { copy.rethrow(); });
  REQUIRE(again.as<rule_error>() != nullptr);
  CHECK(again.as<rule_error>()->sizes() == std::vector<i64>{7});
  CHECK(again->what() == std::string(first->what()));
}

TEST_CASE("what is no error is not taken for a rule that says no") {
  CHECK_THROWS_AS(static_cast<void>(attempt([] { throw std::bad_alloc(); })), std::bad_alloc);
  CHECK_THROWS_AS(static_cast<void>(attempt([] { throw std::logic_error("mistake"); })), std::logic_error);
}
