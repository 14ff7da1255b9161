// A rule of a pass needs of the device what that does not have.
#include <tenon/passes/tensorize.hpp>
#include <tenon/target.hpp>

namespace tn = tenon;

struct load_tiles {
  static bool matches(const tn::ir::module&, tn::function_id);
  static std::vector<tn::ir::type> scratch(const tn::ir::module&, tn::function_id);
  using needs_of_device = tn::capabilities<tn::capability::matrix_unit>;
};
struct machine {
  static constexpr tn::fixed_string name = "machine";
  static constexpr tn::device_kind kind = tn::device_kind::extension;
#ifdef TENON_TWIN
  using provides = tn::capabilities<tn::capability::scratchpad, tn::capability::matrix_unit>;
#else
  using provides = tn::capabilities<tn::capability::scratchpad>;
#endif
};
struct codegen {
  static constexpr tn::fixed_string name = "codegen";
};
struct board {
  static constexpr tn::fixed_string name = "board";
  using device = machine;
  using code_generator = codegen;
  using pipeline = tn::pipeline<tn::passes::tensorize<load_tiles>>;
  using ends_in = tn::phases::lowering;
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E072: pass 'tensorize' of target 'board' needs a device that provides 'matrix_unit', and 'machine' does not: leave the pass out of this target's pipeline
compiler<board> c;
