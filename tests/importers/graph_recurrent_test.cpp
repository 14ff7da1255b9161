// rnn, gru and lstm of graphs written in C++, against their formulas in f64.
#include <cmath>

#include <tenon/ops/all.hpp>

#include "graph_runs.hpp"

using namespace graph_runs;
using nn::concat;
using nn::variable;

namespace {

double sigmoid_of(double v) { return 1 / (1 + std::exp(-v)); }

/// A layer of `in` numbers a step and `hidden` units, as formulas: weights by gate, [in or hidden, hidden] each.
struct formulas {
  static constexpr size_t in = 3, hidden = 2;
  std::string gates;
  numbers w, r, b;  ///< columns in the order of the gates
  numbers state_bias{};

  explicit formulas(std::string order)
      : gates(std::move(order)), w(some(in * columns(), 2)), r(some(hidden * columns(), 3)), b(some(columns(), 4)) {}
  size_t columns() const { return gates.size() * hidden; }
  double from(const numbers& v, const numbers& weight, size_t rows, char gate, size_t unit) const {
    const size_t column = gates.find(gate) * hidden + unit;
    double s = 0;
    for (size_t i = 0; i < rows; ++i) s += v[i] * weight[i * columns() + column];
    return s;
  }
  double input(const numbers& x, char gate, size_t u) const {
    return from(x, w, in, gate, u) + b[gates.find(gate) * hidden + u];
  }
  double state(const numbers& h, char gate, size_t u) const {
    return from(h, r, hidden, gate, u) + (state_bias.empty() ? 0 : state_bias[gates.find(gate) * hidden + u]);
  }
  void lstm(const numbers& x, numbers& h, numbers& c) const {
    const numbers before = h;
    for (size_t u = 0; u < hidden; ++u) {
      const auto gate = [&](char k) { return input(x, k, u) + state(before, k, u); };
      c[u] = sigmoid_of(gate('f')) * c[u] + sigmoid_of(gate('i')) * std::tanh(gate('c'));
      h[u] = sigmoid_of(gate('o')) * std::tanh(c[u]);
    }
  }
  void gru(const numbers& x, numbers& h) const {
    numbers z(hidden), reset(hidden), gated(hidden), next(hidden);
    for (size_t u = 0; u < hidden; ++u) {
      z[u] = sigmoid_of(input(x, 'z', u) + state(h, 'z', u));
      reset[u] = sigmoid_of(input(x, 'r', u) + state(h, 'r', u));
      gated[u] = reset[u] * h[u];
    }
    for (size_t u = 0; u < hidden; ++u) {
      const double inner = state_bias.empty() ? from(gated, r, hidden, 'h', u) : reset[u] * state(h, 'h', u);
      next[u] = (1 - z[u]) * std::tanh(input(x, 'h', u) + inner) + z[u] * h[u];
    }
    h = next;
  }
  void rnn(const numbers& x, numbers& h) const {
    const numbers before = h;
    for (size_t u = 0; u < hidden; ++u) h[u] = std::tanh(input(x, 'h', u) + state(before, 'h', u));
  }
  variable weight(nn::graph& g) const { return g.constant(floats({in, i64(columns())}, w)); }
  variable state_weight(nn::graph& g) const { return g.constant(floats({hidden, i64(columns())}, r)); }
  variable bias(nn::graph& g) const { return g.constant(floats({i64(columns())}, b)); }
};
numbers row(const numbers& x, size_t at, size_t n) {
  return {x.begin() + static_cast<std::ptrdiff_t>(at * n), x.begin() + static_cast<std::ptrdiff_t>((at + 1) * n)};
}
void add(numbers& to, const numbers& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

TEST_CASE("an LSTM over any number of steps, with its gates in either order") {
  for (const char* order : {"ifco", "iofc", "cofi"}) {
    const formulas f(order);
    nn::graph g;
    const variable x = g.input<float>("x", {"steps", 3});
    const auto [all, last, cell] =
        lstm(x, f.weight(g), f.state_weight(g), f.bias(g), {.gates = order == std::string("ifco") ? "" : order});
    CHECK(all.type().shape[0] == x.type().shape[0]);
    g.output("all", all), g.output("last", last), g.output("cell", cell);
    const numbers in = some(15);
    const auto results = run_each(g, {{floats({5, 3}, in)}, {floats({1, 3}, row(in, 0, 3))}});
    for (const auto& r : results) {
      numbers h(2), c(2), states;
      for (size_t t = 0; t < static_cast<size_t>(r[0].shape()[0]); ++t) f.lstm(row(in, t, 3), h, c), add(states, h);
      check_near(r[0], {static_cast<i64>(states.size() / 2), 2}, states);
      check_near(r[1], {2}, h);
      check_near(r[2], {2}, c);
    }
  }
}

TEST_CASE("batches of sequences, first states, backwards, and in both directions") {
  const formulas f("ifco");
  nn::graph g;
  const variable x = g.input<float>("x", {"batch", "steps", 3}), h0 = g.input<float>("h0", {"batch", 2});
  const variable w = f.weight(g), r = f.state_weight(g), b = f.bias(g);
  const auto [all, last, cell] = lstm(x, w, r, b, {.first = h0, .cell = h0 * 2});
  g.output("all", all), g.output("last", last), g.output("cell", cell);
  g.output("both", concat({lstm(x, w, r, b).all, lstm(x, w, r, b, {.reverse = true}).all}, -1));
  const numbers in = some(24), first = some(4, 6);
  const auto out = run(g, {floats({2, 4, 3}, in), floats({2, 2}, first)});
  numbers states, lasts, cells, both(32);
  for (size_t n = 0; n < 2; ++n) {
    numbers h = row(first, n, 2), c = h, up(2), memory(2), down(2), back(2);
    for (double& v : c) v *= 2;
    for (size_t t = 0; t < 4; ++t) {
      const numbers step = row(in, n * 4 + t, 3), from_end = row(in, n * 4 + 3 - t, 3);
      f.lstm(step, h, c), f.lstm(step, up, memory), f.lstm(from_end, down, back);
      add(states, h);
      for (size_t u = 0; u < 2; ++u) both[(n * 4 + t) * 4 + u] = up[u], both[(n * 4 + 3 - t) * 4 + 2 + u] = down[u];
    }
    add(lasts, h), add(cells, c);
  }
  check_near(out[0], {2, 4, 2}, states);
  check_near(out[1], {2, 2}, lasts);
  check_near(out[2], {2, 2}, cells);
  check_near(out[3], {2, 4, 4}, both);
}

TEST_CASE("a GRU with its reset gate before or behind the state's product, and an RNN") {
  for (const char* order : {"zrh", "rzh"}) {
    formulas f(order), simple("h");
    nn::graph g;
    const variable x = g.input<float>("x", {"steps", 3});
    const variable w = f.weight(g), r = f.state_weight(g), b = f.bias(g);
    const numbers more = some(6, 9);
    const auto [all, last] = gru(x, w, r, b, {.gates = order});
    const auto behind = gru(x, w, r, b, {.gates = order, .state_bias = g.constant(floats({6}, more))});
    const auto plain = rnn(x, simple.weight(g), simple.state_weight(g), simple.bias(g));
    g.output("all", all), g.output("last", last), g.output("behind", behind.all), g.output("rnn", plain.all);
    const numbers in = some(12);
    const auto out = run(g, {floats({4, 3}, in)});
    numbers h(2), other(2), s(2), want[3];
    for (size_t t = 0; t < 4; ++t) {
      f.state_bias = {}, f.gru(row(in, t, 3), h), add(want[0], h);
      f.state_bias = more, f.gru(row(in, t, 3), other), add(want[1], other);
      simple.rnn(row(in, t, 3), s), add(want[2], s);
    }
    check_near(out[0], {4, 2}, want[0]);
    check_near(out[1], {2}, h);
    check_near(out[2], {4, 2}, want[1]);
    check_near(out[3], {4, 2}, want[2]);
  }
}

TEST_CASE("sequences of a batch end where their lengths say it") {
  const formulas f("h");
  nn::graph g;
  const variable x = g.input<float>("x", {2, "steps", 3}), n = g.input<i64>("n", {2});
  const auto [all, last] = rnn(x, f.weight(g), f.state_weight(g), f.bias(g), {.lengths = n});
  g.output("all", all), g.output("last", last);
  const numbers in = some(18);
  const auto out = run(g, {floats({2, 3, 3}, in), integers({2}, {3, 1})});
  numbers states(12), lasts;
  for (size_t k = 0; k < 2; ++k) {
    numbers h(2);
    for (size_t t = 0; t < (k == 0 ? 3u : 1u); ++t) {
      f.rnn(row(in, k * 3 + t, 3), h);
      for (size_t u = 0; u < 2; ++u) states[(k * 3 + t) * 2 + u] = h[u];
    }
    add(lasts, h);
  }
  check_near(out[0], {2, 3, 2}, states);
  check_near(out[1], {2, 2}, lasts);
}

TEST_CASE("weights and gates that do not fit name the line") {
  const formulas f("ifco");
  nn::graph g("net");
  const variable x = g.input<float>("x", {"steps", 3});
  const variable w = f.weight(g), r = f.state_weight(g), b = f.bias(g);
  const error order = testing::caught([&] { (void)lstm(x, w, r, b, {.gates = "ifgo"}); });
  CHECK(order.code() == "graph.recurrent");
  CHECK(is_at(order, "graph_recurrent_test.cpp", __LINE__ - 2, "net"));
  CHECK(order.hint() == "each of 'ifco' once");
  CHECK(testing::code_of([&] { (void)lstm(x, w, transpose(r), b); }) == "graph.recurrent");
  CHECK(testing::code_of([&] { (void)gru(x, w, r, b); }) == "graph.recurrent");
  CHECK(testing::code_of([&] { (void)lstm(reduce_sum(x, {0}, false), w, r, b); }) == "graph.recurrent");
  const error weight = testing::caught([&] { (void)lstm(x, r, r, b); });
  CHECK(is_at(weight, "graph_recurrent_test.cpp", __LINE__ - 1, "net"));
}
