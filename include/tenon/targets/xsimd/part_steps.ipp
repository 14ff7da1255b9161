/// @file part_steps.ipp: the steps of parts, for targets/xsimd/part_binder.ipp.
#pragma once

#include <cmath>
#include <cstring>
#include <utility>

#include <tenon/ops/graph/movement_shapes.hpp>
#include <tenon/ops/graph/resize_plan.hpp>
#include <tenon/ops/graph/window.hpp>
#include <tenon/targets/xsimd/part_binder.ipp>

namespace tenon::xsimd_kernels {

/// What the shape helpers of ops ask of a context, for an op of a part.
struct part_context {
  const ir::module& m;
  op_id op;
  bool has(int i) const { return m.view(op).has_operand(i); }
  const tensor* constant(int i) const { return m.constant_value(m.operand(op, i)); }
  [[noreturn]] void fail(std::string why) const {
    throw error("external.no_kernel", std::string(m.view(op).name()) + ": " + why, m.text(m[op].location));
  }
};

/// The steps of single ops; a friend of the binder.
struct step_makers {
  part_binder& p;
  const ir::module& m;
  op_id op;
  ir::op_view v{m, op};
  part_context cx{m, op};

  std::vector<i64> shape(int operand) const { return p.shape(v.operand(operand)); }
  std::vector<i64> result_shape() const { return p.shape(v.result()); }
  i64 elements() const { return p.count(v.result()); }  ///< of the result
  int width() const { return size_of(v.result_type().elem); }

  template <class Step>
  std::unique_ptr<Step> fresh() const {
    auto s = std::make_unique<Step>();
    if constexpr (requires { s->k; }) s->k = &p.k_;
    return s;
  }
  void add(std::unique_ptr<step> s) const { p.steps().push_back(std::move(s)); }

  // -- products -----------------------------------------------------------------------------------------------------
  void matmul(value_id out, chain epilogue) const {
    const auto& a = v.as<op::matmul>();
    const std::vector<i64> x = shape(0), w = shape(1);
    auto s = fresh<product_step>();
    s->x = p.slot(v.operand(0)), s->w = p.slot(v.operand(1)), s->out = p.slot(out);
    const i64 depth = x.back();
    s->run_length = depth;
    s->packed = a.panel > 0;
    s->columns = s->packed ? a.columns : w.back();
    s->panel = s->packed ? a.panel : panel_for(s->columns);
    s->w_stride = s->out_stride = s->columns;
    i64 rows = x[x.size() - 2];
    if (s->packed || w.size() == 2) {
      rows = 1;
      for (size_t d = 0; d + 1 < x.size(); ++d) rows *= x[d];
    } else {
      std::vector<i64> y = result_shape();
      y.resize(y.size() - 2);
      const auto outer = [&](std::vector<i64> e) { return e.resize(e.size() - 2), e; };
      const access xa = access::broadcast(outer(x), y), wa = access::broadcast(outer(w), y);
      i64 batches = 1;
      for (i64 e : y) batches *= e;
      s->parts.clear();
      for (i64 b = 0; b < batches; ++b)
        s->parts.push_back(
            {offset_of(xa, b) * rows * depth, offset_of(wa, b) * depth * s->columns, b * rows * s->columns, 0});
    }
    for (i64 r = 0; r < rows; ++r) s->rows.push_back(r * depth);
    s->epilogue = std::move(epilogue);
    if (!s->epilogue.empty() && s->parts.size() != 1) {  // the chain covers all parts: it is a step of its own
      finish_apart(std::move(s));
      return;
    }
    add(std::move(s));
  }
  void finish_apart(std::unique_ptr<product_step> s) const {
    auto rest = fresh<chain_step>();
    rest->work = std::move(s->epilogue);
    rest->count = elements();
    s->epilogue = {};
    add(std::move(s));
    add(std::move(rest));
  }
  i64 panel_for(i64 columns) const {
    const i64 lanes = p.k_.lanes, vectors = (columns + lanes - 1) / lanes;
    return std::min<i64>(2, std::max<i64>(1, vectors)) * lanes;
  }
  static i64 offset_of(const access& a, i64 index) {
    i64 offset = 0;
    for (size_t d = a.extents.size(); d-- > 0;) offset += index % a.extents[d] * a.strides[d], index /= a.extents[d];
    return offset;
  }

