/// @file house: small phases, ops, facts and passes that the fail tests share.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/pipeline.hpp>

namespace house {
namespace tn = tenon;

// Ops: graph ops add and mul; kernel calls; what code is made of.
struct add;
struct mul;
struct closure;
struct kernel_call;
struct jump;

struct front {
  static constexpr tn::fixed_string name = "front";
  using op_list = tn::ops<closure, add, mul>;
  static constexpr bool open = true;
};
struct graph {
  static constexpr tn::fixed_string name = "graph";
  using op_list = tn::ops<add, mul, kernel_call>;
  static constexpr bool open = true;
};
struct code {
  static constexpr tn::fixed_string name = "code";
  using op_list = tn::ops<kernel_call, jump>;
};

struct shapes_known {
  static constexpr tn::fixed_string name = "shapes_known";
};
struct ops_legalized {
  static constexpr tn::fixed_string name = "ops_legalized";
  using absent_ops = tn::ops<add, mul>;
};

struct lift_lambdas {
  static constexpr tn::fixed_string name = "lift_lambdas";
  using from = front;
  using to = graph;
  using needs = tn::facts<>;
  using eliminates = tn::ops<closure>;
  using handles = tn::ops<closure>;
  using emits = tn::ops<>;
};
struct infer_shapes {
  static constexpr tn::fixed_string name = "infer_shapes";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct fold_constants {
  static constexpr tn::fixed_string name = "fold_constants";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
};
struct legalize_ops {
  static constexpr tn::fixed_string name = "legalize_ops";
  using runs_in = graph;
  using needs = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<add, mul>;
  using handles = tn::ops<add, mul>;
  using emits = tn::ops<kernel_call>;
};
struct to_code {
  static constexpr tn::fixed_string name = "to_code";
  using from = graph;
  using to = code;
  using needs = tn::facts<ops_legalized>;
  using emits = tn::ops<jump>;
};
struct schedule {
  static constexpr tn::fixed_string name = "schedule";
  using runs_in = code;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};

}  // namespace house
