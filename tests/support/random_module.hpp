/// @file random_module: a deterministic generator of well-typed modules: the corpus of the laws and of the fuzz tests.
///
/// `random_module(seed)` is a module of phase `ingestion` or `optimization` with one entry, `main`: 3 to 25 steps over
/// small static shapes, 1 to 3 inputs, 1 to 3 outputs; every fourth has a dataflow region. One seed gives one module on
/// every machine.
/// Results must not depend on rounding beyond a tolerance. So each value carries how many bits its elements need at
/// most (inputs are small multiples of 1/8, sums of them are exact), and a bound of its magnitude: an op that jumps
/// (floor, less, arg_max …) gets exact operands only, and an op with poles gets clamped ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include <tenon/ir/builder.hpp>
#include <tenon/ops/all.hpp>

namespace tenon::testing {

class module_generator {
 public:
  explicit module_generator(u64 seed)
      : random_(seed * 2654435761u + 17), special_(seed % 7 == 3), empty_(seed % 11 == 5), flows_(seed % 4 == 1) {
    const int inputs = range(1, 3);
    std::vector<type_id> types;
    for (int i = 0; i < inputs; ++i) types.push_back(m_.intern(ir::type::tensor(any_dtype(), dims(any_shape()))));
    main_ = m_.add_function("main", ir::function_kind::graph, types);
    body_ = m_[main_].body;
    for (int i = 0; i < inputs; ++i) m_[main_].argument_names.push_back("in" + std::to_string(i));
    for (value_id v : m_[body_].arguments) add(v, is_float(m_.type_of(v).elem) ? 8 : 0, 16);
  }

  ir::module make() {
    const int steps = range(3, 25);
    for (int made = 0, tried = 0; made < steps && tried < 20 * steps; ++tried) {
      const size_t before = values_.size();
      try {
        step();
      } catch (const error&) {  // what the type rules refuse is not made
      }
      if (values_.size() != before) ++made;
    }
    std::vector<value_id> outputs;
    const int count = range(1, 3);
    outputs.push_back(values_.back().v);
    for (size_t i = values_.size() - 1; i-- > 0 && static_cast<int>(outputs.size()) < count;)
      if (!m_.has_uses(values_[i].v) && chance(70)) outputs.push_back(values_[i].v);
    while (static_cast<int>(outputs.size()) < count) outputs.push_back(values_[index(values_.size())].v);
    ir::builder<> b(m_, body_);
    b.make_op(op::return_{}, outputs, {});
    ir::function& f = m_[main_];
    f.entry = true;
    for (size_t i = 0; i < outputs.size(); ++i) {
      f.result_names.push_back("out" + std::to_string(i));
      f.result_types.push_back(m_[outputs[i]].type);
    }
    if (flows_) enclose();
    return std::move(m_);
  }

 private:
  static constexpr int inexact = 1000;
  static constexpr i64 most_elements = 3000;
  struct known {
    value_id v;
    int bits = inexact;  ///< 0: an integer or a bool
    double most = 0;     ///< bound of the magnitude; infinities and NaN apart
  };

  /// Some ops of the body, as they follow, become a dataflow region, which yields what the others need.
  void enclose() {
    const std::vector<op_id> all = m_[body_].ops;
    const size_t first = index(all.size() - 1), end = first + 1 + index(all.size() - 1 - first);
    const std::vector<op_id> inside(all.begin() + static_cast<std::ptrdiff_t>(first),
                                    all.begin() + static_cast<std::ptrdiff_t>(end));
    const auto is_inside = [&](op_id op) { return std::find(inside.begin(), inside.end(), op) != inside.end(); };
    std::vector<value_id> yielded;
    std::vector<type_id> types;
    for (op_id op : inside)
      for (value_id v : m_.results(op)) {
        bool needed = false;
        for (use_id u = m_[v].first_use; u; u = m_[u].next) needed = needed || !is_inside(m_[u].user);
        if (needed) yielded.push_back(v), types.push_back(m_[v].type);
      }
    ir::builder<> b(m_, body_);
    b.before(inside.front());
    const op::dataflow made;
    const op_id flow = b.make_erased(ir::info_of<op::dataflow>, &made, {}, types, 1);
    for (op_id op : all)
      for (int i = 0; i < m_.view(op).operand_count() && !is_inside(op); ++i)
        for (size_t k = 0; k < yielded.size(); ++k)
          if (m_.operand(op, i) == yielded[k]) m_.set_operand(op, i, m_.result(flow, static_cast<int>(k)));
    const region_id region = m_.region(flow);
    for (op_id op : inside) {
      std::erase(m_[body_].ops, op);
      m_.append(region, op);
    }
    b.to_end(region);
    b.make_op(op::yield{}, yielded, {});
  }