  void conv(value_id out, chain epilogue) const {
    const auto& c = v.as<op::conv>();
    const std::vector<i64> x = shape(0), w = shape(1), y = result_shape();
    const size_t n = x.size() - 2, first = c.panel > 0 ? 1 : 0;
    const std::vector<i64> kernel(w.begin() + static_cast<std::ptrdiff_t>(first),
                                  w.begin() + static_cast<std::ptrdiff_t>(first + n));
    const std::vector<op::window> windows = op::make_windows(kernel, c.strides, c.dilations, {});
    const std::vector<i64> step = row_major_strides(x);
    const i64 channels = x.back(), outputs = y.back(), inner = channels / c.group;
    const auto positions = [&](bool with_last) {
      std::vector<i64> at;
      const size_t dims = with_last ? n : n - 1;
      i64 count = y[0];
      for (size_t d = 0; d < dims; ++d) count *= y[d + 1];
      for (i64 i = 0; i < count; ++i) {
        i64 offset = 0, rest = i;
        for (size_t d = dims; d-- > 0;) offset += rest % y[d + 1] * windows[d].stride * step[d + 1], rest /= y[d + 1];
        at.push_back(offset + rest * step[0]);
      }
      return at;
    };
    const auto taps = [&](bool merge_last) {
      std::vector<i64> at;
      i64 count = 1;
      const size_t dims = merge_last ? n - 1 : n;
      for (size_t d = 0; d < dims; ++d) count *= kernel[d];
      for (i64 i = 0; i < count; ++i) {
        i64 offset = 0, rest = i;
        for (size_t d = dims; d-- > 0;)
          offset += rest % kernel[d] * windows[d].dilation * step[d + 1], rest /= kernel[d];
        at.push_back(offset);
      }
      return at;
    };
    const int bias = v.has_operand(2) ? p.slot(v.operand(2)) : -1;
    if (c.panel == 0 && c.group == channels && inner == 1 && outputs == channels) {
      auto s = fresh<depthwise_step>();
      s->x = p.slot(v.operand(0)), s->w = p.slot(v.operand(1)), s->bias = bias, s->out = p.slot(out);
      s->lines = positions(false), s->taps = taps(false);
      s->count = y[n], s->in_stride = windows[n - 1].stride * channels, s->channels = channels;
      s->tap_run = windows[n - 1].dilation == 1 ? kernel[n - 1] : 1;
      s->epilogue = std::move(epilogue);
      return add(std::move(s));
    }
    auto s = fresh<product_step>();
    s->x = p.slot(v.operand(0)), s->w = p.slot(v.operand(1)), s->bias = bias, s->out = p.slot(out);
    const bool merge = c.group == 1 && windows[n - 1].dilation == 1;
    s->rows = positions(true), s->taps = taps(merge);
    s->run_length = merge ? kernel[n - 1] * channels : inner;
    s->packed = c.panel > 0;
    s->columns = outputs / c.group, s->out_stride = outputs, s->w_stride = outputs;
    s->panel = s->packed ? c.panel : panel_for(s->columns);
    s->parts.clear();
    for (i64 g = 0; g < c.group; ++g) s->parts.push_back({g * inner, g * s->columns, g * s->columns, g * s->columns});
    s->epilogue = std::move(epilogue);
    add(std::move(s));
  }

  void winograd(value_id out, chain epilogue) const;       // winograd_step.ipp
  void conv_transpose(const op::conv_transpose& c) const;  // transposed_conv.ipp
  void recurrence(const op::recurrence& a) const;          // recurrent.ipp

