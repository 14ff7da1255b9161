/// @file transplant: copies ops and functions from one module into another, with all that they refer to.
///
/// Types, attributes, symbols and locations are interned anew, constants and the functions that ops name come along,
/// each once and under its name. Cost: O(ops copied).
#pragma once

#include <unordered_map>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

class transplanter {
 public:
  transplanter(const module& from, module& to) : from_(from), to_(to) {}

  /// The value that stands for another one in the new module; none if it was not mapped.
  value_id at(value_id v) const {
    const auto it = v ? values_.find(v.index) : values_.end();
    return it == values_.end() ? value_id{} : it->second;
  }
  void map(value_id from, value_id to) { values_[from.index] = to; }
  /// The same for a copy, which has the discardable attributes of the original.
  void map_copy(value_id from, value_id to) {
    to_.set_discardable(to, from_.discardable(from));
    map(from, to);
  }
  type_id type(type_id t);
  constant_id constant(constant_id c);
  /// Copies an op to the end of a region. Its constraint becomes what `constraint` makes of it; null: it has none.
  op_id copy(op_id op, region_id to, std::string (*constraint)(const std::string&) = nullptr);
  /// Copies a function and what it refers to, once. None if there is no such function.
  function_id copy_function(std::string_view name);

 private:
  const module& from_;
  module& to_;
  std::unordered_map<u32, value_id> values_;
  std::unordered_map<u32, type_id> types_;
  std::unordered_map<u32, constant_id> constants_;
};

}  // namespace tenon::ir
