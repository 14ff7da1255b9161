// What a phase begins with holds until a pass breaks it.
#include "house.hpp"
#include <tenon/ir/module.hpp>

using namespace house;

struct normal_form {
  static constexpr tn::fixed_string name = "normal_form";
  static void check(const tn::ir::module&) {}
};
struct source {
  static constexpr tn::fixed_string name = "source";
  using op_list = tn::ops<add, mul>;
  using begins_with = tn::facts<normal_form>;
};
struct inline_calls {
  static constexpr tn::fixed_string name = "inline_calls";
  using runs_in = source;
  using needs = tn::facts<>;
  using breaks = tn::facts<normal_form>;
};
struct number_values {
  static constexpr tn::fixed_string name = "number_values";
  using runs_in = source;
  using needs = tn::facts<normal_form>;
  using keeps = tn::all_facts;
};
#ifdef TENON_TWIN
using order = tn::pipeline<number_values, inline_calls>;
#else
// CHECK: tenon-E003: pass 'number_values' (2nd) needs 'normal_form', which pass 'inline_calls' (1st) breaks after it held from the start: move 'number_values' before 'inline_calls'
using order = tn::pipeline<inline_calls, number_values>;
#endif
