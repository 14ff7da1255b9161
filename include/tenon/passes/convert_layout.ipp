/// @file convert_layout.ipp: definition of passes/convert_layout.hpp.
#pragma once

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include <tenon/core/checked.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/ops/graph/moved_elements.hpp>
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/layout_values.hpp>

namespace tenon::passes {
namespace layout {

/// Visits ops in order; each is rewritten so that transposes of its operands become transposes of its results. Ops that
/// follow find them there, so one walk is enough.
class converter {
 public:
  converter(ir::module& m, const kernel_options& program) : m_(m), v_(m), program_(program) {}

  void convert(op_id op) {
    const ir::op_view view = m_.view(op);
    if (view.info().infer == nullptr || view.result_count() == 0) return;
    v_.builder.before(op);
    if (view.info().traits.elementwise) return elementwise(op);
    if (const auto* c = view.get_if<op::conv>()) return conv(op, op::conv(*c));
    if (const auto* c = view.get_if<op::conv_transpose>()) return conv_transpose(op, op::conv_transpose(*c));
    if (const auto* t = view.get_if<op::transpose>()) return transpose(op, *t);
    if (view.is<op::reshape>()) return reshape(op);
    if (const auto* c = view.get_if<op::concat>()) return concat(op, *c);
    move_by_itself(op);
  }

 private:
  using moved = values::moved;

  template <class Op>
  const Op* alive_as(op_id op) const {
    return m_.alive(op) ? m_.view(op).get_if<Op>() : nullptr;
  }
  i64 rank_of(value_id v) const { return m_.type_of(v).rank(); }

  /// All results of `op` become `by`, and it is gone.
  void replace(op_id op, std::span<const value_id> by) {
    for (size_t i = 0; i < by.size(); ++i) {
      const value_id old = m_.result(op, static_cast<int>(i));
      // What was known of the old value may be more than the rules tell of the new one.
      if (m_[by[i]].type != m_[old].type && !m_.type_of(by[i]).is_static()) m_.set_type(by[i], m_[old].type);
      m_.replace_uses(old, by[i]);
    }
    m_.erase(op);
  }
  void replace(op_id op, value_id by) { replace(op, std::span(&by, 1)); }

  /// The op with other attributes and operands; its results transposed by p replace those of the old one.
  void remake(op_id op, const ir::op_info& info, const void* attributes, std::span<const value_id> operands,
              const permutation& p) {
    const op_id made = v_.builder.make_erased(info, attributes, operands);
    std::vector<value_id> results;
    for (value_id r : m_.results(made)) results.push_back(v_.transposed(r, p));
    replace(op, results);
  }
  template <class Op>
  void remake(op_id op, const Op& attributes, std::span<const value_id> operands, const permutation& p) {
    remake(op, ir::info_of<Op>, &attributes, operands, p);
  }

  // -- convolutions and what has a layout of its own --

  void conv(op_id op, op::conv c) {
    const value_id x = m_.operand(op, 0), w = m_.operand(op, 1);
    if (c.layout != op::data_layout::channels_first || !v_.type(x).ranked || !v_.type(w).ranked) return;
    borders_in_kernels_ = program_.of(ir::constraint_of(m_, op)).borders_in_kernels;
    const ir::type y = m_.view(op).result_type();
    // Where there are no pixels nothing is computed: windows need not fit into what padding alone makes.
    if (y.is_static() && y.count() == 0)
      return replace(op, v_.builder.make(op::constant{m_.add_constant(tensor(y.elem, y.extents()))}, {}));
    const size_t rank = v_.type(x).shape.size();
    const value_id bias = m_.view(op).has_operand(2) ? m_.operand(op, 2) : value_id{};
    if (is_pointwise(c, w) && stays_first(op, x)) return pointwise_rows(op, x, w, bias);
    value_id image = with_channels(x, v_.type(w).shape[1], c.group);
    // A few planes are padded as such: the convolution may read them so (fusion::reads_planes).
    if (borders_in_kernels_ && has_few_planes(v_.type(image)) && !v_.moved_of(image) && !is_pointwise(c, w) &&
        !peels_borders(c, image, w))
      image = padded(image, std::exchange(c.pads, {}), 2);
    image = v_.transposed(image, channels_to_last(rank));
    const bool sized = v_.type(image).is_static() && (!bias || v_.type(bias).is_static());
    if (is_pointwise(c, w) && sized && !is_padded_behind(op)) return pointwise(op, image, w, bias);
    if (!peels_borders(c, image, w)) image = padded(image, std::exchange(c.pads, {}), 1);
    c.layout = op::data_layout::channels_last;
    permutation weight;
    for (size_t d = 2; d < rank; ++d) weight.push_back(static_cast<i64>(d));
    weight.push_back(1), weight.push_back(0);
    std::vector<value_id> operands{image, v_.transposed(w, weight)};
    if (bias) operands.push_back(bias);
    remake(op, c, operands, channels_to_first(rank));
  }

