/// @file matmul: ONNX matrix products: MatMul, Gemm, Einsum.
#pragma once

#include <algorithm>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

inline void matmul(import_context& cx, const node&) { cx.out(cx.matmul(cx.in(0), cx.in(1))); }

/// alpha * A' * B' + beta * C
inline value_id gemm_of(import_context& cx) {
  value_id a = cx.in(0), b = cx.in(1);
  if (cx.rank(a) != 2 || cx.rank(b) != 2) cx.bad("Gemm multiplies matrices of 2 dimensions");
  if (cx.i("transA", 0) != 0) a = cx.transpose(a, {1, 0});
  if (cx.i("transB", 0) != 0) b = cx.transpose(b, {1, 0});
  const float alpha = cx.f("alpha", 1.f), beta = cx.f("beta", 1.f);
  value_id y = cx.matmul(a, b);
  if (alpha != 1.f) y = cx.mul(y, alpha);
  if (!cx.has(2) || beta == 0.f) return y;
  const value_id sum = cx.add(y, beta == 1.f ? cx.in(2) : cx.mul(cx.in(2), beta));
  cx.require_same_shape(sum, y);
  return sum;
}
inline void gemm(import_context& cx, const node&) { cx.out(gemm_of(cx)); }

/// An operand of an einsum: its value, and a letter for each dimension.
struct einsum_operand {
  value_id value;
  std::string labels;
  bool has(char c) const { return labels.find(c) != std::string::npos; }
};

struct einsum_equation {
  std::vector<std::string> inputs;
  std::string output;
};

/// A term of an equation: letters, and `...` at most once.
inline void check_term(import_context& cx, std::string term) {
  const std::string given = term;
  if (const size_t dots = term.find("..."); dots != std::string::npos) term.erase(dots, 3);
  for (const char c : term)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
      cx.bad("'" + given + "' has something other than letters in it");
}

/// Splits "ij,jk->ik"; dimensions that `...` stands for get the letters 0, 1, … from the right.
inline einsum_equation parse_einsum(import_context& cx, const import_context::values& operands) {
  std::string text = cx.s("equation");
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const size_t arrow = text.find("->");
  std::string left = text.substr(0, arrow);
  einsum_equation e;
  for (size_t at = 0;;) {
    const size_t comma = left.find(',', at);
    e.inputs.push_back(left.substr(at, comma == std::string::npos ? comma : comma - at));
    if (comma == std::string::npos) break;
    at = comma + 1;
  }
  for (const std::string& term : e.inputs) check_term(cx, term);
  if (e.inputs.size() != operands.size()) cx.bad("the equation '" + text + "' is not for the number of inputs");
  std::string widest;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string& labels = e.inputs[i];
    const size_t dots = labels.find("...");
    if (dots != std::string::npos) {
      const int count = cx.rank(operands[i]) - static_cast<int>(labels.size()) + 3;
      if (count < 0 || count > 10) cx.bad("'" + labels + "' does not fit its input");
      std::string letters;
      for (int k = count; k-- > 0;) letters += static_cast<char>('0' + k);
      labels.replace(dots, 3, letters);
      if (letters.size() > widest.size()) widest = letters;
    }
    if (labels.size() != static_cast<size_t>(cx.rank(operands[i]))) cx.bad("'" + labels + "' does not fit its input");
  }
  if (arrow != std::string::npos) {
    e.output = text.substr(arrow + 2);
    check_term(cx, e.output);
    for (const char c : e.output)
      if (c != '.' && std::count(e.output.begin(), e.output.end(), c) > 1)
        cx.bad("the output names '" + std::string(1, c) + "' twice");
    if (const size_t dots = e.output.find("..."); dots != std::string::npos) e.output.replace(dots, 3, widest);
    return e;
  }
  std::string all;
  for (const std::string& s : e.inputs) all += s;
  std::sort(all.begin(), all.end());
  for (const char c : all)
    if (c > '9' && std::count(all.begin(), all.end(), c) == 1) e.output += c;
  e.output.insert(0, widest);
  return e;
}

/// Sums over the dimensions that no one asks for any more.
inline void sum_away(import_context& cx, einsum_operand& o, const std::string& wanted) {
  std::vector<i64> axes;
  std::string rest;
  for (size_t d = 0; d < o.labels.size(); ++d) {
    if (wanted.find(o.labels[d]) == std::string::npos) axes.push_back(static_cast<i64>(d));
    else rest += o.labels[d];
  }
  if (axes.empty()) return;
  o = {cx.reduce_sum(o.value, axes, false), rest};
}

