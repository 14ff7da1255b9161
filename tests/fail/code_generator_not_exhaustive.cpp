// A code generator handles every op of its phase: one that a colleague adds to the phase is named.
#include "house.hpp"
#include <tenon/phases/all.hpp>

using namespace house;

struct spin;
struct native : code {
  static constexpr tn::fixed_string name = "native";
  using op_list = code::op_list::with<spin>;
};
struct binary : native {
  static constexpr tn::fixed_string name = "binary";
};
struct emit_code {
  static constexpr tn::fixed_string name = "emit_code";
  using from = native;
  using to = binary;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
#ifdef TENON_TWIN
  using handles = tn::ops<kernel_call, jump, spin>;
#else
  using handles = tn::ops<kernel_call, jump>;
#endif
  using emits = tn::ops<>;
};
using pipeline = tn::pipeline<emit_code>;  // CHECK: tenon-E006: pass 'emit_code' handles the ops of phase 'native', and not 'spin': add it to its 'handles', or specialize tenon::lower_with<emit_code, spin>
