/// @file kernel_builder.ipp: definitions of passes/kernel_builder.hpp.
#pragma once

#include <algorithm>

#include <tenon/ir/dims.hpp>
#include <tenon/ops/graph/block_product.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/moved_elements.hpp>
#include <tenon/ops/graph/movement_shapes.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>
#include <tenon/ops/graph/window_lowering.hpp>
#include <tenon/passes/kernel_builder.hpp>
#include <tenon/passes/loop_analysis.hpp>

namespace tenon {

std::string answer_to(kernel_question q, const ir::module& m, const kernel_group& g) {
  std::string s;
  if (q.kind == kernel_question::integers) {
    const auto list = op::symbolic_value(m, g.operands[q.input]);
    if (!list) return s;
    for (const auto& e : *list) s += (e ? e->text() : "?") + ',';
    return s + ';';
  }
  const tensor* c = m.constant_value(g.operands[q.input]);
  if (q.kind == kernel_question::finite) return c != nullptr && op::all_finite(*c) ? "finite" : s;
  if (c == nullptr) return s;
  s = c->describe() + ':';  // large ones are told apart by where they are
  if (c->bytes() <= 256) return s.append(static_cast<const char*>(c->data()), static_cast<size_t>(c->bytes()));
  // Of elements that nobody has read it is who will compute them.
  const bool waits = c->source() != nullptr;
  const void* const place = waits ? c->owner().get() : c->data();
  return s + (waits ? "of " : "at ") + std::to_string(reinterpret_cast<std::uintptr_t>(place));
}

inline void kernel_builder::ask(kernel_question::kind_t kind, size_t input) {
  const kernel_question q{kind, input};
  if (std::find(asked_.begin(), asked_.end(), q) == asked_.end()) asked_.push_back(q);
}

inline const tensor* kernel_builder::constant_of(value_id v) {
  const size_t n = input_number(v);
  if (n == group_.inputs.size()) return m_.constant_value(v);  // of the group itself
  ask(kernel_question::constant, n);
  return m_.constant_value(group_.operands[n]);
}

inline bool kernel_builder::is_finite_constant(value_id v) {
  const size_t n = input_number(v);
  if (n < group_.inputs.size()) ask(kernel_question::finite, n), v = group_.operands[n];
  const tensor* c = m_.constant_value(v);
  return c != nullptr && op::all_finite(*c);
}

inline std::optional<std::vector<std::optional<extent_expr>>> kernel_builder::integers_of(value_id v) {
  const size_t n = input_number(v);
  if (n == group_.inputs.size()) return op::symbolic_value(m_, v);
  ask(kernel_question::integers, n);
  return op::symbolic_value(m_, group_.operands[n]);
}

/// Sizes are computed at the kernel's start, each once.
index_expr kernel_builder::value(const extent_expr& e) {
  if (e.is_constant()) return e.constant();
  const std::string text = e.text();
  for (const auto& [known, v] : sizes_)
    if (known == text) return v;
  const loop::extent made{text};
  const type_id t[1] = {m_.intern(ir::type::scalar(dtype::index))};
  const op_id op = m_.make_op(ir::info_of<loop::extent>, m_.intern_attributes(ir::info_of<loop::extent>, &made), {}, t,
                              0, group_.location);
  m_.insert(m_[function_].body, sizes_.size(), op);
  sizes_.emplace_back(text, m_.result(op));
  return sizes_.back().second;
}

inline size_t kernel_builder::input_number(value_id v) const {
  for (size_t i = 0; i < group_.inputs.size(); ++i)
    if (group_.inputs[i] == v) return i;
  return group_.inputs.size();
}

/// Equal as far as a value of type `t` can tell: along an extent that is 1 at most every index is 0.
inline bool kernel_builder::same_index(const index_list& a, const index_list& b, const ir::type& t) const {
  const auto equal = [](const index_expr& x, const index_expr& y) {
    return x.constant() == y.constant() && std::equal(x.terms().begin(), x.terms().end(), y.terms().begin(),
                                                      y.terms().end(), [](const auto& p, const auto& q) {
                                                        return p.value == q.value && p.coefficient == q.coefficient;
                                                      });
  };
  const auto is_one = [&](ir::dim d) {
    return d == ir::dim(1) || (d.is_symbol() && ir::expression_of(m_, d).at_most(1));
  };
  if (a.size() != b.size()) return false;
  for (size_t d = 0; d < a.size(); ++d)
    if (!equal(a[d], b[d]) && !is_one(t.shape[d])) return false;
  return true;
}

kernel_builder::kernel_builder(ir::module& m, const kernel_group& group, int vector_bytes, const more_lowerings& more)
    : m_(m), group_(group), vector_bytes_(vector_bytes), more_(more), b_(m, region_id{}, group.location),
      read_elsewhere_(group.inputs.size(), false) {
  for (op_id op : group.ops) {
    const lowering_entry* e = find_lowering(m.view(op).info(), more);
    if (e != nullptr && e->element != nullptr) continue;
    if (e == nullptr || e->lower == nullptr)
      throw unsupported_error("legalize.no_native_form", std::string(m.view(op).name()) + " has no loop nests",
                              m.text(m[op].location),
                              "run the model on target 'interpreter', or declare lower() for the op");
    if (anchor_)
      throw error("legalize.two_anchors",
                  std::string(m.view(op).name()) + " is fused with another op that has loop nests of its own",
                  m.text(m[op].location));
    anchor_ = op;
  }
  if (!anchor_) anchor_ = with_both_forms();
}

/// The first op of both forms whose elements all results of the group follow from, each from the one at its own index.
inline op_id kernel_builder::with_both_forms() const {
  const auto stands_for_all = [&](op_id whole) {
    const std::vector<ir::dim>& shape = m_.view(whole).result_type().shape;
    std::vector<value_id> following = m_.results(whole);
    for (op_id op : group_.ops) {
      const ir::op_view v = m_.view(op);
      const std::vector<value_id> read = m_.operands(op);
      const auto follows = [&](value_id x) {
        return std::find(following.begin(), following.end(), x) != following.end();
      };
      if (op == whole || std::none_of(read.begin(), read.end(), follows)) continue;
      if (!v.info().traits.elementwise || v.result_type().shape != shape) return false;
      for (value_id r : m_.results(op)) following.push_back(r);
    }
    return std::all_of(group_.outputs.begin(), group_.outputs.end(),
                       [&](value_id o) { return m_.type_of(o).shape == shape; });
  };
  for (op_id op : group_.ops) {
    const lowering_entry* e = find_lowering(m_.view(op).info(), more_);
    if (e->lower != nullptr && m_.view(op).result_count() == 1 && stands_for_all(op)) return op;
  }
  return {};
}

const ir::type& kernel_builder::shape_of(value_id v) const {
  for (const auto& [value, type] : merged_)
    if (value == v) return type;
  return m_.type_of(v);
}

/// Merges dimensions d and d + 1 of all values when each either has both of the result's extents or broadcasts both.
void kernel_builder::merge_dimensions() {
  for (op_id op : group_.ops)
    if (!m_.view(op).info().traits.elementwise) return;
  const std::vector<ir::dim> shape = m_.type_of(group_.outputs[0]).shape;
  std::vector<value_id> all = group_.inputs;
  for (op_id op : group_.ops)
    for (value_id r : m_.results(op)) all.push_back(r);
  const size_t rank = shape.size();
  auto extent = [&](value_id v, size_t d) -> ir::dim {  // aligned at the right, as broadcasting does
    const auto& s = m_.type_of(v).shape;
    return d + s.size() < rank ? ir::dim(1) : s[d + s.size() - rank];
  };
  std::vector<bool> joined(rank, false);  // joined[d]: d belongs to the group of d - 1
  for (size_t d = 1; d < rank; ++d) {
    joined[d] = true;
    for (value_id v : all) {
      if (m_.type_of(v).shape.size() > rank) return;
      const ir::dim a = extent(v, d - 1), b = extent(v, d);
      const bool full = a == shape[d - 1] && b == shape[d], one = a == ir::dim(1) && b == ir::dim(1);
      if (!full && !one) joined[d] = false;
    }
  }
  // A value must be all full or all broadcast over a whole run, not only pairwise; extents of 1 make both true at once.
  for (value_id v : all)
    for (size_t d = 0; d < rank;) {
      size_t e = d + 1;
      bool full = extent(v, d) == shape[d], one = extent(v, d) == ir::dim(1);
      while (e < rank && joined[e]) {
        const bool f = full && extent(v, e) == shape[e], o = one && extent(v, e) == ir::dim(1);
        if (!f && !o) {
          joined[e] = false;
          break;
        }
        full = f, one = o, ++e;
      }
      d = e;
    }
  for (value_id v : all) {
    ir::type t = m_.type_of(v);
    t.shape.clear();
    for (size_t d = 0; d < rank; ++d) {
      if (joined[d])
        t.shape.back() = ir::dim_of(m_, ir::expression_of(m_, t.shape.back()) * ir::expression_of(m_, extent(v, d)));
      else t.shape.push_back(extent(v, d));
    }
    merged_.emplace_back(v, std::move(t));
  }
}

/// A product of [batch, rows, depth] by one matrix, whose batch or rows are symbols, is that of one tall matrix: blocks
/// of rows are full then, whatever the extents are. What follows it must be elementwise, along all leading dimensions
/// or none.
void kernel_builder::merge_rows() {
  const auto* product = m_.view(anchor_).get_if<op::matmul>();
  if (product == nullptr && !m_.view(anchor_).is<op::matmul_nbits>()) return;
  const value_id a = m_.operand(anchor_, 0), y = m_.result(anchor_);
  std::vector<value_id> of_matrix = m_.operands(anchor_);
  of_matrix.erase(of_matrix.begin());
  const auto is_of_matrix = [&](value_id v) {
    return v && std::find(of_matrix.begin(), of_matrix.end(), v) != of_matrix.end();
  };
  const std::vector<ir::dim> shape = m_.type_of(y).shape;
  const size_t rank = shape.size();
  if (rank < 3 || m_.type_of(a).shape.size() != rank || is_of_matrix(a)) return;
  if (product != nullptr && m_.type_of(of_matrix[0]).shape.size() != (product->panel > 0 ? 3u : 2u)) return;
  bool symbolic = false;
  for (size_t d = 0; d + 1 < rank; ++d) symbolic = symbolic || shape[d].is_symbol();
  if (!symbolic) return;
  for (op_id op : group_.ops)
    if (op != anchor_ && !m_.view(op).info().traits.elementwise) return;
  extent_expr rows = 1;
  for (size_t d = 0; d + 1 < rank; ++d) rows = rows * ir::expression_of(m_, shape[d]);
  const ir::dim tall = ir::dim_of(m_, rows);
  std::vector<value_id> all = group_.inputs;
  for (op_id op : group_.ops)
    for (value_id r : m_.results(op)) all.push_back(r);
  std::vector<std::pair<value_id, ir::type>> merged;
  for (value_id v : all) {
    if (is_of_matrix(v)) continue;
    ir::type t = m_.type_of(v);
    const size_t leading = t.shape.empty() ? 0 : t.shape.size() - 1;
    const bool full = t.shape.size() == rank && std::equal(shape.begin(), shape.end() - 1, t.shape.begin());
    bool one = true;
    for (size_t d = 0; d < leading; ++d) one = one && t.shape[d] == ir::dim(1);
    if ((!full && !one) || t.shape.size() > rank) return;
    if (!full && leading == 0) continue;
    t.shape = {full ? tall : ir::dim(1), t.shape.back()};
    merged.emplace_back(v, std::move(t));
  }
  for (op_id op : group_.ops)  // the matrix may be nothing else's operand
    for (value_id v : m_.operands(op))
      if (op != anchor_ && is_of_matrix(v)) return;
  merged_ = std::move(merged);
}

/// What an op of the group sees while it says its value at an index.
struct kernel_builder::node_context final : element_context {
  kernel_builder& k;
  op_id op;
  node_context(kernel_builder& builder, op_id o) : k(builder), op(o) {}
  ir::loop_builder& b() override { return k.b_; }
  int operand_count() const override { return k.m_.view(op).operand_count(); }
  bool has(int i) const override { return k.m_.view(op).has_operand(i); }
  const ir::type& operand_type(int i) const override { return k.shape_of(k.m_.operand(op, i)); }
  const ir::type& result_type(int i) const override { return k.shape_of(k.m_.result(op, i)); }
  value_id operand(int i, const index_list& at) override { return k.pull(k.m_.operand(op, i), at); }
  value_id operand_or(value_id fill, int i, const index_list& at) override {
    const value_id v = k.m_.operand(op, i);
    const size_t n = k.input_number(v);
    if (n < k.arguments_.size() && k.arguments_[n]) {
      k.read_elsewhere_[n] = true;
      return k.b_.load_or(fill, k.arguments_[n], at);
    }
    return guarded(fill, v, at);
  }
  const tensor* constant(int i) const override { return k.constant_of(k.m_.operand(op, i)); }
  bool is_finite_constant(int i) const override { return k.is_finite_constant(k.m_.operand(op, i)); }
  std::optional<std::vector<std::optional<extent_expr>>> integers(int i) const override {
    return k.integers_of(k.m_.operand(op, i));
  }
  extent_expr expression(ir::dim d) const override { return ir::expression_of(k.m_, d); }
  bool are_equal(ir::dim x, ir::dim y) const override {
    return x == y || k.m_.conditions.says_equal(expression(x), expression(y));
  }
  index_expr value(const extent_expr& e) override { return k.value(e); }

