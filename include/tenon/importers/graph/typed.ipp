/// @file typed.ipp: definitions of importers/graph/typed.hpp.
#pragma once

#include <tenon/importers/graph/operators.ipp>
#include <tenon/importers/graph/typed.hpp>

namespace tenon::nn::detail {

std::vector<extent> extents_of(const static_shape& s) {
  std::vector<extent> list;
  for (size_t i = 0; i < s.rank; ++i) list.push_back(s[i].is_number() ? extent(s[i].number) : extent(s[i].name));
  return list;
}

void check_typed(const variable& v, dtype t, const static_shape& s, const std::source_location& at) {
  const ir::type& have = v.type();
  bool same = have.is_tensor() && have.elem == t && (!have.ranked || have.shape.size() == s.rank);
  std::string wanted;
  for (size_t i = 0; i < s.rank; ++i) {
    wanted += (i ? "," : "") + (s[i].is_number() ? std::to_string(s[i].number) : std::string(s[i].name));
    // A name may stand for what nobody knows yet, but not for a number.
    if (same && have.ranked)
      same = s[i].is_number() ? !have.shape[i].is_static() || have.shape[i].extent() == s[i].number
                              : !have.shape[i].is_static();
  }
  if (!same)
    throw error("graph.typed",
                "a tensor of " + std::string(name_of(have.elem)) + extents_text(have) + " is no " +
                    std::string(name_of(t)) + "[" + wanted + "]",
                v.graph().place(at), "name the type that it has");
}

variable reshaped_to(const operand& x, const static_shape& from, const static_shape& to) {
  std::vector<i64> plan;
  for (size_t i = 0; i < to.rank; ++i) {
    size_t k = 0;  // a name is the extent of the dimension that has it
    while (k < from.rank && (to[i].is_number() || !(from[k] == to[i]))) ++k;
    plan.push_back(to[i].is_number() ? to[i].number : -1 - static_cast<i64>(k));
  }
  return reshape_like(x, plan);
}

}  // namespace tenon::nn::detail
