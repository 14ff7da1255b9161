/// @file module: the one physical representation under all phases.
///
/// Functions, ops, values, regions, types, attributes, constants and metadata live in dense arenas and refer to each
/// other by strong indices. A region is one block: arguments, ops in order, a terminator. Use lists are intrusive.
/// Erased ops leave holes that `compact()` removes; ids are stable until then. Reading is thread-safe, writing is not.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/extent_condition.hpp>
#include <tenon/core/hash_index.hpp>
#include <tenon/core/interned_strings.hpp>
#include <tenon/core/small_vector.hpp>
#include <tenon/ir/analysis_cache.hpp>
#include <tenon/ir/artifact_set.hpp>
#include <tenon/ir/build_record.hpp>
#include <tenon/ir/discardable.hpp>
#include <tenon/ir/type.hpp>
#include <tenon/op.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon::ir {

class module;

/// An operand slot: a value, and its place in the value's use list.
struct use_node {
  value_id value;
  op_id user;
  u32 number = 0;
  use_id next, previous;
};

struct op_node {
  const op_info* info = nullptr;  ///< null: erased
  attr_id attributes;
  u32 first_operand = 0, operand_count = 0;
  u32 first_result = 0, result_count = 0;
  u32 first_region = 0, region_count = 0;
  region_id parent;
  location_id location;
};

struct value_node {
  type_id type;
  op_id definition;  ///< none: an argument of `owner`
  region_id owner;
  u32 number = 0;
  use_id first_use;
  discardable_id discardable;
};

struct region_node {
  std::vector<value_id> arguments;
  std::vector<op_id> ops;
  op_id parent;          ///< none: a function's body
  function_id function;  ///< set on a function's body only
};

enum class function_kind : u8 { graph, kernel };
/// What a function says of its effects; `ir/purity.hpp` says what each of them means.
enum class function_purity : u8 { unsaid, impure, pure, forced_pure };
inline constexpr std::string_view purity_names[] = {"", "impure", "pure", "forced_pure"};

struct function {
  std::string name;
  function_kind kind = function_kind::graph;
  function_purity purity = function_purity::unsaid;
  region_id body;
  bool entry = false;  ///< callable from outside
  bool alive = true;
  std::string target;  ///< target constraint; empty: unconstrained
  std::string phase;   ///< of a function that is ahead of its module; empty: the module's
  std::vector<std::string> argument_names, result_names;
  std::vector<type_id> result_types;  ///< follows from the terminator; kept for callers
  discardable_attributes discardable;

  /// Is it of this kind, and in its module's phase? Passes work on such functions only.
  bool here(function_kind k) const { return kind == k && phase.empty(); }
};

struct constant_node {
  std::string name;
  tenon::tensor value;
};

/// A read-only view of an op with its attributes and operands; cheap to copy, valid until the module is compacted.
class op_view {
 public:
  op_view(const module& m, op_id o) : module_(&m), id_(o) {}
  op_id id() const { return id_; }
  const op_info& info() const;
  std::string_view name() const { return info().name; }
  template <class Op> bool is() const { return &info() == &info_of<Op>; }
  template <class Op> const Op& as() const;  ///< the attributes; the op must be an `Op`
  template <class Op> const Op* get_if() const { return is<Op>() ? &as<Op>() : nullptr; }
  int operand_count() const;
  int result_count() const;
  int region_count() const;
  bool has_operand(int i) const;  ///< given and not the absent value
  value_id operand(int i) const;
  value_id result(int i = 0) const;
  region_id region(int i = 0) const;
  const type& operand_type(int i) const;
  const type& result_type(int i = 0) const;
  region_id parent() const;
  location_id location() const;

 private:
  const module* module_;
  op_id id_;
};

class module {
 public:
  module();
  module(const module&);
  module& operator=(const module&);
  module(module&&) noexcept = default;
  module& operator=(module&&) noexcept = default;
  ~module();

  // -- interning ------------------------------------------------------------------------------------------------
  type_id intern(const type& t);
  const type& operator[](type_id t) const { return types_[t.index]; }
  /// Interns the attributes of an op given as an erased `Op`; equal ones have one id.
  attr_id intern_attributes(const op_info& info, const void* attributes);
  const void* attributes(attr_id a) const { return attributes_[a.index].data.get(); }
  symbol_id symbol(std::string_view name);
  const std::string& name(symbol_id s) const { return symbols_[s.index]; }
  size_t symbol_count() const { return symbols_.size(); }
  /// Calls symbols by others' names, wherever they stand. No two may have the same one then.
  void rename_symbols(std::vector<std::string> names);
  /// Where an op comes from, what it is constrained to run on (see ir/constraint.hpp), and its discardable attributes.
  /// They travel together: a pass that keeps locations keeps constraints and attributes.
  location_id location(std::string_view text, std::string_view target = {}, discardable_id discardable = {});
  const std::string& text(location_id l) const { return l ? locations_[l.index].text : empty_; }
  const std::string& target(location_id l) const { return l ? locations_[l.index].target : empty_; }
  size_t type_count() const { return types_.size(); }

