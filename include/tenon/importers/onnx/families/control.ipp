/// @file control: ONNX If, Loop and Scan whose course is known while importing: branches are chosen, loops unrolled.
///
/// A condition counts as known when it folds to a constant, in a loop after each iteration anew.
#pragma once

#include <algorithm>
#include <unordered_set>

#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

inline constexpr i64 max_iterations = 4096;

/// 1: true, 0: false, -1: not known.
inline int known_condition(import_context& cx, value_id v) {
  const tensor* const t = cx.constant_of(v);
  return t && t->size() == 1 ? t->at_i64(0) != 0 : -1;
}

/// Does the value follow from arguments of integer and bool types alone? Those may be given as constants.
inline bool follows_from_integers(import_context& cx, value_id v) {
  std::vector<value_id> open{v};
  std::unordered_set<u32> seen;
  while (!open.empty()) {
    const value_id now = open.back();
    open.pop_back();
    if (!now || !seen.insert(now.index).second || cx.is_constant(now)) continue;
    const op_id definition = cx.mod()[now].definition;
    if (!definition) {
      if (is_float(cx.elem(now))) return false;
      continue;
    }
    const ir::op_view op = cx.mod().view(definition);
    // A shape does not depend on elements.
    if (op.is<op::shape_of>() || op.is<op::count_of>()) continue;
    for (int k = 0; k < op.operand_count(); ++k) open.push_back(op.operand(k));
  }
  return true;
}

/// A condition of inputs that may be given as constants asks for them: code "onnx.needs_constant".
[[noreturn]] inline void unknown_condition(import_context& cx, const std::string& what, value_id v) {
  if (follows_from_integers(cx, v))
    cx.fail("onnx.needs_constant", what + " with a condition that depends on integer inputs of the model",
            "give these inputs, or the shapes of the model's inputs, in the import options");
  cx.unsupported(what + " with a condition that is computed when the model runs");
}

inline void if_else(import_context& cx, const node& n) {
  const int condition = known_condition(cx, cx.in(0));
  if (condition < 0) unknown_condition(cx, "If", cx.in(0));
  const graph& taken = cx.g(condition ? "then_branch" : "else_branch");
  const import_context::values results = cx.inline_graph(taken, {});
  if (results.size() < n.outputs.size()) cx.bad("the branch has fewer outputs than the node");
  for (int k = 0; k < cx.output_count(); ++k) cx.out(k, results[static_cast<size_t>(k)]);
}

/// The values of one scan output, joined along an axis; an empty list has no known shape.
inline value_id stacked(import_context& cx, const import_context::values& items, i64 axis, bool backwards) {
  if (items.empty()) cx.unsupported("the scan output of a loop without iterations");
  import_context::values parts;
  for (const value_id v : items) parts.push_back(cx.unsqueeze(v, {axis}));
  if (backwards) std::reverse(parts.begin(), parts.end());
  return cx.concat(parts, axis);
}

/// The body's inputs: iteration number, condition, carried values; its outputs: condition, carried, scanned values.
inline void loop(import_context& cx, const node& n) {
  const graph& body = cx.g("body");
  const size_t carried_count = n.inputs.size() > 2 ? n.inputs.size() - 2 : 0;
  if (body.inputs.size() != carried_count + 2 || body.outputs.size() < carried_count + 1)
    cx.bad("the loop's body does not fit its inputs");
  std::vector<i64> trips{max_iterations + 1};
  if (cx.has(0)) trips = cx.in_integers(0);
  value_id condition = cx.has(1) ? cx.in(1) : cx.scalar(dtype::boolean, 1);
  import_context::values carried;
  for (size_t k = 0; k < carried_count; ++k) carried.push_back(cx.in(static_cast<int>(k) + 2));
  std::vector<import_context::values> scans(body.outputs.size() - carried_count - 1);
  for (i64 i = 0; i < trips.at(0); ++i) {
    const int go_on = known_condition(cx, condition);
    if (go_on < 0) unknown_condition(cx, "Loop", condition);
    if (go_on == 0) break;
    if (i == max_iterations) cx.unsupported("Loop with more than " + std::to_string(max_iterations) + " iterations");
    import_context::values arguments{cx.constant(tensor::scalar<i64>(i)), condition};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    const import_context::values results = cx.inline_graph(body, arguments);
    condition = results[0];
    for (size_t k = 0; k < carried_count; ++k) carried[k] = results[k + 1];
    for (size_t k = 0; k < scans.size(); ++k) scans[k].push_back(results[carried_count + 1 + k]);
  }
  for (size_t k = 0; k < carried_count; ++k) cx.out(static_cast<int>(k), carried[k]);
  for (size_t k = 0; k < scans.size(); ++k)
    if (const int number = static_cast<int>(carried_count + k); cx.wants(number))
      cx.out(number, stacked(cx, scans[k], 0, false));
}

