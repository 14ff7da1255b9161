/// @file use_byte_products.ipp: definition of passes/use_byte_products.hpp.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include <tenon/core/attempt.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/ops/graph/movement_shapes.hpp>
#include <tenon/ops/rewriter.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/use_byte_products.hpp>

namespace tenon::passes {
namespace byte_products {

/// f(index along `dimension`, first element, number of elements) for each run of neighbours with that index.
template <class F>
void for_each_run(const std::vector<i64>& shape, size_t dimension, F&& f) {
  i64 outer = 1, inner = 1;
  for (size_t d = 0; d < shape.size(); ++d)
    if (d != dimension) (d < dimension ? outer : inner) *= shape[d];
  for (i64 o = 0; o < outer; ++o)
    for (i64 n = 0; n < shape[dimension]; ++n) f(static_cast<size_t>(n), (o * shape[dimension] + n) * inner, inner);
}

/// The value, if it follows from constants alone.
inline std::optional<tensor> known(const ir::module& m, value_id v, int depth = 8) {
  if (!v) return std::nullopt;
  if (const tensor* t = m.constant_value(v)) return *t;
  const op_id op = m[v].definition;
  if (!op || depth == 0 || m[op].operand_count == 0 || m[op].result_count != 1) return std::nullopt;
  const ir::op_view view = m.view(op);
  if (!is_foldable(view.info()) || view.region_count() != 0 || find_evaluation(view.info(), {}) == nullptr)
    return std::nullopt;
  std::vector<std::optional<tensor>> operands;
  std::vector<const tensor*> given;
  for (value_id x : m.operands(op)) {
    operands.push_back(known(m, x, depth - 1));
    if (x && !operands.back()) return std::nullopt;
  }
  for (const auto& t : operands) given.push_back(t ? &*t : nullptr);
  std::optional<tensor> result;
  if (attempt([&] { result = evaluate_op(m, op, given)[0]; }))
    return std::nullopt;  // it fails when it runs, if it does
  return result;
}

/// An operand that stands for (bytes - zero) · scale.
struct image {
  value_id bytes;       ///< u8 or i8
  i64 zero = 0;         ///< when it is known, or
  value_id zero_value;  ///< a single i32
  value_id scale;       ///< a single f32; none for integers
};

/// Constant weights: integers that fit into i8, what to add to them for each output (nothing as a rule), and a scale
/// for each output or one at all (none for integers).
struct weights {
  tensor integers, shifts, scales;
};

class finder {
 public:
  explicit finder(const ir::module& m) : m_(m) {}

  std::optional<image> find_image(value_id v) const {
    image r;
    if (m_.type_of(v).elem == dtype::f32) {
      const auto d = defined_by<op::dequantize>(v);
      if (!d || !is_single(m_.operand(d, 1))) return std::nullopt;
      r.bytes = m_.operand(d, 0), r.scale = m_.operand(d, 1);
      if (m_.view(d).has_operand(2)) {
        const auto zero = known(m_, m_.operand(d, 2));
        if (!zero || zero->size() != 1) return std::nullopt;
        r.zero = zero->at_i64(0);
      }
    } else if (m_.type_of(v).elem == dtype::i32) {
      value_id x = v;
      if (const auto s = defined_by<op::sub>(v)) {
        x = m_.operand(s, 0);
        const value_id z = m_.operand(s, 1);
        if (!is_single(z) || m_.type_of(z).rank() > 1) return std::nullopt;
        if (const auto zero = known(m_, z)) r.zero = zero->at_i64(0);
        else r.zero_value = z;
      }
      const auto c = defined_by<op::cast>(x);
      if (!c) return std::nullopt;
      r.bytes = m_.operand(c, 0);
    }
    if (!r.bytes || known(m_, r.bytes)) return std::nullopt;
    const dtype t = m_.type_of(r.bytes).elem;
    // A zero point outside of the type would be no padding.
    const i64 low = t == dtype::i8 ? -128 : 0;
    if ((t != dtype::u8 && t != dtype::i8) || r.zero < low || r.zero > low + 255) return std::nullopt;
    return r;
  }

