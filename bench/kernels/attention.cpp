// Attention in f32 on one thread and two: as one op, and as the pipeline without fuse_attention has it: least
// milliseconds of some runs in one program, which take turns.
//   ctest --test-dir build/gcc -L bench -R kernels.attention -V
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

#include "least.hpp"

using namespace tenon;

namespace {

struct apart : targets::cpu {
  static constexpr fixed_string name = "apart";
  using pipeline = targets::cpu::pipeline::edit<without<passes::fuse_attention>>;
};

struct shape {
  i64 heads, queries, depth, keys;
  bool mask, sized;  ///< sized: numbers of queries and keys are symbols
};

ir_module<phases::ingestion> model(const shape& s) {
  ir_module<phases::ingestion> graph;
  ir::module& m = graph.body();
  const ir::dim queries = s.sized ? ir::dim::symbol(m.symbol("queries")) : ir::dim(s.queries),
                keys = s.sized ? ir::dim::symbol(m.symbol("keys")) : ir::dim(s.keys);
  std::vector<type_id> types;
  for (const std::vector<ir::dim>& t : {std::vector<ir::dim>{s.heads, queries, s.depth},
                                        {s.heads, s.depth, keys},
                                        {s.heads, keys, s.depth},
                                        {queries, keys}})
    types.push_back(m.intern(ir::type::tensor(dtype::f32, t)));
  if (!s.mask) types.pop_back();
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  const std::vector<value_id> x = m[m[f].body].arguments;
  value_id y = b.make(op::matmul{}, {x[0], x[1]});
  const float scale = 1 / std::sqrt(static_cast<float>(s.depth));
  y = b.make(op::mul{}, {y, b.make(op::constant{m.add_constant(tensor::scalar(scale))}, {})});
  if (s.mask) y = b.make(op::add{}, {y, x[3]});
  y = b.make(op::matmul{}, {b.make(op::softmax{}, {y}), x[2]});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  return graph;
}

tensor numbers(const std::vector<i64>& shape) {
  tensor t(dtype::f32, shape);
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 7919 % 255 - 127) / 128);
  return t;
}

template <class Target>
program made(const shape& s, int threads) {
  context cx;
  Target t;
  t.threads = threads;
  t.configure(cx);
  return load(build<Target>(model(s), cx));
}

void measure(const shape& s, int threads) {
  const program programs[] = {made<targets::cpu>(s, threads), made<apart>(s, threads)};
  std::vector<tensor> inputs{numbers({s.heads, s.queries, s.depth}), numbers({s.heads, s.depth, s.keys}),
                             numbers({s.heads, s.keys, s.depth})};
  if (s.mask) inputs.push_back(numbers({s.queries, s.keys}));
  const std::vector<double> best = least_us(programs, inputs, threads);
  const double operations = 4e-3 * static_cast<double>(s.heads * s.queries * s.keys * s.depth);
  const std::string what = shape_text(std::vector<i64>{s.heads, s.queries, s.depth}) + " by " + std::to_string(s.keys) +
                           " keys" + (s.mask ? ", mask" : "") + (s.sized ? ", sized" : "");
  std::printf("attention %-38s %d threads: %8.3f ms %6.1f GFLOP/s, apart %8.3f ms %6.1f GFLOP/s\n", what.c_str(),
              threads, best[0] / 1e3, operations / best[0], best[1] / 1e3, operations / best[1]);
}

}  // namespace

int main() {
  for (const int threads : {1, 2})
    for (const shape& s : std::vector<shape>{{6, 1500, 64, 1500, false, false},
                                             {3, 197, 64, 197, false, false},
                                             {12, 128, 64, 128, true, false},
                                             {12, 128, 64, 128, true, true},
                                             {12, 1024, 64, 1024, true, false},
                                             {12, 1024, 64, 1024, true, true},
                                             {8, 64, 64, 2048, false, false},
                                             {4, 4096, 64, 4096, false, false},
                                             {12, 1, 64, 512, false, true}})
      measure(s, threads);
}
