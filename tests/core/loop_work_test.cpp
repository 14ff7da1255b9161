// What loop nests do, counted from a tree that is written down here, against formulas.
#include <doctest/doctest.h>

#include <stdexcept>

#include <tenon/core/error.hpp>
#include <tenon/core/loop_work.hpp>

using namespace tenon;

namespace {

using formula = index_formula;
using code = index_formula::code;

struct writer {
  loop_work w;
  template <class F>
  void loop(u32 depth, formula low, formula high, F&& inside, i64 step = 1) {
    const size_t here = w.nodes.size();
    loop_work::node n;
    n.what = loop_work::kind::loop, n.number = depth, n.low = std::move(low), n.high = std::move(high), n.step = step;
    w.nodes.push_back(n);
    inside();
    w.nodes[here].end = static_cast<u32>(w.nodes.size());
  }
  void flops(i64 n) {
    loop_work::node x;
    x.amount = formula::number(n);
    w.nodes.push_back(x);
  }
  void access(loop_work::kind what, u32 buffer, u64 depends, i64 bytes) {
    loop_work::node x;
    x.what = what, x.number = buffer, x.depends = depends, x.amount = formula::number(bytes);
    w.nodes.push_back(x);
  }
};

work_total evaluated(const loop_work& w, i64 n = 0) {
  const work_total direct = w.evaluate([&](const std::string&) { return n; });
  const work_total again = loop_work::parse(w.bytes(), "test").evaluate([&](const std::string&) { return n; });
  CHECK(direct.flops == again.flops);
  CHECK(direct.bytes_read == again.bytes_read);
  CHECK(direct.exact == again.exact);
  return direct;
}

}  // namespace

TEST_CASE("a product: operations of all iterations, bytes of each buffer once") {
  writer x;  // c[i,j] += a[i,k] * b[k,j], for i < n, j < 5, k < 8
  x.w.sizes = {"2*n"};
  const formula rows = formula::size(0);
  x.w.buffers = {formula::apply(code::mul, rows, formula::number(32)), formula::number(160), formula::number(1 << 20)};
  x.loop(0, formula::number(0), rows, [&] {
    x.loop(1, formula::number(0), formula::number(5), [&] {
      x.loop(2, formula::number(0), formula::number(8), [&] {
        x.access(loop_work::kind::read, 0, 0b101, 4), x.access(loop_work::kind::read, 1, 0b110, 4), x.flops(2);
      });
      x.access(loop_work::kind::write, 2, 0b011, 4);
    });
  });
  const work_total t = evaluated(x.w, 3);
  CHECK(t.flops == 2 * 6 * 5 * 8);
  CHECK(t.bytes_read == 4 * (6 * 8 + 8 * 5));
  CHECK(t.bytes_written == 4 * 6 * 5);
  CHECK(t.exact);
}

TEST_CASE("bounds that depend on outer indices: triangles, and pieces of a range") {
  writer triangle;  // for i < 10, for j < i
  triangle.loop(0, formula::number(0), formula::number(10),
                [&] { triangle.loop(1, formula::number(0), formula::index(0), [&] { triangle.flops(1); }); });
  CHECK(evaluated(triangle.w).flops == 45);
  writer pieces;  // for p < 4, for i = 16 p to min(50, 16 p + 16)
  const formula begin = formula::apply(code::mul, formula::index(0), formula::number(16));
  const formula end =
      formula::apply(code::min, formula::number(50), formula::apply(code::add, begin, formula::number(16)));
  pieces.w.buffers = {formula::number(1000)};
  pieces.loop(0, formula::number(0), formula::number(4), [&] {
    pieces.loop(1, begin, end, [&] { pieces.flops(3), pieces.access(loop_work::kind::read, 0, 0b11, 4); });
  });
  CHECK(evaluated(pieces.w).flops == 150);
  CHECK(evaluated(pieces.w).bytes_read == 200);
  CHECK(evaluated(pieces.w).exact);
}

TEST_CASE("steps, loops that never run, and courses that depend on data") {
  writer x;
  x.loop(0, formula::number(0), formula::number(10), [&] { x.flops(1); }, 4);
  x.loop(0, formula::number(5), formula::number(5), [&] { x.flops(100); });
  CHECK(evaluated(x.w).flops == 3);
  CHECK(evaluated(x.w).exact);
  writer unknown;
  unknown.loop(0, formula::number(0), {}, [&] { unknown.flops(7); });
  CHECK(evaluated(unknown.w).flops == 7);
  CHECK_FALSE(evaluated(unknown.w).exact);
  writer either;  // one operation, or five: at most five
  loop_work::node n;
  n.what = loop_work::kind::alternative, n.middle = 2, n.end = 3;
  either.w.nodes.push_back(n);
  either.flops(1), either.flops(5);
  CHECK(evaluated(either.w).flops == 5);
  CHECK_FALSE(evaluated(either.w).exact);
}

TEST_CASE("bytes that describe no loops are refused") {
  writer x;
  x.w.sizes = {"n"}, x.w.buffers = {formula::number(8)};
  x.loop(0, formula::number(0), formula::size(0), [&] { x.access(loop_work::kind::read, 0, 1, 4), x.flops(1); });
  const std::string good = x.w.bytes();
  CHECK_NOTHROW(loop_work::parse(good, "test"));
  CHECK_THROWS_AS(loop_work::parse(good + "x", "test"), error);
  for (size_t i = 0; i < good.size(); ++i) {
    CHECK_THROWS_AS(loop_work::parse(good.substr(0, i), "test"), error);
    for (int change : {1, 7, 64, 128, 255}) {
      std::string other = good;
      other[i] = static_cast<char>(static_cast<unsigned char>(other[i]) ^ change);
      try {  // an error, or loops that can be counted
        loop_work::parse(other, "test").evaluate([](const std::string&) { return i64{3}; });
      } catch (const error&) {}
    }
  }
}