  /// A computed operand has no buffer to guard: ask whether the index is inside, and take what is computed only then.
  value_id guarded(value_id fill, value_id v, const index_list& at) {
    const index_list extents = this->extents(k.shape_of(v));
    value_id inside = k.b_.integer(dtype::boolean, 1);
    index_list clamped;
    for (size_t d = 0; d < at.size(); ++d) {
      inside = k.b_.apply(scalar_fn::bit_and, {inside, k.b_.less(-1, at[d])});
      inside = k.b_.apply(scalar_fn::bit_and, {inside, k.b_.less(at[d], extents[d])});
      clamped.push_back(k.b_.max(k.b_.min(at[d], extents[d] - 1), 0));
    }
    // It is computed in any case, and of an operand without elements there is nothing to read.
    const bool before = k.may_be_empty_;
    for (const index_expr& n : extents) k.may_be_empty_ = k.may_be_empty_ || !n.is_constant() || n.constant() == 0;
    const value_id computed = k.pull(v, clamped);
    k.may_be_empty_ = before;
    return k.b_.select(inside, computed, fill);
  }
};

/// What the anchor sees while it writes its nests.
struct kernel_builder::anchor_context final : lower_context {
  kernel_builder& k;
  node_context node;
  explicit anchor_context(kernel_builder& builder) : k(builder), node(builder, builder.anchor_) {}
  ir::loop_builder& b() override { return k.b_; }
  int operand_count() const override { return node.operand_count(); }
  bool has(int i) const override { return node.has(i); }
  const ir::type& operand_type(int i) const override { return node.operand_type(i); }
  const ir::type& result_type(int i) const override { return node.result_type(i); }
  value_id operand(int i, const index_list& at) override {
    const size_t n = k.input_number(k.m_.operand(k.anchor_, i));
    if (n < k.read_elsewhere_.size()) k.read_elsewhere_[n] = true;
    return node.operand(i, at);
  }
  value_id operand_or(value_id fill, int i, const index_list& at) override { return node.operand_or(fill, i, at); }
  const tensor* constant(int i) const override { return node.constant(i); }
  bool is_finite_constant(int i) const override { return node.is_finite_constant(i); }
  std::optional<std::vector<std::optional<extent_expr>>> integers(int i) const override { return node.integers(i); }
  extent_expr expression(ir::dim d) const override { return node.expression(d); }
  bool are_equal(ir::dim x, ir::dim y) const override { return node.are_equal(x, y); }
  index_expr value(const extent_expr& e) override { return k.value(e); }
  void store(value_id v, int result, const index_list& at) override {
    k.store_outputs(k.m_.result(k.anchor_, result), v, at);
  }
  /// A convolution that reads planes (fusion::reads_planes) gets the operand of the transpose; its shape tells.
  value_id buffer(int i) override {
    value_id v = k.m_.operand(k.anchor_, i);
    if (k.input_number(v) == k.group_.inputs.size() && k.m_.definition_info(v) == &ir::info_of<op::transpose>)
      v = k.m_.operand(k.m_[v].definition, 0);
    const size_t n = k.input_number(v);
    if (n == k.group_.inputs.size() || !k.arguments_[n])
      fail("operand " + std::to_string(i) + " has no buffer of its own");
    k.read_elsewhere_[n] = true;
    return k.arguments_[n];
  }
  value_id result_buffer(int i) override {
    const value_id r = k.m_.result(k.anchor_, i);
    for (size_t o = 0; o < k.group_.outputs.size(); ++o)
      if (k.group_.outputs[o] == r) return k.arguments_[k.group_.inputs.size() + o];
    // Not read by anyone: the nests still need a place to write.
    return scratch(k.m_.type_of(r).elem, k.m_.type_of(r).shape);
  }
  value_id scratch(dtype t, std::vector<ir::dim> shape) override {
    const type_id type = k.m_.intern(ir::type::buffer(t, std::move(shape)));
    return k.m_.add_argument(k.m_[k.function_].body, type);
  }
  i64 lanes(dtype t) const override { return k.vector_bytes_ / std::max(size_of(t), 1); }
  [[noreturn]] void fail(std::string message, std::string hint = {}) const override {
    throw error("legalize", std::string(k.m_.view(k.anchor_).name()) + ": " + message,
                k.m_.text(k.m_[k.anchor_].location), std::move(hint));
  }
};

value_id kernel_builder::read(size_t input, const index_list& at) {
  const tensor* c = constant_of(group_.inputs[input]);
  if (c != nullptr && c->size() == 1)
    return is_float(c->type()) ? b_.real(c->type(), c->at_f64(0)) : b_.integer(c->type(), c->at_i64(0));
  if (!same_index(at, store_at_, shape_of(group_.inputs[input]))) read_elsewhere_[input] = true;
  if (may_be_empty_) {
    const dtype t = b_.type_of(arguments_[input]);
    return b_.load_or(is_float(t) ? b_.real(t, 0) : b_.integer(t, 0), arguments_[input], at);
  }
  return b_.load(arguments_[input], at);
}

value_id kernel_builder::evaluate(op_id op, const index_list& at) {
  const lowering_entry* e = find_lowering(m_.view(op).info(), more_);
  if (e == nullptr || e->element == nullptr)
    throw error("legalize.order",
                std::string(m_.view(op).name()) + " is fused with an op that needs its elements one by one",
                m_.text(m_[op].location));
  node_context cx(*this, op);
  return e->element(m_.attributes(m_[op].attributes), cx, at);
}

value_id kernel_builder::pull(value_id v, const index_list& at) {
  if (const size_t n = input_number(v); n < group_.inputs.size()) return read(n, at);
  const op_id d = m_[v].definition;
  if (d == anchor_ && anchor_) {
    if (!anchor_value_ || !same_index(at, store_at_, shape_of(v)))
      throw error("legalize.order",
                  "a consumer of '" + std::string(m_.view(anchor_).name()) +
                      "' reads another element than the one just computed",
                  m_.text(m_[d].location));
    return anchor_value_;
  }
  if (const tensor* c = constant_of(v); c != nullptr && c->size() == 1)
    return is_float(c->type()) ? b_.real(c->type(), c->at_f64(0)) : b_.integer(c->type(), c->at_i64(0));
  for (const memo& x : memo_)
    if (x.of == v && x.region == b_.region() && same_index(x.at, at, shape_of(v))) return x.result;
  const value_id r = evaluate(d, at);
  memo_.push_back({v, at, b_.region(), r});
  return r;
}

std::optional<zero_border> zero_border_of(const ir::module& m, op_id op) {
  const ir::op_view v = m.view(op);
  const auto* pad = v.get_if<op::pad>();
  if (pad == nullptr || pad->mode != op::pad_mode::constant || pad->value != 0 || pad->before.empty() ||
      pad->before.size() != pad->after.size() || !ir::is_known(v.operand_type(0)) || !ir::is_known(v.result_type()))
    return std::nullopt;
  for (int i = 1; i < v.operand_count(); ++i)
    if (v.has_operand(i)) return std::nullopt;
  const i64 rank = v.operand_type(0).rank();
  if (pad->axes.size() != (pad->axes.empty() ? 0 : pad->before.size())) return std::nullopt;
  zero_border r{std::vector<i64>(static_cast<size_t>(rank), 0), std::vector<i64>(static_cast<size_t>(rank), 0)};
  for (size_t i = 0; i < pad->before.size(); ++i) {
    i64 axis = pad->axes.empty() ? static_cast<i64>(i) : pad->axes[i];
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank || pad->before[i] < 0 || pad->after[i] < 0) return std::nullopt;
    r.before[static_cast<size_t>(axis)] = pad->before[i], r.after[static_cast<size_t>(axis)] = pad->after[i];
  }
  return r;
}

