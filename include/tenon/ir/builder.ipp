/// @file builder.ipp: definitions of ir/builder.hpp.
#pragma once

#include <algorithm>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/condition_scope.hpp>
#include <tenon/ir/placed.hpp>

namespace tenon::ir {

op_id inserter::make_erased(const op_info& info, const void* attributes, std::span<const value_id> operands) {
  if (info.infer == nullptr)
    throw error("ir.no_type_rule", std::string(info.name) + " has no type rule", module_->text(location_),
                "give the result types to make_op");
  const condition_scope scope(*module_, region_);
  infer_context cx(*module_, info, operands, {}, location_);
  infer_placed(*module_, info, attributes, cx, operands, location_);
  return make_erased(info, attributes, operands, cx.results(), 0);
}

op_id inserter::make_erased(const op_info& info, const void* attributes, std::span<const value_id> operands,
                            std::span<const type_id> results, int regions) {
  const attr_id a = module_->intern_attributes(info, attributes);
  const op_id op = module_->make_op(info, a, operands, results, regions, location_);
  if (!before_) {
    module_->append(region_, op);
  } else {
    const auto& ops = (*module_)[region_].ops;
    module_->insert(region_, static_cast<size_t>(std::find(ops.begin(), ops.end(), before_) - ops.begin()), op);
  }
  return op;
}

value_id inserter::make_single(const op_info& info, const void* attributes, std::initializer_list<value_id> operands) {
  return mod().result(make_erased(info, attributes, std::span<const value_id>(operands.begin(), operands.size())));
}

}  // namespace tenon::ir
