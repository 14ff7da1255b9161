// buddy-compiler/buddy-mlir #537: parallel loops became loops of OpenMP, and then vectors became loops, some of them
// parallel, which a later pass ran one iteration after the other. Nothing fails without threads: that they are wanted
// is said by the target's code generator.
#include <tenon/pipeline.hpp>
#include <tenon/target.hpp>

namespace tn = tenon;

struct transfer_read;
struct parallel;
struct omp_loop;
struct branch;
struct loops {
  static constexpr tn::fixed_string name = "loops";
  using op_list = tn::ops<transfer_read, parallel, omp_loop>;
};
struct llvm {
  static constexpr tn::fixed_string name = "llvm";
  using op_list = tn::ops<branch, omp_loop>;
};
struct on_threads {
  static constexpr tn::fixed_string name = "on_threads";
  using of_each = tn::ops<parallel>;
};
struct vector_to_scf {
  static constexpr tn::fixed_string name = "vector_to_scf";
  using runs_in = loops;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<transfer_read>;
  using handles = eliminates;
  using emits = tn::ops<parallel>;
};
struct scf_to_openmp {
  static constexpr tn::fixed_string name = "scf_to_openmp";
  using runs_in = loops;
  using needs = tn::facts<>;
  using gives = tn::facts<on_threads>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<parallel>;
  using handles = eliminates;
  using emits = tn::ops<omp_loop>;
};
struct scf_to_cf {
  static constexpr tn::fixed_string name = "scf_to_cf";
  using from = loops;
  using to = llvm;
  using needs = tn::facts<>;
  using breaks = tn::facts<>;
  using eliminates = tn::ops<transfer_read, parallel>;
  using handles = eliminates;
  using emits = tn::ops<branch>;
};
struct many_threads {
  using requires_facts = tn::facts<on_threads>;
};
struct processor {
  static constexpr tn::device_kind kind = tn::device_kind::extension;
};
struct openmp {
  static constexpr tn::fixed_string name = "openmp";
  using device = processor;
  using code_generator = many_threads;
  using ends_in = llvm;
#ifdef TENON_TWIN
  using pipeline = tn::pipeline<vector_to_scf, scf_to_openmp, scf_to_cf>;
#else
  using pipeline = tn::pipeline<scf_to_openmp, vector_to_scf, scf_to_cf>;
#endif
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E012: target 'openmp' requires 'on_threads' of the module that its code generator gets, which pass 'vector_to_scf' (2nd) breaks, since it emits 'parallel', after 'scf_to_openmp' (1st) gave it: move 'vector_to_scf' before 'scf_to_openmp'
compiler<openmp> c;
