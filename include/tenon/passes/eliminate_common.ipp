/// @file eliminate_common.ipp: definition of passes/eliminate_common.hpp.
#pragma once

#include <algorithm>
#include <cstring>
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
    scopes_.emplace_back();
    std::vector<op_id> kept;
    const std::vector<op_id> ops = m_[r].ops;
    for (op_id op : ops) {
      if (merge(op)) continue;
      kept.push_back(op);
      const ir::op_view v = m_.view(op);
      if (v.region_count() == 0) continue;
      // What is in a fused group sees the group's arguments only; and a region may keep all that stands in it.
      std::vector<scope> hidden;
      const bool apart = v.is<op::fused>() || v.info().region.keeps == ~0u;
      if (apart) hidden.swap(scopes_);
      for (int i = 0; i < v.region_count(); ++i) region(v.region(i));
      if (apart) hidden.swap(scopes_);
    }
    m_[r].ops = std::move(kept);
    scopes_.pop_back();
  }

 private:
  using scope = std::unordered_map<std::string, op_id>;

  bool merge(op_id op) {
    const ir::op_view v = m_.view(op);
    if (v.region_count() != 0 || v.result_count() == 0 || !pure_.of_op(m_, op)) return false;
    std::string key = spell(op);
    for (const scope& s : scopes_)
      if (const auto it = s.find(key); it != s.end()) return use(it->second, op);
    scopes_.back().emplace(std::move(key), op);
    return false;
  }

  bool use(op_id first, op_id again) {
    for (int i = 0; i < m_.view(again).result_count(); ++i) {
      const value_id to = m_.result(first, i), from = m_.result(again, i);
      m_.set_type(to, m_.intern(ir::meet(m_, m_.type_of(to), ir::type(m_.type_of(from)), m_.view(again).name(),
                                         m_[again].location)));
      m_.replace_uses(from, to);
    }
    m_[again].parent = {};  // the region's list is rebuilt by the caller
    m_.erase(again);
    return true;
  }

  std::string spell(op_id op) {
    const ir::op_view v = m_.view(op);
    std::string s;
    const auto number = [&s](u64 n) { s.append(reinterpret_cast<const char*>(&n), sizeof n); };
    number(reinterpret_cast<std::uintptr_t>(&v.info()));
    number(static_cast<u64>(v.result_count()));
    if (const auto* c = v.get_if<op::constant>()) {
      number(content(c->value));
      return s;
    }
    s += m_.target(m_[op].location);  // what is to run on two targets is two things
    s += '\0';
    number(m_[op].attributes.index);
    std::vector<value_id> operands = m_.operands(op);
    if (v.info().traits.commutative && operands.size() >= 2 && operands[1] < operands[0])
      std::swap(operands[0], operands[1]);
    for (value_id x : operands) number(x.index);
    // Ops without a rule may differ in what their results are declared to be.
    if (v.info().infer == nullptr)
      for (value_id x : m_.results(op)) number(m_[x].type.index);
    return s;
  }

  /// A number that two constants share exactly when they are equal. Few large ones are alike at their ends and not
  /// equal: the others are not read between these.
  u64 content(constant_id c) {
    if (contents_.size() <= c.index) contents_.resize(c.index + 1, 0);
    if (contents_[c.index] != 0) return contents_[c.index];
    std::vector<hashed>& alike = by_ends_[hash(m_[c].value, end_bytes)];
    hashed now{c, 0};
    for (hashed& other : alike) {
      for (hashed* h : {&now, &other})
        if (h->all == 0) h->all = hash(m_[h->constant].value, m_[h->constant].value.bytes());
      if (other.all == now.all && same_bits(m_[other.constant].value, m_[c].value))
        return contents_[c.index] = contents_[other.constant.index];
    }
    alike.push_back(now);
    return contents_[c.index] = c.index + 1;
  }

  struct hashed {
    constant_id constant;
    u64 all = 0;  ///< the hash of all elements; 0: not asked for yet
  };
  static constexpr i64 end_bytes = 4096;

  /// Of type, shape, and at most so many bytes at each end.
  static u64 hash(const tensor& t, i64 most) {
    u64 hash = 1469598103934665603u ^ static_cast<u64>(t.type());
    const auto mix = [&hash](u64 v) { hash = (hash ^ v) * 1099511628211u, hash ^= hash >> 29; };
    for (i64 e : t.shape()) mix(static_cast<u64>(e));
    const char* const p = static_cast<const char*>(t.data());
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
  std::vector<scope> scopes_;
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
