/// @file world: facts and passes that can run, over the phases of the fail tests (house.hpp), for the tests of the type
/// layer.
#pragma once

#include <tenon/compile/build.hpp>

#include "fail/house.hpp"

namespace world {
namespace tn = tenon;

// The ops and phases are those of the fail tests.
using house::add, house::mul, house::closure, house::kernel_call, house::jump;
using house::front, house::graph, house::code;

struct shapes {
  static constexpr tn::fixed_string name = "shapes";
  static bool check(const tn::ir::module& m) { return !m.metadata.contains("shapes are wrong"); }
};
struct legal {
  static constexpr tn::fixed_string name = "legal";
  using absent_ops = tn::ops<add, mul>;
};

struct lift {
  static constexpr tn::fixed_string name = "lift";
  using from = front;
  using to = graph;
  using needs = tn::facts<>;
  using eliminates = tn::ops<closure>;
  using handles = tn::ops<closure>;
  using emits = tn::ops<>;
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context&) const {
    return tn::ir_module<to>::adopt(std::move(m.body()));
  }
};
struct infer {
  static constexpr tn::fixed_string name = "infer";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<shapes>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  bool lie = false;
  void run(tn::ir_module<runs_in>& m, tn::context&) const {
    if (lie) m.body().metadata["shapes are wrong"] = "yes";
  }
};
struct fold {
  static constexpr tn::fixed_string name = "fold";
  using runs_in = graph;
  using needs = tn::facts<shapes>;
  using keeps = tn::all_facts;
  void run(tn::ir_module<runs_in>& m, tn::context&) const { m.body().metadata["folded"] += "x"; }
};
struct legalize {
  static constexpr tn::fixed_string name = "legalize";
  using runs_in = graph;
  using needs = tn::facts<shapes>;
  using gives = tn::facts<legal>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<add, mul>;
  using handles = tn::ops<add, mul>;
  using emits = tn::ops<kernel_call>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct leave {
  static constexpr tn::fixed_string name = "leave";
  using from = graph;
  using to = code;
  using needs = tn::facts<legal>;
  using emits = tn::ops<jump>;
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context&) const {
    return tn::ir_module<to>::adopt(std::move(m.body()));
  }
};
struct spoil {
  static constexpr tn::fixed_string name = "spoil";
  using runs_in = graph;
  using needs = tn::facts<>;
  using breaks = tn::facts<shapes>;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};

struct machine {
  static constexpr tn::device_kind kind = tn::device_kind::cpu;
};
struct code_maker {};
struct target {
  static constexpr tn::fixed_string name = "target";
  using device = machine;
  using code_generator = code_maker;
  using pipeline = tn::pipeline<lift, infer, fold, legalize, leave>;
  using ends_in = code;
};

}  // namespace world
