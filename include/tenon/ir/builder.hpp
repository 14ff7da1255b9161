/// @file builder: makes ops at a place of a module, and cannot make one that its pass does not emit.
#pragma once

#include <initializer_list>

#include <tenon/ir/infer.hpp>
#include <tenon/judge/op_set.hpp>

namespace tenon::ir {

/// Where new ops go: into a region, at its end or before an op. Ops with a type rule get their result types from it.
class inserter {
 public:
  inserter(module& m, region_id r, location_id location = {}) : module_(&m), region_(r), location_(location) {}

  ir::module& mod() const { return *module_; }
  region_id region() const { return region_; }
  void set_location(location_id l) { location_ = l; }
  location_id location() const { return location_; }
  void to_end(region_id r) { region_ = r, before_ = {}; }
  /// New ops go before `op`, in the order in which they are made, and take its location.
  void before(op_id op) { region_ = (*module_)[op].parent, before_ = op, location_ = (*module_)[op].location; }

  /// Makes an op with the result types that its rule gives.
  op_id make_erased(const op_info& info, const void* attributes, std::span<const value_id> operands);
  /// Makes an op with given result types and `regions` empty regions.
  op_id make_erased(const op_info& info, const void* attributes, std::span<const value_id> operands,
                    std::span<const type_id> results, int regions);
  /// Makes an op with one result and returns that.
  value_id make_single(const op_info& info, const void* attributes, std::initializer_list<value_id> operands);

 private:
  ir::module* module_;
  region_id region_;
  op_id before_;
  location_id location_;
};

/// An inserter that makes the ops of `Emits` only: `builder<ops<op::add, op::mul>>`, or what a pass says it emits:
/// `builder<my_pass>`, whose errors name the pass.
template <class Emits = any_ops>
class builder : public inserter {
 public:
  using inserter::inserter;

  template <class Op>
  op_id make_op(const Op& attributes, std::span<const value_id> operands) {
    may_emit<Op, Emits>::accept();
    return make_erased(info_of<Op>, &attributes, operands);
  }
  template <class Op>
  op_id make_op(const Op& attributes, std::span<const value_id> operands, std::span<const type_id> results,
                int regions = 0) {
    may_emit<Op, Emits>::accept();
    return make_erased(info_of<Op>, &attributes, operands, results, regions);
  }
  /// Makes an op with one result and returns that.
  template <class Op>
  value_id make(const Op& attributes, std::initializer_list<value_id> operands) {
    may_emit<Op, Emits>::accept();
    return make_single(info_of<Op>, &attributes, operands);
  }
};

}  // namespace tenon::ir
