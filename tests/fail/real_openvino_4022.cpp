// openvinotoolkit/openvino #4022: the pass that changes element types knows the ops of opsets only, and ran after these had become
// legacy ops. It needs that there are none; the phase begins without.
#include "house.hpp"

using namespace house;

struct convolution;
struct convolution_ie;
struct opset_ops_only {
  static constexpr tn::fixed_string name = "opset_ops_only";
  using absent_ops = tn::ops<convolution_ie>;
};
struct network {
  static constexpr tn::fixed_string name = "network";
  using op_list = tn::ops<convolution, convolution_ie>;
  using begins_with = tn::facts<opset_ops_only>;
};
struct no_i64 {
  static constexpr tn::fixed_string name = "no_i64";
};
struct convert_precision {
  static constexpr tn::fixed_string name = "convert_precision";
  using runs_in = network;
  using needs = tn::facts<opset_ops_only>;
  using gives = tn::facts<no_i64>;
  using keeps = tn::all_facts;
  using emits = tn::ops<convolution>;
};
struct convert_to_legacy {
  static constexpr tn::fixed_string name = "convert_to_legacy";
  using runs_in = network;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<convolution>;
  using handles = tn::ops<convolution>;
  using emits = tn::ops<convolution_ie>;
};
struct load_network {
  static constexpr tn::fixed_string name = "load_network";
  using runs_in = network;
  using needs = tn::facts<no_i64>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<convert_precision, convert_to_legacy, load_network>;
#else
// CHECK: tenon-E003: pass 'convert_precision' (2nd) needs 'opset_ops_only', which pass 'convert_to_legacy' (1st) breaks after it held from the start: move 'convert_precision' before 'convert_to_legacy'
using order = tn::pipeline<convert_to_legacy, convert_precision, load_network>;
#endif
