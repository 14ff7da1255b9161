// iree-org/iree #20673 (and #21023, where outlining made two of one name): modules were linked behind the pass that gives each
// function a name of its own. Names are unique among all functions: who adds some ends that.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct call;
struct sequence;
struct specs {
  static constexpr tn::fixed_string name = "specs";
  using op_list = tn::ops<call, sequence>;
};
struct names_unique {
  static constexpr tn::fixed_string name = "names_unique";
  using of_all = tn::any_functions;
};
struct rename_functions {
  static constexpr tn::fixed_string name = "rename_functions";
  using runs_in = specs;
  using needs = tn::facts<>;
  using gives = tn::facts<names_unique>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct link_modules {
  static constexpr tn::fixed_string name = "link_modules";
  using runs_in = specs;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool adds_functions = true;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct write_object {
  static constexpr tn::fixed_string name = "write_object";
  using runs_in = specs;
  using needs = tn::facts<names_unique>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<link_modules, rename_functions, write_object>;
#else
// CHECK: tenon-E003: pass 'write_object' (3rd) needs 'names_unique', which pass 'link_modules' (2nd) breaks, since it adds functions, after 'rename_functions' (1st) gave it: move 'link_modules' before 'rename_functions'
using order = tn::pipeline<rename_functions, link_modules, write_object>;
#endif
