// onnx/onnx-mlir #2751: structured control flow became branches inside of a scope that holds one block. The pass that
// lowers all that is left does it, too: the author took the first one out.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct br;
struct cond_br;
struct scf_if;
struct scf_for;
struct krnl_op;
struct llvm_op;
struct alloca_scope {
  using region_forbids = tn::ops<br, cond_br>;
};
struct low {
  static constexpr tn::fixed_string name = "low";
  using op_list = tn::ops<br, cond_br, scf_if, scf_for, krnl_op, alloca_scope, llvm_op>;
};
struct llvm_ir {
  static constexpr tn::fixed_string name = "llvm_ir";
  using op_list = tn::ops<llvm_op>;
};
struct scf_to_cf {
  static constexpr tn::fixed_string name = "scf_to_cf";
  using runs_in = low;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<scf_if, scf_for>;
  using handles = tn::ops<scf_if, scf_for>;
  using emits = tn::ops<br, cond_br>;
};
struct krnl_to_llvm {  // lowers everything that is left
  static constexpr tn::fixed_string name = "krnl_to_llvm";
  using from = low;
  using to = llvm_ir;
  using needs = tn::facts<>;
  using eliminates = tn::ops<br, cond_br, scf_if, scf_for, krnl_op, alloca_scope>;
  using handles = eliminates;
  using emits = tn::ops<llvm_op>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<krnl_to_llvm>;
#else
// CHECK: tenon-E042: pass 'scf_to_cf' (1st) may emit 'br' and 'cond_br', which a region of 'alloca_scope' does not allow, and there may be one: phase 'low' lists it: drop 'scf_to_cf', or say
using order = tn::pipeline<scf_to_cf, krnl_to_llvm>;
#endif
