// needs: llvm
// Element types of a program's own on every target that has them: what the interpreter computes, and from files.
#include <doctest/doctest.h>

#include <cmath>

#include <tenon/core/element_format.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/targets/xsimd_session.hpp>
#include <tenon/text/all.hpp>

#include "support/caught.hpp"

using namespace tenon;

namespace {

/// Casts both ways, moves, arithmetic in the type itself, a product and a sum of what it widens to.
constexpr const char* text = R"(tenon.module phase=ingestion

func entry @main(%x: tensor<Nx8xf32>, %c: tensor<Nx8xELEM>) -> (tensor<?x?xELEM>, tensor<?x?xf32>, tensor<?xf32>) inputs("x", "c") outputs("y", "p", "s") {
  %a = cast(%x) {to = ELEM} : tensor<?x?xELEM>
  %b = add(%a, %c) : tensor<?x?xELEM>
  %t = transpose(%b) {permutation = [1, 0]} : tensor<?x?xELEM>
  %w = cast(%t) {to = f32} : tensor<?x?xf32>
  %p = matmul(%x, %w) : tensor<?x?xf32>
  %s = reduce_sum(%w) {axes = [0], keep_dims = false} : tensor<?xf32>
  return(%b, %p, %s)
}
)";
std::string of_type(const std::string& name) {
  std::string s = text;
  for (size_t at; (at = s.find("ELEM")) != s.npos;) s.replace(at, 4, name);
  return s;
}
/// All codes, twice over, beside numbers below, within and beyond what the type has.
std::vector<tensor> inputs_of(dtype t) {
  constexpr i64 rows = 64;
  tensor x(dtype::f32, {rows, 8}), c(t, {rows, 8});
  const int codes = 2 << narrow_format_of(t).sign_at;
  for (i64 i = 0; i < x.size(); ++i) {
    x.set_f64(i, std::ldexp(static_cast<double>(i * 37 % 101) / 50 - 1, static_cast<int>(i % 23) - 12));
    const auto code = static_cast<u8>(i % codes);
    static_cast<u8*>(c.data())[i] = std::isfinite(narrow_bits_to_f32(code, t)) ? code : u8{0};
  }
  return {x, c};
}

}  // namespace

TEST_CASE_TEMPLATE("own element types are computed as the interpreter computes them", Target, targets::cpu,
                   targets::xsimd) {
  targets::register_cpu_target(), targets::register_xsimd_target();
  for (const element_format& f : {element_format{"f6e3m2", 3, 2, 3, float_specials::none},
                                  element_format{"f6e2m3", 2, 3, 1, float_specials::none},
                                  element_format{"f8e3m4", 3, 4, 3, float_specials::infinities},
                                  element_format{"f7e4m2", 4, 2, 7, float_specials::nan}}) {
    INFO(f.name);
    const std::vector<tensor> inputs = inputs_of(register_element_type(f));
    const auto m = parse<phases::ingestion>(of_type(f.name));
    const std::vector<tensor> want = interpret(m.body(), "main", inputs);
    const auto check = [&](const std::vector<tensor>& got) {
      REQUIRE(got.size() == want.size());
      CHECK(same_bits(got[0], want[0]));  // conversions are exact
      for (size_t k = 1; k < want.size(); ++k)
        for (i64 i = 0; i < want[k].size(); ++i) {
          const double w = want[k].at_f64(i), g = got[k].at_f64(i);
          CHECK((std::isfinite(w) ? std::abs(g - w) <= 1e-4 * (1 + std::abs(w)) : std::isnan(w) == std::isnan(g)));
        }
    };
    context cx;
    Target{}.configure(cx);
    const auto built = build<Target>(parse<phases::ingestion>(of_type(f.name)), cx);
    check(Target::runtime::load(built.body())->run(inputs, 1));
    // The file of a program has the type by name and format.
    const auto file = std::make_shared<const std::string>(
        make_program(parse<phases::ingestion>(of_type(f.name)), parse_target(label(Target::name).data())));
    if (has_magic(*file, bundle_file_kind)) check(load(read_bundle(*file, file, "the file"))->run(inputs, 1));
    else check(executable_of(open_program(read_program(*file, file, "the file")))->run(inputs, 1));
  }
}