/// Each dimension's borders between those of the dimensions before it.
void kernel_builder::fill_borders() {
  for (size_t o = 0; o < group_.outputs.size(); ++o) {
    const op_id pad = m_[group_.outputs[o]].definition;
    const auto border = zero_border_of(m_, pad);
    if (!border) continue;
    index_list extents;
    for (ir::dim d : m_.type_of(m_.operand(pad, 0)).shape) extents.push_back(value(ir::expression_of(m_, d)));
    const value_id to = arguments_[group_.inputs.size() + o];
    const dtype t = b_.type_of(to);
    for (size_t d = 0; d < extents.size(); ++d)
      for (const auto& [first, count] :
           {std::pair{index_expr(0), border->before[d]}, std::pair{extents[d] + border->before[d], border->after[d]}}) {
        if (count == 0) continue;
        index_list nest;
        for (size_t e = 0; e < extents.size(); ++e)
          nest.push_back(e < d    ? extents[e]
                         : e == d ? index_expr(count)
                                  : extents[e] + border->before[e] + border->after[e]);
        b_.nest(nest, [&](index_list at) {
          for (size_t e = 0; e < d; ++e) at[e] = at[e] + border->before[e];
          at[d] = at[d] + first;
          b_.store(b_.real(t, 0), to, at);
        });
      }
  }
}