  /// `output`: the dimension of outputs in the weights, of which there are `rank`.
  std::optional<weights> find_weights(value_id v, size_t rank, size_t output) const {
    weights r;
    std::optional<tensor> integers;
    if (m_.type_of(v).elem == dtype::f32) {
      std::vector<i64> permutation;
      if (const auto t = defined_by<op::transpose>(v))
        permutation = op::movement_detail::full_permutation(m_.view(t).as<op::transpose>(), rank), v = m_.operand(t, 0);
      const auto d = defined_by<op::dequantize>(v);
      if (!d) return std::nullopt;
      const auto x = known(m_, m_.operand(d, 0)), s = known(m_, m_.operand(d, 1));
      const bool has_zero = m_.view(d).has_operand(2);
      const auto z = has_zero ? known(m_, m_.operand(d, 2)) : std::optional<tensor>(tensor(dtype::i32, {}));
      if (!x || !s || !z || x->shape().size() != rank || (!permutation.empty() && permutation.size() != rank))
        return std::nullopt;
      const size_t from = permutation.empty() ? output : static_cast<size_t>(permutation[output]);
      if (!runs_along(s->shape(), rank, from) || !runs_along(z->shape(), rank, from)) return std::nullopt;
      r.scales = s->reshaped({s->size()});
      if (s->size() != 1 && s->size() != x->shape()[from]) return std::nullopt;
      // As they are, where there is nothing to subtract.
      const bool fits = x->type() == dtype::i8 && x->size() != 0 && is_zero(*z);
      integers = fits ? *x : shifted(x->cast(dtype::i32), *z, from);
      if (!permutation.empty()) integers = transposed(*integers, permutation);
      if (fits) return r.integers = *integers, r;
    } else {
      integers = known(m_, v);
      if (!integers || integers->type() != dtype::i32 || integers->shape().size() != rank) return std::nullopt;
    }
    if (integers->size() == 0 || !fit(*integers, output, r)) return std::nullopt;
    return r;
  }

  bool is_single(value_id v) const { return m_.type_of(v).is_static() && m_.type_of(v).count() == 1; }

 private:
  template <class Op>
  op_id defined_by(value_id v) const {
    const op_id d = m_[v].definition;
    return d && m_[d].info == &ir::info_of<Op> ? d : op_id{};
  }
  /// Weights that leave i8 are moved into it, one number for all weights of an output.
  static bool fit(const tensor& integers, size_t output, weights& r) {
    const i64 outputs = integers.shape()[output];
    const i32* from = integers.data<i32>().data();
    std::vector<i64> low(static_cast<size_t>(outputs), std::numeric_limits<i64>::max());
    std::vector<i64> high(static_cast<size_t>(outputs), std::numeric_limits<i64>::min());
    for_each_run(integers.shape(), output, [&](size_t o, i64 first, i64 count) {
      const auto [least, most] = std::minmax_element(from + first, from + first + count);
      low[o] = std::min<i64>(low[o], *least), high[o] = std::max<i64>(high[o], *most);
    });
    tensor shifts(dtype::i32, {outputs});
    for (size_t o = 0; o < low.size(); ++o) {
      if (low[o] >= -128 && high[o] <= 127) continue;
      if (high[o] - low[o] > 255) return false;
      shifts.set_i64(static_cast<i64>(o), low[o] + 128);
      r.shifts = shifts;
    }
    r.integers = tensor(dtype::i8, integers.shape());
    i8* to = r.integers.data<i8>().data();
    for_each_run(integers.shape(), output, [&](size_t o, i64 first, i64 count) {
      const i32 shift = shifts.data<i32>()[o];
      for (i64 i = first; i < first + count; ++i) to[i] = static_cast<i8>(from[i] - shift);
    });
    if (r.shifts.size() != 0) r.shifts = shifts;
    return true;
  }
  static bool is_zero(const tensor& t) {
    for (i64 i = 0; i < t.size(); ++i)
      if (t.at_i64(i) != 0) return false;
    return true;
  }
  /// Does a shape broadcast along one dimension of `rank` alone?
  static bool runs_along(const std::vector<i64>& shape, size_t rank, size_t dimension) {
    if (shape.size() > rank) return false;
    for (size_t d = 0; d < shape.size(); ++d)
      if (shape[d] != 1 && d + rank - shape.size() != dimension) return false;
    return true;
  }
  static tensor shifted(tensor x, const tensor& zero, size_t dimension) {
    tensor r(dtype::i32, x.shape());
    const i32* from = x.data<i32>().data();
    i32* to = r.data<i32>().data();
    for_each_run(x.shape(), dimension, [&](size_t n, i64 first, i64 count) {
      const i64 z = zero.at_i64(zero.size() == 1 ? 0 : static_cast<i64>(n));
      for (i64 i = first; i < first + count; ++i) to[i] = static_cast<i32>(from[i] - z);
    });
    return r;
  }
  static tensor transposed(const tensor& x, const std::vector<i64>& permutation) {
    const std::vector<i64> strides = row_major_strides(x.shape());
    std::vector<i64> shape, by;
    for (i64 d : permutation)
      shape.push_back(x.shape()[static_cast<size_t>(d)]), by.push_back(strides[static_cast<size_t>(d)]);
    tensor r(x.type(), shape);
    gather_strided(r.data(), x.data(), shape, by, tenon::size_of(x.type()));
    return r;
  }

