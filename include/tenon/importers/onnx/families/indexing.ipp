/// @file indexing: ONNX operators with indices as operands or results: gather, scatter, top-k, one-hot, unique.
#pragma once

#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

inline void gather(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const i64 axis = cx.i("axis", 0);
  cx.out(cx.gather(x, cx.in(1), cx.has_rank(x) ? cx.axis(axis, cx.rank(x)) : axis));
}
inline void gather_elements(import_context& cx, const node&) {
  cx.out(cx.make(op::gather_elements{.axis = cx.i("axis", 0)}, {cx.in(0), cx.in(1)}));
}
inline void gather_nd(import_context& cx, const node&) {
  cx.out(cx.make(op::gather_nd{.batch_dims = cx.i("batch_dims", 0)}, {cx.in(0), cx.in(1)}));
}

inline op::scatter_reduction reduction_of(import_context& cx) {
  const std::string name = cx.s("reduction", "none");
  for (size_t k = 0; k < op::scatter_reduction_names.size(); ++k)
    if (op::scatter_reduction_names[k] == name) return static_cast<op::scatter_reduction>(k);
  cx.bad("reduction is '" + name + "'");
}
inline void scatter_elements(import_context& cx, const node&) {
  cx.out(cx.make(op::scatter_elements{.axis = cx.i("axis", 0), .reduction = reduction_of(cx)},
                 {cx.in(0), cx.in(1), cx.in(2)}));
}
inline void scatter_nd(import_context& cx, const node&) {
  cx.out(cx.make(op::scatter_nd{.reduction = reduction_of(cx)}, {cx.in(0), cx.in(1), cx.in(2)}));
}

/// k was an attribute before operator set 10.
inline void top_k(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  op::top_k t{.axis = cx.i("axis", -1), .largest = cx.i("largest", 1) != 0, .sorted = cx.i("sorted", 1) != 0};
  import_context::values operands{x};
  if (cx.opset() < 10) t.k = cx.i("k");
  else
    operands.push_back(cx.has_rank(cx.in(1)) && cx.rank(cx.in(1)) > 0 ? cx.reshape(cx.in_whole(1), {})
                                                                      : cx.in_whole(1));
  const import_context::values both = cx.make_all(t, operands);
  cx.out(0, both[0]);
  cx.out(1, both[1]);
}

/// Indices and depth may be of any numeric type; a fraction of an index is cut off.
inline void one_hot(import_context& cx, const node&) {
  value_id indices = cx.in(0), depth = cx.in(1);
  if (is_float(cx.elem(indices))) indices = cx.cast(indices, dtype::i64);
  depth = cx.cast(depth, dtype::i64);
  if (cx.has_rank(depth) && cx.rank(depth) > 0) depth = cx.reshape(depth, {});
  cx.out(cx.make(op::one_hot{.axis = cx.i("axis", -1)}, {indices, depth, cx.in(2)}));
}

inline void non_zero(import_context& cx, const node&) { cx.out(cx.make(op::non_zero{}, {cx.in(0)})); }

inline void compress(import_context& cx, const node&) {
  cx.out(cx.make(op::compress{.axis = cx.i("axis", 0), .flatten = !cx.has_attribute("axis")}, {cx.in(0), cx.in(1)}));
}

inline void unique(import_context& cx, const node&) {
  const import_context::values all = cx.make_all(
      op::unique{.axis = cx.i("axis", 0), .flatten = !cx.has_attribute("axis"), .sorted = cx.i("sorted", 1) != 0},
      {cx.in(0)});
  for (int k = 0; k < 4; ++k) cx.out(k, all[static_cast<size_t>(k)]);
}

/// Boxes and scores; the three limits are optional scalars.
inline void non_max_suppression(import_context& cx, const node&) {
  import_context::values operands = cx.ins();
  for (size_t k = 2; k < operands.size(); ++k)
    if (operands[k] && cx.has_rank(operands[k]) && cx.rank(operands[k]) > 0) operands[k] = cx.reshape(operands[k], {});
  cx.out(cx.make(op::non_max_suppression{.center_size = cx.i("center_point_box", 0) != 0}, operands));
}

