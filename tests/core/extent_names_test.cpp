// Expressions of extents over other names.
#include <tenon/core/extent_names.hpp>

#include <doctest/doctest.h>

using namespace tenon;

namespace {
extent_expr of(const char* text) { return *extent_expr::parse(text); }
std::string renamed(const char* text, const extent_names& names) {
  const auto e = with_names(of(text), names);
  return e ? e->text() : "unknown";
}
}  // namespace

TEST_CASE("names are replaced at once, and expressions stay in normal form") {
  const extent_names swap{{"n", of("m")}, {"m", of("n")}};
  CHECK(renamed("2*n+m", swap) == of("2*m+n").text());
  CHECK(renamed("n-m+k", swap) == of("m-n+k").text());
  const extent_names numbers{{"n", of("7")}, {"m", of("2*k")}};
  CHECK(renamed("n/2+1", numbers) == "4");
  CHECK(renamed("m/2+n%4", numbers) == of("k+3").text());
  CHECK(renamed("max(m-n,0)", numbers) == of("max(2*k-7,0)").text());
}

TEST_CASE("what is not known makes unknown what follows from it, and nothing else") {
  const extent_names names{{"n", std::nullopt}, {"batch size", of("b")}};
  CHECK(renamed("2*n", names) == "unknown");
  CHECK(renamed("(k+n)/3", names) == "unknown");
  CHECK(renamed("k*2", names) == "2*k");
  CHECK(renamed("`other name`+1", names) == "`other name`+1");
}
