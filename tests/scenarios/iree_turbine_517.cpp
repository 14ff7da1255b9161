// iree-turbine #517: what `--compile-to=global-optimization` wrote was loaded as an executable.
// A module of some phase and a program are files of different kinds, and each reader says what it was given.
#include "scenario.hpp"

#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/runtime/program.hpp>
#ifdef TENON_RUN
#  include <cstdio>
#  include <tenon/text/parse.hpp>
#  include <tenon/text/print.hpp>
#endif

namespace iree_turbine_517 {

/// What is loaded: code.
inline tn::program load(const tn::ir_module<tn::phases::built>&);
template <class T>
concept can_load = requires(const T& m) { load(m); };
static_assert(can_load<tn::ir_module<tn::phases::built>> && !can_load<tn::ir_module<tn::phases::optimization>>);

using order = tn::pipeline<tn::passes::inline_calls, tn::passes::infer_shapes>;
using snapshot = tn::ir_module<tn::phases::optimization>;
#ifdef TENON_TWIN
using loaded = tn::ir_module<tn::phases::built>;
#else
using loaded = snapshot;
#endif
template <class T>
  requires can_load<T>
struct runner;
// GCC: error: template constraint failure for {{.*}}runner
// CLANG: error: constraints not satisfied for class template 'runner'
using my_runner = runner<loaded>;

#ifdef TENON_RUN
std::string code_of(auto&& f) {
  try {
    f();
  } catch (const error& e) { return e.code(); }
  return "no error";
}

TEST_CASE("iree-turbine #517") {
  const auto stopped = through<order, phases::optimization>(make_module<phases::optimization>(
      {vector_of(2)}, [](auto& b, const auto& x) { return std::vector{b.make(op::add{}, {x[0], x[0]})}; }));
  const std::string text = print(stopped), path = "iree_turbine_517.tir";
  std::FILE* f = std::fopen(path.c_str(), "wb");
  REQUIRE(f != nullptr);
  CHECK(std::fwrite(text.data(), 1, text.size(), f) == text.size());
  std::fclose(f);
  CHECK(code_of([&] { tn::program::open(path); }) == "file.kind");
  CHECK(code_of([&] { tn::parse<phases::build>(text); }) == "text.phase");
  std::remove(path.c_str());
  CHECK(values(tn::parse<phases::optimization>(text), {floats({1, 2})}) == numbers{2, 4});
}
#endif
}  // namespace iree_turbine_517