void kernel_builder::store_outputs(value_id anchor_result, value_id v, const index_list& at) {
  anchor_value_ = v;
  store_at_ = at;
  for (size_t o = 0; o < group_.outputs.size(); ++o) {
    const value_id out = group_.outputs[o];
    if (out == anchor_result) {
      b_.store(v, arguments_[group_.inputs.size() + o], at);
    } else if (const auto border = zero_border_of(m_, m_[out].definition)) {
      index_list shifted = at;
      for (size_t d = 0; d < at.size(); ++d) shifted[d] = at[d] + border->before[d];
      b_.store(pull(m_.operand(m_[out].definition, 0), at), arguments_[group_.inputs.size() + o], shifted);
    } else if (m_[out].definition != anchor_) {
      b_.store(pull(out, at), arguments_[group_.inputs.size() + o], at);
    }
  }
  anchor_value_ = {};
  store_at_.clear();
}

namespace detail {
/// The last dimension that moves in memory, or the first one.
inline size_t last_long(const std::vector<ir::dim>& shape) {
  size_t d = shape.size();
  while (d > 1 && shape[d - 1] == ir::dim(1)) --d;
  return d - 1;
}
/// Do a few planes become pixels? Code stores those of a plane, each a few elements apart, at once.
inline bool is_interleaved(const ir::type& result) {
  const ir::dim planes = result.shape.back();
  return size_of(result.elem) <= 4 && planes.is_static() && planes.extent() >= 2 && planes.extent() <= 4;
}
}  // namespace detail