/// A letter twice in one operand is the diagonal: multiplied by the unit matrix and summed over one of both.
inline void take_diagonals(import_context& cx, einsum_operand& o) {
  for (size_t first = 0; first < o.labels.size(); ++first) {
    for (size_t second = o.labels.find(o.labels[first], first + 1); second != std::string::npos;
         second = o.labels.find(o.labels[first], first + 1)) {
      const ir::dim n = cx.dim(o.value, static_cast<int>(first));
      const ir::dim other = cx.dim(o.value, static_cast<int>(second));
      if (!n.is_static() || !other.is_static()) cx.unsupported("the diagonal of dimensions that are not known");
      if (other != n) cx.bad("'" + std::string(1, o.labels[first]) + "' stands for different extents");
      tensor unit = cx.blank(cx.elem(o.value), {n.extent(), n.extent()});
      for (i64 k = 0; k < n.extent(); ++k) unit.set_f64(k * n.extent() + k, 1);
      std::vector<i64> shape(o.labels.size(), 1);
      shape[first] = shape[second] = n.extent();
      const value_id mask = cx.reshape(cx.constant(unit), shape);
      o.value = cx.reduce_sum(cx.mul(o.value, mask), {static_cast<i64>(second)}, false);
      o.labels.erase(second, 1);
    }
  }
}

/// The operand with exactly the dimensions of `labels`, in that order; those it lacks are 1.
inline value_id arranged(import_context& cx, const einsum_operand& o, const std::string& labels) {
  std::vector<i64> permutation, missing;
  for (size_t d = 0; d < labels.size(); ++d) {
    const size_t at = o.labels.find(labels[d]);
    if (at == std::string::npos) missing.push_back(static_cast<i64>(d));
    else permutation.push_back(static_cast<i64>(at));
  }
  value_id v = o.value;
  if (!std::is_sorted(permutation.begin(), permutation.end())) v = cx.transpose(v, permutation);
  return missing.empty() ? v : cx.unsqueeze(v, missing);
}

/// What an einsum of two operands is as a batch of matrix products: each letter is of one group.
struct einsum_groups {
  std::string batch, rows, columns, summed;

  einsum_groups(const einsum_operand& a, const einsum_operand& b, const std::string& wanted) {
    for (const char c : a.labels) {
      const bool kept = wanted.find(c) != std::string::npos;
      (b.has(c) ? (kept ? batch : summed) : rows) += c;
    }
    for (const char c : b.labels)
      if (!a.has(c)) columns += c;
  }
  /// Rows that no batch is in front of stay dimensions of their own.
  bool keeps_rows() const { return batch.empty() && !rows.empty(); }
};

/// The operand as matrices: [batch..., first, second], where a group of several letters is one dimension, and one of
/// none is 1. Null when that is the product of extents that are not known.
inline value_id as_matrices(import_context& cx, const einsum_operand& o, const std::string& batch,
                            const std::string& first, bool keep_first, const std::string& second) {
  const value_id v = arranged(cx, o, batch + first + second);
  std::vector<i64> plan;
  i64 at = 0;
  const auto keep = [&](size_t n) {
    for (size_t i = 0; i < n; ++i) plan.push_back(-1 - at++);
  };
  const auto merge = [&](size_t n) {
    if (n == 1) return keep(1), true;
    i64 product = 1;
    for (; n > 0; --n, ++at) {
      const ir::dim d = cx.dim(v, static_cast<int>(at));
      if (!d.is_static()) return false;
      product = checked_mul(product, d.extent());
    }
    plan.push_back(product);
    return true;
  };
  keep(batch.size());
  if (keep_first) keep(first.size());
  else if (!merge(first.size())) return {};
  if (!merge(second.size())) return {};
  const bool same = plan.size() == o.labels.size() && at == static_cast<i64>(plan.size()) && plan.back() == -at;
  return same ? v : cx.reshape_like(v, plan);
}