/// Since operator set 9: states, then scanned inputs; axes and directions are attributes.
inline void scan(import_context& cx, const node& n) {
  if (cx.opset() < 9) cx.unsupported("Scan of operator set 8", "export the model for operator set 9 or newer");
  const graph& body = cx.g("body");
  const i64 scanned = cx.i("num_scan_inputs");
  const i64 states = static_cast<i64>(n.inputs.size()) - scanned;
  if (scanned < 1 || states < 0 || body.inputs.size() != n.inputs.size() ||
      static_cast<i64>(body.outputs.size()) < states)
    cx.bad("the scan's body does not fit its inputs");
  const auto setting = [&](const char* name, i64 k) {
    const std::vector<i64> list = cx.integers(name);
    return k < static_cast<i64>(list.size()) ? list[static_cast<size_t>(k)] : i64{0};
  };
  i64 length = -1;
  for (i64 k = 0; k < scanned; ++k) {
    const value_id x = cx.in(static_cast<int>(states + k));
    const ir::dim e = cx.dim(x, static_cast<int>(setting("scan_input_axes", k)));
    if (!e.is_static() || e.extent() > max_iterations) cx.unsupported("Scan of a length that is not known, or large");
    if (length >= 0 && e.extent() != length) cx.bad("the scanned inputs have different lengths");
    length = e.extent();
  }
  import_context::values carried;
  for (i64 k = 0; k < states; ++k) carried.push_back(cx.in(static_cast<int>(k)));
  std::vector<import_context::values> scans(body.outputs.size() - static_cast<size_t>(states));
  for (i64 i = 0; i < length; ++i) {
    import_context::values arguments = carried;
    for (i64 k = 0; k < scanned; ++k) {
      const value_id x = cx.in(static_cast<int>(states + k));
      const i64 axis = cx.axis(setting("scan_input_axes", k), cx.rank(x));
      const i64 at = setting("scan_input_directions", k) != 0 ? length - 1 - i : i;
      arguments.push_back(cx.squeeze(cx.slice(x, axis, at, at + 1), {axis}));
    }
    const import_context::values results = cx.inline_graph(body, arguments);
    for (size_t k = 0; k < carried.size(); ++k) carried[k] = results[k];
    for (size_t k = 0; k < scans.size(); ++k) scans[k].push_back(results[carried.size() + k]);
  }
  for (size_t k = 0; k < carried.size(); ++k) cx.out(static_cast<int>(k), carried[k]);
  for (size_t k = 0; k < scans.size(); ++k) {
    const int number = static_cast<int>(carried.size() + k);
    if (!cx.wants(number)) continue;
    const i64 axis = setting("scan_output_axes", static_cast<i64>(k));
    cx.out(number, stacked(cx, scans[k], axis, setting("scan_output_directions", static_cast<i64>(k)) != 0));
  }
}

}  // namespace handlers

TENON_INLINE std::span<const registered_operator> families::control() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"If", if_else},
      {"Loop", loop},
      {"Scan", scan},
  };
  return table;
}

}  // namespace tenon::importers::onnx
