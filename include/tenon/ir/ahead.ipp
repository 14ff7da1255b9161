/// @file ahead.ipp: definitions of ir/ahead.hpp.
#pragma once

#include <unordered_map>

#include <tenon/ir/ahead.hpp>
#include <tenon/ir/module.ipp>

namespace tenon::ir {
namespace detail {

class function_hasher {
 public:
  explicit function_hasher(const module& m, bool symbols = false) : m_(m), symbols_(symbols) {}
  u64 run(function_id f) {
    const function& fn = m_[f];
    number(static_cast<u64>(fn.kind)), number(fn.entry), text(fn.target);
    for (type_id t : fn.result_types) type_hash(m_[t]);
    region(fn.body);
    return hash_;
  }

  u64 run(op_id op) {
    const void* const attributes = m_.attributes(m_[op].attributes);
    std::string said;
    for (const attribute& a : m_[op].info->attributes()) a.visit(attributes, without_constants{{said}});
    text(said);
    for (value_id v : m_.results(op)) type_hash(m_.type_of(v));
    return hash_;
  }

 private:
  struct without_constants : encoder {
    using encoder::operator();
    void operator()(const constant_id&) {}
  };
  void number(u64 n) { hash_ = (hash_ ^ n) * 0x100000001b3u, hash_ ^= hash_ >> 29; }
  void text(std::string_view s) { number(meta::hash_of({s.data(), s.size()})); }
  void type_hash(const type& t) {
    number(static_cast<u64>(t.kind) * 64 + static_cast<u64>(t.elem)), number(t.ranked), text(t.space);
    for (dim d : t.shape) number(d.is_static() || symbols_ ? static_cast<u64>(d.bits) : ~u64(0));
  }
  void define(value_id v) {
    numbers_.emplace(v.index, numbers_.size());
    type_hash(m_.type_of(v));
  }
  void region(region_id r) {
    number(m_[r].arguments.size());
    for (value_id a : m_[r].arguments) define(a);
    for (op_id op : m_[r].ops) {
      const op_node& n = m_[op];
      text(n.info->name);
      std::string attributes;
      encode_attributes(attributes, *n.info, m_.attributes(n.attributes));
      text(attributes);
      for (value_id v : m_.operands(op)) number(v ? numbers_[v.index] : ~u64(0));
      for (u32 i = 0; i < n.region_count; ++i) region(m_.region(op, static_cast<int>(i)));
      for (value_id v : m_.results(op)) define(v);
    }
  }

  const module& m_;
  bool symbols_;  ///< which symbol an extent is counts, too
  std::unordered_map<u32, u64> numbers_;
  u64 hash_ = 0xcbf29ce484222325u;
};

}  // namespace detail

u64 hash_of_function(const module& m, function_id f) { return detail::function_hasher(m).run(f); }

u64 hash_of_op(const module& m, op_id op) { return detail::function_hasher(m).run(op); }

u64 hash_of_module(const module& m) {
  u64 h = 0xcbf29ce484222325u;
  const auto mix = [&h](u64 n) { h = (h ^ n) * 0x100000001b3u, h ^= h >> 29; };
  const auto text = [&mix](std::string_view s) { mix(meta::hash_of({s.data(), s.size()})); };
  for (function_id f : m.functions()) text(m[f].name), text(m[f].phase), mix(detail::function_hasher(m, true).run(f));
  text(m.build.fingerprint);
  for (const auto& entries : {m.build.entries(), m.metadata})
    for (const auto& [key, value] : entries) text(key), text(value);
  mix(m.artifacts().size());
  return h;
}

void ahead_watch::check(const module& after, std::string_view pass, std::string_view phase) const {
  for (const entry& e : seen_) {
    const function_id f = after.find_function(e.name);
    if (!f || after[f].phase.empty() || hash_of_function(after, f) == e.hash) continue;
    throw error("tenon-E030",
                "pass '" + std::string(pass) + "' runs in phase '" + std::string(phase) + "' and changed function '" +
                    e.name + "', which is in phase '" + e.phase +
                    "' already: a pass works on functions of its phase only",
                {}, "go over 'functions()' of the typed module, which leaves out those that are ahead");
  }
}

}  // namespace tenon::ir
