// llvm/llvm-project #102333 (BOLT): addresses are relaxed when fragments are final, and where nops are left to take the
// longer form: the place is between two passes.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct adr;
struct nop;
struct inst;
struct byte;
struct fragments_final {
  static constexpr tn::fixed_string name = "fragments_final";
  using of_each = tn::any_functions;
};
struct adr_in_range {
  static constexpr tn::fixed_string name = "adr_in_range";
  using of_each = tn::ops<adr>;
};
struct binary {
  static constexpr tn::fixed_string name = "binary";
  using op_list = tn::ops<adr, nop, inst>;
};
struct object {
  static constexpr tn::fixed_string name = "object";
  using op_list = tn::ops<byte>;
};
struct split_functions {
  static constexpr tn::fixed_string name = "split_functions";
  using runs_in = binary;
  using needs = tn::facts<>;
  using gives = tn::facts<fragments_final>;
  using keeps = tn::all_facts;
  using emits = tn::ops<inst>;
};
struct remove_nops {
  static constexpr tn::fixed_string name = "remove_nops";
  using runs_in = binary;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<nop>;
  using handles = eliminates;
  using emits = tn::ops<>;
};
struct adr_relaxation {
  static constexpr tn::fixed_string name = "adr_relaxation";
  using runs_in = binary;
  using needs = tn::facts<fragments_final>;
  using gives = tn::facts<adr_in_range>;
  using keeps = tn::all_facts;
  using emits = tn::ops<inst>;
  using works_on = tn::ops<nop>;
};
struct write {
  static constexpr tn::fixed_string name = "write";
  using from = binary;
  using to = object;
  using needs = tn::facts<adr_in_range>;
  using eliminates = tn::ops<adr, inst, nop>;
  using handles = eliminates;
  using emits = tn::ops<byte>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<split_functions, adr_relaxation, remove_nops, write>;
#else
// CHECK: tenon-E002: pass 'adr_relaxation' (1st) needs 'fragments_final', which no pass before it gives: move 'split_functions' before 'adr_relaxation', or move 'adr_relaxation' after 'split_functions'
using order = tn::pipeline<adr_relaxation, split_functions, remove_nops, write>;
#endif