  // -- windows and rows ---------------------------------------------------------------------------------------------
  template <class Op>
  void pool(const Op& a, bool maximum) const {
    std::vector<i64> x = shape(0), y = result_shape();
    const size_t n = a.kernel.size();
    auto s = fresh<pool_step>();
    s->x = p.slot(v.operand(0)), s->out = p.slot(v.result());
    s->maximum = maximum;
    const bool last = a.layout == op::data_layout::channels_last;
    s->channels = last ? x.back() : 1;
    s->images = last ? x[0] : x[0] * x[1];
    const size_t at = last ? 1 : 2;
    std::vector<op::window> w = op::make_windows(a.kernel, a.strides, a.dilations, a.pads);
    std::vector<i64> step(n, s->channels);
    for (size_t d = n - 1; d-- > 0;) step[d] = step[d + 1] * x[at + d + 1];
    s->image = step[0] * x[at];
    i64 places = 1;
    for (size_t d = 0; d < n; ++d) w[d].input = x[at + d], w[d].output = y[at + d], places *= y[at + d];
    for (i64 i = 0; i < places; ++i) {
      std::vector<i64> taps{0};
      i64 rest = i, padded = 1;
      for (size_t d = n; d-- > 0;) {
        const i64 o = rest % w[d].output;
        rest /= w[d].output;
        std::vector<i64> longer;
        for (i64 t = w[d].first_tap(o); t < w[d].end_tap(o); ++t)
          for (i64 have : taps)
            longer.push_back(have + (o * w[d].stride - w[d].pad_begin + t * w[d].dilation) * step[d]);
        taps = std::move(longer);
        const i64 room = w[d].input + w[d].pad_begin + w[d].pad_end - o * w[d].stride;
        padded *= std::clamp<i64>((room + w[d].dilation - 1) / w[d].dilation, 0, w[d].kernel);
      }
      i64 counted = static_cast<i64>(taps.size());
      if constexpr (requires { a.count_include_pad; })
        if (a.count_include_pad) counted = padded;
      s->scale.push_back(1.f / static_cast<float>(counted));
      s->taps.push_back(std::move(taps));
    }
    add(std::move(s));
  }
  void rows(rows_step::kind_t kind, reduction_kind reduction, const std::vector<i64>& axes, bool last = false) const {
    auto s = fresh<rows_step>();
    s->kind = kind, s->reduction = reduction, s->last = last;
    s->x = p.slot(v.operand(0)), s->out = p.slot(v.result());
    as_rows(shape(0), axes, s->outer, s->n, s->inner);
    add(std::move(s));
  }
  void matrices(rows_step::kind_t kind) const {
    auto s = fresh<rows_step>();
    s->kind = kind;
    s->x = p.slot(v.operand(0)), s->out = p.slot(v.result());
    const std::vector<i64> x = shape(0);
    s->n = s->inner = x.back();
    for (size_t d = 0; d + 2 < x.size(); ++d) s->outer *= x[d];
    add(std::move(s));
  }
  void lrn(const op::lrn& a) const {
    auto s = fresh<rows_step>();
    s->kind = rows_step::kind_t::lrn;
    s->x = p.slot(v.operand(0)), s->out = p.slot(v.result());
    s->n = shape(0).back(), s->outer = elements() / std::max<i64>(1, s->n);
    s->before = (a.size - 1) / 2, s->after = a.size - 1 - s->before;
    s->alpha = static_cast<float>(a.alpha / static_cast<double>(a.size)), s->beta = static_cast<float>(a.beta),
    s->bias = static_cast<float>(a.bias);
    add(std::move(s));
  }
  void resize(const op::resize& a) const {
    const std::vector<i64> x = shape(0);
    const auto request = op::movement_detail::resize_request_of(cx, a, x.size());
    if (!request) cx.fail("sizes that are not known");
    const auto axes = op::movement_detail::resize_axes(cx, a, *request, x);
    auto s = fresh<resize_step>();
    std::vector<size_t> moved;
    for (size_t d = 0; d < axes.size(); ++d)
      if (!axes[d].same) moved.push_back(d);
    if (moved.size() > 2 || (moved.size() == 2 && moved[1] != moved[0] + 1)) cx.fail("more than two neighbouring axes");
    s->x = p.slot(v.operand(0)), s->out = p.slot(v.result());
    const size_t high = moved.empty()       ? 0
                        : moved.size() == 2 ? moved[0]
                                            : x.size(),
                 wide = moved.empty() ? x.size() : moved.back();
    const auto taps = [&](size_t d) {
      std::vector<resize_step::tap> t;
      if (d >= x.size()) return t.push_back({0, 0, 1, 0}), t;
      for (i64 i = 0; i < axes[d].out; ++i) t.push_back(tap_of(a, axes[d], i));
      return t;
    };
    if (moved.empty()) {
      s->inner = elements();
      s->rows = s->columns = {{0, 0, 1, 0}};
    } else {
      s->rows = taps(high), s->columns = taps(wide);
      s->height = high < x.size() ? x[high] : 1, s->width = x[wide];
      for (size_t d = 0; d < moved[0]; ++d) s->outer *= x[d];
      for (size_t d = wide + 1; d < x.size(); ++d) s->inner *= x[d];
    }
    add(std::move(s));
  }
  static resize_step::tap tap_of(const op::resize& a, const op::movement_detail::resize_axis& axis, i64 i) {
    const auto inside = [&](i64 k) { return std::clamp<i64>(k, 0, axis.in - 1); };
    if (axis.same) return {i, i, 1, 0};
    const float at = axis.coordinate(i);
    if (a.mode == op::interpolation::nearest)
      return {inside(static_cast<i64>(op::movement_detail::nearest_coordinate(at, a.nearest))), 0, 1, 0};
    const float base = std::floor(at), part = at - base;
    if (part == 1)
      return {inside(static_cast<i64>(base) + 1), 0, 1, 0};  // what is this near to an element is rounded to it
    return {inside(static_cast<i64>(base)), inside(static_cast<i64>(base) + 1), 1 - part, part};
  }

