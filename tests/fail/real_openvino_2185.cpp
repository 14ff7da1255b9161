// openvinotoolkit/openvino #2185: boxes are constants once constants are folded, and the pass that converts their op found none.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct prior_box;
struct prior_box_ie;
struct constant;
struct model {
  static constexpr tn::fixed_string name = "model";
  using op_list = tn::ops<prior_box, prior_box_ie, constant>;
};
struct fold_constants {
  static constexpr tn::fixed_string name = "fold_constants";
  using runs_in = model;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<constant>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct convert_prior_box {
  static constexpr tn::fixed_string name = "convert_prior_box";
  using runs_in = model;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<prior_box>;
  using handles = eliminates;
  using works_on = eliminates;
  using emits = tn::ops<prior_box_ie>;
  using not_after = fold_constants;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<convert_prior_box, fold_constants>;
#else
// CHECK: tenon-E019: pass 'convert_prior_box' (2nd) may not run after 'fold_constants' (1st): move 'convert_prior_box' before 'fold_constants'
using order = tn::pipeline<fold_constants, convert_prior_box>;
#endif
