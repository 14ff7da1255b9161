// needs: llvm
// Reductions whose iterations read what the last ones stored, as native code and as C, against the interpreter.
#include <doctest/doctest.h>

#include <tenon/facts/static_shapes.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>

#include "support/skip.hpp"

using namespace tenon;

namespace {

/// Sums of what an iteration makes of `%a`, which it read from y at `read`, and stores there at `written`.
std::string module_of(const std::string& read, const std::string& written) {
  return R"(tenon.module phase=lowering
func entry @main(%x: buffer<1xf32>, %y: buffer<65xf32>, %s: buffer<1xf32>) -> (tensor<65xf32>, tensor<1xf32>)
    inputs("x") outputs("y", "s") {
  call_dps(%x, %y, %s) {kernel = @k, inputs = 1}
  return()
}
kernel @k(%x: buffer<1xf32>, %y: buffer<65xf32>, %s: buffer<1xf32>) {
  %0 = loop.literal() {type = index, integer = 0} : index
  %3 = loop.literal() {type = index, integer = 3} : index
  %64 = loop.literal() {type = index, integer = 64} : index
  %65 = loop.literal() {type = index, integer = 65} : index
  %half = loop.literal() {real = 0.5} : f32
  %first = loop.load(%x[0]) : f32
  loop.for(%0, %65) {independent = true} ({ ^(%i: index):
    loop.store(%first, %y[%i])
    loop.yield()
  })
  %sum = loop.for(%0, %64, %half) : f32 ({ ^(%i: index, %carried: f32):
    %turn = loop.scalar(%i, %3) {fn = mod} : index
    %a = loop.load(%y[)" +
         read + R"(]) : f32
    %b = loop.scalar(%a, %half) {fn = add} : f32
    loop.store(%b, %y[)" +
         written + R"(])
    %next = loop.scalar(%carried, %b) {fn = add} : f32
    loop.yield(%next)
  })
  loop.store(%sum, %s[0])
  return()
}
)";
}

template <class T>
auto built(const std::string& text) {
  context cx;
  T{}.configure(cx);
  return build<T>(establish<fact::static_shapes>(parse<phases::lowering>(text)), cx);
}

}  // namespace

TEST_CASE("a loop that reads what an earlier iteration stored runs in order") {
  const tensor x = tensor::from<float>({1}, {0.25F});
  for (const auto& [read, written] : {std::pair("%i", "%i + 1"), {"%turn", "%turn"}, {"0", "0"}, {"%i", "%i"}}) {
    CAPTURE(read);
    CAPTURE(written);
    const std::string text = module_of(read, written);
    const std::vector<tensor> want = interpret(parse(text), "main", {&x, 1});
    std::vector<std::vector<tensor>> all{load(built<targets::cpu>(text)).run({&x, 1})};
    if (has_c_compiler()) all.push_back(load_c_source(built<targets::c_source>(text)).run({&x, 1}));
    for (const std::vector<tensor>& got : all)
      for (size_t i = 0; i < 2; ++i) CHECK(same_bits(got.at(i), want.at(i)));
  }
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
}
