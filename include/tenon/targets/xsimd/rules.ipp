/// @file rules.ipp: definitions of targets/xsimd/rules.hpp.
#pragma once

#include <algorithm>

#include <tenon/ir/dims.hpp>
#include <tenon/judge/op_set.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/ops/graph/resize_plan.hpp>
#include <tenon/targets/xsimd/kernel_table.hpp>
#include <tenon/targets/xsimd/recurrent.hpp>
#include <tenon/targets/xsimd/rules.hpp>
#include <tenon/targets/xsimd/transposed_conv.hpp>

namespace tenon::xsimd_kernels {
namespace detail {

template <class... Ops>
bool one_of_ops(const ir::op_info& info, ops<Ops...>) {
  return ((&info == &ir::info_of<Ops>) || ...);
}
inline bool has_extents(const ir::type& t) { return t.is_tensor() && ir::is_known(t); }
inline bool is_f32(const ir::type& t) { return has_extents(t) && t.elem == dtype::f32; }
inline bool is_flag(const ir::type& t) { return has_extents(t) && t.elem == dtype::boolean; }
/// A symbol as an extent that says nothing in particular: neither 0 nor 1.
inline std::vector<i64> any_extents(const ir::type& t) {
  std::vector<i64> e;
  for (ir::dim d : t.shape) e.push_back(d.is_static() ? d.extent() : 2);
  return e;
}
inline bool all_f32(ir::op_view v) {
  for (int i = 0; i < v.operand_count(); ++i)
    if (v.has_operand(i) && !is_f32(v.operand_type(i))) return false;
  return v.result_count() == 1 && is_f32(v.result_type());
}
inline bool only_first(ir::op_view v) {
  for (int i = 1; i < v.operand_count(); ++i)
    if (v.has_operand(i)) return false;
  return v.has_operand(0);
}
/// What the shape helpers of ops ask of a context, where nothing but attributes counts.
struct attributes_only {
  bool has(int) const { return false; }
  const tensor* constant(int) const { return nullptr; }
  [[noreturn]] void fail(std::string why) const { throw error("external.no_kernel", why); }
};
/// Are at most two axes resized, and are these neighbours? What a run's extents decide is taken for resized.
inline bool sampled_axes_meet(const op::resize& r, ir::op_view v) {
  const ir::type& x = v.operand_type(0);
  const std::vector<i64> extents = any_extents(x);
  const auto request = op::movement_detail::resize_request_of(attributes_only{}, r, extents.size());
  if (!request) return false;
  std::vector<size_t> moved;
  const auto axes = op::movement_detail::resize_axes(attributes_only{}, r, *request, extents);
  for (size_t d = 0; d < axes.size(); ++d) {
    const bool open = !x.shape[d].is_static() && (request->size[d] >= 0 || request->scale[d] != 0);
    if (!axes[d].same || (open && request->scale[d] != 1)) moved.push_back(d);
  }
  return moved.size() < 2 || (moved.size() == 2 && moved[1] == moved[0] + 1);
}
/// Scalar functions by op.
struct scalar_op_entry {
  const ir::op_info* info;
  loop::scalar_fn fn;
};
template <class... Ops>
bool find_scalar(const ir::op_info& info, loop::scalar_fn& fn, ops<Ops...>) {
  static constexpr scalar_op_entry table[] = {{&ir::info_of<Ops>, Ops::fn}...};
  for (const scalar_op_entry& e : table)
    if (e.info == &info) return fn = e.fn, true;
  return false;
}
/// Convolutions: extents of the kernel and of channels are numbers, whatever those of the image are.
inline bool has_static_weight(ir::op_view v) { return v.operand_type(1).is_static(); }
/// Has one type as many elements as another, whatever its symbols stand for?
inline bool has_as_many(const ir::module& m, const ir::type& a, const ir::type& b) {
  if (a.is_static() && b.is_static()) return a.count() == b.count();
  return has_extents(a) && has_extents(b) && (a.shape == b.shape || ir::count_of(m, a) == ir::count_of(m, b));
}
/// Are all symbols within a part those of its arguments, or of its result?
inline bool says_its_extents(const ir::module& m, std::span<const op_id> ops) {
  std::vector<i64> said;
  const auto say = [&](value_id v) {
    for (ir::dim d : m.type_of(v).shape)
      if (d.is_symbol()) said.push_back(d.bits);
  };
  for (op_id op : ops)
    for (value_id v : m.operands(op))
      if (v && std::find(ops.begin(), ops.end(), m[v].definition) == ops.end()) say(v);
  say(m.result(ops.back()));
  return std::all_of(ops.begin(), ops.end(), [&](op_id op) {
    const ir::type& t = m.type_of(m.result(op));
    return std::all_of(t.shape.begin(), t.shape.end(), [&](ir::dim d) {
      return d.is_static() || std::find(said.begin(), said.end(), d.bits) != said.end();
    });
  });
}
}  // namespace detail

bool as_rows(const std::vector<i64>& shape, std::vector<i64> axes, i64& outer, i64& n, i64& inner) {
  const i64 rank = static_cast<i64>(shape.size());
  if (axes.empty())
    for (i64 d = 0; d < rank; ++d) axes.push_back(d);
  for (i64& a : axes) a = a < 0 ? a + rank : a;
  std::sort(axes.begin(), axes.end());
  outer = n = inner = 1;
  for (size_t i = 0; i + 1 < axes.size(); ++i)
    for (i64 d = axes[i] + 1; d < axes[i + 1]; ++d)
      if (shape[static_cast<size_t>(d)] != 1) return false;
  for (i64 d = 0; d < rank; ++d) {
    i64& e = axes.empty() || d < axes.front() ? outer : d > axes.back() ? inner : n;
    e *= shape[static_cast<size_t>(d)];
  }
  return true;
}

bool is_elementwise(ir::op_view v, loop::scalar_fn& fn) {
  using namespace detail;
  if (v.result_count() != 1) return false;
  if (v.is<op::where>()) {
    fn = loop::scalar_fn::select;
    return is_flag(v.operand_type(0)) && is_f32(v.operand_type(1)) && is_f32(v.operand_type(2)) &&
           is_f32(v.result_type());
  }
  if (v.is<op::cast>()) {
    fn = loop::scalar_fn::max;  // of the number and itself
    return (is_flag(v.operand_type(0)) || is_f32(v.operand_type(0))) && is_f32(v.result_type());
  }
  if (!find_scalar(v.info(), fn, unary_ops{}) && !find_scalar(v.info(), fn, binary_ops{})) return false;
  const bool flags = fn == loop::scalar_fn::bit_and || fn == loop::scalar_fn::bit_or || fn == loop::scalar_fn::bit_not;
  for (int i = 0; i < v.operand_count(); ++i)
    if (flags ? !is_flag(v.operand_type(i)) : !is_f32(v.operand_type(i))) return false;
  return flags || loop::gives_bool(fn) ? is_flag(v.result_type()) : is_f32(v.result_type());
}

std::string_view why_no_kernel(ir::op_view v) {
  using namespace detail;
  for (int i = 0; i < v.result_count(); ++i)
    if (!has_extents(v.result_type(i))) return "known extents";
  loop::scalar_fn fn;
  if (is_elementwise(v, fn)) return {};
  const auto numbers = [&](bool good, std::string_view what) -> std::string_view {
    return !all_f32(v) ? "f32 operands and result" : good ? std::string_view{} : what;
  };
  if (v.is<op::matmul>()) {
    const auto& a = v.as<op::matmul>();
    const ir::type &x = v.operand_type(0), &w = v.operand_type(1);
    return numbers(x.rank() >= 2 && (a.panel > 0 ? w.rank() == 3 : w.rank() >= 2), "matrices");
  }
  if (const auto* c = v.get_if<op::conv>()) {
    const bool padded = std::any_of(c->pads.begin(), c->pads.end(), [](i64 p) { return p != 0; });
    return numbers(has_static_weight(v) && c->layout == op::data_layout::channels_last && !padded,
                   "channels last, and padding as an op of its own");
  }
  if (v.is<op::winograd_conv>()) {
    const ir::type& x = v.operand_type(0);
    return numbers(has_static_weight(v) && x.rank() == 4 && x.shape[3].is_static(), "images of known channels");
  }
  if (const auto* c = v.get_if<op::conv_transpose>())
    return numbers(has_static_weight(v) && c->layout == op::data_layout::channels_last &&
                       reads_inside(*c, v.operand_type(1).shape),
                   "channels last, and padding as an op of its own");
  if (const auto* r = v.get_if<op::recurrence>()) {
    for (int i = 0; i < v.operand_count(); ++i) {
      if (!v.has_operand(i)) continue;
      const ir::type& t = v.operand_type(i);
      if (i == op::recurrence_detail::lengths ? !has_extents(t) || (t.elem != dtype::i64 && t.elem != dtype::i32)
                                              : !is_f32(t))
        return "f32 operands";
    }
    if (!v.operand_type(op::recurrence_detail::weight).is_static()) return "a weight of known extents";
    return has_gate_kernels(*r) ? std::string_view{} : "gates of sigmoid, tanh and relu";
  }
  if (const auto* p = v.get_if<op::max_pool>()) return numbers(!p->indices, "no indices");
  if (v.is<op::average_pool>()) return numbers(true, "");
  if (const auto* l = v.get_if<op::lrn>())
    return numbers(l->layout == op::data_layout::channels_last || v.result_type().rank() == 2, "channels last");
  if (v.is<op::determinant>() || v.is<op::inverse>()) return numbers(true, "");
  i64 outer, n, inner;
  const auto rows = [&](const std::vector<i64>& axes) -> std::string_view {
    return numbers(only_first(v) && as_rows(any_extents(v.operand_type(0)), axes, outer, n, inner) && n > 0,
                   "axes that are neighbours");
  };
  if (const auto* r = v.get_if<op::reduce_sum>()) return rows(r->axes);
  if (const auto* r = v.get_if<op::reduce_max>()) return rows(r->axes);
  if (const auto* r = v.get_if<op::reduce_min>()) return rows(r->axes);
  if (const auto* r = v.get_if<op::reduce_prod>()) return rows(r->axes);
  const auto position = [&](i64 axis) -> std::string_view {
    if (!only_first(v) || !is_f32(v.operand_type(0))) return "f32";
    const bool along = as_rows(any_extents(v.operand_type(0)), {axis}, outer, n, inner) && n > 0 && inner == 1;
    return along && v.operand_type(0).rank() > 0 ? std::string_view{} : "the last axis";
  };
  if (const auto* r = v.get_if<op::arg_max>()) return position(r->axis);
  if (const auto* r = v.get_if<op::arg_min>()) return position(r->axis);
  if (const auto* r = v.get_if<op::softmax>()) return v.operand_type(0).rank() == 0 ? "a dimension" : rows({r->axis});
  if (const auto* r = v.get_if<op::log_softmax>())
    return v.operand_type(0).rank() == 0 ? "a dimension" : rows({r->axis});
  if (const auto* r = v.get_if<op::resize>()) {
    const bool plain = only_first(v) && sampled_axes_meet(*r, v) && r->mode != op::interpolation::cubic &&
                       !r->antialias && !r->exclude_outside &&
                       r->coordinates != op::coordinate_mode::tf_crop_and_resize &&
                       v.operand_type(0).rank() == v.result_type().rank();
    return numbers(plain, "nearest or linear sampling by known sizes");
  }
  if (const auto* g = v.get_if<op::gather>()) {
    const dtype t = v.operand_type(1).elem;
    if (g->panel > 0) return "a table in rows";
    return (t == dtype::i64 || t == dtype::i32) && has_extents(v.operand_type(0)) && has_extents(v.operand_type(1)) &&
                   v.operand_type(0).rank() > 0
               ? std::string_view{}
               : "indices of i32 or i64";
  }
  if (one_of_ops(v.info(), ops<op::reshape>{}))
    return has_extents(v.operand_type(0)) ? std::string_view{} : "known extents";
  if (v.is<op::expand>())  // its result's type says what it repeats, whoever gives the shape
    return has_extents(v.operand_type(0)) ? std::string_view{} : "known extents";
  if (one_of_ops(v.info(), ops<op::transpose, op::slice, op::pad>{})) {
    if (!has_extents(v.operand_type(0))) return "known extents";
    if (!only_first(v)) return "what shapes the result as attributes";
    return {};
  }
  if (v.is<op::concat>()) {
    for (int i = 0; i < v.operand_count(); ++i)
      if (!v.has_operand(i) || !has_extents(v.operand_type(i))) return "known extents";
    return {};
  }
  return "an op of its table";
}

bool is_product(ir::op_view v) { return v.is<op::matmul>() || v.is<op::conv>() || v.is<op::winograd_conv>(); }

passes::joint one_step(const ir::module& m, std::span<const op_id> ops) {
  using passes::joint;
  if (ops.empty()) return joint::no;
  const ir::op_view first = m.view(ops.front()), last = m.view(ops.back());
  const auto is_view = [](ir::op_view v) { return v.is<op::reshape>() || v.is<op::view>(); };
  loop::scalar_fn fn;
  if (is_view(first) || !has_kernel(first)) return joint::no;
  if (ops.size() == 1) return joint::yes;
  if (!is_product(first) && !is_elementwise(first, fn)) return joint::no;
  for (op_id op : ops.subspan(1)) {
    const ir::op_view v = m.view(op);
    if (!is_view(v) && !is_elementwise(v, fn)) return joint::no;
    if (!detail::has_as_many(m, v.result_type(), first.result_type())) return joint::no;
  }
  for (op_id op : ops.first(ops.size() - 1))
    for (use_id u = m[m.result(op)].first_use; u; u = m[u].next)
      if (std::find(ops.begin(), ops.end(), m[u].user) == ops.end()) return joint::unfinished;
  if (is_view(last) || (is_product(first) && last.result_type().elem != dtype::f32)) return joint::unfinished;
  return detail::says_its_extents(m, ops) ? joint::yes : joint::unfinished;
}

}  // namespace tenon::xsimd_kernels