  // -- movement -----------------------------------------------------------------------------------------------------
  std::unique_ptr<copy_step> copy(int operand, const std::vector<i64>& extents) const {
    auto s = fresh<copy_step>();
    s->x = p.slot(v.operand(operand)), s->out = p.slot(v.result());
    s->width = width();
    s->extents = extents;
    s->out_strides = row_major_strides(result_shape());
    s->in_strides = row_major_strides(shape(operand));
    return s;
  }
  void finish(std::unique_ptr<copy_step> s) const {
    s->simplify();
    add(std::move(s));
  }
  void transpose(const op::transpose& a) const {
    auto s = copy(0, result_shape());
    const std::vector<i64> in = s->in_strides;
    const std::vector<i64> from = op::movement_detail::full_permutation(a, in.size());
    for (size_t d = 0; d < in.size(); ++d) s->in_strides[d] = in[static_cast<size_t>(from[d])];
    finish(std::move(s));
  }
  void expand() const {
    const std::vector<i64> x = shape(0), y = result_shape();
    auto s = copy(0, y);
    const std::vector<i64> in = s->in_strides;
    s->in_strides.assign(y.size(), 0);
    for (size_t d = 0; d < x.size(); ++d)
      if (x[d] != 1) s->in_strides[y.size() - x.size() + d] = in[d];
    finish(std::move(s));
  }
  void slice(const op::slice& a) const {
    const auto parts = op::movement_detail::slices_of(cx, a, shape(0).size());
    if (!parts) cx.fail("bounds that are not known");
    const std::vector<i64> x = shape(0), y = result_shape();
    auto s = copy(0, y);
    for (size_t d = 0; d < x.size(); ++d) {
      const auto& part = parts->parts[d];
      if (!part.cut) continue;
      i64 start = part.start < 0 ? part.start + x[d] : part.start;
      start = part.step > 0 ? std::clamp<i64>(start, 0, x[d]) : std::clamp<i64>(start, 0, x[d] - 1);
      s->from += start * s->in_strides[d];
      s->in_strides[d] = y[d] > 1 ? s->in_strides[d] * part.step : 0;  // a step that none takes may be any
    }
    finish(std::move(s));
  }
  void pad(const op::pad& a) const {
    const auto pads = op::movement_detail::padding_of(cx, a, shape(0).size());
    if (!pads) cx.fail("pads that are not known");
    const std::vector<i64> x = shape(0), strides = row_major_strides(x);
    if (a.mode != op::pad_mode::constant && !x.empty()) return mirror(a, *pads, x, strides);
    auto s = fresh<border_step>();
    s->x = p.slot(v.operand(0)), s->out = p.slot(v.result()), s->width = width();
    tensor one(v.result_type().elem, {1});
    if (is_float(one.type())) one.set_f64(0, a.value);
    else one.set_i64(0, static_cast<i64>(a.value));
    std::memcpy(&s->value, std::as_const(one).data(), static_cast<size_t>(width()));
    s->count = 1;
    for (size_t d = x.size(); d-- > 0;) {
      const i64 before = pads->before[d], after = pads->after[d];
      const i64 count = x[d] + std::min<i64>(before, 0) + std::min<i64>(after, 0);
      s->from -= std::min<i64>(before, 0) * strides[d];
      if (s->outer.empty() && s->before + s->after == 0 && s->count == strides[d]) {  // it makes the rows longer
        s->before = std::max<i64>(before, 0) * s->count, s->after = std::max<i64>(after, 0) * s->count;
        s->count *= count;
      } else {
        s->outer.insert(s->outer.begin(), {std::max<i64>(before, 0), count, std::max<i64>(after, 0), strides[d]});
      }
    }
    add(std::move(s));
  }
  void mirror(const op::pad& a, const op::movement_detail::padding& pads, const std::vector<i64>& x,
              const std::vector<i64>& strides) const {
    auto s = fresh<mirror_step>();
    s->x = p.slot(v.operand(0)), s->out = p.slot(v.result()), s->width = width();
    for (size_t d = 0; d < x.size(); ++d) {
      const i64 before = pads.before[d], after = pads.after[d], crop = std::max<i64>(-before, 0);
      const i64 rest = x[d] - crop - std::max<i64>(-after, 0), out = result_shape()[d];
      std::vector<i64> from;
      for (i64 i = 0; i < out; ++i)
        from.push_back((crop + op::movement_detail::padded_from(a.mode, i - std::max<i64>(before, 0), rest)) *
                       strides[d]);
      if (d + 1 < x.size()) s->outer.push_back(std::move(from));
      else s->columns = std::move(from), s->before = std::max<i64>(before, 0), s->count = rest;
    }
    add(std::move(s));
  }
  void concat(const op::concat& a) const {
    const size_t axis = static_cast<size_t>(a.axis < 0 ? a.axis + v.result_type().rank() : a.axis);
    i64 at = 0;
    for (int i = 0; i < v.operand_count(); ++i) {
      auto s = copy(i, shape(i));
      s->to = at * s->out_strides[axis];
      at += shape(i)[axis];
      finish(std::move(s));
    }
  }
  void gather(const op::gather& a) const {
    const std::vector<i64> x = shape(0);
    auto s = fresh<gather_step>();
    s->x = p.slot(v.operand(0)), s->indices = p.slot(v.operand(1)), s->out = p.slot(v.result());
    s->width = width(), s->wide = v.operand_type(1).elem == dtype::i64, s->count = p.count(v.operand(1));
    as_rows(x, {a.axis}, s->outer, s->n, s->inner);
    add(std::move(s));
  }

