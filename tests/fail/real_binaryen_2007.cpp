// WebAssembly/binaryen #2007: a pass that takes flat code only ran on code that nobody had made flat.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct block;
struct local_set;
struct add;
struct wasm {
  static constexpr tn::fixed_string name = "wasm";
  using op_list = tn::ops<block, local_set, add>;
};
struct flat {
  static constexpr tn::fixed_string name = "flat";
  using of_all = tn::any_ops;
};
struct flatten {
  static constexpr tn::fixed_string name = "flatten";
  using runs_in = wasm;
  using needs = tn::facts<>;
  using gives = tn::facts<flat>;
  using keeps = tn::all_facts;
  using emits = tn::ops<local_set>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
template <>
struct tn::givers_of<flat> {
  using type = tn::pass_list<flatten>;
};
struct simplify_locals {
  static constexpr tn::fixed_string name = "simplify_locals";
  using runs_in = wasm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<block, add>;
  using works_on = tn::ops<local_set>;
  using deletes = tn::effects<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct rereloop {
  static constexpr tn::fixed_string name = "rereloop";
  using runs_in = wasm;
  using needs = tn::facts<flat>;
  using keeps = tn::all_facts;
  using emits = tn::ops<block>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<simplify_locals, flatten, rereloop>;
#else
// CHECK: tenon-E002: pass 'rereloop' (2nd) needs 'flat', which no pass before it gives: insert 'flatten' before 'rereloop'
using order = tn::pipeline<simplify_locals, rereloop>;
#endif