/// The dimension of the result whose neighbours are neighbours in the operand of a transpose of the group, when that is
/// not the last one.
std::optional<size_t> kernel_builder::transposed_dimension() const {
  constexpr i64 least_bytes = i64{4} << 10, least_extent = 8;
  const ir::type& result = shape_of(group_.outputs[0]);
  const size_t rank = result.shape.size();
  if (rank < 2) return std::nullopt;
  const size_t last = detail::last_long(result.shape);
  const auto size = [](ir::dim d) {
    return d.is_static() ? d.extent() : static_cast<i64>(passes::detail::expected_extent);
  };
  double bytes = size_of(result.elem);
  for (ir::dim d : result.shape) bytes *= static_cast<double>(size(d));
  if (bytes < least_bytes) return std::nullopt;
  for (op_id op : group_.ops) {
    const auto* t = m_.view(op).get_if<op::transpose>();
    if (t == nullptr || m_.view(op).result_type().shape.size() != rank) continue;
    const std::vector<i64> from = op::movement_detail::full_permutation(*t, rank);
    size_t across = 0;
    for (size_t d = 0; d < rank; ++d)
      if (result.shape[d] != ir::dim(1) && (result.shape[across] == ir::dim(1) || from[d] > from[across])) across = d;
    if (across != last && size(result.shape[across]) >= least_extent &&
        (size(result.shape[last]) >= least_extent || (last + 1 == rank && detail::is_interleaved(result))))
      return across;
  }
  return std::nullopt;
}

