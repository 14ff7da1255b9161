// A device that work can be launched on can be waited for.
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

struct my_device {
  static constexpr tn::fixed_string name = "my_device";
  static constexpr tn::device_kind kind = tn::device_kind::extension;
  static constexpr tn::memory_space spaces[] = {{"dram"}};
  tn::tensor allocate(tn::dtype t, std::vector<tn::i64> shape) { return tn::tensor(t, std::move(shape)); }
  void copy(tn::tensor& to, const tn::tensor& from) { to = from; }
  std::vector<tn::tensor> launch(const tn::executable& e, std::span<const tn::tensor> x, int n) { return e.run(x, n); }
#ifdef TENON_TWIN
  void wait() {}
#endif
};
struct my_target {
  static constexpr tn::fixed_string name = "my_target";
  using device = my_device;
  using code_generator = tn::targets::interpreter::code_generator;
  using pipeline = tn::targets::interpreter::pipeline;
  using ends_in = tn::phases::optimization;
  using format = tn::formats::module_file;
  using abi = tn::abis::interpreted;
  using runtime = tn::targets::evaluator;
};
template <tn::complete_target T>
struct session {};
// CHECK: tenon-E070: target 'my_target' cannot run, since its 'my_device' has no 'void wait()': a target that runs has a device, a code generator, a pipeline, a format, an abi and a runtime
session<my_target> s;
