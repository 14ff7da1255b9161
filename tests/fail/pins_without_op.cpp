// An op of one's own is pinned to a member whose pipeline does not have it.
#include <tenon/compile/constrain.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

struct beam_search {
  static constexpr tn::fixed_string name = "beam_search";
  static constexpr tn::op_traits traits{};
};
struct expand_beam_search {
  static constexpr tn::fixed_string name = "expand_beam_search";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using keeps = tn::facts<>;
  using eliminates = tn::ops<beam_search>;
  using handles = tn::ops<beam_search>;
  using emits = tn::ops<tn::op::top_k>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct my_npu : tn::targets::interpreter {
  static constexpr tn::fixed_string name = "my_npu";
  using pipeline = tn::targets::interpreter::pipeline::edit<tn::append<expand_beam_search>>::with_ops<beam_search>;
};
using board = tn::composite<tn::host<tn::targets::interpreter>, tn::device<"npu", my_npu>>;
#ifdef TENON_TWIN
using home = my_npu;
#else
using home = tn::targets::interpreter;
#endif
// CHECK: tenon-E074: op 'beam_search' is pinned to 'interpreter', whose pipeline has no such op: pin it to 'npu'
using where = tn::pins<tn::op_pin<beam_search, home>>;
void place(tn::ir_module<tn::phases::optimization>& m) { tn::constrain<where, board>(m); }