/// One nest over the result. Around a transpose it goes in blocks of a cache line along `transposed_dimension`, so that
/// each line that is read is read once, or along that dimension where pixels are made.
void kernel_builder::build_nest() {
  constexpr i64 line = 16, columns = 32;
  index_list extents;
  const std::vector<ir::dim> shape = shape_of(group_.outputs[0]).shape;
  for (ir::dim d : shape) extents.push_back(value(ir::expression_of(m_, d)));
  const auto store = [&](const index_list& at) {
    store_at_ = at;
    for (size_t o = 0; o < group_.outputs.size(); ++o)
      b_.store(pull(group_.outputs[o], at), arguments_[group_.inputs.size() + o], at);
  };
  const std::optional<size_t> across = transposed_dimension();
  if (!across) return b_.nest(extents, store);
  const auto moved = static_cast<std::ptrdiff_t>(*across);
  if (detail::is_interleaved(shape_of(group_.outputs[0]))) {
    std::rotate(extents.begin() + moved, extents.begin() + moved + 1, extents.end());
    return b_.nest(extents, [&](index_list place) {
      std::rotate(place.begin() + moved, place.end() - 1, place.end());
      store(place);
    });
  }
  const size_t last = detail::last_long(shape);
  index_list at(extents.size(), index_expr(0));
  index_expr rows;
  const auto inside = [&](const index_expr&, const index_expr& first, const index_expr& count) {
    b_.nest(index_list{rows, count}, [&](const index_list& i) {
      index_list place = at;
      place[*across] = place[*across] + i[0], place[last] = first + i[1];
      store(place);
    });
  };
  const auto go = [&](const auto& self, size_t d) -> void {
    if (d == last) return op::detail::for_blocks(b_, extents[d], columns, inside);
    if (d != *across)
      return b_.for_(0, extents[d], [&](const index_expr& i) {
        at[d] = i;
        self(self, d + 1);
      });
    op::detail::for_blocks(b_, extents[d], line,
                           [&](const index_expr&, const index_expr& first, const index_expr& count) {
                             at[d] = first, rows = count;
                             self(self, d + 1);
                           });
  };
  go(go, 0);
}