/// A sum of products as matrix products; no value when an extent is not known, or 1 where the other operand has more.
inline value_id matrix_product(import_context& cx, const einsum_operand& a, const einsum_operand& b,
                               const einsum_groups& g) {
  const auto extent = [&](const einsum_operand& o, char c) {
    return cx.dim(o.value, static_cast<int>(o.labels.find(c)));
  };
  if (g.summed.empty()) return {};
  for (const char c : g.summed + g.batch) {
    const ir::dim x = extent(a, c), y = extent(b, c);
    const bool broadcasts = x.is_static() && y.is_static() && g.batch.find(c) != std::string::npos;
    if (x.is_unknown() || (x != y && !broadcasts)) return {};
  }
  for (const auto& [o, letters] : {std::pair{&a, &g.rows}, std::pair{&b, &g.columns}})
    for (const char c : *letters)
      if (letters->size() > 1 && !(letters == &g.rows && g.keeps_rows()) && !extent(*o, c).is_static()) return {};
  const value_id x = as_matrices(cx, a, g.batch, g.rows, g.keeps_rows(), g.summed);
  const value_id y = x ? as_matrices(cx, b, g.batch, g.summed, false, g.columns) : x;
  if (!y) return {};
  const value_id product = cx.matmul(x, y);
  std::vector<i64> plan;
  const auto split = [&](const einsum_operand& o, const std::string& letters, bool kept) {
    const i64 at = static_cast<i64>(plan.size());
    if (kept || letters.size() == 1)
      for (size_t i = 0; i < letters.size(); ++i) plan.push_back(-1 - at - static_cast<i64>(i));
    else
      for (const char c : letters) plan.push_back(extent(o, c).extent());
  };
  split(a, g.batch, true);
  // A group of one letter is where it is unless the group before it was split or has none.
  const bool rows_in_place = g.keeps_rows() || g.rows.size() == 1;
  split(a, g.rows, g.keeps_rows());
  if (g.columns.size() == 1) {
    const i64 behind = static_cast<i64>(g.batch.size() + (g.keeps_rows() ? g.rows.size() : 1));
    plan.push_back(-1 - behind);
  } else {
    split(b, g.columns, false);
  }
  const bool same = rows_in_place && g.columns.size() == 1;
  return same ? product : cx.reshape_like(product, plan);
}

/// A product of two operands, summed over what `wanted` does not name.
inline einsum_operand contract(import_context& cx, const einsum_operand& first, const einsum_operand& second,
                               const std::string& wanted) {
  // A constant is the matrix on the right, which can be packed; else the order is that of the result.
  const einsum_groups order(first, second, wanted);
  const auto where = [&](const std::string& letters) {
    size_t least = std::string::npos;
    for (const char c : letters) least = std::min(least, wanted.find(c));
    return least;
  };
  const bool constant_first = cx.is_constant(first.value), constant_second = cx.is_constant(second.value);
  const bool exchanged = constant_first != constant_second && order.batch.empty()
                             ? constant_first
                             : where(order.columns) < where(order.rows);
  const einsum_operand &a = exchanged ? second : first, &b = exchanged ? first : second;
  const einsum_groups g(a, b, wanted);
  if (const value_id product = matrix_product(cx, a, b, g)) return {product, g.batch + g.rows + g.columns};
  const std::string everything = g.batch + g.rows + g.columns + g.summed;
  einsum_operand product{cx.mul(arranged(cx, a, everything), arranged(cx, b, everything)), everything};
  sum_away(cx, product, wanted);
  return product;
}

inline void einsum(import_context& cx, const node&) {
  const import_context::values inputs = cx.all_ins();
  const einsum_equation e = parse_einsum(cx, inputs);
  const auto wanted_after = [&](size_t next) {
    std::string wanted = e.output;
    for (size_t i = next; i < e.inputs.size(); ++i) wanted += e.inputs[i];
    return wanted;
  };
  einsum_operand all;
  for (size_t i = 0; i < inputs.size(); ++i) {
    einsum_operand next{inputs[i], e.inputs[i]};
    take_diagonals(cx, next);
    sum_away(cx, next, wanted_after(i + 1) + all.labels);
    all = i == 0 ? next : contract(cx, all, next, wanted_after(i + 1));
  }
  for (const char c : e.output)
    if (!all.has(c)) cx.bad("the output names '" + std::string(1, c) + "', which no input has");
  cx.out(arranged(cx, all, e.output));
}

inline void determinant(import_context& cx, const node&) { cx.out(cx.make(op::determinant{}, {cx.in(0)})); }
inline void inverse(import_context& cx, const node&) { cx.out(cx.make(op::inverse{}, {cx.in(0)})); }

}  // namespace handlers

std::span<const registered_operator> families::matmul() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"Det", determinant, "", 11, 1, 1, "", "f"},
      {"Einsum", einsum, "", 12, {1, arity::any}, 1, "equation:s!", "fi"},
      {"Gemm", gemm, "", 1, 3, 1, "alpha:f beta:f broadcast:i transA:i transB:i", "fi"},
      {"Gemm", gemm, "", 7, 3, 1, "alpha:f beta:f transA:i transB:i", "fi"},
      {"Gemm", gemm, "", 11, {2, 3}, 1, "alpha:f beta:f transA:i transB:i", "fi"},
      {"MatMul", handlers::matmul, "", 1, 2, 1, "", "fi"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
