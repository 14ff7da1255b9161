/// @file c_contract.ipp: contractions in C: loops over blocks of at most 8 rows of sums, of 16 columns (more where rows
/// are few).
///
/// Columns are the outer loop, so that a panel of the right operand stays in the cache while rows pass by. The block's
/// sums come from a function of c_products.ipp, which runs over the two innermost dimensions of k; the region that
/// stores them is loops of constant length over the columns.
#pragma once

#include <tenon/passes/emit_c.ipp>  // the class, which includes this at its end

namespace tenon::passes::c_code {

/// A dimension of k: its extent, and its strides in both operands.
struct contract_step {
  i64 extent = 1, a = 0, b = 0;
};

/// The dimensions of k, those that lie densely behind each other in both operands as one, at least two of them.
inline std::vector<contract_step> merged_steps(std::vector<contract_step> all) {
  std::vector<contract_step> steps;
  for (const contract_step& s : all) {
    if (s.extent == 1) continue;
    if (!steps.empty() && steps.back().a == s.a * s.extent && steps.back().b == s.b * s.extent)
      steps.back() = {steps.back().extent * s.extent, s.a, s.b};
    else steps.push_back(s);
  }
  while (steps.size() < 2) steps.insert(steps.begin(), contract_step{});
  return steps;
}

inline void emitter::contract(op_id op) {
  const ir::op_view v = m_.view(op);
  const auto& c = v.as<loop::contract>();
  if (std::count(c.m.begin(), c.m.end(), 0) != 0) return;  // no points at all
  const auto& arguments = m_[v.region()].arguments;
  const ir::type &a = v.operand_type(0), &b = v.operand_type(1);
  const std::string id = std::to_string(op.index), sum = products::sum_type(c.accumulate), sums = "s" + id;
  strings at = indices(v, 2, v.operand_count());
  const size_t outer = at.size(), at_n = outer + c.m.size();
  const bool checked = checks_.has(op), fours = c.is_dot4(a.elem, b.elem);
  if (checked) open("if (" + checks_.inside_contract(kernel_, op, at) + ")");
  // Columns of the maps: outer indices, m..., n, k...
  for (size_t d = 0; d <= c.m.size(); ++d) at.push_back(fresh(arguments[1 + d]));
  const size_t columns = at.size() + c.k.size();
  const std::vector<i64> row_a = linear(c.map_a, a, columns), row_b = linear(c.map_b, b, columns);
  if (row_a[1 + at_n] != 0) fail(op, "operand a depends on n");
  if (c.n != 1 && row_b[1 + at_n] != (fours ? 4 : 1)) fail(op, "operand b is not contiguous along n");
  std::vector<contract_step> steps;
  for (size_t d = 0; d + (fours ? 1 : 0) < c.k.size(); ++d)
    steps.push_back({c.k[d], row_a[2 + at_n + d], row_b[2 + at_n + d]});
  steps = merged_steps(steps);

  // Rows of a block run along the last dimension of m that has several.
  size_t blocked = c.m.size();
  while (blocked > 0 && c.m[blocked - 1] == 1) --blocked;
  const i64 extent = blocked == 0 ? 1 : c.m[blocked - 1];
  const i64 parts = (extent + products::most_rows - 1) / products::most_rows,
            rows = (extent + parts - 1) / std::max<i64>(parts, 1);
  const i64 row_stride = blocked == 0 ? 0 : row_a[outer + blocked];
  const auto loop_over = [&](const std::string& i, i64 from, i64 end, i64 by) {
    open("for (int64_t " + i + " = " + std::to_string(from) + "; " + i + " < " + std::to_string(end) + "; " + i +
         " += " + std::to_string(by) + ")");
  };
  const auto block_of_columns = [&](i64 from, i64 end, i64 width) {
    const int depth = depth_;
    const std::string first_column = "c" + id, first_row = "f" + id, count = "r" + id;
    loop_over(first_column, from, end, width);
    for (size_t d = 0; d < c.m.size(); ++d) {
      if (d + 1 != blocked) loop_over(at[outer + d], 0, c.m[d], 1);
    }
    if (blocked != 0) loop_over(first_row, 0, extent, rows);
    const i64 rest = extent % rows;
    line(sum + " " + sums + "[" + std::to_string(rows * width) + "] = {0};");
    strings start = at;
    if (blocked != 0) start[outer + blocked - 1] = first_row;
    start[at_n] = first_column;
    for (size_t d = 0; d + 2 < steps.size(); ++d) loop_over("k" + id + "_" + std::to_string(d), 0, steps[d].extent, 1);
    const auto operand = [&](int which, const std::vector<i64>& row) {
      std::string place = affine({row.begin(), row.begin() + static_cast<std::ptrdiff_t>(2 + at_n)}, start);
      for (size_t d = 0; d + 2 < steps.size(); ++d)
        place += " + k" + id + "_" + std::to_string(d) + " * " + number(which == 0 ? steps[d].a : steps[d].b);
      return get(v.operand(which)) + " + " + place;
    };
    std::string passed = operand(0, row_a) + ", " + number(row_stride) + ", " + operand(1, row_b);
    for (size_t d = steps.size() - 2; d < steps.size(); ++d)
      passed += ", " + number(steps[d].extent) + ", " + number(steps[d].a) + ", " + number(steps[d].b);
    const auto call = [&](i64 n) {
      return products_.function({a.elem, b.elem, c.accumulate, n, width, fours}) + "(" + passed + ", " + sums + ");";
    };
    if (rest != 0) {
      line("if (" + first_row + " == " + number(extent - rest) + ") " + call(rest));
      line("else " + call(rows));
    } else {
      line(call(rows));
    }
    for (size_t d = 0; d + 2 < steps.size(); ++d) close();
    open("for (int64_t " + count + " = 0; " + count + " < " +
         (rest == 0
              ? number(rows)
              : "(" + first_row + " == " + number(extent - rest) + " ? " + number(rest) + " : " + number(rows) + ")") +
         "; ++" + count + ")");
    if (blocked != 0) line("const int64_t " + at[outer + blocked - 1] + " = " + first_row + " + " + count + ";");
    line("TN_INDEPENDENT");
    loop_over("j" + id, 0, width, 1);
    line("const int64_t " + at[at_n] + " = " + first_column + " + j" + id + ";");
    define(arguments[0], (is_float(c.accumulate) ? "" : "(" + std::string(value_type(c.accumulate)) + ")") + sums +
                             "[" + count + " * " + number(width) + " + j" + id + "]");
    region(v.region());
    while (depth_ > depth) close();
  };
  i64 from = 0;
  for (i64 width = products::most_columns(rows); width > 0; width /= 2) {
    const i64 end = from + (c.n - from) / width * width;
    if (end > from) block_of_columns(from, end, width);
    from = end;
  }
  if (checked) close();
}

}  // namespace tenon::passes::c_code
