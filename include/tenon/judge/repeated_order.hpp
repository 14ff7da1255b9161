/// @file repeated_order: passes that an order given as text repeats, as one pass: what `repeat<…>` is among types.
///
/// Refused for the same reasons ("tenon-E039"). What it says follows from its members by the same rules (`round_walk`);
/// a member that makes functions ahead of the module is not repeated here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tenon/compile/repeated.hpp>

namespace tenon::detail {

/// Ops that several passes may not find, as one list.
class merged_bars {
 public:
  void add(const barred_ops* list);
  /// Null: none. Valid until something is added.
  const barred_ops* all();

 private:
  std::vector<op_key> keys_;
  std::vector<effect_bar> why_;
  barred_ops all_;
};

class repeated_order {
 public:
  /// Throws "tenon-E039" where the members cannot be repeated.
  repeated_order(std::string name, std::vector<const pass_desc*> members);
  repeated_order(const repeated_order&) = delete;
  repeated_order& operator=(const repeated_order&) = delete;

  const pass_desc& desc() const { return *desc_; }
  const std::string& name() const { return name_; }

 private:
  using fact_pointers = std::vector<const fact_desc*>;
  void collect_facts(const round_walk& walk);
  void collect_ops(const round_walk& walk);
  void collect_rare(const round_walk& walk);
  void collect_regions(const round_walk& walk);

  std::string name_;
  std::vector<const pass_desc*> members_;
  pass_tag tag_;
  fact_pointers needs_, gives_, keeps_, breaks_;  ///< a null behind each
  bool says_breaks_ = false, emits_any_ = false;
  std::vector<op_key> emitted_, eliminated_, worked_on_, rewritten_, alone_, outside_ops_, enclosed_, changed_;
  op_set emits_, eliminates_, works_on_, rewrites_, outside_, encloses_, changes_;
  std::vector<op_set> patterns_;  ///< of what members work on; first those that they find alone
  std::vector<const effect_desc*> treated_;
  std::vector<const pass_tag*> tags_;
  merged_bars bars_;
  rare_parts rare_;
  std::unique_ptr<const pass_desc> desc_;
};

}  // namespace tenon::detail
