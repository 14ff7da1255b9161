// Orders as text: options of passes, and passes that are repeated.
#include <doctest/doctest.h>

#include <tenon/judge/order.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

using namespace tenon;

namespace {

using known = pass_list<passes::lift_lambdas, passes::infer_shapes, passes::fold_constants, passes::simplify,
                        passes::eliminate_common, passes::eliminate_dead, passes::fuse, passes::legalize_ops>;

order parsed(std::string_view text) { return order::parse(text, registry_of<known>); }
std::string said(std::string_view text) {
  try {
    parsed(text);
    return "";
  } catch (const error& e) { return e.code() + ": " + e.message() + (e.hint().empty() ? "" : "; " + e.hint()); }
}

}  // namespace

TEST_CASE("options are written as text, printed, and in the fingerprint where they are not the default") {
  const order plain = parsed("lift_lambdas, infer_shapes, fold_constants");
  const order same = parsed("lift_lambdas infer_shapes fold_constants{max_bytes=65536}");
  const order other = parsed("lift_lambdas, infer_shapes, fold_constants{ max_bytes = 8 }");
  CHECK(plain.text() == "lift_lambdas, infer_shapes, fold_constants");
  CHECK(same.text() == plain.text());
  CHECK(other.text() == "lift_lambdas, infer_shapes, fold_constants{max_bytes=8}");
  CHECK(parsed(other.text()).text() == other.text());
  CHECK(same.fingerprint() == plain.fingerprint());
  CHECK(other.fingerprint() != plain.fingerprint());
}

TEST_CASE("a pass runs with the options that the text gives it") {
  const std::string text = R"(tenon.module phase=ingestion
constant #0 "a" : tensor<f32> = [1]
func entry @main() -> (tensor<100x10xf32>) {
  %0 = constant() {value = #0} : tensor<f32>
  %1 = expand(%0) {shape = [100, 10]} : tensor<100x10xf32>
  return(%1)
}
)";
  const auto after = [&](std::string_view passes) {
    context cx;
    cx.verify_each = true;
    return print(*parsed(passes).run(std::make_unique<ir::module>(parse(text)), cx));
  };
  CHECK(after("lift_lambdas, fold_constants").find("expand(") == std::string::npos);
  CHECK(after("lift_lambdas, fold_constants{max_bytes=64}").find("expand(") != std::string::npos);
  CHECK(after("lift_lambdas, infer_shapes, repeat(fold_constants, eliminate_dead)").find("expand(") ==
        std::string::npos);
  CHECK(after("lift_lambdas, repeat(fold_constants{max_bytes=64}, repeat(eliminate_dead))").find("expand(") !=
        std::string::npos);
}

TEST_CASE("what is repeated is judged as one pass") {
  const order o = parsed(
      "lift_lambdas, infer_shapes, repeat{most_rounds=8}(simplify, fold_constants, eliminate_dead), eliminate_common");
  REQUIRE(o.size() == 4);
  CHECK(
      o.text() ==
      "lift_lambdas, infer_shapes, repeat{most_rounds=8}(simplify, fold_constants, eliminate_dead), eliminate_common");
  CHECK(o[2].is(&pass_tag_of<passes::simplify>));
  CHECK(o.fingerprint() !=
        parsed("lift_lambdas, infer_shapes, repeat(simplify, fold_constants, eliminate_dead), eliminate_common")
            .fingerprint());
  CHECK(said("lift_lambdas, repeat(infer_shapes, legalize_ops, lift_lambdas)").find("tenon-E039: ") == 0);
  CHECK(
      said("lift_lambdas, repeat(infer_shapes, legalize_ops)") ==
      "tenon-E039: pass 'legalize_ops' cannot be repeated here, since it makes functions in phase 'lowering', ahead of "
      "the module, and an order that comes as text does not say who may call those of a repeat: put it in front of the "
      "repeat, or behind it");
  CHECK(said("infer_shapes, repeat(lift_lambdas)") ==
        "tenon-E039: pass 'lift_lambdas' cannot be repeated here, since it leaves its phase: put it behind the repeat");
  // What a member needs must hold in front of it.
  CHECK(said("lift_lambdas, repeat(fuse)").find("tenon-E002: ") == 0);
}

TEST_CASE("errors say where") {
  CHECK(said("lift_lambdas, fold_constants{max_byte=8}") ==
        "pass.option: pass 'fold_constants' has no option 'max_byte' (at 15); did you mean 'max_bytes'?");
  CHECK(said("lift_lambdas, fold_constants{max_bytes=many}") ==
        "pass.value: option 'max_bytes' of pass 'fold_constants' is an integer, and 'many' was given (at 15)");
  CHECK(said("lift_lambdas{x=1}") == "pass.option: pass 'lift_lambdas' has no option 'x' (at 1); it has none");
  CHECK(said("lift_lambdas, repeat{most_rounds=0}(simplify)").find("pass.value: ") == 0);
  CHECK(said("lift_lambdas, repeat{most_rounds=1000001}(simplify)").find("pass.value: ") == 0);
  CHECK(said("lift_lambdas, repeat{most_rounds=1000000}(simplify)").find("pass.value: ") != 0);
  for (const auto& [text, what] : {std::pair{"fuse{max_ops=8", "at 15: expected ',' or '}'"},
                                   {"fuse{max_ops}", "at 13: expected '='"},
                                   {"repeat(fuse", "at 12: expected ')'"},
                                   {"fuse(simplify)", "at 6: only 'repeat' takes passes"},
                                   {"repeat()", "'repeat' has no pass"},
                                   {"fuse)", "at 5: there is no '('"},
                                   {"{}", "at 1: expected the name of a pass"},
                                   {"fuse{a=\"b", "expected a closing quote"}}) {
    CAPTURE(text);
    const std::string answer = said(text);
    CHECK(answer.find("pass.syntax: ") == 0);
    CHECK(answer.find(what) != std::string::npos);
  }
  CHECK(said(std::string(200, '(')).find("pass.syntax: ") == 0);
}
