// What modules whose types say what is known cost: STEPS passes run by hand, each of which gives a fact and needs the
// last one.
#include <tenon/compile/run.hpp>

#ifndef STEPS
#  define STEPS 16
#endif

namespace {
using namespace tenon;
struct any_op;
struct graph {
  static constexpr fixed_string name = "graph";
  using op_list = ops<any_op>;
};
template <int N>
struct known {
  static constexpr char digits[] = {'k', char('a' + N / 8), char('a' + N % 8), 0};
  static constexpr fixed_string name = digits;
  static bool check(const ir::module& m) { return m.metadata.size() >= N; }
};
template <int N>
struct needs_of {
  using type = facts<known<N - 1>>;
};
template <>
struct needs_of<0> {
  using type = facts<>;
};
template <int N>
struct step {
  static constexpr char digits[] = {'s', char('a' + N / 8), char('a' + N % 8), 0};
  static constexpr fixed_string name = digits;
  using runs_in = graph;
  using needs = typename needs_of<N>::type;
  using gives = facts<known<N>>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& m, context&) const { m.body().metadata[std::to_string(N)] = "done"; }
};
template <int N, class Module>
size_t through(Module&& m, context& cx) {
  if constexpr (N < STEPS) return through<N + 1>(tenon::run<step<N>>(std::move(m), cx), cx);
  else return m.body().metadata.size();
}
}  // namespace

size_t all(tenon::context& cx) { return through<0>(tenon::ir_module<graph>(), cx); }