  // -- chance --------------------------------------------------------------------------------------------------------
  int range(int low, int high) { return low + static_cast<int>(random_() % static_cast<u64>(high - low + 1)); }
  size_t index(size_t n) { return static_cast<size_t>(random_() % n); }
  bool chance(int percent) { return range(0, 99) < percent; }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[index(list.size())];
  }
  dtype any_dtype() {
    return chance(60) ? dtype::f32
                      : one_of({dtype::i64, dtype::i64, dtype::boolean, dtype::i32, dtype::f16, dtype::u8, dtype::i8,
                                dtype::f64, dtype::bf16, dtype::i16, dtype::u32});
  }
  i64 any_extent() {
    if (empty_ && chance(8)) return 0;
    return one_of<i64>({1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33});
  }
  std::vector<i64> any_shape() {
    std::vector<i64> s;
    const int rank = one_of({0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5});
    i64 n = 1;
    for (int i = 0; i < rank; ++i) {
      i64 e = any_extent();
      while (n * e > 600) e = (e + 1) / 2;
      if (e > 0) n *= e;
      s.push_back(e);
    }
    return s;
  }
  static std::vector<ir::dim> dims(const std::vector<i64>& s) { return {s.begin(), s.end()}; }

  // -- values --------------------------------------------------------------------------------------------------------
  const ir::type& type(const known& k) const { return m_.type_of(k.v); }
  dtype elem(const known& k) const { return type(k).elem; }
  std::vector<i64> shape(const known& k) const { return type(k).extents(); }
  static int room(dtype t) {
    return t == dtype::f64 ? 50 : t == dtype::f32 ? 22 : t == dtype::f16 ? 10 : t == dtype::bf16 ? 7 : 60;
  }
  bool exact(const known& k) const { return k.bits <= room(elem(k)); }
  known add(value_id v, int bits, double most) {
    const ir::type& t = m_.type_of(v);
    if (!is_float(t.elem)) bits = 0, most = 0;
    else if (bits > room(t.elem)) bits = inexact;
    const known k{v, bits, most};
    if (t.is_tensor() && t.is_static() && t.count() <= most_elements && t.rank() <= 6 && usable(k))
      values_.push_back(k);
    return k;
  }
  bool usable(const known& k) const {
    const double limit = elem(k) == dtype::f16 || elem(k) == dtype::bf16 ? 100 : 1e4;
    return !is_float(elem(k)) || k.most <= limit;
  }
  known any() {
    return values_[chance(50) && values_.size() > 4 ? values_.size() - 1 - index(4) : index(values_.size())];
  }
  template <class F>
  known any(F&& wanted) {
    for (int i = 0; i < 30; ++i)
      if (const known k = any(); wanted(k)) return k;
    throw error("random", "no such value");
  }
  known number() {
    return any([&](const known& k) { return elem(k) != dtype::boolean; });
  }
  known real() {
    return any([&](const known& k) { return is_float(elem(k)); });
  }
  known integer() {
    return any([&](const known& k) { return is_int(elem(k)); });
  }
  known exact_value() {
    return any([&](const known& k) { return exact(k); });
  }
  known constant(dtype t, const std::vector<i64>& s, int low = -16, int high = 16, double unit = 0.125) {
    tensor x(t, s);
    if (!is_float(t)) unit = 1;
    if (is_unsigned_int(t)) low = std::max(low, 0);
    for (i64 i = 0; i < x.size(); ++i) {
      const int n = range(low, high);
      if (t == dtype::boolean) x.set_i64(i, n & 1);
      else if (is_float(t)) x.set_f64(i, n * unit);
      else x.set_i64(i, n);
    }
    op::constant c;
    c.value = m_.add_constant(std::move(x));
    ir::builder<> b(m_, body_);
    return {b.make(c, {}), is_float(t) ? 6 : 0, std::max(std::abs(low), std::abs(high)) * unit};
  }
  known scalar(dtype t, double v) {
    tensor x(t, {});
    x.set_f64(0, v);
    op::constant c;
    c.value = m_.add_constant(std::move(x));
    ir::builder<> b(m_, body_);
    return {b.make(c, {}), is_float(t) ? 6 : 0, std::abs(v)};
  }
  template <class Op>
  value_id make(const Op& o, std::initializer_list<value_id> operands) {
    ir::builder<> b(m_, body_);
    return b.make(o, operands);
  }
  value_id make(const ir::op_info& info, std::initializer_list<value_id> operands) {
    const std::unique_ptr<void, void (*)(void*)> attributes(info.make(), info.destroy);
    ir::builder<> b(m_, body_);
    return m_.result(b.make_erased(info, attributes.get(), {operands.begin(), operands.size()}));
  }
  known clamped(known x, double low, double high) {
    if (x.most > -low || std::isinf(low))
      x.v = make(op::maximum{}, {x.v, scalar(elem(x), std::isinf(low) ? -x.most : low).v});
    x.v = make(op::minimum{}, {x.v, scalar(elem(x), std::min(high, 1e4)).v});
    return {x.v, x.bits, std::min(std::max(std::abs(low), std::abs(high)), 1e4)};
  }
  /// A value to combine with `a` by broadcasting; a new constant if there is none.
  known partner(const known& a) {
    const std::vector<i64> s = shape(a);
    if (chance(70)) {
      for (int i = 0; i < 12; ++i) {
        const known k = any();
        if (elem(k) != elem(a)) continue;
        const std::vector<i64> t = shape(k);
        bool fits = true;
        for (size_t d = 0; d < std::min(s.size(), t.size()); ++d) {
          const i64 x = s[s.size() - 1 - d], y = t[t.size() - 1 - d];
          fits = fits && (x == y || x == 1 || y == 1);
        }
        if (fits) return k;
      }
    }
    std::vector<i64> t;
    for (size_t d = static_cast<size_t>(chance(30) ? range(0, static_cast<int>(s.size())) : 0); d < s.size(); ++d)
      t.push_back(chance(30) ? 1 : s[d]);
    return constant(elem(a), t);
  }
  /// Indices into [0, n), or [-n, n) when `negative`; constant or computed.
  known indices(i64 n, const std::vector<i64>& s, bool negative) {
    if (n == 0) throw error("random", "nothing to index");
    const i64 low = negative ? -n : 0;
    if (chance(50)) {
      for (int i = 0; i < 12; ++i) {
        const known k = any();
        if ((elem(k) != dtype::i64 && elem(k) != dtype::i32) || shape(k) != s) continue;
        const value_id v = make(op::maximum{}, {k.v, scalar(elem(k), static_cast<double>(low)).v});
        return {make(op::minimum{}, {v, scalar(elem(k), static_cast<double>(n - 1)).v}), 0, 0};
      }
    }
    return constant(chance(70) ? dtype::i64 : dtype::i32, s, static_cast<int>(low), static_cast<int>(n - 1));
  }

