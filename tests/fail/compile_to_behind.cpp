// Compiling to a phase that the module has left.
#include "house.hpp"
#include <tenon/compile/build.hpp>

using namespace house;

struct generate {
  static constexpr tn::fixed_string name = "generate";
  using from = graph;
  using to = code;
  using needs = tn::facts<>;
  using eliminates = tn::ops<add, mul>;
  using handles = tn::ops<add, mul>;
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context&) const {
    return tn::ir_module<to>::adopt(std::move(m.body()));
  }
};
struct lift {
  static constexpr tn::fixed_string name = "lift";
  using from = front;
  using to = graph;
  using needs = tn::facts<>;
  using eliminates = tn::ops<closure>;
  using handles = tn::ops<closure>;
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context&) const {
    return tn::ir_module<to>::adopt(std::move(m.body()));
  }
};
struct npu {
  static constexpr tn::device_kind kind = tn::device_kind::extension;
};
struct my_npu {
  static constexpr tn::fixed_string name = "my_npu";
  using device = npu;
  using code_generator = generate;
  using pipeline = tn::pipeline<lift, generate>;
  using ends_in = code;
};

void compile(tn::ir_module<front> f, tn::ir_module<code> c, tn::context& cx) {
#ifdef TENON_TWIN
  auto m = tn::compile_to<graph, my_npu>(std::move(f), cx);
#else
  // CHECK: tenon-E024: the pipeline of target 'my_npu' does not lead from phase 'code' to phase 'graph': compile to a phase that is not behind the module, with a target whose pipeline has both
  auto m = tn::compile_to<graph, my_npu>(std::move(c), cx);
#endif
  static_cast<void>(m), static_cast<void>(f), static_cast<void>(c);
}
