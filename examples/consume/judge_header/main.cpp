// A compiler with an IR and a pass manager of its own, as LLVM and MLIR have them: the order of its passes is a type,
// and one header judges it. Nothing else of tenon is here.
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenon_judge.hpp"
#include "tenon_planner.hpp"  // only for the last question

namespace tn = tenon;

// [the compiler]
struct ir_unit {
  std::vector<std::string> ops;
};
struct manager_pass {
  virtual ~manager_pass() = default;
  virtual void run(ir_unit&) = 0;
};
class pass_manager {
 public:
  void add(std::unique_ptr<manager_pass> p) { passes_.push_back(std::move(p)); }
  void run(ir_unit& unit) {
    for (const auto& p : passes_) p->run(unit);
  }

 private:
  std::vector<std::unique_ptr<manager_pass>> passes_;
};
// [end]

// [phases]
struct matmul;  // ops are known by name
struct generic;
struct loop;
struct call;

struct tensors {
  static constexpr tn::fixed_string name = "tensors";
  using op_list = tn::ops<matmul, generic>;
};
struct loops {
  static constexpr tn::fixed_string name = "loops";
  using op_list = tn::ops<loop, call>;
};
struct bufferized {  // a fact that passes establish
  static constexpr tn::fixed_string name = "bufferized";
};
struct generalized {  // one that follows from the ops that may be left
  static constexpr tn::fixed_string name = "generalized";
  using absent_ops = tn::ops<matmul>;
};
// [end]

// [passes]
struct generalize {
  static constexpr tn::fixed_string name = "generalize";
  using runs_in = tensors;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<matmul>;
  using handles = tn::ops<matmul>;
  using emits = tn::ops<generic>;
  static void run(ir_unit& unit) {
    for (std::string& op : unit.ops)
      if (op == "matmul") op = "generic";
  }
};
struct bufferize {
  static constexpr tn::fixed_string name = "bufferize";
  using runs_in = tensors;
  using needs = tn::facts<generalized>;
  using gives = tn::facts<bufferized>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static void run(ir_unit&) {}
};
struct to_loops {
  static constexpr tn::fixed_string name = "to_loops";
  using from = tensors;
  using to = loops;
  using needs = tn::facts<bufferized>;
  using eliminates = tn::ops<generic>;
  using handles = tn::ops<generic>;
  using emits = tn::ops<loop, call>;
  static void run(ir_unit& unit) { unit.ops = {"loop", "call"}; }
};
// [end]

// [pipeline]
using pipeline =
    tn::pipeline<generalize, bufferize, to_loops>;  // another order does not compile, and the error says why

template <class Pass>
struct managed : manager_pass {
  void run(ir_unit& unit) override { Pass::run(unit); }
};
template <class... Pass>
void add_all(pass_manager& manager, tn::pass_list<Pass...>) {
  (manager.add(std::make_unique<managed<Pass>>()), ...);
}
// [end]

// [questions]
static_assert(!tn::is_valid<tn::pass_list<bufferize, generalize, to_loops>>);
static_assert(tn::verdict_of<generalize, to_loops>.code == 2);               // tenon-E002: nobody gave 'bufferized'
using found = tn::arrange<tensors, loops, to_loops, bufferize, generalize>;  // the compiler finds an order
// [end]
static_assert(std::is_same_v<found::passes, pipeline::passes>);

int main() {
  pass_manager manager;
  add_all(manager, pipeline::passes{});
  ir_unit unit{{"matmul"}};
  manager.run(unit);
  for (const std::string& op : unit.ops) std::printf("%s\n", op.c_str());
}
