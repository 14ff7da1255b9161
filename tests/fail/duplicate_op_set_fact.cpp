// Two op-set facts with one name: the order is right, and told where it runs.
#include "house.hpp"
#include <tenon/compile/run_pipeline.hpp>

using namespace house;

struct no_sums {
  static constexpr tn::fixed_string name = "no_sums";
  using absent_ops = tn::ops<add>;
};
namespace mine {
struct no_sums {
#ifdef TENON_TWIN
  static constexpr tn::fixed_string name = "no_products";
#else
  static constexpr tn::fixed_string name = "no_sums";
#endif
  using absent_ops = tn::ops<add, mul>;
};
}  // namespace mine

template <class Fact>
struct stays {
  using runs_in = graph;
  using needs = tn::facts<Fact>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<graph>&, tn::context&) const {}
};
struct to_calls {
  static constexpr tn::fixed_string name = "to_calls";
  using runs_in = graph;
  using needs = tn::facts<>;
  using eliminates = tn::ops<add, mul>;
  using handles = tn::ops<add, mul>;
  using emits = tn::ops<kernel_call>;
  void run(tn::ir_module<graph>&, tn::context&) const {}
};
struct first : stays<no_sums> {
  static constexpr tn::fixed_string name = "first";
};
struct second : stays<mine::no_sums> {
  static constexpr tn::fixed_string name = "second";
};
using order = tn::pipeline<to_calls, first, second>;

void compile(tn::ir_module<graph> m, tn::context& cx) {
  // CHECK: tenon-E009: pass 'second' (3rd) names a fact 'no_sums', and pass 'first' (2nd) another one of that name: a name belongs to one fact
  auto n = tn::run_pipeline<order>(std::move(m), cx);
  static_cast<void>(n);
}
