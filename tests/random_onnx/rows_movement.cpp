// Operators that move elements: shapes, parts, positions.
#include "builder.hpp"

#include <algorithm>
#include <limits>

namespace random_onnx {
namespace {

constexpr const char* any = "fdhlisLISCco 13:b";

std::vector<i64> divisors(i64 n) {
  std::vector<i64> all;
  for (i64 k = 1; k <= n; ++k)
    if (n % k == 0) all.push_back(k);
  return all;
}

void concat(builder& b) {
  const std::string x = b.pick(1, 7);
  const i64 axis = b.axis_of(x);
  const i64 at = axis < 0 ? axis + b.rank(x) : axis;
  names all{x};
  for (i64 n = b.d.in(0, 3); n > 0; --n) {
    dims s = b.shape(x);
    if (!b.d.chance(40)) s[static_cast<size_t>(at)] = b.extent();
    all.push_back(b.alike(s, b.type));
  }
  std::swap(all.front(), all[b.d.below(all.size())]);
  b.emit(all, {{"axis", axis}});
}
void split(builder& b) {
  const std::string x = b.pick(1, 7);
  const i64 axis = b.axis_of(x), at = axis < 0 ? axis + b.rank(x) : axis, e = b.shape(x)[static_cast<size_t>(at)];
  attrs a{{"axis", axis}};
  dims parts;
  if (b.d.chance(50) && e > 0) {  // equal parts
    const i64 n = b.opset >= 18 ? b.d.in(1, std::min<i64>(e, 5)) : b.d.of(divisors(e));
    if (n > 6 || (n - 1) * ((e + n - 1) / n) >= e) throw skip{};
    if (b.opset >= 18) a.push_back({"num_outputs", n});
    b.emit({x}, a, static_cast<int>(n));
    return;
  }
  i64 left = e;
  for (i64 n = b.d.in(0, 3); n > 0; --n) {
    parts.push_back(b.d.in(0, left));
    left -= parts.back();
  }
  parts.push_back(left);
  if (b.opset < 13) a.push_back({"split", parts});
  b.emit({x, b.opset < 13 ? std::string() : b.list(parts)}, a, static_cast<int>(parts.size()));
}
void slice(builder& b) {
  const std::string x = b.pick(1, 7);
  const int rank = b.rank(x);
  dims starts, ends, axes, steps;
  for (int k = 0; k < rank; ++k) {
    if (!b.d.chance(60)) continue;
    const i64 e = b.shape(x)[static_cast<size_t>(k)];
    axes.push_back(b.d.chance(30) ? k - rank : k);
    const i64 step = b.opset >= 10 && b.d.chance(40) ? b.d.of<i64>({-1, 2, -2, 3, -3}) : 1;
    steps.push_back(step);
    i64 from = b.d.in(-e - 1, e + 1), to = b.d.in(-e - 1, e + 1);
    if (b.d.chance(20)) to = step > 0 ? std::numeric_limits<i64>::max() : std::numeric_limits<i64>::min() + 1;
    if (b.d.chance(10)) from = step > 0 ? -1000 : 1000;
    starts.push_back(from), ends.push_back(to);
  }
  if (axes.empty()) throw skip{};
  if (b.opset < 10) {
    b.emit({x}, {{"starts", starts}, {"ends", ends}, {"axes", axes}});
    return;
  }
  const dtype t = b.d.chance(20) && ends[0] == static_cast<i64>(static_cast<int>(ends[0])) && ends.size() == 1
                      ? dtype::i32
                      : dtype::i64;
  const std::string s = b.list(starts, t), e = b.list(ends, t), a = b.list(axes, t);
  b.emit({x, s, e, a,
          b.d.chance(60) || std::any_of(steps.begin(), steps.end(), [](i64 v) { return v != 1; }) ? b.list(steps, t)
                                                                                                  : ""});
}
void transpose(builder& b) {
  const std::string x = b.pick(0, 7);
  dims order;
  for (int k = 0; k < b.rank(x); ++k) order.push_back(k);
  for (size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[b.d.below(k)]);
  b.emit({x}, b.d.chance(75) && !order.empty() ? attrs{{"perm", order}} : attrs{});
}
void reshape(builder& b) {
  const std::string x = b.pick(0, 7);
  const i64 n = b.at(x).size();
  dims s;
  attrs a;
  if (n == 0) {
    s = b.shape(x);
    if (s.size() > 1 && b.d.chance(50)) std::swap(s[0], s[1]);
    if (b.opset < 14) {  // 0 means the extent that is there
      s = b.shape(x);
    } else {
      a.push_back({"allowzero", i64{1}});
    }
  } else {
    i64 left = n;
    for (i64 k = b.d.in(0, 3); k > 0; --k) {
      s.push_back(b.d.of(divisors(left)));
      left /= s.back();
    }
    if (left != 1 || b.d.chance(50)) s.push_back(left);
    for (size_t k = s.size(); k > 1; --k) std::swap(s[k - 1], s[b.d.below(k)]);
    for (size_t k = 0; k < s.size(); ++k)
      if (k < b.shape(x).size() && s[k] == b.shape(x)[k] && b.d.chance(50)) s[k] = 0;
    if (!s.empty() && b.d.chance(50)) s[b.d.below(s.size())] = -1;
    if (b.opset >= 14 && b.d.chance(10)) a.push_back({"allowzero", i64{0}});
  }
  b.emit({x, b.list(s)}, a);
}
/// The shape comes from another value, as exporters write it: Shape, Slice, Concat, Reshape.
void reshape_computed(builder& b) {
  const std::string x = b.pick(2, 7);
  const std::string s = b.emit_as("Shape", {x})[0];
  const std::string first = b.emit_as("Gather", {s, b.given(tensor::from<i64>({1}, {0}), 0)})[0];
  const std::string shape =
      b.emit_as("Concat", {first, b.given(tensor::from<i64>({1}, {-1}), 0)}, {{"axis", i64{0}}})[0];
  if (b.at(x).size() == 0) throw skip{};
  b.emit_as("Reshape", {x, shape});
}
void flatten(builder& b) {
  const std::string x = b.pick(0, 7);
  const i64 axis = b.opset >= 11 ? b.d.in(-b.rank(x), b.rank(x)) : b.d.in(0, b.rank(x));
  b.emit({x}, b.d.chance(80) || b.rank(x) == 0 ? attrs{{"axis", axis}} : attrs{});
}
void squeeze(builder& b) {
  const std::string x = b.pick(0, 7);
  dims axes;
  for (int k = 0; k < b.rank(x); ++k)
    if (b.shape(x)[static_cast<size_t>(k)] == 1 && b.d.chance(60))
      axes.push_back(b.opset >= 11 && b.d.chance(40) ? k - b.rank(x) : k);
  if (axes.empty()) b.emit({x});
  else if (b.opset < 13) b.emit({x}, {{"axes", axes}});
  else b.emit({x, b.list(axes)});
}
void unsqueeze(builder& b) {
  const std::string x = b.pick(0, 7);
  const i64 n = b.d.in(1, 2), rank = b.rank(x) + n;
  dims axes;
  while (static_cast<i64>(axes.size()) < n) {
    const i64 a = b.d.in(0, rank - 1), written = b.opset >= 11 && b.d.chance(40) ? a - rank : a;
    if (std::find_if(axes.begin(), axes.end(), [&](i64 o) { return (o + rank) % rank == a; }) == axes.end())
      axes.push_back(written);
  }
  if (b.opset < 13) b.emit({x}, {{"axes", axes}});
  else b.emit({x, b.list(axes)});
}
void expand(builder& b) {
  const std::string x = b.pick(0, 7);
  dims s = b.shape(x);
  for (i64& e : s) {
    if (e == 1 && b.d.chance(60)) e = b.extent();
    else if (b.d.chance(30)) e = 1;
  }
  if (b.d.chance(30)) s.insert(s.begin(), b.d.in(1, 3));
  else if (!s.empty() && b.d.chance(20)) s.erase(s.begin());
  b.emit({x, b.list(s)});
}
void tile(builder& b) {
  const std::string x = b.pick(1, 7);
  dims r;
  for (int k = 0; k < b.rank(x); ++k) r.push_back(b.d.chance(5) ? 0 : b.d.in(1, 3));
  b.emit({x, b.list(r)});
}
void pad(builder& b) {
  const std::string x = b.pick(1, 7);
  if (b.opset < 11 && !tenon::is_float(b.type)) throw skip{};
  const int rank = b.rank(x);
  std::string mode = b.d.of({"constant", "reflect", "edge"});
  if (b.opset >= 19 && b.d.chance(25)) mode = "wrap";
  dims before, after, axes;
  for (int k = 0; k < rank; ++k) {
    const i64 e = b.shape(x)[static_cast<size_t>(k)];
    if (b.opset >= 18 && b.d.chance(30)) continue;
    axes.push_back(b.d.chance(30) ? k - rank : k);
    const i64 most = mode == "reflect"    ? std::min<i64>(e - 1, 3)
                     : mode == "constant" ? 3
                     : e == 0             ? 0
                     : mode == "wrap"     ? std::min<i64>(e, 3)
                                          : 3;
    before.push_back(b.d.in(0, std::max<i64>(most, 0))), after.push_back(b.d.in(0, std::max<i64>(most, 0)));
    if (mode == "constant" && e > 2 && b.d.chance(15))
      (b.d.chance(50) ? before : after).back() = -b.d.in(1, (e - 1) / 2);
  }
  if (static_cast<int>(axes.size()) != rank && axes.empty()) throw skip{};
  dims pads = before;
  pads.insert(pads.end(), after.begin(), after.end());
  attrs a;
  if (mode != "constant" || b.d.chance(50)) a.push_back({"mode", mode});
  if (b.opset < 11) {
    a.push_back({"pads", pads});
    if (b.d.chance(50)) a.push_back({"value", 1.5f});
    b.emit({x}, a);
    return;
  }
  const std::string p = b.list(pads);
  const std::string v = mode == "constant" && b.d.chance(50) ? b.scalar(b.type, 1) : "";
  const bool partial = static_cast<int>(axes.size()) != rank || (b.opset >= 18 && b.d.chance(20));
  b.emit({x, p, v, partial ? b.list(axes) : ""}, a);
}
dtype index_type(builder& b) { return b.d.chance(30) ? dtype::i32 : dtype::i64; }
/// Negative positions since 11.
tensor positions(builder& b, const dims& s, i64 extent) {
  return b.integers(index_type(b), s, b.opset >= 11 && b.d.chance(50) ? -extent : 0, extent - 1);
}
void gather(builder& b) {
  const std::string x = b.pick(1, 7);
  const i64 axis = b.axis_of(x), e = b.shape(x)[static_cast<size_t>((axis + b.rank(x)) % b.rank(x))];
  const dims s = b.extents(static_cast<int>(b.d.in(0, 2)), 20);
  b.emit({x, b.given(positions(b, s, e), 70)}, b.d.chance(80) || axis != 0 ? attrs{{"axis", axis}} : attrs{});
}
void gather_elements(builder& b) {
  const std::string x = b.pick(1, 7);
  const i64 axis = b.axis_of(x);
  const size_t at = static_cast<size_t>((axis + b.rank(x)) % b.rank(x));
  dims s = b.shape(x);
  const i64 e = s[at];
  s[at] = b.extent();
  if (b.d.chance(20))
    for (i64& k : s) k = k > 1 ? k - 1 : k;
  b.emit({x, b.given(positions(b, s, e), 70)}, {{"axis", axis}});
}
std::string nd_positions(builder& b, const dims& s, size_t batch, dims& lead, i64& depth) {
  depth = b.d.in(1, static_cast<i64>(s.size() - batch));
  for (i64 k = b.d.in(0, 2); k > 0; --k) lead.push_back(b.d.in(1, 3));
  dims shape(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(batch));
  shape.insert(shape.end(), lead.begin(), lead.end());
  shape.push_back(depth);
  tensor t(dtype::i64, shape);
  for (i64 k = 0; k < t.size(); ++k) {
    const i64 e = s[batch + static_cast<size_t>(k % depth)];
    if (e == 0) throw skip{};
    t.set_i64(k, b.d.in(b.d.chance(20) ? -e : 0, e - 1));
  }
  return b.given(t, 70);
}
void gather_nd(builder& b) {
  const std::string x = b.pick(1, 7);
  const size_t batch =
      b.opset >= 12 && b.domain.empty() && b.rank(x) > 1 ? b.d.below(static_cast<size_t>(b.rank(x))) : 0;
  dims lead;
  i64 depth = 0;
  const std::string at = nd_positions(b, b.shape(x), batch, lead, depth);
  b.emit({x, at}, batch ? attrs{{"batch_dims", static_cast<i64>(batch)}} : attrs{});
}
/// Where positions meet, what counts is unsaid, but for reductions: each position once.
void scatter_elements(builder& b) {
  const std::string x = b.pick(1, 3);
  const i64 axis = b.axis_of(x);
  const size_t at = static_cast<size_t>((axis + b.rank(x)) % b.rank(x));
  dims s = b.shape(x);
  const i64 e = s[at];
  const bool reduces = b.opset >= 16 && b.op == "ScatterElements" && b.type != dtype::boolean && b.d.chance(50);
  s[at] = reduces ? b.some() : b.d.in(0, e);
  tensor where = positions(b, s, e);
  i64 inner = 1;
  for (size_t k = at + 1; k < s.size(); ++k) inner *= s[k];
  if (!reduces && s[at] > 0)
    for (i64 k = 0; k < where.size(); ++k) where.set_i64(k, (k / inner % s[at] + e / 2) % e);
  attrs a{{"axis", axis}};
  if (reduces)
    a.push_back(
        {"reduction", std::string(b.opset >= 18 ? b.d.of({"add", "mul", "min", "max"}) : b.d.of({"add", "mul"}))});
  const std::string i = b.given(where, 70);
  b.emit({x, i, b.alike(s, b.type)}, a);
}
void scatter_nd(builder& b) {
  const std::string x = b.pick(1, 3);
  dims lead;
  i64 depth = 0;
  const bool reduces = b.opset >= 16 && b.type != dtype::boolean && b.d.chance(60);
  const std::string at = nd_positions(b, b.shape(x), 0, lead, depth);
  const dims data = b.shape(x);
  if (!reduces) {
    const tensor& t = b.at(at);  // one position alone, or several that differ
    std::set<dims> seen;
    for (i64 k = 0; k < t.size(); k += depth) {
      dims one;
      for (i64 j = 0; j < depth; ++j)
        one.push_back((t.at_i64(k + j) + data[static_cast<size_t>(j)]) % data[static_cast<size_t>(j)]);
      if (!seen.insert(one).second) throw skip{};
    }
  }
  dims s = lead;
  s.insert(s.end(), data.begin() + depth, data.end());
  b.emit({x, at, b.alike(s, b.type)},
         reduces ? attrs{{"reduction",
                          std::string(b.opset >= 18 ? b.d.of({"add", "mul", "min", "max"}) : b.d.of({"add", "mul"}))}}
                 : attrs{});
}
void depth_to_space(builder& b) {
  const i64 k = b.d.in(1, 3), c = b.d.in(1, 3);
  const std::string x = b.alike({b.d.in(1, 2), c * k * k, b.extent(), b.extent()}, b.type);
  b.emit({x}, b.opset >= 11 ? attrs{{"blocksize", k}, {"mode", std::string(b.d.of({"DCR", "CRD"}))}}
                            : attrs{{"blocksize", k}});
}
void space_to_depth(builder& b) {
  const i64 k = b.d.in(1, 3);
  b.emit({b.alike({b.d.in(1, 2), b.some(), k * b.extent(), k * b.extent()}, b.type)}, {{"blocksize", k}});
}
void reverse_sequence(builder& b) {
  const std::string x = b.pick(2, 7);
  const i64 time = b.d.in(0, 1);
  const dims s = b.shape(x);
  if (s[static_cast<size_t>(time)] == 0) throw skip{};
  b.emit({x, b.given(b.integers(dtype::i64, {s[static_cast<size_t>(1 - time)]}, 1, s[static_cast<size_t>(time)]), 70)},
         {{"time_axis", time}, {"batch_axis", 1 - time}});
}
void trilu(builder& b) {
  const std::string x = b.pick(2, 7);
  b.emit({x, b.d.chance(60) ? b.scalar(dtype::i64, static_cast<double>(b.d.in(-4, 4))) : ""},
         b.d.chance(60) ? attrs{{"upper", b.d.in(0, 1)}} : attrs{});
}
void one_hot(builder& b) {
  const dims s = b.extents(static_cast<int>(b.d.in(1, 3)), 60);
  const i64 depth = b.d.in(1, 6);
  const std::string i = b.given(b.integers(dtype::i64, s, -depth - (b.d.chance(20) ? 1 : 0), depth), 70);
  const std::string n = b.d.chance(50) ? b.scalar(dtype::i64, static_cast<double>(depth)) : b.list({depth});
  b.emit(
      {i, n, b.weight(b.type, {2})},
      b.d.chance(60) ? attrs{{"axis", b.d.in(-static_cast<i64>(s.size()) - 1, static_cast<i64>(s.size()))}} : attrs{});
}
void compress(builder& b) {
  const std::string x = b.pick(1, 7);
  const bool flat = b.d.chance(30);
  const i64 axis = b.opset >= 11 ? b.axis_of(x) : b.d.in(0, b.rank(x) - 1);
  const i64 e = flat ? b.at(x).size() : b.shape(x)[static_cast<size_t>((axis + b.rank(x)) % b.rank(x))];
  b.emit({x, b.data(dtype::boolean, {b.d.in(0, e)})}, flat ? attrs{} : attrs{{"axis", axis}});
}
void unique(builder& b) {
  const std::string x = b.pick(1, 3);
  attrs a{{"sorted", b.d.in(0, 1)}};
  if (b.d.chance(50)) a.push_back({"axis", b.axis_of(x)});
  b.emit({x}, a, static_cast<int>(b.d.in(1, 4)));
}
void top_k(builder& b) {
  const std::string x = b.pick(1, 7);
  const i64 axis = b.opset >= 11 ? b.axis_of(x) : b.d.in(0, b.rank(x) - 1),
            e = b.shape(x)[static_cast<size_t>((axis + b.rank(x)) % b.rank(x))];
  if (b.opset < 10 && e == 0) throw skip{};
  const i64 k = b.d.in(b.opset < 10 ? 1 : 0, e);
  attrs a{{"axis", axis}};
  if (b.opset >= 11 && b.d.chance(60)) a.push_back({"largest", b.d.in(0, 1)});
  if (b.opset < 10) {
    a.push_back({"k", k});
    b.emit({x}, a, 2);
  } else {
    b.emit({x, b.list({k})}, a, 2);
  }
}
void range(builder& b) {
  const i64 step = b.d.of<i64>({1, 2, 3, -1, -2});
  const bool half = b.type == dtype::f32 && b.d.chance(40);
  b.emit({b.scalar(b.type, static_cast<double>(b.d.in(-3, 3))), b.scalar(b.type, static_cast<double>(b.d.in(-6, 12))),
          b.scalar(b.type, half ? 0.5 * static_cast<double>(step) : static_cast<double>(step))});
}
void constant_of_shape(builder& b) {
  b.emit({b.list(b.extents(static_cast<int>(b.d.in(0, 4)), 300))},
         b.d.chance(75) ? attrs{{"value", b.numbers(b.type, {1})}} : attrs{});
}
void shape(builder& b) {
  const std::string x = b.pick(0, 7);
  attrs a;
  if (b.opset >= 15 && b.op == "Shape") {
    if (b.d.chance(40)) a.push_back({"start", b.d.in(-5, 5)});
    if (b.d.chance(40)) a.push_back({"end", b.d.in(-5, 5)});
  }
  b.emit({x}, a);
}
void cumulative(builder& b) {
  const std::string x = b.pick(1, 7);
  tensor axis(index_type(b), {});
  axis.set_i64(0, b.axis_of(x));
  b.emit({x, b.given(axis, 10)},
         b.d.chance(60) ? attrs{{"exclusive", b.d.in(0, 1)}, {"reverse", b.d.in(0, 1)}} : attrs{});
}
void center_crop_pad(builder& b) {
  const std::string x = b.pick(1, 7);
  if (b.d.chance(50)) {
    dims s;
    for (int k = 0; k < b.rank(x); ++k) s.push_back(b.some());
    b.emit({x, b.list(s)});
  } else {
    b.emit({x, b.list({b.some()})}, {{"axes", dims{b.axis_of(x)}}});
  }
}
void eye_like(builder& b) {
  const std::string x = b.pick(2, 2);
  b.emit({x}, b.d.chance(60) ? attrs{{"k", b.d.in(-3, 3)}} : attrs{});
}
void upsample(builder& b) {
  const std::string x = b.pick(2, 4);
  std::vector<float> scales;
  for (int k = 0; k < b.rank(x); ++k) scales.push_back(k + 2 < b.rank(x) ? 1.0f : b.d.of({1.0f, 2.0f, 3.0f, 1.5f}));
  const attr mode{"mode", std::string(b.d.of({"nearest", "linear"}))};
  if (b.opset < 9) b.emit({x}, {mode, {"scales", scales}});
  else b.emit({x, b.floats(scales)}, {mode});
}
void resize(builder& b) {
  const std::string x = b.pick_of(b.type, 2, 4, true);
  const int rank = b.rank(x);
  std::vector<float> scales;
  dims sizes;
  const bool by_size = b.d.chance(40) && b.opset >= 11;
  for (int k = 0; k < rank; ++k) {
    const bool outer = k + 2 < rank;
    scales.push_back(outer ? 1.0f : b.d.of({1.0f, 2.0f, 0.5f, 1.5f, 3.0f, 0.75f}));
    sizes.push_back(outer ? b.shape(x)[static_cast<size_t>(k)] : b.some());
  }
  std::string mode = b.d.of({"nearest", "linear", "cubic"});
  if (b.opset < 11 && mode == "cubic") mode = "linear";
  attrs a{{"mode", mode}};
  if (b.opset < 11) {
    b.emit({x, b.floats(scales)}, a);
    return;
  }
  a.push_back({"coordinate_transformation_mode",
               std::string(b.d.of({"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"}))});
  if (mode == "nearest")
    a.push_back({"nearest_mode", std::string(b.d.of({"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}))});
  if (mode == "cubic" && b.d.chance(50)) a.push_back({"cubic_coeff_a", -0.5f});
  if (mode == "cubic" && b.d.chance(30)) a.push_back({"exclude_outside", i64{1}});
  if (b.opset >= 18 && mode != "nearest" && b.d.chance(30)) a.push_back({"antialias", i64{1}});
  std::string empty = b.opset < 13 ? b.floats({}) : std::string();
  if (by_size) b.emit({x, empty, b.opset < 13 ? b.floats({}) : "", b.list(sizes)}, a);
  else b.emit({x, empty, b.floats(scales)}, a);
}

}  // namespace

std::vector<row> movement_rows() {
  constexpr const char* ms = "com.microsoft";
  return {
      {"Concat Concat", 4, any, concat},
      {"Split Split", 2, any, split},
      {"Slice Slice", 1, any, slice},
      {"Transpose", 1, any, transpose},
      {"Reshape", 5, any, reshape},
      {"Reshape", 5, any, reshape_computed},
      {"Flatten", 9, any, flatten},
      {"Squeeze", 1, any, squeeze},
      {"Unsqueeze", 1, any, unsqueeze},
      {"Expand", 8, any, expand},
      {"Tile", 6, any, tile},
      {"Pad", 2, "fdhlisLISCc 13:ob", pad},
      {"Gather", 1, any, gather},
      {"GatherElements", 11, any, gather_elements},
      {"GatherND", 11, any, gather_nd},
      {"GatherND", 11, "fdli", gather_nd, 1000, ms},
      {"ScatterElements", 11, any, scatter_elements},
      {"Scatter", 9, any, scatter_elements, 10},
      {"ScatterND", 11, any, scatter_nd},
      {"DepthToSpace", 7, any, depth_to_space},
      {"SpaceToDepth", 7, any, space_to_depth},
      {"ReverseSequence", 10, "fdhlisLISCco", reverse_sequence},
      {"Trilu", 14, "fdli", trilu, 1000, ms},
      {"Trilu", 14, "fdhlisLISCcob", trilu},
      {"OneHot", 11, any, one_hot},
      {"Compress", 9, "fdhlisLISCco", compress},
      {"NonZero", 9, any, shape},
      {"Unique", 11, "fdhlisLISCco", unique},
      {"TopK", 1, "fdh 11:lisLISCc", top_k},
      {"Range", 11, "fdlis", range},
      {"Range", 11, "fdlis", range, 1000, ms},
      {"ConstantOfShape", 9, "fdhlisLISCco 20:b", constant_of_shape},
      {"Shape Size", 1, any, shape},
      {"CumSum", 11, "fdliLI 14:hb", cumulative},
      {"CumProd", 26, "fdliLIhb", cumulative},
      {"CenterCropPad", 18, any, center_crop_pad},
      {"EyeLike", 9, "fdhlisLISCco", eye_like},
      {"Upsample", 7, "fdh", upsample, 9},
      {"Resize", 10, "f", resize},
  };
}

}  // namespace random_onnx