  // -- discardable attributes (ir/discardable.hpp) ------------------------------------------------------------------
  discardable_id intern(const discardable_attributes& d);  ///< none for an empty set
  const discardable_attributes& operator[](discardable_id d) const {
    static const discardable_attributes none;
    return d ? discardable_[d.index] : none;
  }
  discardable_id discardable_of(location_id l) const { return l ? locations_[l.index].discardable : discardable_id{}; }
  const discardable_attributes& discardable(op_id op) const { return (*this)[discardable_of(ops_[op.index].location)]; }
  const discardable_attributes& discardable(value_id v) const { return (*this)[values_[v.index].discardable]; }
  void set_discardable(op_id op, const discardable_attributes& d);
  void set_discardable(value_id v, const discardable_attributes& d) { values_[v.index].discardable = intern(d); }
  /// Error "ir.attribute" for a name without a namespace.
  void set_discardable(op_id op, std::string_view name, discardable_value value);
  void set_discardable(value_id v, std::string_view name, discardable_value value);
  /// A value takes those of another one that it does not have.
  void inherit_discardable(value_id v, value_id from);

  // -- constants ------------------------------------------------------------------------------------------------
  /// Its elements are read-only from here: who writes to a copy writes to elements of its own. A tensor that others
  /// have too is copied, so hand it over.
  constant_id add_constant(tenon::tensor value, std::string name = {});
  const constant_node& operator[](constant_id c) const { return constants_[c.index]; }
  size_t constant_count() const { return constants_.size(); }
  /// Gives the memory of a constant's elements back, if no op refers to it any more; its number stays until `compact`.
  /// Cost: O(ops).
  void release_constant(constant_id c);

  // -- functions ------------------------------------------------------------------------------------------------
  /// Adds a function with an empty body; a name that is taken gets a number appended.
  function_id add_function(std::string_view name, function_kind kind, std::span<const type_id> arguments);
  void erase_function(function_id f);
  function_id find_function(std::string_view name) const;
  function& operator[](function_id f) { return functions_[f.index]; }
  const function& operator[](function_id f) const { return functions_[f.index]; }
  /// The living functions, in order.
  std::vector<function_id> functions() const;

  // -- ops and values ---------------------------------------------------------------------------------------------
  /// Makes an op that is in no region yet. Absent operands are `value_id{}`.
  op_id make_op(const op_info& info, attr_id attributes, std::span<const value_id> operands,
                std::span<const type_id> results, int regions, location_id location);
  void append(region_id r, op_id op);
  void insert(region_id r, size_t position, op_id op);
  /// Takes the op out of its region, drops its uses and marks it erased, with its regions; results must be unused.
  void erase(op_id op);
  region_id make_region(op_id parent);
  value_id add_argument(region_id r, type_id type);
  /// Takes an argument that has no uses away; those behind it move up.
  void erase_argument(region_id r, size_t number);
  void set_operand(op_id op, int number, value_id v);
  void set_type(value_id v, type_id t) { values_[v.index].type = t; }
  void set_attributes(op_id op, attr_id a) { ops_[op.index].attributes = a; }
  /// The discardable attributes of `from` go to `to` too.
  void replace_uses(value_id from, value_id to);