  /// The nests of a convolution of each channel by itself leave out taps in the padding
  /// (ops/graph/depthwise.lower.ipp), unless a weight may be infinite or NaN.
  bool peels_borders(const op::conv& c, value_id image, value_id w) const {
    const ir::type &x = v_.type(image), &t = v_.type(w);
    if (!borders_in_kernels_ || !t.is_static() || t.shape[1] != ir::dim(1) || t.shape[0] != ir::dim(c.group))
      return false;
    for (size_t d = 1; d < x.shape.size(); ++d)
      if (!x.shape[d].is_static()) return false;
    const tensor* known = m_.constant_value(w);
    return known != nullptr && op::all_finite(*known);
  }

  /// The image with as many channels as its weight is for, where its type has a symbol for them: kernels are made for a
  /// number.
  value_id with_channels(value_id x, ir::dim of_weight, i64 group) {
    const ir::type& t = v_.type(x);
    if (t.shape[1].is_static() || !of_weight.is_static() || of_weight.extent() * group == 0) return x;
    std::vector<i64> shape(t.shape.size(), 0);  // 0: as it is
    shape[1] = checked_mul(of_weight.extent(), group);
    return v_.builder.make(op::reshape{.shape = std::move(shape)}, {x});
  }

  /// Do convolutions with borders read the result of one without, or what elementwise ops make of it? Then it is stored
  /// with its borders (passes/kernel_builder.hpp), which needs rows and columns apart.
  bool is_padded_behind(op_id op, int depth = 4) const {
    if (!borders_in_kernels_ || depth == 0) return false;
    for (use_id u = m_[m_.result(op)].first_use; u; u = m_[u].next) {
      const ir::op_view user = m_.view(m_[u].user);
      const auto* c = user.get_if<op::conv>();
      if (c != nullptr && std::any_of(c->pads.begin(), c->pads.end(), [](i64 p) { return p > 0; }) &&
          !peels_borders(*c, user.operand(0), user.operand(1)))
        return true;
      if (user.info().traits.elementwise && user.result_type() == m_.view(op).result_type() &&
          is_padded_behind(m_[u].user, depth - 1))
        return true;
    }
    return false;
  }

  /// An image with zeros around its places, from dimension `first` on: all begins, then all ends.
  value_id padded(value_id image, const std::vector<i64>& pads, i64 first) {
    if (std::all_of(pads.begin(), pads.end(), [](i64 p) { return p == 0; })) return image;
    op::pad pad;
    const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2);
    pad.before.assign(pads.begin(), middle), pad.after.assign(middle, pads.end());
    for (size_t d = 0; d < pads.size() / 2; ++d) pad.axes.push_back(static_cast<i64>(d) + first);
    return v_.builder.make(pad, {image});
  }

