// Nobody gives what the pass needs, and it runs where the order begins: modules may come with it, and then the phase says so.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct constant;
struct dequantize;
struct weights_compressed {
  static constexpr tn::fixed_string name = "weights_compressed";
  static void check(const tn::ir::module&);
};
struct network {
  static constexpr tn::fixed_string name = "network";
  using op_list = tn::ops<constant, dequantize>;
#ifdef TENON_TWIN
  using begins_with = tn::facts<weights_compressed>;
#endif
};
struct mark_compressed {
  static constexpr tn::fixed_string name = "mark_compressed";
  using runs_in = network;
  using needs = tn::facts<weights_compressed>;
  using keeps = tn::all_facts;
  using emits = tn::ops<dequantize>;
};
struct fold_constants {
  static constexpr tn::fixed_string name = "fold_constants";
  using runs_in = network;
  using needs = tn::facts<>;
  using breaks = tn::facts<weights_compressed>;
  using emits = tn::ops<constant>;
};
// CHECK: tenon-E002: pass 'mark_compressed' (1st) needs 'weights_compressed', which no pass before it gives, nor any pass known to give it would: add one before it that 'gives' it, or, if modules come with it, let the phase say 'using begins_with = tenon::facts<weights_compressed>'
using order = tn::pipeline<mark_compressed, fold_constants>;
