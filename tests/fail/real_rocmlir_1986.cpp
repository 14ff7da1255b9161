// ROCm/rocMLIR #1986: a wrapper that calls a kernel was made, and then the pass that makes operands int4 changed what
// the kernel takes. Its author says so by a flag, as of functions that are added or removed.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct unpack;
struct conv;
struct call;
struct calls_match {  // each call passes what the function takes
  static constexpr tn::fixed_string name = "calls_match";
  using of_all = tn::any_functions;
};
struct migraphx {
  static constexpr tn::fixed_string name = "migraphx";
  using op_list = tn::ops<unpack, conv, call>;
};
struct clone_harness {
  static constexpr tn::fixed_string name = "clone_harness";
  using runs_in = migraphx;
  using needs = tn::facts<>;
  using gives = tn::facts<calls_match>;
  using keeps = tn::all_facts;
  using emits = tn::ops<call>;
  static constexpr bool adds_functions = true;
};
struct realize_int4 {  // int8 operands of unpack become int4; so do arguments of the function
  static constexpr tn::fixed_string name = "realize_int4";
  using runs_in = migraphx;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<unpack>;
  using handles = eliminates;
  using emits = tn::ops<>;
  using changes = tn::ops<conv>;
  static constexpr bool changes_functions = true;
};
struct to_gpu {
  static constexpr tn::fixed_string name = "to_gpu";
  using runs_in = migraphx;
  using needs = tn::facts<calls_match>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<realize_int4, clone_harness, to_gpu>;
#else
// CHECK: tenon-E003: pass 'to_gpu' (3rd) needs 'calls_match', which pass 'realize_int4' (2nd) breaks, since it changes functions, after 'clone_harness' (1st) gave it: move 'realize_int4' before 'clone_harness', or move 'to_gpu' before 'realize_int4'
using order = tn::pipeline<clone_harness, realize_int4, to_gpu>;
#endif