  // -- families ------------------------------------------------------------------------------------------------------
  void step() {
    switch (range(0, 25)) {
      case 0:
      case 1:
      case 2: return unary();
      case 3:
      case 4:
      case 5:
      case 6: return binary();
      case 7: return compare_or_choose();
      case 8: return cast();
      case 9:
      case 10: return reduce();
      case 11: return positions();
      case 12: return softmax();
      case 13: return cumulative();
      case 14: return reshape();
      case 15: return transpose();
      case 16: return slice();
      case 17: return concat();
      case 18: return pad_or_tile();
      case 19: return gather();
      case 20: return scatter();
      case 21: return matmul();
      case 22: return convolution();
      case 23: return pool();
      case 24: return rare();
      default: return integers();
    }
  }

  void unary() {
    struct row {
      const ir::op_info* info;
      double low, high, most;
      bool jumps;
    };
    static const double big = 1e4;
    static const row rows[] = {{&ir::info_of<op::exp>, -4, 4, 60, false},
                               {&ir::info_of<op::log>, 0.125, big, 10, false},
                               {&ir::info_of<op::sqrt>, 0.125, big, 100, false},
                               {&ir::info_of<op::rsqrt>, 0.125, big, 3, false},
                               {&ir::info_of<op::reciprocal>, 0.25, big, 4, false},
                               {&ir::info_of<op::tanh>, -big, big, 1, false},
                               {&ir::info_of<op::sigmoid>, -big, big, 1, false},
                               {&ir::info_of<op::erf>, -big, big, 1, false},
                               {&ir::info_of<op::sin>, -32, 32, 1, false},
                               {&ir::info_of<op::cos>, -32, 32, 1, false},
                               {&ir::info_of<op::tan>, -1, 1, 2, false},
                               {&ir::info_of<op::asin>, -0.875, 0.875, 2, false},
                               {&ir::info_of<op::acos>, -0.875, 0.875, 4, false},
                               {&ir::info_of<op::atan>, -big, big, 2, false},
                               {&ir::info_of<op::sinh>, -3, 3, 12, false},
                               {&ir::info_of<op::cosh>, -3, 3, 12, false},
                               {&ir::info_of<op::asinh>, -big, big, 12, false},
                               {&ir::info_of<op::acosh>, 1.125, big, 12, false},
                               {&ir::info_of<op::atanh>, -0.875, 0.875, 2, false},
                               {&ir::info_of<op::log1p>, -0.875, big, 10, false},
                               {&ir::info_of<op::expm1>, -4, 4, 60, false},
                               {&ir::info_of<op::sign>, -big, big, 1, true},
                               {&ir::info_of<op::floor>, -big, big, 0, true},
                               {&ir::info_of<op::ceil>, -big, big, 0, true},
                               {&ir::info_of<op::round>, -big, big, 0, true},
                               {&ir::info_of<op::trunc>, -big, big, 0, true},
                               {&ir::info_of<op::is_nan>, -big, big, 1, true},
                               {&ir::info_of<op::is_inf>, -big, big, 1, true}};
    if (chance(30)) {
      const known x = number();
      add(chance(50) ? make(op::neg{}, {x.v}) : make(op::abs{}, {x.v}), x.bits, x.most);
      return;
    }
    const row& r = rows[index(std::size(rows))];
    const known x = any([&](const known& k) { return is_float(elem(k)) && (!r.jumps || exact(k)); });
    if (r.jumps) {
      add(make(*r.info, {x.v}), x.bits, r.most != 0 ? r.most : x.most + 1);
      return;
    }
    const bool inside = r.low <= -big;
    const known c = inside ? x : clamped(x, r.low, r.high);
    add(make(*r.info, {c.v}), inexact, r.most);
  }
  void binary() {
    const known a = number(), b = partner(a);
    const int kind = range(0, 11);
    const dtype t = elem(a);
    if (kind < 3) add(make(op::add{}, {a.v, b.v}), std::max(a.bits, b.bits) + 1, a.most + b.most);
    else if (kind < 5) add(make(op::sub{}, {a.v, b.v}), std::max(a.bits, b.bits) + 1, a.most + b.most);
    else if (kind < 7) add(make(op::mul{}, {a.v, b.v}), a.bits + b.bits, a.most * b.most);
    else if (kind == 7) add(make(op::minimum{}, {a.v, b.v}), std::max(a.bits, b.bits), std::max(a.most, b.most));
    else if (kind == 8) add(make(op::maximum{}, {a.v, b.v}), std::max(a.bits, b.bits), std::max(a.most, b.most));
    else if (kind == 9) {
      const value_id d = make(op::maximum{}, {make(op::abs{}, {b.v}), scalar(t, is_float(t) ? 0.25 : 1).v});
      add(make(op::div{}, {a.v, d}), inexact, a.most * 4);
    } else if (kind == 10 && is_float(t)) {
      const known base = clamped(a, 0.25, 4);
      add(make(op::pow{}, {base.v, scalar(t, one_of({0.5, 2.0, -1.0, 3.0, 1.5, 1.0, 0.0})).v}), inexact, 64);
    } else if (exact(a) && exact(b)) {
      const value_id d = make(op::maximum{}, {b.v, scalar(t, is_float(t) ? 0.25 : 1).v});
      if (is_float(t)) add(make(op::fmod{}, {a.v, d}), a.bits + b.bits, a.most);
      else add(chance(50) ? make(op::fmod{}, {a.v, d}) : make(op::mod{}, {a.v, d}), 0, 0);
    }
  }
  void integers() {
    const known a = integer(), b = partner(a);
    switch (range(0, 5)) {
      case 0: return void(add(make(op::bit_and{}, {a.v, b.v}), 0, 0));
      case 1: return void(add(make(op::bit_or{}, {a.v, b.v}), 0, 0));
      case 2: return void(add(make(op::bit_xor{}, {a.v, b.v}), 0, 0));
      case 3: return void(add(make(op::bit_not{}, {a.v}), 0, 0));
      case 4: return void(add(make(op::mod{}, {a.v, make(op::maximum{}, {b.v, scalar(elem(a), 1).v})}), 0, 0));
      default: return void(add(make(op::div{}, {a.v, make(op::maximum{}, {b.v, scalar(elem(a), 1).v})}), 0, 0));
    }
  }
  void compare_or_choose() {
    if (chance(50)) {
      const known a = any([&](const known& k) { return exact(k); }), b = partner(a);
      if (!exact(b)) return;
      if (elem(a) == dtype::boolean) {
        const ir::op_info* const infos[] = {&ir::info_of<op::logical_and>, &ir::info_of<op::logical_or>,
                                            &ir::info_of<op::logical_xor>, &ir::info_of<op::equal>};
        add(chance(20) ? make(op::logical_not{}, {a.v}) : make(*infos[index(4)], {a.v, b.v}), 0, 0);
        return;
      }
      const ir::op_info* const infos[] = {&ir::info_of<op::less>,    &ir::info_of<op::less_equal>,
                                          &ir::info_of<op::greater>, &ir::info_of<op::greater_equal>,
                                          &ir::info_of<op::equal>,   &ir::info_of<op::not_equal>};
      add(make(*infos[index(6)], {a.v, b.v}), 0, 0);
      return;
    }
    const known a = any(), b = partner(a);
    const std::vector<i64> s = shape(a);
    known c{};
    for (int i = 0; i < 12 && !c.v; ++i)
      if (const known k = any(); elem(k) == dtype::boolean && (shape(k) == s || shape(k).empty())) c = k;
    if (!c.v) c = constant(dtype::boolean, s);
    add(make(op::where{}, {c.v, a.v, b.v}), std::max(a.bits, b.bits), std::max(a.most, b.most));
  }
  void cast() {
    op::cast c;
    c.to = any_dtype();
    const known x = is_float(c.to) ? any() : exact_value();
    const bool special = is_float(elem(x)) && !is_float(c.to);
    if (special && is_unsigned_int(c.to) && x.most > 0) {  // what negative floats become is not worth a law
      const known p{make(op::abs{}, {x.v}), x.bits, x.most};
      add(make(c, {p.v}), 0, 0);
      return;
    }
    const bool wide = is_int(elem(x));
    if (wide && is_float(c.to)) {  // a wrapped integer can be anything
      const value_id low = is_unsigned_int(elem(x)) ? x.v : make(op::maximum{}, {x.v, scalar(elem(x), -60).v});
      add(make(c, {make(op::minimum{}, {low, scalar(elem(x), 60).v})}), 7, 60);
      return;
    }
    const int bits = elem(x) == dtype::boolean ? 1 : x.bits;
    add(make(c, {x.v}), bits, elem(x) == dtype::boolean ? 1 : x.most);
  }
  std::vector<i64> any_axes(size_t rank) {
    std::vector<i64> axes;
    for (size_t d = 0; d < rank; ++d)
      if (chance(45)) axes.push_back(chance(50) ? static_cast<i64>(d) : static_cast<i64>(d) - static_cast<i64>(rank));
    return axes;
  }
  void reduce() {
    const known x = number();
    const std::vector<i64> s = shape(x), axes = any_axes(s.size());
    i64 n = 1;
    if (axes.empty()) n = type(x).count();
    for (i64 a : axes) n *= s[static_cast<size_t>(a < 0 ? a + static_cast<i64>(s.size()) : a)];
    const bool keep = chance(50);
    const int log = static_cast<int>(std::ceil(std::log2(static_cast<double>(std::max<i64>(n, 1)))));
    const auto set = [&](auto o) { return o.axes = axes, o.keep_dims = keep, o; };
    switch (range(0, 4)) {
      case 0:
      case 1:
        return void(
            add(make(set(op::reduce_sum{}), {x.v}), x.bits + log, x.most * static_cast<double>(std::max<i64>(n, 1))));
      case 2: return void(add(make(set(op::reduce_max{}), {x.v}), n == 0 ? inexact : x.bits, n == 0 ? 1e9 : x.most));
      case 3: return void(add(make(set(op::reduce_min{}), {x.v}), n == 0 ? inexact : x.bits, n == 0 ? 1e9 : x.most));
      default:
        if (is_float(elem(x)) && n > 4) return;
        return void(add(make(set(op::reduce_prod{}), {x.v}),
                        x.bits * static_cast<int>(std::min<i64>(std::max<i64>(n, 1), 100)),
                        std::pow(std::max(x.most, 1.0), static_cast<double>(std::max<i64>(n, 1)))));
    }
  }
  known with_axis() {
    return any([&](const known& k) { return !shape(k).empty() && elem(k) != dtype::boolean; });
  }
  i64 any_axis(const known& k) {
    const int r = type(k).rank();
    return range(-r, r - 1);
  }
  void positions() {
    const known x = any([&](const known& k) { return exact(k) && !shape(k).empty() && elem(k) != dtype::boolean; });
    const i64 axis = any_axis(x), n = shape(x)[static_cast<size_t>(axis < 0 ? axis + type(x).rank() : axis)];
    if (n == 0) return;
    if (chance(60)) {
      const auto set = [&](auto o) { return o.axis = axis, o.keep_dims = chance(50), o.select_last = chance(50), o; };
      add(chance(50) ? make(set(op::arg_max{}), {x.v}) : make(set(op::arg_min{}), {x.v}), 0, 0);
      return;
    }
    if (special_ && is_float(elem(x))) return;
    op::top_k t;
    t.k = range(1, static_cast<int>(std::min<i64>(n, 5))), t.axis = axis, t.largest = chance(50);
    ir::builder<> b(m_, body_);
    const value_id operands[] = {x.v};
    const op_id o = b.make_op(t, operands);
    add(m_.result(o, 0), x.bits, x.most);
    add(m_.result(o, 1), 0, 0);
  }
  void softmax() {
    const known x = any([&](const known& k) { return is_float(elem(k)) && !shape(k).empty(); });
    const known c = x.most > 40 ? clamped(x, -20, 20) : x;
    const i64 axis = any_axis(x);
    if (chance(60)) {
      op::softmax s;
      s.axis = axis;
      add(make(s, {c.v}), inexact, 1);
    } else {
      op::log_softmax s;
      s.axis = axis;
      add(make(s, {c.v}), inexact, 90);
    }
  }
  void cumulative() {
    const known x = with_axis();
    op::cumulative_sum c;
    c.axis = any_axis(x), c.exclusive = chance(50), c.reverse = chance(50);
    const i64 n = shape(x)[static_cast<size_t>(c.axis < 0 ? c.axis + type(x).rank() : c.axis)];
    add(make(c, {x.v}), x.bits + 6, x.most * static_cast<double>(std::max<i64>(n, 1)));
  }
  value_id reshaped(value_id v, std::vector<i64> s) {
    op::reshape r;
    r.shape = std::move(s), r.allow_zero = true;
    return make(r, {v});
  }
  void reshape() {
    const known x = any();
    std::vector<i64> s;
    i64 n = type(x).count();
    if (n == 0) {
      s = shape(x);
      s.push_back(1);
    } else {
      const int most = range(1, 4);
      for (i64 f : {2, 3, 2, 5, 4, 7}) {
        if (static_cast<int>(s.size()) + 1 >= most) break;
        if (n % f == 0) s.push_back(f), n /= f;
        else if (chance(15)) s.push_back(1);
      }
      if (n != 1 || chance(70)) s.insert(s.begin() + static_cast<std::ptrdiff_t>(index(s.size() + 1)), n);
    }
    add(reshaped(x.v, s), x.bits, x.most);
  }
  void transpose() {
    const known x = any([&](const known& k) { return shape(k).size() >= 2; });
    op::transpose t;
    for (size_t d = 0; d < shape(x).size(); ++d)
      t.permutation.insert(t.permutation.begin() + static_cast<std::ptrdiff_t>(index(d + 1)), static_cast<i64>(d));
    add(make(t, {x.v}), x.bits, x.most);
  }
  void slice() {
    const known x = any([&](const known& k) { return !shape(k).empty(); });
    op::slice s;
    const std::vector<i64> e = shape(x);
    for (size_t d = 0; d < e.size(); ++d) {
      if (!chance(60)) continue;
      const int n = static_cast<int>(e[d]);
      s.axes.push_back(static_cast<i64>(d));
      const i64 step = one_of<i64>({1, 1, 1, 2, 3, -1, -2});
      const i64 low = n > 1 ? range(0, n / 2) : 0, high = n > 1 ? range(n / 2 + 1, n) : n;
      s.starts.push_back(step > 0 ? low : chance(50) ? high - 1 : -1);
      s.ends.push_back(step > 0 ? high : low > 0 ? low - 1 : -1000);
      s.steps.push_back(step);
    }
    if (s.axes.empty()) return;
    add(make(s, {x.v}), x.bits, x.most);
  }
  void concat() {
    const known a = any([&](const known& k) { return !shape(k).empty(); });
    op::concat c;
    const size_t axis = index(shape(a).size());
    c.axis = static_cast<i64>(axis);
    std::vector<value_id> operands{a.v};
    int bits = a.bits;
    double most = a.most;
    for (int i = range(1, 3); i > 0; --i) {
      known b{};
      for (int k = 0; k < 8 && !b.v; ++k)
        if (const known x = any(); elem(x) == elem(a) && shape(x) == shape(a)) b = x;
      if (!b.v) {
        std::vector<i64> s = shape(a);
        s[axis] = range(1, 3);
        b = constant(elem(a), s);
      }
      operands.push_back(b.v), bits = std::max(bits, b.bits), most = std::max(most, b.most);
    }
    ir::builder<> b(m_, body_);
    add(m_.result(b.make_op(c, operands)), bits, most);
  }
  void pad_or_tile() {
    const known x = any([&](const known& k) { return !shape(k).empty(); });
    const std::vector<i64> e = shape(x);
    if (chance(30)) {
      op::tile t;
      for (size_t d = 0; d < e.size(); ++d) t.repeats.push_back(one_of({1, 1, 2, 3}));
      return void(add(make(t, {x.v}), x.bits, x.most));
    }
    op::pad p;
    p.mode = one_of({op::pad_mode::constant, op::pad_mode::constant, op::pad_mode::reflect, op::pad_mode::edge,
                     op::pad_mode::wrap});
    const bool free = p.mode == op::pad_mode::constant;
    for (i64 n : e) {
      const int most = free ? 3 : static_cast<int>(std::min<i64>(3, n - 1));
      p.before.push_back(most > 0 ? range(free && n > 3 ? -1 : 0, most) : 0);
      p.after.push_back(most > 0 ? range(free && n > 3 ? -1 : 0, most) : 0);
    }
    p.value = free && is_float(elem(x)) ? one_of({0.0, 0.0, 1.0}) : 0;
    add(make(p, {x.v}), x.bits, std::max(x.most, 1.0));
  }
  void gather() {
    const known x = any([&](const known& k) { return !shape(k).empty(); });
    const std::vector<i64> e = shape(x);
    const i64 axis = any_axis(x);
    const size_t d = static_cast<size_t>(axis < 0 ? axis + type(x).rank() : axis);
    const bool negative = chance(50);
    if (chance(50)) {
      op::gather g;
      g.axis = axis;
      const std::vector<i64> s = one_of<std::vector<i64>>({{}, {1}, {3}, {2, 2}, {5}});
      add(make(g, {x.v, indices(e[d], s, negative).v}), x.bits, x.most);
    } else if (chance(60)) {
      op::gather_elements g;
      g.axis = axis;
      std::vector<i64> s = e;
      for (i64& n : s) n = n > 1 ? range(1, static_cast<int>(n)) : n;
      s[d] = range(1, 6);
      add(make(g, {x.v, indices(e[d], s, negative).v}), x.bits, x.most);
    } else {
      const i64 least = *std::min_element(e.begin(), e.end());
      const i64 depth = range(1, static_cast<int>(e.size()));
      add(make(op::gather_nd{}, {x.v, indices(least, {range(1, 5), depth}, negative).v}), x.bits, x.most);
    }
  }
  void scatter() {
    const known x = any([&](const known& k) { return !shape(k).empty() && elem(k) != dtype::boolean; });
    const std::vector<i64> e = shape(x);
    const auto reduction = one_of({op::scatter_reduction::none, op::scatter_reduction::add, op::scatter_reduction::max,
                                   op::scatter_reduction::min, op::scatter_reduction::mul});
    const int bits = reduction == op::scatter_reduction::add   ? x.bits + 6
                     : reduction == op::scatter_reduction::mul ? inexact
                                                               : std::max(x.bits, 6);
    const double most = reduction == op::scatter_reduction::mul ? 1e3 : x.most + 12;
    if (reduction == op::scatter_reduction::mul && (x.most > 20 || x.bits == inexact)) return;
    if (chance(50)) {
      op::scatter_elements o;
      o.axis = any_axis(x), o.reduction = reduction;
      const size_t d = static_cast<size_t>(o.axis < 0 ? o.axis + type(x).rank() : o.axis);
      std::vector<i64> s = e;
      for (i64& n : s) n = n > 1 ? range(1, static_cast<int>(n)) : n;
      s[d] = range(1, 3);
      add(make(o, {x.v, indices(e[d], s, chance(50)).v, constant(elem(x), s, -16, 16, 0.0625).v}), bits, most);
    } else {
      op::scatter_nd o;
      o.reduction = reduction;
      const i64 least = *std::min_element(e.begin(), e.end());
      const int depth = range(1, static_cast<int>(e.size())), rows = range(1, 3);
      std::vector<i64> s{rows};
      s.insert(s.end(), e.begin() + depth, e.end());
      add(make(o, {x.v, indices(least, {rows, depth}, chance(50)).v, constant(elem(x), s, -16, 16, 0.0625).v}), bits,
          most);
    }
  }
  void matmul() {
    const known a =
        any([&](const known& k) { return elem(k) != dtype::boolean && !shape(k).empty() && k.most <= 1000; });
    std::vector<i64> s = shape(a);
    const i64 k = s.back();
    known b{};
    for (int i = 0; i < 12 && !b.v; ++i) {
      const known x = any();
      const std::vector<i64> t = shape(x);
      if (elem(x) == elem(a) && !t.empty() && t.size() <= 2 && t[t.size() == 1 ? 0 : t.size() - 2] == k) b = x;
    }
    if (!b.v) {
      const std::vector<i64> t = chance(15)                   ? std::vector<i64>{k}
                                 : chance(80) || s.size() < 3 ? std::vector<i64>{k, any_extent()}
                                                              : std::vector<i64>{s[s.size() - 3], k, any_extent()};
      b = constant(elem(a), t, -8, 8);
    }
    if (is_float(elem(a)) && b.most * a.most * static_cast<double>(k) > 1e6) return;
    const int log = static_cast<int>(std::ceil(std::log2(static_cast<double>(std::max<i64>(k, 1)))));
    add(make(op::matmul{}, {a.v, b.v}), a.bits + b.bits + log,
        a.most * b.most * static_cast<double>(std::max<i64>(k, 1)));
  }
  /// Some value as [n, c, spatial...].
  known image(std::vector<i64>& s) {
    const known x = any([&](const known& k) { return is_float(elem(k)) && type(k).count() >= 4 && k.most <= 300; });
    if (shape(x).size() >= 3 && shape(x).size() <= 5) return s = shape(x), x;
    i64 n = type(x).count();
    const i64 c = n % 3 == 0 && chance(50) ? 3 : n % 4 == 0 && chance(60) ? 4 : n % 2 == 0 && chance(50) ? 2 : 1;
    n /= c;
    s = {1, c};
    const int spatial = range(1, 3);
    for (int i = 1; i < spatial; ++i) {
      i64 f = 1;
      for (i64 g : {2, 3, 4, 5})
        if (n % g == 0 && n / g > 1) f = g;
      s.push_back(f), n /= f;
    }
    s.push_back(n);
    return {reshaped(x.v, s), x.bits, x.most};
  }
  void windows(const std::vector<i64>& s, std::vector<i64>& kernel, std::vector<i64>& strides,
               std::vector<i64>& dilations, std::vector<i64>& pads, bool less_than_kernel) {
    std::vector<i64> ends;
    for (size_t d = 2; d < s.size(); ++d) {
      kernel.push_back(std::min<i64>(range(1, 4), std::max<i64>(s[d], 1)));
      strides.push_back(range(1, 3));
      dilations.push_back(chance(75) ? 1 : 2);
      const int most = static_cast<int>(less_than_kernel ? kernel.back() - 1 : 2);
      pads.push_back(range(0, most));
      ends.push_back(range(0, most));
    }
    pads.insert(pads.end(), ends.begin(), ends.end());
    if (chance(40)) strides.clear();
    if (chance(40)) dilations.clear();
    if (chance(30)) pads.clear();
  }
  void convolution() {
    std::vector<i64> s, kernel;
    const known x = image(s);
    const bool transposed = chance(20);
    op::conv c;
    windows(s, kernel, c.strides, c.dilations, c.pads, transposed);
    const i64 channels = s[1];
    c.group = channels % 2 == 0 && chance(30) ? 2 : chance(25) ? std::max<i64>(channels, 1) : 1;
    const i64 outputs = c.group * one_of<i64>({1, 1, 2, 3, 8});
    std::vector<i64> w =
        transposed ? std::vector<i64>{channels, outputs / c.group} : std::vector<i64>{outputs, channels / c.group};
    w.insert(w.end(), kernel.begin(), kernel.end());
    i64 terms = std::max<i64>(channels, 1);
    for (i64 k : kernel) terms *= k;
    const known weight = constant(elem(x), w, -4, 4), bias = constant(elem(x), {outputs});
    const double most = x.most * weight.most * static_cast<double>(terms) + bias.most;
    const int bits = x.bits + 4 + static_cast<int>(std::ceil(std::log2(static_cast<double>(terms)))) + 1;
    const bool biased = chance(50);
    if (transposed) {
      op::conv_transpose t;
      t.strides = c.strides, t.dilations = c.dilations, t.pads = c.pads, t.group = c.group;
      add(biased ? make(t, {x.v, weight.v, bias.v}) : make(t, {x.v, weight.v}), bits, most);
    } else {
      known y = {biased ? make(c, {x.v, weight.v, bias.v}) : make(c, {x.v, weight.v}), bits, most};
      if (m_.type_of(y.v).count() > most_elements) return;
      if (chance(30)) {  // what batch normalization is made of
        std::vector<i64> p(s.size() - 1, 1);
        p[0] = outputs;
        y.v = make(op::add{}, {make(op::mul{}, {y.v, constant(elem(x), p, 1, 16).v}), constant(elem(x), p).v});
        y.bits = y.bits + 7, y.most = y.most * 2 + 2;
      }
      add(y.v, y.bits, y.most);
    }
  }
  void pool() {
    std::vector<i64> s;
    const known x = image(s);
    const bool ceil_mode = chance(40);
    if (chance(50)) {
      op::max_pool p;
      windows(s, p.kernel, p.strides, p.dilations, p.pads, true);
      p.ceil_mode = ceil_mode;
      add(make(p, {x.v}), x.bits, x.most);
    } else if (chance(80)) {
      op::average_pool p;
      windows(s, p.kernel, p.strides, p.dilations, p.pads, true);
      p.ceil_mode = ceil_mode, p.count_include_pad = chance(50);
      add(make(p, {x.v}), inexact, x.most);
    } else {
      op::lp_pool p;
      windows(s, p.kernel, p.strides, p.dilations, p.pads, true);
      p.dilations.clear();
      add(make(p, {x.v}), inexact, x.most * 12);
    }
  }
  void rare() {
    switch (range(0, 7)) {
      case 0: {
        const known x = any([&](const known& k) { return shape(k).size() >= 2; });
        op::trilu t;
        t.upper = chance(50), t.k = range(-2, 2);
        return void(add(make(t, {x.v}), x.bits, x.most));
      }
      case 1: {
        const known x = any([&](const known& k) { return shape(k).size() == 2; });
        op::eye_like e;
        e.k = range(-1, 1);
        return void(add(make(e, {x.v}), 1, 1));
      }
      case 2: {
        const known x = any();
        op::expand e;
        e.shape = shape(x);
        for (i64& n : e.shape)
          if (n == 1 && chance(60)) n = range(1, 4);
        if (chance(40)) e.shape.insert(e.shape.begin(), range(1, 3));
        return void(add(make(e, {x.v}), x.bits, x.most));
      }
      case 3: {
        const known x = any([&](const known& k) { return elem(k) == dtype::i64 || elem(k) == dtype::i32; });
        op::one_hot o;
        o.axis = chance(50) ? -1 : 0;
        return void(add(make(o, {x.v, scalar(dtype::i64, range(1, 6)).v, constant(dtype::f32, {2}).v}), 6, 2));
      }
      case 4: {
        std::vector<i64> s;
        const known x = image(s);
        op::resize r;
        for (size_t d = 0; d < s.size(); ++d) r.sizes.push_back(d < 2 ? s[d] : s[d] * range(1, 2));
        r.mode = chance(50) ? op::interpolation::nearest : op::interpolation::linear;
        r.coordinates =
            r.mode == op::interpolation::nearest ? op::coordinate_mode::asymmetric : op::coordinate_mode::half_pixel;
        r.nearest = op::nearest_mode::floor;
        return void(add(make(r, {x.v}), r.mode == op::interpolation::nearest ? x.bits : inexact, x.most));
      }
      case 5: {
        std::vector<i64> s;
        const known x = image(s);
        op::lrn l;
        l.size = range(1, 5), l.alpha = 0.01;
        return void(add(make(l, {x.v}), inexact, x.most));
      }
      case 6: {
        const known x = any([&](const known& k) { return shape(k).size() >= 2; });
        op::reverse_sequence r;
        r.batch_axis = 0, r.time_axis = 1;
        const std::vector<i64> e = shape(x);
        if (e[1] == 0) return;
        return void(add(make(r, {x.v, constant(dtype::i64, {e[0]}, 1, static_cast<int>(e[1])).v}), x.bits, x.most));
      }
      default: {
        const known x =
            any([&](const known& k) { return elem(k) == dtype::i64 || elem(k) == dtype::i32 || elem(k) == dtype::u8; });
        return void(add(chance(50) ? make(op::shift_left{}, {x.v, constant(elem(x), {}, 0, 5).v})
                                   : make(op::shift_right{}, {x.v, constant(elem(x), {}, 0, 5).v}),
                        0, 0));
      }
    }
  }

