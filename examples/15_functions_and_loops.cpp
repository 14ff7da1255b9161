// Lesson 15: functions, loops and branches in a model: written once, and run as often as the data says.
#include <cstdio>
#include <utility>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/importers/typed_graph.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/tenon.hpp>
#include <tenon/text/print.hpp>

using namespace tenon;
using nn::variable;

/// Square roots by Newton's method, until no element moves by more than a millionth.
variable square_root(nn::graph& g, variable x) {
  // A function of the module. "n" is its own name of an extent, whatever its callers call theirs.
  const auto step = g.function("newton", {nn::parameter<float>("x", {"n"}), nn::parameter<float>("root", {"n"})},
                               [](variable x, variable root) { return (root + x / root) / 2; });
  const auto moves = [](const std::pair<variable, variable>& s) {
    return greater(reduce_max(abs(s.first - s.second), {}, false), 1e-6);
  };
  // The state is a pair: this root, and the one before. At most 50 runs.
  return g
      .repeat_while(50, std::pair{x, x * 0}, moves,
                    [&](const std::pair<variable, variable>& s) { return std::pair{step(x, s.first), s.first}; })
      .first;
}

/// With shapes in types the same functions check them when the program is compiled: a body that gave another shape than
/// its state's would be tenon-E080. Here the state is a running mean over the rows, which the scan also stacks.
nn::typed<float, "rows", 2> smoothed(nn::graph& g, const nn::typed<float, "rows", 2>& x) {
  const auto blend = g.function("blend", {"old", "new"}, [](nn::typed<float, 2> old, nn::typed<float, 2> fresh) {
    return old * 0.75 + fresh * 0.25;
  });
  const auto zero = nn::constant<float, 2>(g, tensor(dtype::f32, {2}));
  return g
      .scan(x, zero,
            [&](const auto& mean, const auto& row) {
              const auto next = blend(mean, row);
              return std::pair{next, next};
            })
      .second;
}

int main() {
  nn::graph g("lesson");
  const variable x = g.input<float>("x", {"count"});
  const auto rows = nn::input<float, "rows", 2>(g, "rows");
  const variable enough = greater(extent_of(x, 0), 2);
  g.output("y", g.if_else(enough, [&] { return square_root(g, x); }, [&] { return x; }));
  g.output("smooth", smoothed(g, rows));

  try {  // errors name the line, and what was begun is taken back
    (void)g.repeat(3, x, [](variable, variable s) { return nn::concat({s, s}, 0); });
  } catch (const error& e) { std::printf("%s\n", e.what()); }
  try {
    (void)g.call("newton", {x, 2});
  } catch (const error& e) { std::printf("%s\n", e.what()); }

  const ir_module<phases::ingestion> m = std::move(g).finish();  // goes to any target, or a session
  const tensor table = tensor::from<float>({3, 2}, {4, 8, 4, 8, 4, 8});
  for (const tensor& t : {tensor::from<float>({3}, {2, 9, 100}), tensor::from<float>({1}, {9})}) {
    const auto r = interpret(m.body(), "main", std::vector{t, table});
    std::printf("%s from %.4f, smooth %.4f %.4f %.4f\n", r[0].describe().c_str(), r[0].at_f64(0), r[1].at_f64(0),
                r[1].at_f64(2), r[1].at_f64(5));
  }
}

// CHECK: 15_functions_and_loops.cpp:{{[0-9]+}}, in 'lesson': value 0 of the state is f32[count] before a run and
// CHECK-SAME: f32[2*count] after it; a state keeps its extents: let scan stack what each run adds
// CHECK: in 'lesson': parameter 'root' of function 'newton' is f32[n], and is given f32[]
// CHECK: f32[3] from 1.4142, smooth 1.0000 1.7500 4.6250
// CHECK: f32[1] from 9.0000, smooth 1.0000 1.7500 4.6250
