/// @file parallelize.ipp: definition of passes/parallelize.hpp.
#pragma once

#include <algorithm>

#include <tenon/ir/builder.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/loop_analysis.hpp>
#include <tenon/passes/parallelize.hpp>

namespace tenon::passes {
namespace detail {

/// Rows of a chunk when their number is known only at run time: blocks of every size divide 48 or nearly. Of rows that
/// hold places of their own, as those of an image do, four.
constexpr i64 sized_chunk(bool innermost) { return innermost ? 48 : 4; }

/// The longest m dimension of a contraction. One whose extent is known only when the kernel runs is taken for the
/// longest, but the first of several, a batch, for one: it is split where the others are too short for `pieces`.
inline size_t split_dimension(const std::vector<i64>& m, i64 pieces) {
  const size_t first = m.size() > 1 && m[0] < 0 ? 1 : 0;
  size_t d = first;
  for (size_t i = first; i < m.size(); ++i)
    if (m[d] >= 0 && (m[i] < 0 || m[i] > m[d])) d = i;
  return first == 1 && m[d] >= 0 && m[d] < pieces ? 0 : d;
}

/// Splits one m dimension of a contraction into chunks that an independent loop runs over; the last chunk of one whose
/// extent is known only when the kernel runs may be shorter.
inline void split_contract(ir::module& m, op_id op, i64 pieces) {
  loop::contract c = m.view(op).as<loop::contract>();
  if (c.m.empty()) return;
  const size_t d = split_dimension(c.m, pieces);
  const bool sized = c.m[d] < 0;
  i64 chunk = sized ? sized_chunk(d + 1 == c.m.size()) : (c.m[d] + pieces - 1) / pieces;
  while (!sized && chunk < c.m[d] && c.m[d] % chunk != 0) ++chunk;
  if (!sized && chunk >= c.m[d]) return;

  const ir::type index = ir::type::scalar(dtype::index);
  ir::builder<parallelize::emits> b(m, m[op].parent);
  b.before(op);
  const type_id t[1] = {m.intern(index)};
  auto literal = [&](ir::builder<parallelize::emits>& to, i64 v) {
    return m.result(to.make_op(loop::literal{dtype::index, 0.0, v}, {}, t));
  };
  auto apply = [&](ir::builder<parallelize::emits>& to, loop::scalar_fn fn, value_id x, value_id y) {
    const value_id operands[2] = {x, y};
    return m.result(to.make_op(loop::scalar{fn}, operands, t));
  };
  const value_id extent = sized ? m.operand(op, static_cast<int>(1 - c.m[d])) : value_id{};
  const value_id count = sized ? apply(b, loop::scalar_fn::floor_div,
                                       apply(b, loop::scalar_fn::add, extent, literal(b, chunk - 1)), literal(b, chunk))
                               : literal(b, c.m[d] / chunk);
  const value_id bounds[2] = {literal(b, 0), count};
  loop::for_loop how;
  how.independent = true;
  const op_id loop = b.make_op(how, bounds, {}, 1);
  const value_id piece = m.add_argument(m.region(loop), m.intern(index));
  ir::builder<parallelize::emits> in(m, m.region(loop), m[op].location);

  // One more outer index, the piece: its column stands before the m columns; another one for the rows that are left.
  const size_t outer = static_cast<size_t>(m.view(op).operand_count()) - 2;
  for (auto* map : {&c.map_a, &c.map_b})
    for (auto& row : map->rows) {
      const auto at = row.begin() + 1 + static_cast<std::ptrdiff_t>(outer);
      const i64 step = row[1 + outer + d] * chunk;
      if (sized) row.insert(at, {step, 0});
      else row.insert(at, step);
    }
  std::vector<value_id> operands = m.operands(op);
  operands.push_back(piece);
  if (sized) {
    const value_id left =
        apply(in, loop::scalar_fn::sub, extent, apply(in, loop::scalar_fn::mul, piece, literal(in, chunk)));
    operands.push_back(apply(in, loop::scalar_fn::min, left, literal(in, chunk)));
    c.m[d] = -1 - static_cast<i64>(outer + 1);
  } else {
    c.m[d] = chunk;
  }
  const op_id made = in.make_op(c, operands, {}, 1);
  in.make_op(loop::yield{}, {}, {});

  const region_id from = m.region(op), to = m.region(made);
  const auto arguments = m[from].arguments;
  for (value_id a : arguments) m.replace_uses(a, m.add_argument(to, m[a].type));
  m[to].ops = std::move(m[from].ops);
  m[from].ops.clear();
  for (op_id o : m[to].ops) m[o].parent = to;
  // Inside, the index along d counts from the chunk's start.
  const value_id local = m[to].arguments[1 + d];
  ir::builder<parallelize::emits> body(m, to, m[op].location);
  body.before(m[to].ops.front());
  const value_id scaled[2] = {piece, literal(body, chunk)};
  const value_id start = m.result(body.make_op(loop::scalar{loop::scalar_fn::mul}, scaled, t));
  const value_id both[2] = {start, local};
  const op_id sum = body.make_op(loop::scalar{loop::scalar_fn::add}, both, t);
  m.replace_uses(local, m.result(sum));
  m.set_operand(sum, 1, local);
  m.erase(op);
}

/// Does a loop run on several threads already?
inline bool holds_parallel(const ir::module& m, region_id r) {
  bool found = false;
  ir::for_each_op(m, r, [&](op_id o) {
    const auto* l = m.view(o).get_if<loop::for_loop>();
    found = found || (l != nullptr && l->kind == loop::loop_kind::parallel);
  });
  return found;
}

class parallelizer {
 public:
  parallelizer(ir::module& m, double least, int threads) : m_(m), least_(least), threads_(threads) {}