  op_view view(op_id op) const { return {*this, op}; }
  const op_node& operator[](op_id op) const { return ops_[op.index]; }
  op_node& operator[](op_id op) { return ops_[op.index]; }
  const value_node& operator[](value_id v) const { return values_[v.index]; }
  const region_node& operator[](region_id r) const { return regions_[r.index]; }
  region_node& operator[](region_id r) { return regions_[r.index]; }
  const use_node& operator[](use_id u) const { return uses_[u.index]; }
  const type& type_of(value_id v) const { return types_[values_[v.index].type.index]; }
  bool alive(op_id op) const { return ops_[op.index].info != nullptr; }
  size_t op_count() const { return ops_.size(); }  ///< with holes: a bound on indices
  size_t value_count() const { return values_.size(); }
  size_t region_count() const { return regions_.size(); }
  bool has_uses(value_id v) const { return bool(values_[v.index].first_use); }
  int use_count(value_id v) const;
  region_id region(op_id op, int i = 0) const {
    return region_lists_[ops_[op.index].first_region + static_cast<u32>(i)];
  }
  value_id operand(op_id op, int i) const { return uses_[ops_[op.index].first_operand + static_cast<u32>(i)].value; }
  value_id result(op_id op, int i = 0) const { return value_id(ops_[op.index].first_result + static_cast<u32>(i)); }
  small_vector<value_id, 4> operands(op_id op) const;
  small_vector<value_id, 4> results(op_id op) const;
  op_id terminator(region_id r) const;  ///< the last op, or none
  function_id function_of(region_id r) const;
  const op_info* definition_info(value_id v) const {
    const op_id d = values_[v.index].definition;
    return d ? ops_[d.index].info : nullptr;
  }
  /// The constant tensor that a value is known to be (the result of `op::constant`), or null.
  const tenon::tensor* constant_value(value_id v) const;

  // -- artifacts: append-only ----------------------------------------------------------------------------------------
  /// Adds compiled code; a symbol that another one defines is an error ("ir.artifact") that names both producers.
  void add_artifact(artifact a);
  const artifact_set& artifacts() const { return artifacts_; }
  template <class T>
  auto set_artifacts(T&&) TENON_REFUSED(
      "tenon-E028: the artifacts of a module are append-only, since setting them loses what another code "
      "generator made: add each with 'add_artifact'");

  /// Rebuilds the arenas without holes, in program order; every id changes. Same meaning, same text.
  void compact();

  /// What was computed of it. Who changes it between two passes, or asks again in one that changed it, clears this.
  analysis_cache& analyses() const { return analyses_; }

  /// A module that holds a copy of one function, with the constants that it uses, and nothing else.
  module extract(function_id f) const;

  /// What programs made of it check of their inputs' extents before each run.
  condition_list conditions;
  /// What passes and builds decided of the whole.
  build_record build;
  /// What importers and users note: producer, source file …
  std::map<std::string, std::string> metadata;

 private:
  struct attribute_node {
    const op_info* info;
    std::unique_ptr<void, void (*)(void*)> data;
  };
  void drop_use(u32 slot);
  void link_use(u32 slot);

  std::vector<type> types_;
  hash_index type_numbers_;
  std::vector<attribute_node> attributes_;
  interned_strings attribute_keys_;  ///< of each in `attributes_`
  struct place {
    std::string text, target;
    discardable_id discardable;
  };
  interned_strings symbols_;
  std::vector<place> locations_;
  interned_strings location_keys_;
  std::vector<discardable_attributes> discardable_{1};  ///< [0] is the empty set
  interned_strings discardable_keys_;                   ///< of those behind it
  hash_index function_numbers_;                         ///< of the living, by name
  std::vector<constant_node> constants_;
  std::vector<function> functions_;
  std::vector<op_node> ops_;
  std::vector<value_node> values_;
  std::vector<use_node> uses_;
  std::vector<region_id> region_lists_;
  std::vector<region_node> regions_;
  artifact_set artifacts_;
  mutable analysis_cache analyses_;
  std::string empty_;
};

inline const op_info& op_view::info() const { return *(*module_)[id_].info; }
template <class Op>
const Op& op_view::as() const {
  return *static_cast<const Op*>(module_->attributes((*module_)[id_].attributes));
}
inline int op_view::operand_count() const { return static_cast<int>((*module_)[id_].operand_count); }
inline int op_view::result_count() const { return static_cast<int>((*module_)[id_].result_count); }
inline int op_view::region_count() const { return static_cast<int>((*module_)[id_].region_count); }
inline bool op_view::has_operand(int i) const { return i < operand_count() && bool(operand(i)); }
inline value_id op_view::operand(int i) const { return module_->operand(id_, i); }
inline value_id op_view::result(int i) const { return module_->result(id_, i); }
inline region_id op_view::region(int i) const { return module_->region(id_, i); }
inline const type& op_view::operand_type(int i) const { return module_->type_of(operand(i)); }
inline const type& op_view::result_type(int i) const { return module_->type_of(result(i)); }
inline region_id op_view::parent() const { return (*module_)[id_].parent; }
inline location_id op_view::location() const { return (*module_)[id_].location; }

}  // namespace tenon::ir