  /// Each phase of the outputs is a correlation (op::output_phase), whose taps must all read: where some would leave
  /// the image, zeros are put around it. That is another sum where a weight is infinite or NaN, or could be.
  void conv_transpose(op_id op, op::conv_transpose c) {
    const value_id x = m_.operand(op, 0), w = m_.operand(op, 1);
    if (c.layout != op::data_layout::channels_first || !v_.type(x).ranked || !v_.type(w).is_static()) return;
    const size_t rank = v_.type(x).shape.size(), spatial = rank - 2;
    const auto phases = op::output_phases(c, v_.type(w).shape);
    if (phases.empty()) return;
    std::vector<i64> pads(2 * spatial);
    for (size_t d = 0; d < spatial; ++d)
      for (const op::output_phase& p : phases[d])
        pads[d] = std::max(pads[d], p.before()), pads[spatial + d] = std::max(pads[spatial + d], p.after());
    constexpr i64 most = 16;  // wider borders would be most of the image, and of the time
    if (std::any_of(pads.begin(), pads.end(), [](i64 p) { return p > most; })) return;
    if (std::any_of(pads.begin(), pads.end(), [](i64 p) { return p != 0; })) {
      const tensor* known = m_.constant_value(w);
      if (known == nullptr || !op::all_finite(*known)) return;
    }
    const value_id known = with_channels(x, v_.type(w).shape[0], 1);
    const value_id image = padded(v_.transposed(known, channels_to_last(rank)), pads, 1);
    c.pads.resize(2 * spatial);
    for (size_t d = 0; d < 2 * spatial; ++d) c.pads[d] += pads[d] * (c.strides.empty() ? 1 : c.strides[d % spatial]);
    c.layout = op::data_layout::channels_last;
    permutation weight;
    for (size_t d = 2; d < rank; ++d) weight.push_back(static_cast<i64>(d));
    weight.push_back(0), weight.push_back(1);
    std::vector<value_id> operands{image, v_.transposed(w, weight)};
    if (m_.view(op).has_operand(2)) operands.push_back(m_.operand(op, 2));
    remake(op, c, operands, channels_to_first(rank));
  }

  bool is_pointwise(const op::conv& c, value_id w) const {
    const ir::type& t = v_.type(w);
    const auto all = [](const std::vector<i64>& v, i64 value) {
      return std::all_of(v.begin(), v.end(), [&](i64 x) { return x == value; });
    };
    if (!t.is_static() || c.group != 1 || !all(c.strides, 1) || !all(c.pads, 0)) return false;
    for (size_t d = 2; d < t.shape.size(); ++d)
      if (t.shape[d] != ir::dim(1)) return false;
    return true;
  }

  /// A convolution by a kernel of one tap is a matrix product of all pixels.
  void pointwise(op_id op, value_id image, value_id w, value_id bias) {
    const std::vector<i64> shape = v_.type(image).extents();
    const i64 channels = shape.back(), outputs = v_.type(w).shape[0].extent();
    i64 pixels = 1;
    for (size_t d = 0; d + 1 < shape.size(); ++d) pixels *= shape[d];
    const value_id rows = v_.reshaped(image, {pixels, channels});
    const value_id columns = v_.transposed(v_.reshaped(w, {outputs, channels}), {1, 0});
    value_id y = v_.builder.make(op::matmul{}, {rows, columns});
    if (bias) y = v_.builder.make(op::add{}, {y, bias});
    std::vector<i64> result = shape;
    result.back() = outputs;
    y = v_.reshaped(y, result);
    images_.insert(y.index);
    replace(op, v_.transposed(y, channels_to_first(shape.size())));
  }