  std::mt19937_64 random_;
  bool special_, empty_, flows_;
  ir::module m_;
  function_id main_;
  region_id body_;
  std::vector<known> values_;
};

inline ir::module random_module(u64 seed) { return module_generator(seed).make(); }

/// Inputs for the entry of a random module: multiples of 1/8; every seventh module also gets NaN and infinities.
inline std::vector<tensor> random_inputs(const ir::module& m, u64 seed) {
  std::mt19937_64 random(seed + 99);
  std::vector<tensor> inputs;
  for (value_id v : m[m[m.find_function("main")].body].arguments) {
    const ir::type& t = m.type_of(v);
    tensor x(t.elem, t.extents());
    for (i64 i = 0; i < x.size(); ++i) {
      const i64 n = static_cast<i64>(random() % 257) - 128;
      if (t.elem == dtype::boolean) x.set_i64(i, n & 1);
      else if (!is_float(t.elem)) x.set_i64(i, is_unsigned_int(t.elem) ? n + 128 : n);
      else if (seed % 7 == 3 && random() % 16 == 0)
        x.set_f64(i, random() % 2 ? std::nan("") : random() % 2 ? INFINITY : -INFINITY);
      else x.set_f64(i, static_cast<double>(n) / (t.elem == dtype::bf16 ? 16 : 8));
    }
    inputs.push_back(std::move(x));
  }
  return inputs;
}

}  // namespace tenon::testing