/// Element s of the update's sequence goes to write index + s of the cache's. Read from the result's side: the place p
/// of the cache gets s = p - write index where the update has it, and keeps what it had elsewhere.
inline void tensor_scatter(import_context& cx, const node&) {
  const value_id cache = cx.in(0), update = cx.in(1);
  const int rank = cx.rank(cache);
  const i64 axis = cx.axis(cx.i("axis", -2), rank);
  if (axis == 0 || cx.rank(update) != rank) cx.bad("the axis is the batch's, or cache and update do not fit");
  const std::string mode = cx.s("mode", "linear");
  if (mode != "linear" && mode != "circular") cx.bad("mode is '" + mode + "'");
  const ir::dim room = cx.dim(cache, static_cast<int>(axis)), given = cx.dim(update, static_cast<int>(axis));
  if (!cx.require_at_least(room, given)) cx.bad("the update is longer than the cache");
  const ir::dim batch = cx.dim(cache, 0);
  if (cx.has(2)) cx.require_shape(2, {batch.is_static() ? batch.extent() : -1});
  if (given == ir::dim(0)) return cx.out(cache);
  const auto extent = [&](value_id v) { return cx.squeeze(cx.slice(cx.shape_of(v), 0, axis, axis + 1), {0}); };
  const value_id most = extent(cache), count = extent(update), zero = cx.scalar(dtype::i64, 0),
                 one = cx.scalar(dtype::i64, 1);
  // Positions lie along the axis, write indices along the batch.
  std::vector<i64> others, behind;
  for (i64 d = 0; d < rank; ++d) {
    if (d != axis) others.push_back(d);
    if (d != 0) behind.push_back(d);
  }
  value_id from = cx.unsqueeze(cx.make(op::range{}, {zero, most, one}), others);
  if (cx.has(2)) {  // one for each of the batch, which a single one is not repeated for
    const value_id each = cx.make(op::reshape{.shape = {}, .allow_zero = true},
                                  {cx.cast(cx.in_whole(2), dtype::i64), cx.slice(cx.shape_of(cache), 0, 0, 1)});
    from = cx.sub(from, cx.unsqueeze(each, behind));
  }
  if (mode == "circular") from = cx.make(op::mod{}, {from, most});
  const value_id written =
      cx.make(op::logical_and{}, {cx.make(op::greater_equal{}, {from, zero}), cx.less(from, count)});
  const value_id inside = cx.minimum(cx.maximum(from, zero), cx.sub(count, one));
  const value_id moved = cx.make(op::gather_elements{.axis = axis}, {update, cx.expand(inside, cx.shape_of(cache))});
  cx.out(cx.where(written, moved, cache));
}

}  // namespace handlers

std::span<const registered_operator> families::indexing() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"Compress", compress, "", 9, 2, 1, "axis:i", "* b"},
      {"Gather", handlers::gather, "", 1, 2, 1, "axis:i", "* i"},
      {"GatherElements", gather_elements, "", 11, 2, 1, "axis:i", "* i"},
      {"GatherND", gather_nd, "", 11, 2, 1, "", "* i"},
      {"GatherND", gather_nd, "", 12, 2, 1, "batch_dims:i", "* i"},
      {"NonMaxSuppression", non_max_suppression, "", 10, {2, 5}, 1, "center_point_box:i", "f f i f"},
      {"NonZero", non_zero, "", 9, 1, 1, "", "*"},
      {"OneHot", one_hot, "", 9, 3, 1, "axis:i", "fi fi *"},
      {"Scatter", scatter_elements, "", 9, 3, 1, "axis:i", "* i *"},
      {"Scatter", nullptr, "", 11},
      {"ScatterElements", scatter_elements, "", 11, 3, 1, "axis:i", "* i *"},
      {"ScatterElements", scatter_elements, "", 16, 3, 1, "axis:i reduction:s", "* i *"},
      {"ScatterND", scatter_nd, "", 11, 3, 1, "", "* i *"},
      {"ScatterND", scatter_nd, "", 16, 3, 1, "reduction:s", "* i *"},
      {"TensorScatter", tensor_scatter, "", 24, {2, 3}, 1, "axis:i mode:s", "* * i"},
      {"TopK", top_k, "", 1, 1, 2, "axis:i k:i!", "fi i"},
      {"TopK", top_k, "", 10, 2, 2, "axis:i", "fi i"},
      {"TopK", top_k, "", 11, 2, 2, "axis:i largest:i sorted:i", "fi i"},
      {"Unique", unique, "", 11, 1, {1, 4}, "axis:i sorted:i", "*"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