  /// Neither is the image there with its channels last, nor does what follows read it so.
  bool stays_first(op_id op, value_id x) const {
    const ir::type& t = v_.type(x);
    if (!is_float(t.elem) || t.elem != v_.type(m_.operand(op, 1)).elem || (t.rank() > 3 && !t.is_static()))
      return false;
    if (m_.view(op).has_operand(2) && !v_.type(m_.operand(op, 2)).is_static()) return false;
    return !v_.moved_of(x) && !v_.is_free(x, channels_to_last(t.shape.size())) && !wants_channels_last(op);
  }
  /// Is a transpose below an op of use to one that depends on it?
  bool wants_channels_last(op_id op) const {
    std::vector<op_id> open{op};
    std::unordered_set<u32> seen;
    while (!open.empty()) {
      const value_id v = m_.result(open.back());
      open.pop_back();
      for (use_id u = m_[v].first_use; u; u = m_[u].next) {
        const op_id user = m_[u].user;
        const ir::op_view view = m_.view(user);
        const auto* c = view.get_if<op::conv>();
        if (view.is<op::transpose>() || (c != nullptr && !is_pointwise(*c, m_.operand(user, 1)))) return true;
        if (c == nullptr && !view.info().traits.elementwise && !passes_on(view)) continue;
        if (!seen.insert(user.index).second) continue;
        if (seen.size() > 256) return true;  // too far to look
        open.push_back(user);
      }
    }
    return false;
  }
  static bool passes_on(ir::op_view v) {
    return v.info().move_transpose != nullptr || v.is<op::concat>() || v.is<op::reshape>();
  }
  /// The same product with the weights on the left: [O, C] by [N, C, pixels].
  void pointwise_rows(op_id op, value_id x, value_id w, value_id bias) {
    const ir::type image = v_.type(x);
    const i64 outputs = v_.type(w).shape[0].extent(), channels = v_.type(w).shape[1].extent();
    if (image.rank() > 3) {
      const std::vector<i64> shape = image.extents();
      i64 pixels = 1;
      for (size_t d = 2; d < shape.size(); ++d) pixels *= shape[d];
      x = v_.reshaped(x, {shape[0], channels, pixels});
    }
    value_id y = v_.builder.make(op::matmul{}, {v_.reshaped(w, {outputs, channels}), x});
    if (bias) y = v_.builder.make(op::add{}, {y, v_.reshaped(bias, {outputs, 1})});
    if (image.rank() > 3) {
      std::vector<i64> shape = image.extents();
      shape[1] = outputs;
      y = v_.reshaped(y, shape);
    }
    replace(op, y);
  }

  // -- elementwise --

  /// The permutation by which most operands of the result's rank are transposed.
  std::optional<permutation> common_permutation(op_id op) const {
    const i64 rank = rank_of(m_.result(op));
    std::vector<std::pair<permutation, int>> seen;
    for (value_id v : m_.operands(op)) {
      if (!v || !v_.type(v).ranked || rank_of(v) != rank || v_.is_constant(v)) continue;
      const auto x = v_.moved_of(v);
      if (!x) continue;
      const auto known = std::find_if(seen.begin(), seen.end(), [&](const auto& s) { return s.first == x->p; });
      if (known == seen.end()) seen.emplace_back(x->p, 1);
      else ++known->second;
    }
    const auto best =
        std::max_element(seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best == seen.end()) return std::nullopt;
    return best->first;
  }
  /// An operand of lower rank as one of the result's rank, in front of which 1s are understood.
  bool has_rank(value_id v, i64 rank) const {
    return v_.type(v).ranked && (rank_of(v) == rank || v_.type(v).is_static());
  }
  /// `cost` transposes more above an op, `saved` less, and one below it. As many of both are worth it for images,
  /// because most that follows reads them with the channels last.
  static bool is_worth(const permutation& p, int cost, int saved) {
    const bool is_image = p == channels_to_first(p.size()) && p != channels_to_last(p.size());
    return cost == 0 || cost < saved || (cost == saved && is_image);
  }
  bool is_single(value_id v) const { return v_.type(v).is_static() && v_.type(v).count() == 1; }

  void elementwise(op_id op) {
    const value_id result = m_.result(op);
    if (!v_.type(result).ranked) return;
    const auto p = common_permutation(op);
    if (!p) return;
    const i64 rank = rank_of(result);
    const permutation back = inverse(*p);
    int saved = 0, cost = 0;
    for (value_id v : m_.operands(op)) {
      if (!v || !has_rank(v, rank)) return;
      if (rank_of(v) < rank) {
        const ir::type t = padded(v_.type(v), rank);
        if (!v_.is_constant(v) && !moves_only_ones(t, back)) return;
        continue;
      }
      const auto x = v_.moved_of(v);
      if (x && x->p == *p) ++saved;
      else if (!v_.is_free(v, back)) ++cost;
    }
    if (!is_worth(*p, cost, saved)) return;
    std::vector<value_id> operands;
    for (value_id v : m_.operands(op)) {
      if (rank_of(v) == rank) {
        operands.push_back(is_single(v) ? v : v_.transposed(v, back));
        continue;
      }
      if (is_single(v)) {
        operands.push_back(v);
        continue;
      }
      const value_id t = v_.transposed(v_.reshaped(v, padded(v_.type(v), rank).extents()), back);
      std::vector<i64> shape = v_.type(t).extents();
      while (shape.size() > 1 && shape.front() == 1) shape.erase(shape.begin());
      operands.push_back(v_.reshaped(t, shape));
    }
    const ir::op_node node = m_[op];
    value_id made = flat(node, operands);
    if (!made) made = m_.result(v_.builder.make_erased(*node.info, m_.attributes(node.attributes), operands));
    replace(op, v_.transposed(made, *p));
  }
  static ir::type padded(ir::type t, i64 rank) {
    t.shape.insert(t.shape.begin(), static_cast<size_t>(rank) - t.shape.size(), ir::dim(1));
    return t;
  }