  const ir::module& m_;
};

/// Zeros after the elements of one dimension, until it has `extent`.
inline tensor extended(const tensor& x, size_t dimension, i64 extent) {
  std::vector<i64> shape = x.shape();
  i64 outer = 1, inner = 1;
  for (size_t d = 0; d < shape.size(); ++d)
    if (d != dimension) (d < dimension ? outer : inner) *= shape[d];
  const i64 old = shape[dimension];
  shape[dimension] = extent;
  tensor r(x.type(), shape);
  for (i64 o = 0; o < outer; ++o)
    std::memcpy(static_cast<char*>(r.data()) + o * extent * inner, static_cast<const char*>(x.data()) + o * old * inner,
                static_cast<size_t>(old * inner));
  return r;
}

/// For each output, the sum of its weights times `factor`, as i32.
inline tensor sums_of(const tensor& w, size_t output, i64 factor) {
  tensor r(dtype::i32, {w.shape()[output]});
  const i8* from = w.data<i8>().data();
  std::vector<i64> sums(static_cast<size_t>(r.size()));
  for_each_run(w.shape(), output, [&](size_t o, i64 first, i64 count) {
    for (i64 i = first; i < first + count; ++i) sums[o] += from[i];
  });
  for (i64 o = 0; o < r.size(); ++o) r.set_i64(o, factor * sums[static_cast<size_t>(o)]);
  return r;
}

class converter : public rewriter<use_byte_products::emits> {
 public:
  using rewriter::rewriter;

  void convert(op_id op) {
    const ir::op_view v = mod().view(op);
    const auto* c = v.get_if<op::conv>();
    const auto* p = v.get_if<op::matmul>();
    if ((c == nullptr && p == nullptr) || !mod().type_of(v.operand(0)).ranked || !mod().type_of(v.operand(1)).ranked)
      return;
    const size_t rank = mod().type_of(v.operand(1)).shape.size(), rank_x = mod().type_of(v.operand(0)).shape.size();
    if (c != nullptr && (c->panel != 0 || c->layout != op::data_layout::channels_first)) return;
    if (p != nullptr && (p->panel != 0 || rank != 2 || rank_x < 2)) return;
    const size_t output = c != nullptr ? 0 : 1, depth = c != nullptr ? 1 : 0;
    if (v.result_type().is_static() && v.result_type().count() == 0) return;  // there is nothing to compute
    const finder f(mod());
    auto x = f.find_image(v.operand(0));
    auto w = x ? f.find_weights(v.operand(1), rank, output) : std::nullopt;
    if (!w || (x->scale && w->scales.size() == 0)) return;
    if (!x->scale && v.has_operand(2) && mod().type_of(v.operand(2)).elem != dtype::i32) return;
    op::conv made = c != nullptr ? *c : op::conv{};
    if (w->shifts.size() != 0 && made.group != 1) return;
    place_ = op;

    if (mod().type_of(x->bytes).elem == dtype::i8) {  // x + 128 has the bits of x with the first one flipped
      x->bytes = make(op::bit_xor{}, {make(op::cast{dtype::u8}, {x->bytes}), number(dtype::u8, 128)});
      if (x->zero_value) x->zero_value = make(op::add{}, {x->zero_value, number(dtype::i32, 128)});
      else x->zero += 128;
    }
    const tensor sums = sums_of(w->integers, output, x->zero_value ? 1 : -x->zero);
    const value_id sums_x =
        w->shifts.size() != 0 ? sums_of_windows(*x, c ? &made : nullptr, w->integers.shape(), rank_x) : value_id{};
    pad_image(*x, *w, made, c != nullptr, depth, rank_x);

    const value_id weight = constant(std::move(w->integers)), given = v.operand(1);
    value_id bias = !x->scale && v.has_operand(2) ? v.operand(2) : value_id{};  // a float's bias comes after the scale
    if (!x->zero_value && x->zero != 0) bias = bias ? make(op::add{}, {bias, constant(sums)}) : constant(sums);
    value_id y;
    if (c != nullptr) y = bias ? make(made, {x->bytes, weight, bias}) : make(made, {x->bytes, weight});
    else y = make(op::matmul{}, {x->bytes, weight});
    if (c == nullptr && bias) y = make(op::add{}, {y, bias});
    if (x->zero_value)
      y = make(op::sub{},
               {y, make(op::mul{}, {per_output(constant(sums), c != nullptr, rank_x), single(x->zero_value)})});
    if (sums_x)
      y = make(op::add{}, {y, make(op::mul{}, {sums_x, per_output(constant(w->shifts), c != nullptr, rank_x)})});
    if (x->scale) {
      const tensor& t = w->scales;
      const value_id scales = t.size() == 1 ? constant(t) : per_output(constant(t), c != nullptr, rank_x);
      y = make(op::mul{}, {make(op::cast{dtype::f32}, {y}), make(op::mul{}, {scales, single(x->scale)})});
      if (v.has_operand(2)) y = make(op::add{}, {y, per_output(v.operand(2), c != nullptr, rank_x)});
    }
    if (mod().type_of(y) != v.result_type() && !mod().type_of(y).is_static()) mod().set_type(y, mod()[v.result()].type);
    replace(op, y);
    if (const op_id d = mod()[given].definition) erase_unused(mod(), d);
  }

