// onnx/onnx-mlir #1405: shapes of Resize wait for scales that constant propagation makes constant, and that waits for
// shapes: whichever ran first failed. The project made one pass of both.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct resize;
struct cast;
struct constant;
struct shapes_known {
  static constexpr tn::fixed_string name = "shapes_known";
  using of_each = tn::ops<resize, cast>;
};
struct scales_constant {
  static constexpr tn::fixed_string name = "scales_constant";
  using of_each = tn::ops<resize>;
};
struct onnx {
  static constexpr tn::fixed_string name = "onnx";
  using op_list = tn::ops<resize, cast, constant>;
};
struct shape_inference {
  static constexpr tn::fixed_string name = "shape_inference";
  using runs_in = onnx;
  using needs = tn::facts<scales_constant>;
  using gives = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using changes = tn::ops<resize, cast>;
};
struct constprop {
  static constexpr tn::fixed_string name = "constprop";
  using runs_in = onnx;
  using needs = tn::facts<shapes_known>;
  using gives = tn::facts<scales_constant>;
  using keeps = tn::all_facts;
  using emits = tn::ops<constant>;
  using deletes = tn::effects<>;
};
struct hybrid_transform {
  static constexpr tn::fixed_string name = "hybrid_transform";
  using runs_in = onnx;
  using needs = tn::facts<>;
  using gives = tn::facts<shapes_known, scales_constant>;
  using keeps = tn::all_facts;
  using emits = tn::ops<constant>;
  using changes = tn::ops<resize, cast>;
  using deletes = tn::effects<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<hybrid_transform>;
#else
// CHECK: tenon-E002: pass 'shape_inference' (1st) needs 'scales_constant', which no pass before it gives: 'constprop' would, and needs 'shapes_known', which this one gives: let one of them need less, or make them one pass
using order = tn::pipeline<shape_inference, constprop>;
#endif