  /// On rows of channels: where an image is a reshaped matrix product, elementwise ops follow it as matrices, so that
  /// they can be fused with it. None when the operands do not allow it.
  value_id flat(const ir::op_node& node, const std::vector<value_id>& operands) {
    std::vector<i64> shape;
    for (value_id v : operands)
      if (images_.contains(v.index)) shape = v_.type(v).extents();
    if (shape.size() < 3) return {};
    const i64 channels = shape.back();
    i64 pixels = 1;
    for (size_t d = 0; d + 1 < shape.size(); ++d) pixels *= shape[d];
    std::vector<value_id> rows;
    for (value_id v : operands) {
      const ir::type t = v_.type(v);
      if (!t.is_static()) return {};
      const std::vector<i64> e = t.extents();
      if (e == shape) rows.push_back(v_.reshaped(v, {pixels, channels}));
      else if (t.count() == 1) rows.push_back(t.rank() <= 2 ? v : v_.reshaped(v, {1}));
      else if (t.count() == channels && e.back() == channels) rows.push_back(v_.reshaped(v, {channels}));
      else return {};
    }
    const value_id made = m_.result(v_.builder.make_erased(*node.info, m_.attributes(node.attributes), rows));
    const value_id image = v_.reshaped(made, shape);
    images_.insert(image.index);
    return image;
  }

  // -- movement --

  void transpose(op_id op, const op::transpose&) {
    const value_id result = m_.result(op);
    const auto x = v_.moved_of(result);
    if (!x || (!v_.moved_of(x->source) && !moves_only_ones(v_.type(x->source), x->p))) return;
    replace(op, v_.transposed(x->source, x->p));
  }

  void concat(op_id op, const op::concat& c) {
    const auto p = common_permutation(op);
    if (!p) return;
    const permutation back = inverse(*p);
    const i64 rank = static_cast<i64>(p->size());
    int saved = 0, cost = 0;
    for (value_id v : m_.operands(op)) {
      if (!v || !v_.type(v).ranked || rank_of(v) != rank) return;
      const auto x = v_.moved_of(v);
      if (x && x->p == *p) ++saved;
      else if (!v_.is_free(v, back)) ++cost;
    }
    if (!is_worth(*p, cost, saved)) return;
    std::vector<value_id> operands;
    for (value_id v : m_.operands(op)) operands.push_back(v_.transposed(v, back));
    remake(op, op::concat{(*p)[static_cast<size_t>(c.axis < 0 ? c.axis + rank : c.axis)]}, operands, *p);
  }

  /// What the op says of itself (op.hpp): `move_transpose`.
  void move_by_itself(op_id op) {
    const ir::op_view view = m_.view(op);
    const ir::op_info& info = view.info();
    if (info.move_transpose == nullptr || view.operand_count() == 0 || !view.has_operand(0)) return;
    auto x = v_.moved_of(view.operand(0));
    if (!x) return;
    std::vector<value_id> operands = m_.operands(op);
    u32 given = 0;
    for (size_t i = 0; i < operands.size(); ++i)
      if (operands[i]) given |= u32{1} << std::min<size_t>(i, 31);
    while (!operands.back()) operands.pop_back();
    operands[0] = x->source;
    const std::unique_ptr<void, void (*)(void*)> moved(info.copy(m_.attributes(m_[op].attributes)), info.destroy);
    if (!info.move_transpose(moved.get(), x->p, given)) return;
    remake(op, info, moved.get(), operands, x->p);
  }

