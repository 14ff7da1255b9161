// The code generator of a library runs, and nobody has cut out what it is for.
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/lift_lambdas.hpp>
#include <tenon/passes/run_external_codegen.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct text {
  static constexpr tn::fixed_string name = "text";
};
struct generator {
  using format = text;
  static std::vector<char> compile(const tn::external_function&, tn::context&);
  static std::unique_ptr<tn::external_code> load(std::span<const char>);
};
struct my_library {
  static constexpr tn::fixed_string name = "my_library";
  using patterns = tn::pattern_list<tn::pattern<tn::op::matmul, tn::any, tn::any>>;
  using external_code_generator = generator;
};
using generate = tn::passes::run_external_codegen<my_library>;
#ifdef TENON_TWIN
using order = tn::pipeline<tn::passes::lift_lambdas, tn::passes::infer_shapes, tn::passes::partition_for<my_library>, generate>;
#else
// CHECK: tenon-E001: pass 'run_external_codegen_my_library' (3rd) runs in phase 'partitioned'
using order = tn::pipeline<tn::passes::lift_lambdas, tn::passes::infer_shapes, generate>;
#endif
