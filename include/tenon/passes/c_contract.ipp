/// @file c_contract.ipp: contractions in C: loops over blocks of at most 8 rows of sums, of 16 columns (more where rows
/// are few).
///
/// Columns are the outer loop, so that a panel of the right operand stays in the cache while rows pass by. The block's
/// sums come from a function of c_products.ipp, which runs over the two innermost dimensions of k; the region that
/// stores them is loops of constant length over the columns.
#pragma once

#include <tenon/ops/loop/products_together.hpp>
#include <tenon/passes/emit_c.ipp>  // the class, which includes this at its end

namespace tenon::passes::c_code {

/// How many points a dimension of a contraction has: a number, or a variable of the function's.
struct contract_extent {
  i64 number = 1;    ///< negative: the variable
  std::string text;  ///< of either
};

/// A dimension of k: its extent, and its strides in both operands.
struct contract_step {
  contract_extent extent{1, "1"};
  factor a = 0, b = 0;
};

/// The dimensions of k, those that lie densely behind each other in both operands as one, at least two of them.
inline std::vector<contract_step> merged_steps(std::vector<contract_step> all) {
  std::vector<contract_step> steps;
  for (const contract_step& s : all) {
    const i64 n = s.extent.number;
    if (n == 1) continue;
    if (n >= 0 && !steps.empty() && steps.back().extent.number >= 0 && steps.back().a == s.a * n &&
        steps.back().b == s.b * n) {
      const i64 both = checked_mul(steps.back().extent.number, n);
      steps.back() = {{both, number(both)}, s.a, s.b};
    } else {
      steps.push_back(s);
    }
  }
  while (steps.size() < 2) steps.insert(steps.begin(), contract_step{});
  return steps;
}

inline void emitter::contract(op_id op) {
  const ir::op_view v = m_.view(op);
  const auto& c = v.as<loop::contract>();
  if (c.n == 0 || std::count(c.m.begin(), c.m.end(), 0) != 0) return;  // no points at all
  const auto& arguments = m_[v.region()].arguments;
  const ir::type &a = v.operand_type(0), &b = v.operand_type(1);
  const std::string id = std::to_string(op.index), sum = products::sum_type(c.accumulate), sums = "s" + id;
  strings at = indices(v, 2, v.operand_count());
  const size_t outer = at.size(), at_n = outer + c.m.size();
  const auto extent_of = [&](i64 e) {
    return contract_extent{e, e >= 0 ? number(e) : at[static_cast<size_t>(-1 - e)]};
  };
  const bool checked = checks_.has(op);
  const i64 together = loop::products_together(c, a.elem, b.elem);
  if (checked) open("if (" + checks_.inside_contract(kernel_, op, at) + ")");
  // Columns of the maps: outer indices, m..., n, k...
  std::vector<contract_extent> m;
  for (i64 e : c.m) m.push_back(extent_of(e));
  const contract_extent n = extent_of(c.n);
  std::vector<contract_step> steps;
  for (size_t d = 0; d + (together > 1 ? 1 : 0) < c.k.size(); ++d) steps.push_back({extent_of(c.k[d]), 0, 0});
  for (size_t d = 0; d <= c.m.size(); ++d) at.push_back(fresh(arguments[1 + d]));
  const size_t columns = at.size() + c.k.size();
  const std::vector<factor> row_a = linear(c.map_a, a, columns), row_b = linear(c.map_b, b, columns);
  if (!row_a[1 + at_n].is(0)) fail(op, "operand a depends on n");
  if (c.n != 1 && !row_b[1 + at_n].is(together)) fail(op, "operand b is not contiguous along n");
  for (size_t d = 0; d < steps.size(); ++d) steps[d].a = row_a[2 + at_n + d], steps[d].b = row_b[2 + at_n + d];
  steps = merged_steps(steps);

  // Rows of a block run along the last dimension of m that has several. Where only the run knows how many, blocks have
  // as many as fit of 8, 4, 2 and 1.
  size_t blocked = c.m.size();
  while (blocked > 0 && c.m[blocked - 1] == 1) --blocked;
  const contract_extent extent = blocked == 0 ? contract_extent{1, "1"} : m[blocked - 1];
  const bool known = extent.number >= 0;
  const i64 parts = (extent.number + products::most_rows - 1) / products::most_rows,
            rows = known ? (extent.number + parts - 1) / std::max<i64>(parts, 1) : products::most_rows;
  const i64 rest = known ? extent.number % rows : 0;
  const std::string row_stride = (blocked == 0 ? factor(0) : row_a[outer + blocked]).text();
  const std::string first_column = "c" + id, first_row = "f" + id, row = "r" + id, count = "h" + id;
  const auto loop_over = [&](const std::string& i, const std::string& from, const std::string& end,
                             const std::string& by) {
    open("for (int64_t " + i + " = " + from + "; " + i + " < " + end + "; " + i + " += " + by + ")");
  };
  const auto block_of_columns = [&](const std::string& from, const std::string& end, i64 width) {
    const int depth = depth_;
    loop_over(first_column, from, end, number(width));
    for (size_t d = 0; d < c.m.size(); ++d) {
      if (d + 1 != blocked) loop_over(at[outer + d], "0", m[d].text, "1");
    }
    if (!known) {
      open("for (int64_t " + first_row + " = 0, " + count + "; " + first_row + " < " + extent.text + "; " + first_row +
           " += " + count + ")");
      const std::string left = extent.text + " - " + first_row;
      line(count + " = " + left + " >= 8 ? 8 : " + left + " >= 4 ? 4 : " + left + " >= 2 ? 2 : 1;");
    } else if (blocked != 0) {
      loop_over(first_row, "0", extent.text, number(rows));
    }
    line(sum + " " + sums + "[" + std::to_string(rows * width) + "] = {0};");
    strings start = at;
    if (blocked != 0) start[outer + blocked - 1] = first_row;
    start[at_n] = first_column;
    for (size_t d = 0; d + 2 < steps.size(); ++d)
      loop_over("k" + id + "_" + std::to_string(d), "0", steps[d].extent.text, "1");
    const auto operand = [&](int which, const std::vector<factor>& coefficients) {
      std::string place = affine(coefficients, start);
      for (size_t d = 0; d + 2 < steps.size(); ++d)
        place += " + k" + id + "_" + std::to_string(d) + " * " + (which == 0 ? steps[d].a : steps[d].b).text();
      return get(v.operand(which)) + " + " + place;
    };
    std::string passed = operand(0, row_a) + ", " + row_stride + ", " + operand(1, row_b);
    for (size_t d = steps.size() - 2; d < steps.size(); ++d)
      passed += ", " + steps[d].extent.text + ", " + steps[d].a.text() + ", " + steps[d].b.text();
    const auto call = [&](i64 of) {
      return products_.function({a.elem, b.elem, c.accumulate, of, width, together}) + "(" + passed + ", " + sums +
             ");";
    };
    std::string end_of_rows = number(rows);
    if (!known) {
      for (i64 of = rows; of > 1; of /= 2) line("if (" + count + " == " + number(of) + ") " + call(of) + " else");
      line(call(1));
      end_of_rows = count;
    } else if (rest != 0) {
      const std::string last = first_row + " == " + number(extent.number - rest);
      line("if (" + last + ") " + call(rest));
      line("else " + call(rows));
      end_of_rows = "(" + last + " ? " + number(rest) + " : " + number(rows) + ")";
    } else {
      line(call(rows));
    }
    for (size_t d = 0; d + 2 < steps.size(); ++d) close();
    loop_over(row, "0", end_of_rows, "1");
    if (blocked != 0) line("const int64_t " + at[outer + blocked - 1] + " = " + first_row + " + " + row + ";");
    line("TN_INDEPENDENT");
    loop_over("j" + id, "0", number(width), "1");
    line("const int64_t " + at[at_n] + " = " + first_column + " + j" + id + ";");
    define(arguments[0], (is_float(c.accumulate) ? "" : "(" + std::string(value_type(c.accumulate)) + ")") + sums +
                             "[" + row + " * " + number(width) + " + j" + id + "]");
    region(v.region());
    while (depth_ > depth) close();
  };
  i64 done = 0;
  std::string from = "0";
  for (i64 width = products::most_columns(rows); width > 0; width /= 2) {
    if (n.number < 0) {
      const std::string end = "e" + id + "_" + std::to_string(width);
      line("const int64_t " + end + " = " + from + " + (" + n.text + " - " + from + ") / " + number(width) + " * " +
           number(width) + ";");
      block_of_columns(from, end, width);
      from = end;
    } else if (const i64 end = done + (n.number - done) / width * width; end > done) {
      block_of_columns(number(done), number(end), width);
      done = end;
    }
  }
  if (checked) close();
}

}  // namespace tenon::passes::c_code
