// aptos-labs/aptos-core #16482 (#15968): checks that speak of the program as it was written ran behind optimizations of it, which hid
// warnings and made others. That modules come as they were written is what the phase begins with.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct call;
struct branch;
struct as_written {
  static constexpr tn::fixed_string name = "as_written";
  static void check(const tn::ir::module&);
};
struct ast {
  static constexpr tn::fixed_string name = "ast";
  using op_list = tn::ops<call, branch>;
  using begins_with = tn::facts<as_written>;
};
struct optimize_ast {
  static constexpr tn::fixed_string name = "optimize_ast";
  using runs_in = ast;
  using needs = tn::facts<>;
  using breaks = tn::facts<as_written>;
  using emits = tn::ops<call, branch>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct warn_unused {
  static constexpr tn::fixed_string name = "warn_unused";
  using runs_in = ast;
  using needs = tn::facts<as_written>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<warn_unused, optimize_ast>;
#else
// CHECK: tenon-E003: pass 'warn_unused' (2nd) needs 'as_written', which pass 'optimize_ast' (1st) breaks after it held from the start: move 'warn_unused' before 'optimize_ast'
using order = tn::pipeline<optimize_ast, warn_unused>;
#endif
