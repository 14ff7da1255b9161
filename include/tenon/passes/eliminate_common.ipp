/// @file eliminate_common.ipp: definition of passes/eliminate_common.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include <tenon/compile/analysis.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/passes/eliminate_common.hpp>

namespace tenon::passes {
namespace common {

class merger {
 public:
  merger(ir::module& m, const fact::purity& pure) : m_(m), pure_(pure) {}

  void region(region_id r) {
    const std::vector<op_id> ops = m_[r].ops;
    scopes_.emplace_back(ops.size());
    std::vector<op_id> kept;
    for (op_id op : ops) {
      if (merge(op)) continue;
      kept.push_back(op);
      const ir::op_view v = m_.view(op);
      if (v.region_count() == 0) continue;
      // What is in a fused group sees the group's arguments only; and a region may keep all that stands in it.
      std::vector<hash_index> hidden;
      const bool apart = v.is<op::fused>() || v.info().region.keeps == ~0u;
      if (apart) hidden.swap(scopes_);
      for (int i = 0; i < v.region_count(); ++i) region(v.region(i));
      if (apart) hidden.swap(scopes_);
    }
    m_[r].ops = std::move(kept);
    scopes_.pop_back();
  }

 private:
  bool merge(op_id op) {
    const ir::op_view v = m_.view(op);
    if (v.region_count() != 0 || v.result_count() == 0 || !pure_.of_op(m_, op)) return false;
    const u64 hash = hash_of(op);
    for (const hash_index& s : scopes_)
      if (const u32 first = s.find(hash, [&](u32 other) { return alike(op_id(other), op); }); first != hash_index::none)
        return use(op_id(first), op);
    scopes_.back().insert(hash, op.index);
    return false;
  }

  bool use(op_id first, op_id again) {
    for (int i = 0; i < m_.view(again).result_count(); ++i) {
      const value_id to = m_.result(first, i), from = m_.result(again, i);
      if (m_[to].type != m_[from].type)
        m_.set_type(
            to, m_.intern(ir::meet(m_, m_.type_of(to), m_.type_of(from), m_.view(again).name(), m_[again].location)));
      m_.replace_uses(from, to);
    }
    m_[again].parent = {};  // the region's list is rebuilt by the caller
    m_.erase(again);
    return true;
  }

  /// Operands in the order in which they are compared: those of a commutative op by their numbers.
  value_id operand(ir::op_view v, int i) const {
    if (i > 1 || v.operand_count() < 2 || !v.info().traits.commutative) return v.operand(i);
    return v.operand((v.operand(1) < v.operand(0)) != (i == 1) ? 1 : 0);
  }

  u64 hash_of(op_id op) {
    const ir::op_view v = m_.view(op);
    u64 h = hash_mixed(hash_start, reinterpret_cast<std::uintptr_t>(&v.info()));
    if (const auto* c = v.get_if<op::constant>()) return hash_mixed(h, content(c->value));
    h = hash_mixed(h, m_[op].attributes.index);
    for (int i = 0; i < v.operand_count(); ++i) h = hash_mixed(h, operand(v, i).index);
    return h;
  }

  bool alike(op_id a, op_id b) {
    const ir::op_view v = m_.view(a), w = m_.view(b);
    if (&v.info() != &w.info() || v.result_count() != w.result_count()) return false;
    if (const auto* c = v.get_if<op::constant>()) return content(c->value) == content(w.as<op::constant>().value);
    if (m_[a].attributes != m_[b].attributes || v.operand_count() != w.operand_count()) return false;
    // What is to run on two targets is two things.
    if (m_.target(m_[a].location) != m_.target(m_[b].location)) return false;
    for (int i = 0; i < v.operand_count(); ++i)
      if (operand(v, i) != operand(w, i)) return false;
    // Ops without a rule may differ in what their results are declared to be.
    for (int i = 0; v.info().infer == nullptr && i < v.result_count(); ++i)
      if (m_[m_.result(a, i)].type != m_[m_.result(b, i)].type) return false;
    return true;
  }

  /// A number that two constants share exactly when they are equal. Few large ones are alike at their ends and not
  /// equal: the others are not read between these. Those that nobody has computed yet are equal where they are computed
  /// alike.
  u64 content(constant_id c) {
    if (contents_.size() <= c.index) contents_.resize(c.index + 1, 0);
    if (contents_[c.index] != 0) return contents_[c.index];
    const std::shared_ptr<const byte_source> source = computed_from(m_[c].value);
    std::vector<hashed>& alike = by_ends_[source ? source->hash() : hash(m_[c].value, end_bytes)];
    hashed now{c, 0};
    for (hashed& other : alike) {
      const std::shared_ptr<const byte_source> theirs = computed_from(m_[other.constant].value);
      if (source && theirs && m_[other.constant].value.type() == m_[c].value.type() &&
          m_[other.constant].value.shape() == m_[c].value.shape() && source->same(*theirs))
        return contents_[c.index] = contents_[other.constant.index];
      if (source || theirs) continue;
      for (hashed* h : {&now, &other})
        if (h->all == 0) h->all = hash(m_[h->constant].value, m_[h->constant].value.bytes());
      if (other.all == now.all && equal(m_[other.constant].value, m_[c].value))
        return contents_[c.index] = contents_[other.constant.index];
    }
    alike.push_back(now);
    return contents_[c.index] = c.index + 1;
  }

  /// Null where the elements lie somewhere.
  static std::shared_ptr<const byte_source> computed_from(const tensor& t) {
    auto source = t.source();
    return source && source->stored() == nullptr ? source : nullptr;
  }
  static bool equal(const tensor& a, const tensor& b) {
    return a.type() == b.type() && a.shape() == b.shape() &&
           (a.bytes() == 0 || std::memcmp(a.stored(), b.stored(), static_cast<size_t>(a.bytes())) == 0);
  }

  struct hashed {
    constant_id constant;
    u64 all = 0;  ///< the hash of all elements; 0: not asked for yet
  };
  static constexpr i64 end_bytes = 4096;

  /// Of type, shape, and at most so many bytes at each end.
  static u64 hash(const tensor& t, i64 most) {
    u64 hash = hash_start ^ static_cast<u64>(t.type());
    const auto mix = [&hash](u64 v) { hash = hash_mixed(hash, v); };
    for (i64 e : t.shape()) mix(static_cast<u64>(e));
    const char* const p = static_cast<const char*>(t.stored());
    const auto bytes = static_cast<size_t>(t.bytes()), ends = static_cast<size_t>(most);
    const auto range = [&](size_t from, size_t to) {
      for (; from + 8 <= to; from += 8) {
        u64 word;
        std::memcpy(&word, p + from, 8);
        mix(word);
      }
      for (; from < to; ++from) mix(static_cast<u8>(p[from]));
    };
    range(0, std::min(bytes, ends));
    if (bytes > ends) range(std::max(ends, bytes - ends), bytes);
    return hash;
  }

  ir::module& m_;
  const fact::purity& pure_;
  std::vector<hash_index> scopes_;  ///< the ops of the regions around, by what they are
  std::vector<u64> contents_;
  std::unordered_map<u64, std::vector<hashed>> by_ends_;
};

}  // namespace common

void eliminate_common::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  common::merger merge(m, cx.analysis<fact::purity_known>(*this, m));
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph)) merge.region(m[f].body);
}

}  // namespace tenon::passes
