/// @file control: ONNX If, Loop and Scan.
///
/// What is known while importing costs nothing at run time: a known branch is written in place, a loop of few known
/// iterations is unrolled. Everything else becomes `if_else` and `repeat`; Scan is a `repeat` that gathers its inputs.
#pragma once

#include <algorithm>
#include <map>
#include <optional>

#include <tenon/importers/onnx/context.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>

namespace tenon::importers::onnx {
namespace handlers {

/// Nodes that unrolling may write; longer loops stay loops.
inline constexpr i64 most_unrolled = 4096;

/// 1: true, 0: false, -1: not known. What follows from extents may be known although these are not.
inline int known_condition(import_context& cx, value_id v) {
  if (const tensor* const t = cx.constant_of(v)) return t->size() == 1 ? t->at_i64(0) != 0 : -1;
  const auto list = op::symbolic_value(cx.mod(), v);
  return list && list->size() == 1 && list->front() && list->front()->is_constant() ? list->front()->constant() != 0
                                                                                    : -1;
}

/// A question about extents: the sign of a difference.
struct size_question {
  enum { zero, negative, positive } of = zero;
  extent_expr difference;
  bool negated = false;  ///< asked whether it is not so

  std::optional<bool> likely(const std::map<std::string, i64>& sizes) const {
    return condition(true).holds_with(sizes);
  }
  /// The answer where nothing is known of sizes: an extent is no number in particular.
  bool usual() const { return (of != zero || difference.names().size() != 1) != negated; }
  /// What holds of sizes where this is the answer.
  extent_condition condition(bool answer) const {
    const extent_condition yes = of == zero
                                     ? extent_condition{difference, extent_condition::is_zero}
                                     : extent_condition{(of == negative ? extent_expr(0) - difference : difference) - 1,
                                                        extent_condition::not_negative};
    return answer != negated ? yes : yes.opposite();
  }
};
inline std::optional<size_question> size_question_of(import_context& cx, value_id v) {
  const ir::module& m = cx.mod();
  size_question q;
  for (;;) {
    const op_id d = m[v].definition;
    if (!d) return std::nullopt;
    const ir::op_view o = m.view(d);
    const bool inverse = o.is<op::less_equal>() || o.is<op::greater_equal>();
    if (o.is<op::equal>() || o.is<op::less>() || o.is<op::greater>() || inverse) {
      const auto a = op::symbolic_value(m, o.operand(0)), b = op::symbolic_value(m, o.operand(1));
      if (!a || !b || a->size() != 1 || b->size() != 1 || !a->front() || !b->front()) return std::nullopt;
      q.difference = *a->front() - *b->front();
      q.of = o.is<op::equal>()                               ? size_question::zero
             : o.is<op::less>() || o.is<op::greater_equal>() ? size_question::negative
                                                             : size_question::positive;
      q.negated = q.negated != inverse;
      return q;
    }
    if (o.is<op::logical_not>()) q.negated = !q.negated;
    else if (!o.is<op::reshape>() && !(o.is<op::cast>() && m.type_of(o.operand(0)).elem == dtype::boolean))
      return std::nullopt;
    v = o.operand(0);
  }
}

/// Writes ops to a region instead, while it lives.
class inside {
 public:
  inside(import_context& cx, region_id r) : cx_(cx), outer_(cx.at()) {
    cx.at() = ir::inserter(cx.mod(), r, outer_.location());
  }
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;
  ~inside() { cx_.at() = outer_; }