 private:
  template <class Op>
  value_id make(const Op& attributes, std::initializer_list<value_id> operands) {
    return make_before(place_, attributes, operands);
  }
  value_id constant(tensor t) { return constant_before(place_, std::move(t)); }
  value_id number(dtype t, i64 n) {
    tensor x(t, {});
    x.set_i64(0, n);
    return constant(x);
  }
  value_id single(value_id v) { return mod().type_of(v).rank() <= 1 ? v : make(op::reshape{{}}, {v}); }
  /// A list of one number per output, as it broadcasts to an image [N, O, ...] or to rows of a matrix.
  value_id per_output(value_id v, bool is_conv, size_t rank) {
    if (!is_conv) return v;
    std::vector<i64> shape(rank - 1, 1);
    shape[0] = mod().type_of(v).shape[0].extent();
    return make(op::reshape{shape}, {v});
  }

  /// What each output adds up of an image less its zero point, which a number that was taken from all weights of an
  /// output is multiplied by: channels are added up first, then what is in the window.
  value_id sums_of_windows(const image& x, const op::conv* c, const std::vector<i64>& weights, size_t rank) {
    value_id sum = make(op::cast{dtype::i32}, {x.bytes});
    if (x.zero_value) sum = make(op::sub{}, {sum, single(x.zero_value)});
    else if (x.zero != 0) sum = make(op::sub{}, {sum, number(dtype::i32, x.zero)});
    sum = make(op::reduce_sum{.axes = {c != nullptr ? 1 : static_cast<i64>(rank) - 1}, .keep_dims = true}, {sum});
    std::vector<i64> window = weights;
    window[0] = window[1] = 1;
    const auto all = [](const std::vector<i64>& list, i64 n) {
      return std::all_of(list.begin(), list.end(), [&](i64 v) { return v == n; });
    };
    if (c == nullptr || (all(window, 1) && all(c->strides, 1) && all(c->pads, 0))) return sum;
    tensor ones(dtype::i32, window);
    for (i32& v : ones.data<i32>()) v = 1;
    return make(*c, {sum, constant(std::move(ones))});
  }

  /// What is around an image becomes its zero point, and its channels a multiple of 4. Zeros around the images of a
  /// convolution of each channel by itself stay its own: it leaves out the taps that would read them.
  void pad_image(image& x, weights& w, op::conv& c, bool is_conv, size_t depth, size_t rank) {
    const i64 channels = w.integers.shape()[depth], missing = c.group == 1 ? (4 - channels % 4) % 4 : 0;
    op::pad pad;
    pad.value = static_cast<double>(x.zero);
    if (missing != 0) {
      w.integers = extended(w.integers, depth, channels + missing);
      pad.axes.push_back(is_conv ? 1 : static_cast<i64>(rank) - 1), pad.before.push_back(0),
          pad.after.push_back(missing);
    }
    const bool leaves_out = channels == 1 && c.group != 1 && x.zero == 0 && !x.zero_value;
    const size_t n = leaves_out ? 0 : c.pads.size() / 2;
    for (size_t d = 0; d < n; ++d) {
      if (c.pads[d] == 0 && c.pads[d + n] == 0) continue;
      pad.axes.push_back(static_cast<i64>(d) + 2), pad.before.push_back(c.pads[d]), pad.after.push_back(c.pads[d + n]);
    }
    if (!leaves_out) c.pads.clear();
    if (pad.axes.empty()) return;
    x.bytes = x.zero_value ? make(pad, {x.bytes, value_id{}, x.zero_value}) : make(pad, {x.bytes});
  }

  op_id place_;
};

}  // namespace byte_products

void use_byte_products::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const auto program = cx.get<kernel_options>();
  byte_products::converter c(m);
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    if (!m.view(op).is<op::conv>() && !m.view(op).is<op::matmul>()) return;
    if (program.of(ir::constraint_of(m, op)).products_together != 0) c.convert(op);
  });
}

}  // namespace tenon::passes
