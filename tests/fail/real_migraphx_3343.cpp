// ROCm/AMDMIGraphX #3343: copies that make tensors contiguous were put in early, and fusion took them into its kernels. The pass that
// puts them in says that it does not run while fusion is still to come.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct contiguous;
struct mlir_op;
struct dot;
struct gpu_gemm;
struct graph {
  static constexpr tn::fixed_string name = "graph";
  using op_list = tn::ops<contiguous, mlir_op, dot, gpu_gemm>;
};
struct fuse_mlir {
  static constexpr tn::fixed_string name = "fuse_mlir";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<mlir_op>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct auto_contiguous {
  static constexpr tn::fixed_string name = "auto_contiguous";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<contiguous>;
  using not_before = fuse_mlir;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct lower {
  static constexpr tn::fixed_string name = "lower";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<dot>;
  using handles = eliminates;
  using emits = tn::ops<gpu_gemm>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<fuse_mlir, auto_contiguous, lower>;
#else
// CHECK: tenon-E019: pass 'auto_contiguous' (1st) may not run before 'fuse_mlir' (2nd): move 'auto_contiguous' after 'fuse_mlir', or move 'fuse_mlir' before 'auto_contiguous'
using order = tn::pipeline<auto_contiguous, fuse_mlir, lower>;
#endif