 private:
  import_context& cx_;
  ir::inserter outer_;
};

inline void yield(import_context& cx, const import_context::values& v) {
  const op::yield end;
  cx.at().make_erased(ir::info_of<op::yield>, &end, v, {}, 0);
}

template <class Op>
op_id open_op(import_context& cx, const import_context::values& operands, size_t results, int regions) {
  const Op op;
  const std::vector<type_id> none(results, cx.mod().intern(ir::type{}));
  return cx.at().make_erased(ir::info_of<Op>, &op, operands, none, regions);
}

inline void clear(import_context& cx, region_id r) {
  while (!cx.mod()[r].ops.empty()) cx.mod().erase(cx.mod()[r].ops.back());
}

/// The branch of an `if_else` becomes an error; its results have the types of the other branch's.
inline void raise_instead(import_context& cx, op_id op, int branch, const std::string& problem,
                          const std::vector<i64>& sizes = {}) {
  ir::module& m = cx.mod();
  const region_id r = m.region(op, branch);
  clear(cx, r);
  std::vector<type_id> types;
  for (const value_id v : m.operands(m.terminator(m.region(op, 1 - branch)))) types.push_back(m[v].type);
  const inside here(cx, r);
  const op::raise end{problem, branch, sizes};
  yield(cx, m.results(cx.at().make_erased(ir::info_of<op::raise>, &end, {}, types, 0)));
}

inline void write_outputs(import_context& cx, const import_context::values& results) {
  if (results.size() < static_cast<size_t>(cx.output_count())) cx.bad("the graph has fewer outputs than the node");
  for (int k = 0; k < cx.output_count(); ++k) cx.out(k, results[static_cast<size_t>(k)]);
}

/// Writes one branch into its region; what is wrong with it where the shapes rule it out.
inline failure write_branch(import_context& cx, op_id op, int branch, const graph& g) {
  const region_id r = cx.mod().region(op, branch);
  const condition_list conditions = cx.mod().conditions, assumed = cx.answers().assumed;
  failure wrong = with_answers(
      cx.answers(), cx.answers().asked(),
      [&] {
        const inside here(cx, r);
        yield(cx, cx.inline_graph(g, {}));
      },
      [&] {
        clear(cx, r);
        cx.mod().conditions = conditions, cx.answers().assumed = assumed;
      });
  if (wrong && !wrong.as<rule_error>()) wrong.rethrow();
  return wrong;
}

/// " (by the value of 'mode')": the inputs that a condition is computed from.
inline std::string what_decides(import_context& cx, value_id condition) {
  std::string names;
  for (const ir::input_need& n : cx.needs_of({condition}))
    if (n.value) names += (names.empty() ? "'" : ", '") + n.name + "'";
  return names.empty() ? names : " (by the value of " + names + ")";
}

/// Both branches, of which one is taken when it runs.
inline op_id write_if(import_context& cx, value_id condition, const graph* const (&branches)[2]) {
  const op_id op = open_op<op::if_else>(cx, {condition}, branches[0]->outputs.size(), 2);
  const failure problems[2] = {write_branch(cx, op, 0, *branches[0]), write_branch(cx, op, 1, *branches[1])};
  const auto text = [&](int k) { return problems[k]->where() + ": " + problems[k]->message(); };
  const auto sizes_in = [&](int k) { return problems[k].as<rule_error>()->sizes(); };
  if (problems[0] && problems[1]) {
    cx.mod().erase(op);
    std::vector<i64> sizes = sizes_in(0);
    for (const i64 n : sizes_in(1)) sizes.push_back(n);
    cx.bad("the shapes allow neither branch; then_branch: " + text(0) + "; else_branch: " + text(1), std::move(sizes));
  }
  for (int k = 0; k < 2; ++k)
    if (problems[k])
      raise_instead(cx, op, k,
                    (k == 0 ? "then_branch is taken" : "else_branch is taken") + what_decides(cx, condition) +
                        ", which the shapes do not allow: " + text(k),
                    sizes_in(k));
  ir::refine_op(cx.mod(), op);
  return op;
}

/// One branch, for the sizes for which it is taken: the module asks for them. Where it cannot, in a loop or in another
/// branch, an error is raised in the other branch's place.
inline void assume_branch(import_context& cx, value_id condition, const size_question& q,
                          const graph* const (&branches)[2]) {
  bool yes = cx.answers().next(q.likely(cx.options().likely).value_or(q.usual()));
  bool is_asked = cx.assume(q.condition(yes));
  if (!is_asked && cx.is_outermost()) {  // other answers leave this one no sizes
    is_asked = cx.assume(q.condition(yes = !yes));
    if (!is_asked)
      cx.unknown("onnx.unknown_rank",
                 "the branches give values of different ranks, and which one is taken depends on sizes",
                 "give the shapes of the model's inputs when importing");
  }
  const graph& taken = *branches[yes ? 0 : 1];
  if (is_asked) return write_outputs(cx, cx.inline_graph(taken, {}));
  const op_id op = open_op<op::if_else>(cx, {condition}, taken.outputs.size(), 2);
  {
    const inside here(cx, cx.mod().region(op, yes ? 0 : 1));
    yield(cx, cx.inline_graph(taken, {}));
  }
  raise_instead(cx, op, yes ? 1 : 0,
                "a branch is taken that the sizes at hand when the model was compiled do not take");
  ir::refine_op(cx.mod(), op);
  write_outputs(cx, cx.mod().results(op));
}

inline void if_else(import_context& cx, const node& n) {
  const value_id condition = cx.in(0);
  if (const int known = known_condition(cx, condition); known >= 0)
    return write_outputs(cx, cx.inline_graph(cx.g(known ? "then_branch" : "else_branch"), {}));
  const graph* const branches[2] = {&cx.g("then_branch"), &cx.g("else_branch")};
  if (branches[0]->outputs.size() != branches[1]->outputs.size() || branches[0]->outputs.size() < n.outputs.size())
    cx.bad("the branches do not have the outputs of the node");
  const auto question = size_question_of(cx, condition);
  const condition_list conditions = cx.mod().conditions, assumed = cx.answers().assumed;
  const op_id op = write_if(cx, condition, branches);
  bool ranked = true;
  for (const value_id v : cx.mod().results(op)) ranked = ranked && (!cx.type_of(v).is_tensor() || cx.type_of(v).ranked);
  if (ranked || !question) return write_outputs(cx, cx.mod().results(op));
  // Nothing can follow that asks how many dimensions there are: of sizes it is the model's habit to have one answer.
  cx.mod().erase(op);
  cx.mod().conditions = conditions, cx.answers().assumed = assumed;
  assume_branch(cx, condition, *question, branches);
}

/// Writes a `repeat` whose region `body(i, carried)` writes: it returns the condition, the carried and the stacked
/// values. What a carried value's shape is follows from all that it is: the body is written again until that is so.
template <class Body>
import_context::values write_repeat(import_context& cx, value_id trips, value_id condition,
                                    const import_context::values& carried, size_t stacked, Body&& body) {
  ir::module& m = cx.mod();
  import_context::values operands{trips, condition};
  operands.insert(operands.end(), carried.begin(), carried.end());
  std::vector<type_id> types;
  for (const value_id v : carried) types.push_back(m[v].type);
  for (;;) {
    const op_id op = open_op<op::repeat>(cx, operands, carried.size() + stacked, 1);
    const region_id r = m.region(op);
    const value_id i = m.add_argument(r, m.intern(ir::type::tensor(dtype::i64, {})));
    const value_id goes_on = m.add_argument(r, m.intern(ir::type::tensor(dtype::boolean, {})));
    import_context::values arguments;
    for (const type_id t : types) arguments.push_back(m.add_argument(r, t));
    import_context::values out;
    {
      const inside here(cx, r);
      out = body(i, goes_on, arguments);
      if (out.size() != 1 + carried.size() + stacked) cx.bad("the loop's body does not fit its inputs");
      yield(cx, out);
    }
    bool same = true;
    for (size_t k = 0; k < types.size(); ++k) {
      const type_id t = m.intern(op::join(m, ir::type(m[types[k]]), ir::type(m.type_of(out[k + 1])), m[op].location));
      same = same && t == types[k];
      types[k] = t;
    }
    if (same) {
      ir::refine_op(m, op);
      return m.results(op);
    }
    m.erase(op);
  }
}

/// The values of one scan output, joined along an axis; an empty list has no known shape.
inline value_id stacked(import_context& cx, const import_context::values& items, i64 axis) {
  import_context::values parts;
  for (const value_id v : items) parts.push_back(cx.unsqueeze(v, {axis}));
  return cx.concat(parts, axis);
}

/// The loop's body: inputs iteration number, condition, carried values; outputs condition, carried, scanned values.
struct loop_parts {
  const graph& body;
  value_id trips, condition;
  import_context::values carried;
  size_t scans;
};

/// Unrolls when every condition is known and few nodes come of it; false leaves ops that nobody uses.
inline bool unrolled_loop(import_context& cx, const loop_parts& l) {
  const tensor* const known = l.trips ? cx.constant_of(l.trips) : nullptr;
  if (l.trips && (!known || known->size() != 1)) return false;
  const i64 each = std::max<i64>(static_cast<i64>(l.body.nodes.size()), 1), most = most_unrolled / each;
  const i64 trips = known ? known->at_i64(0) : most + 1;
  if (known && trips > most) return false;
  value_id condition = l.condition ? l.condition : cx.scalar(dtype::boolean, 1);
  import_context::values carried = l.carried;
  std::vector<import_context::values> scans(l.scans);
  for (i64 i = 0; i < trips; ++i) {
    const int go_on = known_condition(cx, condition);
    if (go_on == 0) break;
    if (go_on < 0 || i >= most) return false;
    import_context::values arguments{cx.constant(tensor::scalar<i64>(i)), condition};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    const import_context::values results = cx.inline_graph(l.body, arguments);
    condition = results[0];
    for (size_t k = 0; k < carried.size(); ++k) carried[k] = results[k + 1];
    for (size_t k = 0; k < scans.size(); ++k) scans[k].push_back(results[carried.size() + 1 + k]);
  }
  for (const auto& s : scans) {
    if (s.empty()) return false;  // the shape of no parts follows from the body
    for (const value_id v : s)
      if (!cx.has_rank(v) || cx.type_of(v) != cx.type_of(s.front())) return false;
  }
  for (size_t k = 0; k < carried.size(); ++k) cx.out(static_cast<int>(k), carried[k]);
  for (size_t k = 0; k < scans.size(); ++k)
    if (const int number = static_cast<int>(carried.size() + k); cx.wants(number))
      cx.out(number, stacked(cx, scans[k], 0));
  return true;
}

inline void loop(import_context& cx, const node& n) {
  const graph& body = cx.g("body");
  const size_t carried_count = n.inputs.size() > 2 ? n.inputs.size() - 2 : 0;
  if (body.inputs.size() != carried_count + 2 || body.outputs.size() < carried_count + 1)
    cx.bad("the loop's body does not fit its inputs");
  loop_parts l{body,
               cx.has(0) ? cx.in(0) : value_id{},
               cx.has(1) ? cx.in(1) : value_id{},
               {},
               body.outputs.size() - carried_count - 1};
  for (size_t k = 0; k < carried_count; ++k) l.carried.push_back(cx.in(static_cast<int>(k) + 2));
  if (unrolled_loop(cx, l)) return;
  const auto results = write_repeat(cx, l.trips, l.condition, l.carried, l.scans,
                                    [&](value_id i, value_id goes_on, const import_context::values& carried) {
                                      import_context::values arguments{i, goes_on};
                                      arguments.insert(arguments.end(), carried.begin(), carried.end());
                                      return cx.inline_graph(body, arguments);
                                    });
  for (int k = 0; k < cx.output_count(); ++k) {
    if (static_cast<size_t>(k) >= results.size()) cx.bad("the loop has fewer outputs than the node");
    cx.out(k, results[static_cast<size_t>(k)]);
  }
}

/// One number of a known or computed shape, as a scalar.
inline value_id extent_of(import_context& cx, value_id x, i64 axis) {
  return cx.gather(cx.shape_of(x), cx.scalar(dtype::i64, static_cast<double>(axis)), 0);
}

/// A scan: `length` iterations over the scanned inputs along their axes.
struct scan_parts {
  const graph& body;
  import_context::values states, scanned;
  std::vector<i64> axes, directions;  ///< of the scanned inputs
  std::vector<i64> output_axes, output_directions;
  value_id length;
};

inline import_context::values write_scan(import_context& cx, const scan_parts& s) {
  const size_t outputs = s.body.outputs.size() - s.states.size();
  const value_id last = cx.sub(s.length, cx.scalar(dtype::i64, 1));
  const auto number = [](const std::vector<i64>& list, size_t k) { return k < list.size() ? list[k] : i64{0}; };
  auto results = write_repeat(
      cx, s.length, {}, s.states, outputs, [&](value_id i, value_id goes_on, const import_context::values& states) {
        import_context::values arguments = states;
        for (size_t k = 0; k < s.scanned.size(); ++k) {
          const value_id at = number(s.directions, k) != 0 ? cx.sub(last, i) : i;
          arguments.push_back(cx.gather(s.scanned[k], at, cx.axis(number(s.axes, k), cx.rank(s.scanned[k]))));
        }
        import_context::values out = cx.inline_graph(s.body, arguments);
        out.insert(out.begin(), goes_on);
        return out;
      });
  for (size_t k = 0; k < outputs; ++k) {
    value_id& r = results[s.states.size() + k];
    if (number(s.output_directions, k) != 0) {
      const value_id down = cx.make(op::range{}, {last, cx.scalar(dtype::i64, -1), cx.scalar(dtype::i64, -1)});
      r = cx.gather(r, down, 0);
    }
    if (number(s.output_axes, k) == 0) continue;
    const i64 axis = cx.axis(number(s.output_axes, k), cx.rank(r));
    std::vector<i64> permutation;
    for (i64 d = 1; d < cx.rank(r); ++d) permutation.push_back(d);
    permutation.insert(permutation.begin() + axis, 0);
    r = cx.transpose(r, permutation);
  }
  return results;
}

/// The parts of a scan of known length, written one after the other when few nodes come of it.
inline bool unrolled_scan(import_context& cx, const scan_parts& s) {
  const tensor* const known = cx.constant_of(s.length);
  const i64 each = std::max<i64>(static_cast<i64>(s.body.nodes.size()), 1);
  if (!known || known->at_i64(0) == 0 || known->at_i64(0) > most_unrolled / each) return false;
  const i64 length = known->at_i64(0);
  const auto number = [](const std::vector<i64>& list, size_t k) { return k < list.size() ? list[k] : i64{0}; };
  import_context::values states = s.states;
  std::vector<import_context::values> parts(s.body.outputs.size() - states.size());
  for (i64 i = 0; i < length; ++i) {
    import_context::values arguments = states;
    for (size_t k = 0; k < s.scanned.size(); ++k) {
      const i64 axis = cx.axis(number(s.axes, k), cx.rank(s.scanned[k])),
                at = number(s.directions, k) != 0 ? length - 1 - i : i;
      arguments.push_back(cx.squeeze(cx.slice(s.scanned[k], axis, at, at + 1), {axis}));
    }
    const import_context::values results = cx.inline_graph(s.body, arguments);
    for (size_t k = 0; k < states.size(); ++k) states[k] = results[k];
    for (size_t k = 0; k < parts.size(); ++k) parts[k].push_back(results[states.size() + k]);
  }
  for (const auto& p : parts)
    for (const value_id v : p)
      if (!cx.has_rank(v) || cx.type_of(v) != cx.type_of(p.front())) return false;
  for (size_t k = 0; k < states.size(); ++k) cx.out(static_cast<int>(k), states[k]);
  for (size_t k = 0; k < parts.size(); ++k) {
    if (number(s.output_directions, k) != 0) std::reverse(parts[k].begin(), parts[k].end());
    if (const int to = static_cast<int>(states.size() + k); cx.wants(to))
      cx.out(to, stacked(cx, parts[k], cx.axis(number(s.output_axes, k), cx.rank(parts[k].front()) + 1)));
  }
  return true;
}

/// Operator set 8: everything has a batch in front, and each of the batch its own length.
inline void scan_of_batches(import_context& cx, const node& n) {
  const graph& body = cx.g("body");
  const i64 scanned = cx.i("num_scan_inputs"), given = static_cast<i64>(n.inputs.size());
  const i64 states = scanned < 1 || scanned > given ? -1 : given - 1 - scanned;
  if (states < 0 || static_cast<i64>(body.inputs.size()) != states + scanned ||
      static_cast<i64>(body.outputs.size()) < states)
    cx.bad("the scan's body does not fit its inputs");
  const auto in = [&](i64 k) { return cx.in(static_cast<int>(k) + 1); };
  const value_id longest = extent_of(cx, in(states), 1), batch = extent_of(cx, in(states), 0);
  const auto results = write_repeat(
      cx, batch, {}, {}, body.outputs.size(), [&](value_id b, value_id goes_on, const import_context::values&) {
        scan_parts s{body, {}, {}, {}, cx.integers("directions"), {}, {}, longest};
        if (cx.has(0)) s.length = cx.gather(cx.cast(cx.in(0), dtype::i64), b, 0);
        for (i64 k = 0; k < states; ++k) s.states.push_back(cx.gather(in(k), b, 0));
        for (i64 k = 0; k < scanned; ++k) s.scanned.push_back(cx.gather(in(states + k), b, 0));
        auto out = write_scan(cx, s);
        if (cx.has(0))  // shorter ones are filled up with zeros
          for (size_t k = static_cast<size_t>(states); k < out.size(); ++k) {
            import_context::values pads(static_cast<size_t>(2 * cx.rank(out[k])), cx.list({0}));
            pads[pads.size() / 2] = cx.unsqueeze(cx.sub(longest, s.length), {0});
            out[k] = cx.make(op::pad{}, {out[k], cx.concat(pads, 0)});
          }
        out.insert(out.begin(), goes_on);
        return out;
      });
  write_outputs(cx, results);
}

/// Since operator set 9: states, then scanned inputs; axes and directions are attributes.
inline void scan(import_context& cx, const node& n) {
  if (cx.opset() < 9) return scan_of_batches(cx, n);
  const graph& body = cx.g("body");
  const i64 scanned = cx.i("num_scan_inputs"), given = static_cast<i64>(n.inputs.size());
  const i64 states = scanned < 1 || scanned > given ? -1 : given - scanned;
  if (states < 0 || body.inputs.size() != n.inputs.size() || static_cast<i64>(body.outputs.size()) < states)
    cx.bad("the scan's body does not fit its inputs");
  scan_parts s{body,
               {},
               {},
               cx.integers("scan_input_axes"),
               cx.integers("scan_input_directions"),
               cx.integers("scan_output_axes"),
               cx.integers("scan_output_directions"),
               {}};
  for (i64 k = 0; k < states; ++k) s.states.push_back(cx.in(static_cast<int>(k)));
  ir::dim length = ir::dim::unknown();
  for (i64 k = 0; k < scanned; ++k) {
    const value_id x = cx.in(static_cast<int>(states + k));
    s.scanned.push_back(x);
    const i64 axis = cx.axis(static_cast<size_t>(k) < s.axes.size() ? s.axes[static_cast<size_t>(k)] : 0, cx.rank(x));
    const ir::dim e = cx.dim(x, static_cast<int>(axis));
    if (!cx.require_equal(length, e)) cx.bad("the scanned inputs have different lengths");
    if (length.is_unknown() || e.is_static()) length = e;
    if (k == 0) s.length = extent_of(cx, x, axis);
  }
  if (length.is_static()) s.length = cx.scalar(dtype::i64, static_cast<double>(length.extent()));
  if (unrolled_scan(cx, s)) return;
  const auto results = write_scan(cx, s);
  write_outputs(cx, results);
}

}  // namespace handlers

std::span<const registered_operator> families::control() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"If", if_else, "", 1, 1, {1, arity::any}, "else_branch:g! then_branch:g!", "b"},
      {"Loop", loop, "", 1, {3, arity::any}, {1, arity::any}, "body:g!", "i b *"},
      {"Loop", loop, "", 11, {2, arity::any}, {1, arity::any}, "body:g!", "i b *"},
      {"Scan", scan, "", 8, {2, arity::any}, {1, arity::any}, "body:g! directions:is num_scan_inputs:i!", "*"},
      {"Scan",
       scan,
       "",
       9,
       {1, arity::any},
       {1, arity::any},
       "body:g! num_scan_inputs:i! scan_input_axes:is scan_input_directions:is scan_output_axes:is "
       "scan_output_directions:is",
       "*"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
