// apache/tvm-ffi #422, tvm #464, #3436: a module with code that only lives in memory was exported, and failed at the
// very end. Code in memory never becomes part of a module, so every module can be saved; what runs it has no `save`.
// needs: llvm
#include "scenario.hpp"

#include <tenon/targets/cpu.hpp>
#ifdef TENON_RUN
#  include <cstdio>
#endif

namespace tvm_ffi_422 {

using built_module = tn::ir_module<tn::phases::built>;
template <class T>
concept can_save = requires(const T& it) { tn::save("model.tenon", it); };
static_assert(can_save<built_module> && !can_save<tn::program>);
static_assert(!can_save<tn::ir_module<tn::phases::optimization>>, "not built yet");

inline void export_model(const built_module& built, const std::string& path) {
  const tn::program in_memory = tn::load(built);
#ifdef TENON_TWIN
  tn::save(path, built);
#else
  // CHECK: tenon-E029: only a built module can be saved, since code that was put into memory, or was not made yet, has no form that a file can hold: save the ir_module<phases::built> that 'build' returns, and load that
  tn::save(path, in_memory);
#endif
}

#ifdef TENON_RUN
TEST_CASE("tvm-ffi #422") {
  auto m = make_module<phases::ingestion>({vector_of(2)}, [](auto& b, const auto& x) {
    return std::vector{b.make(op::mul{}, {x[0], constant(b, floats({10, 100}))})};
  });
  CHECK(values(m, {floats({3, 4})}) == numbers{30, 400});
  context cx;
  targets::cpu{}.configure(cx);
  const built_module built = build<targets::cpu>(std::move(m), cx);
  const std::string path = "tvm_ffi_422.tenon";
  export_model(built, path);
  const tensor y = tn::program::open(path)["main"](floats({3, 4}));
  CHECK(y.at_f64(0) == 30);
  CHECK(y.at_f64(1) == 400);
  std::remove(path.c_str());
}
#endif
}  // namespace tvm_ffi_422
