// A code generator whose instructions the device does not have.
#include "house.hpp"
#include <tenon/target.hpp>

using namespace house;

struct machine {
  static constexpr tn::fixed_string name = "machine";
  static constexpr tn::device_kind kind = tn::device_kind::extension;
#ifdef TENON_TWIN
  using provides = tn::capabilities<tn::capability::matrix_unit>;
#endif
};
struct tile_codegen {
  static constexpr tn::fixed_string name = "tile_codegen";
  using needs_of_device = tn::capabilities<tn::capability::matrix_unit>;
};
struct board {
  static constexpr tn::fixed_string name = "board";
  using device = machine;
  using code_generator = tile_codegen;
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes>;
  using ends_in = graph;
};
template <tn::sound_target T>
struct compiler {};
// CHECK: tenon-E072: code generator 'tile_codegen' of target 'board' needs a device that provides 'matrix_unit', and 'machine' does not: take another one, or add it to what the device 'provides'
compiler<board> c;
