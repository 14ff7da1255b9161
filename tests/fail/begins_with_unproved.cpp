// A phase begins with a fact that nothing could prove of a module.
#include "house.hpp"
#include <tenon/ir/module.hpp>

using namespace house;

struct normal_form {
  static constexpr tn::fixed_string name = "normal_form";
#ifdef TENON_TWIN
  static void check(const tn::ir::module&) {}
#endif
};
struct source {
  static constexpr tn::fixed_string name = "source";
  using op_list = tn::ops<add, mul>;
  using begins_with = tn::facts<normal_form>;
};
struct number_values {
  static constexpr tn::fixed_string name = "number_values";
  using runs_in = source;
  using needs = tn::facts<normal_form>;
  using keeps = tn::all_facts;
};
// CHECK: tenon-E008: pass 'number_values' runs in phase 'source', which has a member 'begins_with' that means nothing to the judge: write 'using begins_with = facts<...>' of facts with a 'check'
using order = tn::pipeline<number_values>;
