// apache/tvm #19395: a page said that graphs are partitioned for external libraries after LegalizeOps, where no pattern matches
// any more: a library would get nothing, in silence. Patterns are of ops; groups hide them, and kernels replace them.
#include <tenon/passes/fold_extents.hpp>
#include <tenon/passes/fuse.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/require_known_extents.hpp>
#include <tenon/passes/run_external_codegen.hpp>
#include <tenon/pipeline.hpp>

using namespace tenon;

struct listing {
  static constexpr fixed_string name = "listing";
};
struct generator {
  using format = listing;
  static std::vector<char> compile(const external_function& part, context& cx);
  static std::unique_ptr<external_code> load(std::span<const char> bytes);
};
struct library {
  static constexpr fixed_string name = "library";
  using external_code_generator = generator;
  using patterns = pattern_list<pattern<op::matmul, any, any>>;
};
using namespace tenon::passes;
#ifdef TENON_TWIN
using order = pipeline<infer_shapes, partition_for<library>, run_external_codegen<library>, fold_extents, require_known_extents, fuse, legalize_ops>;
#else
// CHECK: tenon-E019: pass 'partition_for_library' (6th) may not run between 'fuse' (4th), which emits 'fused', and 'run_external_codegen_library' (7th)
using order = pipeline<infer_shapes, fold_extents, require_known_extents, fuse, legalize_ops, partition_for<library>, run_external_codegen<library>>;
#endif