  void alone() const {
    using row = rows_step::kind_t;
    if (const auto* a = v.get_if<op::conv_transpose>()) return conv_transpose(*a);
    if (const auto* a = v.get_if<op::recurrence>()) return recurrence(*a);
    if (const auto* a = v.get_if<op::max_pool>()) return pool(*a, true);
    if (const auto* a = v.get_if<op::average_pool>()) return pool(*a, false);
    if (const auto* a = v.get_if<op::lrn>()) return lrn(*a);
    if (v.is<op::determinant>()) return matrices(row::determinant);
    if (v.is<op::inverse>()) return matrices(row::inverse);
    if (const auto* a = v.get_if<op::reduce_sum>()) return rows(row::reduce, reduction_kind::sum, a->axes);
    if (const auto* a = v.get_if<op::reduce_prod>()) return rows(row::reduce, reduction_kind::product, a->axes);
    if (const auto* a = v.get_if<op::reduce_max>()) return rows(row::reduce, reduction_kind::maximum, a->axes);
    if (const auto* a = v.get_if<op::reduce_min>()) return rows(row::reduce, reduction_kind::minimum, a->axes);
    if (const auto* a = v.get_if<op::arg_max>())
      return rows(row::position, reduction_kind::maximum, {a->axis}, a->select_last);
    if (const auto* a = v.get_if<op::arg_min>())
      return rows(row::position, reduction_kind::minimum, {a->axis}, a->select_last);
    if (const auto* a = v.get_if<op::softmax>()) return rows(row::softmax, {}, {a->axis});
    if (const auto* a = v.get_if<op::log_softmax>()) return rows(row::log_softmax, {}, {a->axis});
    if (const auto* a = v.get_if<op::resize>()) return resize(*a);
    if (const auto* a = v.get_if<op::gather>()) return gather(*a);
    if (const auto* a = v.get_if<op::transpose>()) return transpose(*a);
    if (const auto* a = v.get_if<op::slice>()) return slice(*a);
    if (const auto* a = v.get_if<op::pad>()) return pad(*a);
    if (const auto* a = v.get_if<op::concat>()) return concat(*a);
    if (v.is<op::expand>()) return expand();
    cx.fail("there is no step for it");
  }
};

inline void part_binder::add_steps() {
  const op_id first = ops_.front();
  const value_id out = m_.result(ops_.back());
  const step_makers make{*this, m_, first};
  if (is_elementwise_op(first)) {
    auto s = std::make_unique<chain_step>();
    s->k = &k_;
    s->work = chain_of({}, out);
    s->count = count(out);
    steps().push_back(std::move(s));
    return;
  }
  if (!is_product(m_.view(first))) return make.alone();
  chain epilogue;
  if (ops_.size() > 1) epilogue = chain_of(m_.result(first), out);
  if (m_.view(first).is<op::matmul>()) make.matmul(out, std::move(epilogue));
  else if (m_.view(first).is<op::winograd_conv>()) make.winograd(out, std::move(epilogue));
  else make.conv(out, std::move(epilogue));
}

}  // namespace tenon::xsimd_kernels
