/// @file c_loops.ipp: loops and branches in C, and which loops compilers may gain by.
///
/// Before: an independent loop over channels, with a loop over a window of 3 in it that carries sums
/// After:  the former alone, with three blocks, one behind the other
/// since compilers vectorize a loop that holds no other (GCC 12 took scalar code for a depthwise convolution).
#pragma once

#include <tenon/passes/emit_c.ipp>  // the class, which includes this at its end

namespace tenon::passes::c_code {

/// Assigns the values that a region ends with to variables; through others when one of them is read by a later one.
inline void emitter::assign(const strings& to, region_id r, const std::vector<value_id>& typed) {
  const auto from = m_.operands(m_.terminator(r));
  if (to.size() == 1) return line(to[0] + " = " + get(from[0]) + ";");
  for (size_t i = 0; i < to.size(); ++i)
    line("const " + std::string(value_type(m_.type_of(typed[i]).elem)) + " n" + to[i] + " = " + get(from[i]) + ";");
  for (const std::string& t : to) line(t + " = n" + t + ";");
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
  const bool outer = std::exchange(inside_independent_, l.independent && results.empty());
  if (inside_independent_) line("TN_INDEPENDENT");
  open("for (int64_t " + i + " = " + get(v.operand(0)) + "; " + i + " < " + get(v.operand(1)) + "; " + i +
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
