/// @file kernel_builder: makes one kernel from a group of graph ops.
///
/// A group has at most one anchor, an op with `lower`; the others have `element` and are evaluated where the anchor
/// loads (producers) or stores (consumers). Without an anchor the kernel is one nest over the result's dimensions,
/// of which neighbours are merged when all operands agree (an elementwise kernel is one flat loop). An op that has
/// both is the anchor of a group that has no other, if the group's results are stored as its elements are.
#pragma once

#include <tenon/passes/lowering_table.hpp>

namespace tenon {

/// The ops of one kernel, and how they meet the outside: `inputs[i]` is the value inside that stands for operand i.
struct kernel_group {
  std::vector<op_id> ops;          ///< in program order
  std::vector<value_id> inputs;    ///< values that the ops use from outside (or a region's arguments)
  std::vector<value_id> operands;  ///< the values outside: same length
  std::vector<value_id> outputs;   ///< results of `ops` that leave
  location_id location;
  std::string target;  ///< what the kernel is constrained to run on
};

/// Something a lowering asked of a value outside of its group. What it was told is part of what its kernel is.
struct kernel_question {
  enum kind_t : u8 {
    constant,  ///< the value, if it is a constant
    finite,    ///< whether it is a constant without infinities and NaN
    integers,  ///< the elements, as far as they are known as expressions of extents
  } kind;
  size_t input;  ///< which of the group's inputs
  friend bool operator==(const kernel_question&, const kernel_question&) = default;
};
/// The answer, spelled so that equal answers have equal spellings.
std::string answer_to(kernel_question q, const ir::module& m, const kernel_group& g);

struct made_kernel {
  function_id function;
  std::vector<i64> in_place;  ///< operands that are read at the written index only
  std::vector<size_t> reads;  ///< which operands of the group the kernel takes: a shape may be known without
  /// All that was asked of values outside, each question once and in this order. A lowering sees nothing else of them
  /// than their types, so a group of the same ops and types that gives the same answers has the same kernel.
  std::vector<kernel_question> asked;
};

/// Elements around a tensor, by dimension.
struct zero_border {
  std::vector<i64> before, after;
};
/// What a `pad` puts around its operand, if these are zeros and their number is known. Behind an op with loop nests of
/// its own it makes no nest: elements are stored at shifted places, and the borders are filled before.
std::optional<zero_border> zero_border_of(const ir::module& m, op_id op);

class kernel_builder {
 public:
  kernel_builder(ir::module& m, const kernel_group& group, int vector_bytes, const more_lowerings& more);
  made_kernel build(std::string_view name);

 private:
  struct anchor_context;
  struct node_context;
  friend anchor_context;
  friend node_context;

  value_id pull(value_id v, const index_list& at);
  value_id read(size_t input, const index_list& at);
  value_id evaluate(op_id op, const index_list& at);
  const ir::type& shape_of(value_id v) const;
  op_id with_both_forms() const;
  void merge_dimensions();
  void merge_rows();
  index_expr value(const extent_expr& e);
  void drop_unread(made_kernel& made);
  void build_nest();
  std::optional<size_t> transposed_dimension() const;
  void fill_borders();
  void store_outputs(value_id anchor_result, value_id v, const index_list& at);
  /// The ways to what a value outside is: each writes down that it was asked.
  const tensor* constant_of(value_id v);
  bool is_finite_constant(value_id v);
  std::optional<std::vector<std::optional<extent_expr>>> integers_of(value_id v);
  void ask(kernel_question::kind_t kind, size_t input);
  size_t input_number(value_id v) const;
  bool same_index(const index_list& a, const index_list& b, const ir::type& t) const;

  ir::module& m_;
  const kernel_group& group_;
  int vector_bytes_;
  const more_lowerings& more_;
  function_id function_;
  ir::loop_builder b_;
  op_id anchor_;
  std::vector<std::pair<value_id, ir::type>>
      merged_;  ///< types after merging dimensions, when there was something to merge
  std::vector<value_id> arguments_;
  std::vector<std::pair<std::string, value_id>> sizes_;  ///< extents that are no numbers, by their expressions
  struct memo {
    value_id of;
    index_list at;
    region_id region;
    value_id result;
  };
  std::vector<memo> memo_;
  bool may_be_empty_ = false;  ///< inputs are read where they may have no element
  value_id anchor_value_;      ///< while storing: the anchor's element
  index_list store_at_;
  std::vector<kernel_question> asked_;
  std::vector<bool> read_elsewhere_;  ///< inputs that are read at an index other than the stored one
};

}  // namespace tenon
