/// @file strings.ipp: type rules of ops/graph/strings.hpp.
#pragma once

#include <tenon/ops/graph/regex.hpp>
#include <tenon/ops/graph/strings.hpp>

namespace tenon::op {
namespace string_detail {

inline const ir::type& strings(ir::infer_context& cx, int i) {
  const ir::type& t = cx.operand(i);
  if (!t.is_tensor() || t.elem != dtype::string)
    cx.fail("operand " + std::to_string(i) + " is not a tensor of strings");
  return t;
}
inline ir::type with_elements(ir::type t, dtype elem) {
  t.elem = elem;
  return t;
}

}  // namespace string_detail

void infer(const string_concat&, ir::infer_context& cx) {
  const ir::type &a = string_detail::strings(cx, 0), &b = string_detail::strings(cx, 1);
  if (!a.ranked || !b.ranked) return cx.result(ir::type::unranked_tensor(dtype::string));
  cx.result(ir::type::tensor(dtype::string, cx.broadcast(a.shape, b.shape)));
}
void infer(const string_split&, ir::infer_context& cx) {
  ir::type parts = string_detail::strings(cx, 0);
  const ir::type counts = string_detail::with_elements(parts, dtype::i64);
  if (parts.ranked) parts.shape.push_back(ir::dim::unknown());
  cx.result(parts);
  cx.result(counts);
}
void infer(const string_normalize&, ir::infer_context& cx) {
  ir::type t = string_detail::strings(cx, 0);
  if (t.ranked) {
    if (t.shape.empty() || t.shape.size() > 2 ||
        (t.shape.size() == 2 && t.shape[0].is_static() && t.shape[0].extent() != 1))
      cx.fail("the operand is neither of shape [n] nor [1,n]");
    t.shape.back() = ir::dim::unknown();
  }
  cx.result(t);
}
void infer(const regex_full_match&, ir::infer_context& cx) {
  cx.result(string_detail::with_elements(string_detail::strings(cx, 0), dtype::boolean));
}
void infer(const string_tokenize& op, ir::infer_context& cx) {
  ir::type t = string_detail::strings(cx, 0);
  if (op.pattern.empty() == op.separators.empty()) cx.fail("it has either a pattern of tokens or separators");
  if (op.least < 1) cx.fail("a token has at least one character, not " + std::to_string(op.least));
  const auto check = [&](const std::string& p) {
    std::string problem;
    regex::compile(p, problem);
    if (!problem.empty()) cx.fail("the pattern '" + p + "': " + problem);
  };
  if (!op.pattern.empty()) check(op.pattern);
  for (const std::string& s : op.separators) check(s);
  if (t.ranked) t.shape.push_back(ir::dim::unknown());
  cx.result(t);
}
void infer(const number_to_string&, ir::infer_context& cx) {
  if (!cx.operand(0).is_tensor()) cx.fail("the operand is not a tensor");
  cx.result(string_detail::with_elements(cx.operand(0), dtype::string));
}
void infer(const string_to_number& op, ir::infer_context& cx) {
  cx.result(string_detail::with_elements(string_detail::strings(cx, 0), op.to));
}
void infer(const lookup&, ir::infer_context& cx) {
  for (int i = 0; i < 4; ++i)
    if (!cx.operand(i).is_tensor()) cx.fail("an operand is not a tensor");
  if (cx.operand(1).elem != cx.operand(0).elem) cx.fail("the keys have another element type than the operand");
  if (cx.operand(2).elem != cx.operand(3).elem) cx.fail("the values have another element type than the default");
  cx.result(string_detail::with_elements(cx.operand(0), cx.operand(2).elem));
}
void infer(const murmur_hash&, ir::infer_context& cx) {
  const ir::type& x = cx.operand(0);
  if (!x.is_tensor() || (x.elem != dtype::string && size_of(x.elem) != 4 && size_of(x.elem) != 8))
    cx.fail("the operand is neither a tensor of strings nor one whose elements have 4 or 8 bytes");
  cx.result(string_detail::with_elements(x, dtype::u32));
}

}  // namespace tenon::op
