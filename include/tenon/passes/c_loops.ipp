/// @file c_loops.ipp: loops and branches in C, and which loops compilers may gain by.
///
/// Before: an independent loop over channels, with a loop over a window of 3 in it that carries sums
/// After:  the former alone, with three blocks, one behind the other
/// since compilers vectorize a loop that holds no other (GCC 12 took scalar code for a depthwise convolution).
///
/// Before: a loop that adds floats to one sum
/// After:  a loop over blocks of 16, with a loop in it that adds to as many sums; then one over what is left
/// since compilers keep to the order of a sum, one addition behind the other.
#pragma once

#include <tenon/passes/emit_c.ipp>  // the class, which includes this at its end
#include <tenon/passes/loop_analysis.hpp>

namespace tenon::passes::c_code {

/// Assigns the values that a region ends with to variables; through others when one of them is read by a later one.
inline void emitter::assign(const strings& to, region_id r, const std::vector<value_id>& typed) {
  const auto from = m_.operands(m_.terminator(r));
  if (to.size() == 1) return line(to[0] + " = " + get(from[0]) + ";");
  const auto next = [&](size_t i) { return "n" + std::to_string(typed[i].index); };
  for (size_t i = 0; i < to.size(); ++i)
    line("const " + std::string(value_type(m_.type_of(typed[i]).elem)) + " " + next(i) + " = " + get(from[i]) + ";");
  for (size_t i = 0; i < to.size(); ++i) line(to[i] + " = " + next(i) + ";");
}

/// How often a loop runs, where that is written beside it.
inline std::optional<i64> emitter::runs_of(const ir::op_view& v) const {
  i64 bounds[2];
  for (int i = 0; i < 2; ++i) {
    const op_id from = m_[v.operand(i)].definition;
    if (!from || !m_.view(from).is<loop::literal>()) return {};
    bounds[i] = m_.view(from).as<loop::literal>().integer;
  }
  const i64 step = v.as<loop::for_loop>().step;
  return step > 0 && bounds[0] == 0 && bounds[1] >= 0 ? std::optional((bounds[1] + step - 1) / step) : std::nullopt;
}

/// How many lines a region has with its loops written out; more than `most_lines` where that cannot be.
inline i64 emitter::lines_of(region_id r) const {
  i64 lines = 0;
  for (op_id op : m_[r].ops) {
    const ir::op_view v = m_.view(op);
    i64 n = 1;
    if (v.is<loop::for_loop>()) {
      const std::optional<i64> runs = runs_of(v);
      n = runs && *runs <= most_runs ? *runs * lines_of(v.region()) : most_lines + 1;
    } else if (v.region_count() != 0) {
      n = most_lines + 1;
    }
    if ((lines += n) > most_lines) break;
  }
  return lines;
}

/// A loop that carries sums, inside of an independent one: written out, the outer one is a single loop.
inline bool emitter::is_written_out(const ir::op_view& v) const {
  const std::optional<i64> runs = runs_of(v);
  return inside_independent_ && v.result_count() != 0 && runs && *runs <= most_runs &&
         *runs * lines_of(v.region()) <= most_lines;
}

/// How many sums a reduction keeps: as many as a vector of the widest processors has, where compilers do not do that by
/// themselves, as they do for integers; 1 for what is none, or is not worth it.
inline i64 emitter::sums_of(op_id op) const {
  if (!scalars_.vectorizable || m_.view(op).as<loop::for_loop>().step != 1 || !detail::is_reduction(m_, op) ||
      !detail::suits_reduction(m_, op))
    return 1;
  i64 bytes = 0;
  for (value_id r : m_.results(op)) {
    const dtype t = m_.type_of(r).elem;
    if (t != dtype::f32 && t != dtype::f64) return 1;
    bytes = std::max<i64>(bytes, size_of(t));
  }
  for (op_id o : m_[m_.region(op)].ops)
    if (m_.view(o).region_count() != 0) return 1;
  const i64 sums = 64 / bytes, runs = detail::trip_count(m_, op);
  return runs < 0 || runs >= 2 * sums ? sums : 1;
}

/// The blocks of a reduction, and their sums added to what it carries; returns where the rest begins, or nothing where
/// there is none.
inline std::string emitter::blocks_of_reduction(op_id op, i64 sums, const strings& carried) {
  const ir::op_view v = m_.view(op);
  const auto& arguments = m_[v.region()].arguments;
  const auto results = m_.results(op);
  const i64 runs = detail::trip_count(m_, op);
  const std::string i = names_.at(arguments[0].index), block = "b" + i, lane = "l" + i, width = number(sums);
  const std::string from = get(v.operand(0)), to = get(v.operand(1)),
                    lanes = "for (int " + lane + " = 0; " + lane + " < " + width + "; ++" + lane + ")";
  const bool has_rest = runs < 0 || runs % sums != 0;
  const std::string whole = !has_rest  ? to
                            : runs < 0 ? from + " + (" + to + " - " + from + ") / " + width + " * " + width
                                       : from + " + " + number(runs / sums * sums);
  line("const int64_t " + block + " = " + whole + ";");
  open("if (" + block + " > " + from + ")");
  strings part;
  std::vector<loop::scalar_fn> combine;
  for (size_t k = 0; k < carried.size(); ++k) {
    const op_id next = m_[m_.operand(m_.terminator(v.region()), static_cast<int>(k))].definition;
    const loop::scalar_fn fn = m_.view(next).as<loop::scalar>().fn;
    combine.push_back(fn == loop::scalar_fn::fma ? loop::scalar_fn::add : fn);
    const std::string start = combine[k] == loop::scalar_fn::mul   ? "1"
                              : combine[k] == loop::scalar_fn::add ? "-0.0f"
                                                                   : carried[k];  // twice changes nothing
    line(std::string(value_type(m_.type_of(results[k]).elem)) + " p" + carried[k] + "[" + width + "];");
    line(lanes + " p" + carried[k] + "[" + lane + "] = " + start + ";");
    part.push_back("p" + carried[k] + "[" + lane + "]");
    names_[arguments[k + 1].index] = part[k];
  }
  const std::string first = "f" + i;
  open("for (int64_t " + first + " = " + from + "; " + first + " < " + block + "; " + first + " += " + width + ")");
  line("TN_INDEPENDENT");
  open(lanes);
  line("const int64_t " + i + " = " + first + " + " + lane + ";");
  region(v.region());
  assign(part, v.region(), results);
  close();
  close();
  for (size_t k = 0; k < carried.size(); ++k) {
    line(lanes + " " + carried[k] + " = " +
         scalars_.function(combine[k], m_.type_of(results[k]).elem, {carried[k], part[k]}) + ";");
    names_[arguments[k + 1].index] = carried[k];
  }
  close();
  return has_rest ? block : "";
}

inline void emitter::for_loop(op_id op) {
  const ir::op_view v = m_.view(op);
  const auto& l = v.as<loop::for_loop>();
  const auto& arguments = m_[v.region()].arguments;
  const auto results = m_.results(op);
  strings carried;
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string start = get(v.operand(static_cast<int>(i) + 2));
    carried.push_back(fresh(results[i]));
    line(std::string(value_type(m_.type_of(results[i]).elem)) + " " + carried[i] + " = " + start + ";");
    names_[arguments[i + 1].index] = carried[i];
  }
  const std::string i = fresh(arguments[0]);
  if (is_written_out(v)) {
    line("(void)" + get(v.operand(0)) + ", (void)" + get(v.operand(1)) + ";");  // nothing else may read them
    for (i64 k = 0, n = *runs_of(v); k < n; ++k) {
      line("{"), ++depth_;
      line("const int64_t " + i + " = " + number(k * l.step) + ";");
      region(v.region());
      assign(carried, v.region(), results);
      close();
    }
    return;
  }
  std::string from = get(v.operand(0));
  if (const i64 sums = sums_of(op); sums > 1) {
    from = blocks_of_reduction(op, sums, carried);
    if (from.empty()) return;
  }
  const bool outer = std::exchange(inside_independent_, l.independent && results.empty());
  if (inside_independent_) line("TN_INDEPENDENT");
  open("for (int64_t " + i + " = " + from + "; " + i + " < " + get(v.operand(1)) + "; " + i +
       " += " + std::to_string(l.step) + ")");
  region(v.region());
  if (!results.empty()) assign(carried, v.region(), results);
  close();
  inside_independent_ = outer;
}

inline void emitter::branch(op_id op) {
  const ir::op_view v = m_.view(op);
  const auto results = m_.results(op);
  const std::string condition = get(v.operand(0));
  strings to;
  for (value_id r : results)
    to.push_back(fresh(r)), line(std::string(value_type(m_.type_of(r).elem)) + " " + to.back() + ";");
  for (int i = 0; i < 2; ++i) {
    open(i == 0 ? "if (" + condition + ")" : "else");
    region(v.region(i));
    if (!results.empty()) assign(to, v.region(i), results);
    close();
  }
}

}  // namespace tenon::passes::c_code