  /// A reshape that splits and merges whole dimensions: groups of operand dimensions become groups of result
  /// dimensions. Transposes that move groups as a whole pass below it. One that takes a group apart is cut in two: the
  /// part that brings the groups together stays above, if what passes below is then the way back from channels_last.
  void reshape(op_id op) {
    const value_id operand = m_.operand(op, 0), result = m_.result(op);
    const auto x = v_.moved_of(operand);
    if (!x || !v_.type(operand).is_static() || !v_.type(result).is_static()) return;
    const std::vector<i64> from = v_.type(operand).extents(), to = v_.type(result).extents();
    struct group {
      std::vector<i64> from, to;
      i64 place = 0;  ///< of its first dimension in the source
      size_t number = 0;
    };
    std::vector<group> groups;
    size_t i = 0, j = 0;
    while (i < from.size() || j < to.size()) {
      group g;
      i64 p = 1, q = 1;
      if (i < from.size()) p = from[i], g.from.push_back(static_cast<i64>(i++));
      if (j < to.size()) q = to[j], g.to.push_back(static_cast<i64>(j++));
      while (p != q) {
        if (p < q && i < from.size()) p *= from[i], g.from.push_back(static_cast<i64>(i++));
        else if (q < p && j < to.size()) q *= to[j], g.to.push_back(static_cast<i64>(j++));
        else return;
      }
      if (p == 0) return;
      g.place = g.from.empty() ? static_cast<i64>(from.size()) : x->p[static_cast<size_t>(g.from[0])];
      for (i64 d : g.from) g.place = std::min(g.place, x->p[static_cast<size_t>(d)]);
      g.number = groups.size();
      groups.push_back(std::move(g));
    }
    std::sort(groups.begin(), groups.end(), [](const group& a, const group& b) {
      return a.place != b.place ? a.place < b.place : a.number < b.number;
    });
    permutation above, order;
    std::vector<i64> shape;
    for (const group& g : groups) {
      for (i64 d : g.from) above.push_back(x->p[static_cast<size_t>(d)]);
      for (i64 d : g.to) order.push_back(d), shape.push_back(to[static_cast<size_t>(d)]);
    }
    const permutation below = inverse(order);
    const bool passes = moves_only_ones(v_.type(x->source), above);
    if (!passes && !(below.size() >= 3 && below == channels_to_first(below.size()))) return;
    const value_id made = v_.reshaped(v_.transposed(x->source, above), shape);
    replace(op, v_.transposed(made, below));
  }

  ir::module& m_;
  values v_;
  const kernel_options& program_;
  bool borders_in_kernels_ = false;  ///< where the convolution runs that is being converted
  std::unordered_set<u32> images_;   ///< reshaped matrix products, and what was computed from them
};

/// Erases what the walk left unused, from the end, so that what only it used goes too.
inline void erase_unused(ir::module& m, region_id r) {
  const std::vector<op_id> ops = m[r].ops;
  for (auto it = ops.rbegin(); it != ops.rend(); ++it) {
    for (u32 i = 0; i < m[*it].region_count; ++i) erase_unused(m, m.region(*it, static_cast<int>(i)));
    const ir::op_view v = m.view(*it);
    if ((v.is<op::transpose>() || v.is<op::reshape>()) && !m.has_uses(v.result())) m.erase(*it);
  }
}

}  // namespace layout

void convert_layout::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const auto program = cx.get<kernel_options>();
  layout::converter c(m, program);
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) { c.convert(op); });
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::graph)) continue;
    layout::erase_unused(m, m[f].body);
    const op_id end = m.terminator(m[f].body);
    if (!end || m[end].operand_count != m[f].result_types.size()) continue;
    for (size_t i = 0; i < m[f].result_types.size(); ++i)
      m[f].result_types[i] = m[m.operand(end, static_cast<int>(i))].type;
  }
}

}  // namespace tenon::passes