made_kernel kernel_builder::build(std::string_view name) {
  if (!anchor_) merge_dimensions();
  else merge_rows();
  std::vector<type_id> types;
  auto buffer_type = [&](value_id v) {
    const ir::type t = shape_of(v);
    return m_.intern(ir::type::buffer(t.elem, t.shape));
  };
  for (value_id v : group_.inputs) types.push_back(buffer_type(v));
  for (value_id v : group_.outputs) types.push_back(buffer_type(v));
  function_ = m_.add_function(name, ir::function_kind::kernel, types);
  arguments_ = m_[m_[function_].body].arguments;
  b_.to_end(m_[function_].body);
  if (anchor_) {
    fill_borders();
    anchor_context cx(*this);
    find_lowering(m_.view(anchor_).info(), more_)->lower(m_.attributes(m_[anchor_].attributes), cx);
  } else {
    build_nest();
  }
  b_.to_end(m_[function_].body);
  b_.make_op(op::return_{}, {}, {});

  made_kernel r{function_, {}, {}, std::move(asked_)};
  const ir::type& out = m_.type_of(group_.outputs[0]);
  const bool shifted = anchor_ && zero_border_of(m_, m_[group_.outputs[0]].definition).has_value();
  for (size_t i = 0; i < group_.inputs.size(); ++i) {
    const ir::type& t = m_.type_of(group_.inputs[i]);
    if (!read_elsewhere_[i] && t.elem == out.elem && t.shape == out.shape && group_.outputs.size() == 1 && !shifted)
      r.in_place.push_back(static_cast<i64>(i));
  }
  drop_unread(r);
  return r;
}

/// Operands that only said a shape are no arguments.
void kernel_builder::drop_unread(made_kernel& made) {
  std::vector<value_id>& arguments = m_[m_[function_].body].arguments;
  std::vector<i64> in_place;
  size_t kept = 0;
  for (size_t i = 0; i < group_.inputs.size(); ++i) {
    if (!m_.has_uses(arguments[kept])) {
      m_.erase_argument(m_[function_].body, kept);
      continue;
    }
    for (i64 p : made.in_place)
      if (p == static_cast<i64>(i)) in_place.push_back(static_cast<i64>(kept));
    made.reads.push_back(i);
    ++kept;
  }
  made.in_place = std::move(in_place);
}

}  // namespace tenon