  void region(region_id r) {
    const std::vector<op_id> ops = m_[r].ops;
    for (op_id op : ops) {
      const ir::op_view v = m_.view(op);
      if (v.is<loop::contract>()) contraction(op, r);
      else if (v.is<loop::for_loop>()) loop(op);
      else if (v.is<loop::branch>())
        for (int i = 0; i < 2; ++i) region(m_.region(op, i));
    }
  }

 private:
  void contraction(op_id op, region_id r) {
    split_contract(m_, op, 4 * threads_);
    for (op_id o : std::vector<op_id>(m_[r].ops))
      if (m_.view(o).is<loop::for_loop>() && m_.view(o).as<loop::for_loop>().kind == loop::loop_kind::serial &&
          holds_contract(o))
        mark(o);
  }
  bool holds_contract(op_id loop) const {
    for (op_id o : m_[m_.region(loop)].ops)
      if (m_.view(o).is<loop::contract>()) return true;
    return false;
  }
  void loop(op_id op) {
    const ir::op_view v = m_.view(op);
    const auto& l = v.as<loop::for_loop>();
    const i64 trips = trip_count(m_, op);
    if (l.kind == loop::loop_kind::vector) return vector_loop(op, trips);
    if (l.kind != loop::loop_kind::serial) return;
    const double expected = trips < 0 ? expected_value(m_, v.operand(1)) : static_cast<double>(trips);
    const double runs = std::max(expected, 1.0);
    const double total = work(m_, v.region()) * runs;
    // What is inside of a loop that must stay serial forks once an iteration: only where that is worth it each time.
    if (!l.independent && v.result_count() == 0 && total / runs >= 2 * least_) return region(v.region());
    if (!l.independent || v.result_count() != 0 || total < 2 * least_) return;
    if (trips >= 0 && trips < 2) return region(v.region());
    if (trips < 0 && !inside_sized_ && total / runs >= 4 * least_ && runs_inside(v.region())) return;
    const bool balanced = trips < 0 || trips >= 3 * threads_ || trips % threads_ == 0;
    if (const op_id panels = trips < 0 ? op_id{} : loop_over_panels(op);
        panels && !(balanced && shares_rows(op, panels)))
      return region(v.region());
    // Few heavy iterations with a contraction inside balance badly: cut the contraction instead.
    if (!balanced)
      for (op_id o : std::vector<op_id>(m_[v.region()].ops))
        if (m_.view(o).is<loop::contract>()) {
          contraction(o, v.region());
          return;
        }
    mark(op);
  }
  /// Of a loop over blocks of rows, the one inside over panels that a contraction multiplies them with, or none.
  op_id loop_over_panels(op_id rows) const {
    for (op_id o : m_[m_.region(rows)].ops) {
      const auto* l = m_.view(o).get_if<loop::for_loop>();
      if (l != nullptr && l->independent && trip_count(m_, o) > 0 && holds_contract(o)) return o;
    }
    return {};
  }
  /// Does each iteration of a loop outside, which has this index, have a right operand of its own?
  bool reads_other_weights(op_id contraction, value_id index) const {
    const ir::op_view v = m_.view(contraction);
    for (int i = 2; i < v.operand_count(); ++i)
      if (coefficient(m_, v.operand(i), index) != 0)
        for (const auto& row : v.as<loop::contract>().map_b.rows)
          if (row[static_cast<size_t>(i) - 1] != 0) return true;
    return false;
  }
  /// What another core has just written takes longer to read than what memory of its own holds, so threads share the
  /// larger one: blocks of rows, of the image that is read and of the result, or panels. Weights, which each thread
  /// would read, count twice: they may come from memory.
  bool shares_rows(op_id rows, op_id panels) const {
    for (op_id o : m_[m_.region(panels)].ops) {
      const auto* c = m_.view(o).get_if<loop::contract>();
      if (c == nullptr) continue;
      if (reads_other_weights(o, m_[m_.region(rows)].arguments[0])) return true;
      const ir::type a = m_.view(o).operand_type(0), b = m_.view(o).operand_type(1);
      if (c->n < 0 || !a.is_static() || !b.is_static()) return false;
      double made = static_cast<double>(c->n) * size_of(c->accumulate) * static_cast<double>(trip_count(m_, rows)) *
                    static_cast<double>(trip_count(m_, panels));
      for (i64 e : c->m) made *= static_cast<double>(e);
      return static_cast<double>(a.bytes()) + made > 2 * static_cast<double>(b.bytes());
    }
    return false;
  }
  /// A batch whose size is not known is often one. Where each of its images is worth several tasks, these are in the
  /// image. Is there any such loop?
  bool runs_inside(region_id r) {
    inside_sized_ = true;
    region(r);
    inside_sized_ = false;
    return holds_parallel(m_, r);
  }
  /// A vector loop that is alone runs in pieces: for p { for i = p * piece to min(n, (p + 1) * piece) }. Where the
  /// number of iterations is known only when the kernel runs, pieces have about the least work.
  void vector_loop(op_id op, i64 trips) {
    const ir::op_view v = m_.view(op);
    const value_id extent = v.operand(1);
    const bool sized = trips < 0;
    if (v.result_count() != 0 || literal_index(m_, v.operand(0)) != 0 || (sized && !is_sized(m_, extent))) return;
    const double each = work(m_, v.region()) / 8, total = each * static_cast<double>(trips);
    if (!sized && total < 2 * least_) return;
    const i64 pieces = std::min<i64>(static_cast<i64>(total / least_), 4 * threads_);
    const i64 elements =
        sized ? std::max<i64>(static_cast<i64>(least_ / std::max(each, 0.1)), 1) : (trips + pieces - 1) / pieces;
    const i64 piece = (elements + 63) / 64 * 64;  // whole vectors and cache lines
    ir::builder<parallelize::emits> b(m_, m_[op].parent);
    b.before(op);
    const type_id t[1] = {m_.intern(ir::type::scalar(dtype::index))};
    const auto literal = [&](ir::builder<parallelize::emits>& to, i64 x) {
      return m_.result(to.make_op(loop::literal{dtype::index, 0.0, x}, {}, t));
    };
    const auto apply = [&](ir::builder<parallelize::emits>& to, loop::scalar_fn fn, value_id x, value_id y) {
      const value_id operands[2] = {x, y};
      return m_.result(to.make_op(loop::scalar{fn}, operands, t));
    };
    const value_id rounded = sized ? apply(b, loop::scalar_fn::add, extent, literal(b, piece - 1)) : value_id{};
    const value_id bounds[2] = {literal(b, 0), sized ? apply(b, loop::scalar_fn::floor_div, rounded, literal(b, piece))
                                                     : literal(b, (trips + piece - 1) / piece)};
    loop::for_loop how;
    how.independent = true, how.kind = loop::loop_kind::parallel;
    const op_id outer = b.make_op(how, bounds, {}, 1);
    const region_id inside = m_.region(outer);
    const value_id p = m_.add_argument(inside, t[0]);
    ir::builder<parallelize::emits> in(m_, inside, m_[op].location);
    const value_id lo = apply(in, loop::scalar_fn::mul, p, literal(in, piece));
    const value_id end = apply(in, loop::scalar_fn::add, lo, literal(in, piece));
    const bool whole = !sized && trips % piece == 0;
    const value_id hi = whole ? end : apply(in, loop::scalar_fn::min, end, sized ? extent : literal(in, trips));
    auto& siblings = m_[m_[op].parent].ops;
    siblings.erase(std::find(siblings.begin(), siblings.end(), op));
    m_.append(inside, op);
    m_.set_operand(op, 0, lo);
    m_.set_operand(op, 1, hi);
    in.make_op(loop::yield{}, {}, {});
  }
  void mark(op_id op) {
    loop::for_loop l = m_.view(op).as<loop::for_loop>();
    const double once = std::max(work(m_, m_.region(op)), 1.0);
    l.kind = loop::loop_kind::parallel;
    l.grain = std::max<i64>(1, static_cast<i64>(least_ / once));
    m_.set_attributes(op, m_.intern_attributes(ir::info_of<loop::for_loop>, &l));
  }
  ir::module& m_;
  double least_;
  int threads_;
  bool inside_sized_ = false;
};

}  // namespace detail

void parallelize::run(ir_module<runs_in>& module, context& cx) const {
  const auto options = cx.get<kernel_options>();
  ir::module& m = module.body();
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::kernel)) continue;
    const int threads = options.of(m[f].target).threads;
    if (threads >= 2 && !detail::holds_parallel(m, m[f].body) &&
        detail::work(m, m[f].body) >= 2 * static_cast<double>(least_work))
      detail::parallelizer(m, static_cast<double>(least_work), threads).region(m[f].body);
  }
}

}  // namespace tenon::passes
