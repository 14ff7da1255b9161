// A graph that calls a library's code goes on to kernels, where nobody knows that call.
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/lift_lambdas.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/run_external_codegen.hpp>
#include <tenon/passes/to_lowering.hpp>
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
using partition = tn::passes::partition_for<my_library>;
using generate = tn::passes::run_external_codegen<my_library>;
#ifdef TENON_TWIN
using order = tn::pipeline<tn::passes::lift_lambdas, partition, generate, tn::passes::infer_shapes>;
#else
// CHECK: tenon-E004: pass 'to_lowering' (7th) enters phase 'lowering', which does not list 'call_external', and pass 'run_external_codegen_my_library' (3rd) may emit it: put a pass before it that 'eliminates' it
using order = tn::pipeline<tn::passes::lift_lambdas, partition, generate, tn::passes::infer_shapes,
                           tn::passes::require_static_shapes, tn::passes::legalize_ops, tn::passes::to_lowering>;
#endif
