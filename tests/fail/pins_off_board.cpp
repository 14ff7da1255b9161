// A function is pinned to a target that no member of the board is.
#include <tenon/compile/constrain.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

struct my_npu : tn::targets::interpreter {
  static constexpr tn::fixed_string name = "my_npu";
};
using board = tn::composite<tn::host<tn::targets::interpreter>, tn::device<"second", tn::targets::interpreter>>;
#ifdef TENON_TWIN
using where = tn::pins<tn::pin<"encoder", tn::device<"second", tn::targets::interpreter>>>;
#else
using where = tn::pins<tn::pin<"encoder", my_npu>>;
#endif
// CHECK: tenon-E074: function 'encoder' is pinned to 'my_npu', which is no member of this board: pin it to 'interpreter' or 'second'
void place(tn::ir_module<tn::phases::optimization>& m) { tn::constrain<where, board>(m); }
