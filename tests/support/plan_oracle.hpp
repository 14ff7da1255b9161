/// @file plan_oracle: does a memory plan keep what is still needed? Found by running it byte by byte, from the
/// definition alone.
///
/// It knows nothing of live ranges: each byte of the arenas remembers who wrote it last. A call reads its inputs, and
/// then writes its outputs and scratch, all of them at any time while it runs. A plan is wrong where a byte is read
/// that another buffer has written since, or where a call may write a byte that it may still read or that is another
/// result.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <tenon/ir/module.hpp>
#include <tenon/ops/graph/call.hpp>

namespace tenon::testing {

class plan_oracle {
 public:
  /// `offset(alloc)`: its place; `bytes(type)`: the bytes of a buffer, for modules whose sizes are given elsewhere.
  template <class Offset, class Bytes>
  static std::string problem(const ir::module& m, function_id f, Offset&& offset, Bytes&& bytes) {
    plan_oracle o;
    for (op_id op : m[m[f].body].ops) {
      const ir::op_view v = m.view(op);
      if (v.is<op::alloc>()) {
        const i64 at = offset(op);
        if (at < 0) return "a buffer has no place";
        o.places_[v.result().index] = {v.result_type().space, at, bytes(v.result_type()), op.index};
      } else if (v.is<op::view_buffer>()) {
        if (const auto it = o.places_.find(v.operand(0).index); it != o.places_.end())
          o.places_.insert_or_assign(v.result().index, place(it->second));
      } else if (const auto* call = v.get_if<op::call_dps>()) {
        if (std::string s = o.call(m.operands(op), static_cast<size_t>(call->inputs), call->in_place); !s.empty())
          return s;
      } else if (v.is<op::copy_buffer>()) {
        if (std::string s = o.call(m.operands(op), 1, {}); !s.empty()) return s;
      }
    }
    return "";
  }
  /// Of a module whose sizes are numbers.
  static std::string problem(const ir::module& m) {
    for (function_id f : m.functions()) {
      if (m[f].kind != ir::function_kind::graph || !m[f].phase.empty()) continue;
      std::string s = problem(
          m, f, [&](op_id op) { return m.view(op).template as<op::alloc>().offset; },
          [](const ir::type& t) { return t.bytes(); });
      if (!s.empty()) return s;
    }
    return "";
  }

 private:
  struct place {
    std::string space;
    i64 at = 0, bytes = 0;
    u32 owner = 0;
    bool meets(const place& o) const {
      return space == o.space && at < o.at + o.bytes && o.at < at + bytes && bytes != 0 && o.bytes != 0;
    }
  };
  static constexpr u32 nobody = 0xffffffffu;

  const place* of(value_id v) const {
    const auto it = v ? places_.find(v.index) : places_.end();
    return it == places_.end() ? nullptr : &it->second;
  }
  std::string call(const std::vector<value_id>& operands, size_t inputs, const std::vector<i64>& in_place) {
    for (size_t i = 0; i < inputs; ++i) {
      const place* p = of(operands[i]);
      if (p == nullptr) continue;
      for (i64 b = p->at; b < p->at + p->bytes; ++b)
        if (const u32 w = writer(p->space, b); w != p->owner && w != nobody)
          return "byte " + std::to_string(b) + " of buffer " + std::to_string(p->owner) + " is read after buffer " +
                 std::to_string(w) + " took its place";
    }
    for (size_t i = inputs; i < operands.size(); ++i) {
      const place* out = of(operands[i]);
      if (out == nullptr) continue;
      for (size_t k = 0; k < operands.size(); ++k) {
        const place* other = of(operands[k]);
        if (k == i || other == nullptr || !out->meets(*other) || (k >= inputs && other->owner == out->owner)) continue;
        // The first result may stand exactly where an operand stands that is read at the written index only.
        const bool allowed = k < inputs && i == inputs && out->at == other->at && out->bytes == other->bytes &&
                             std::find(in_place.begin(), in_place.end(), static_cast<i64>(k)) != in_place.end();
        if (!allowed)
          return "a call writes buffer " + std::to_string(out->owner) + " over its operand " + std::to_string(k) +
                 ", buffer " + std::to_string(other->owner);
      }
    }
    for (size_t i = inputs; i < operands.size(); ++i)
      if (const place* out = of(operands[i]))
        for (i64 b = out->at; b < out->at + out->bytes; ++b) writer(out->space, b) = out->owner;
    return "";
  }
  u32& writer(const std::string& space, i64 byte) {
    auto& bytes = writers_[space];
    if (bytes.size() <= static_cast<size_t>(byte)) bytes.resize(static_cast<size_t>(byte) + 4096, nobody);
    return bytes[static_cast<size_t>(byte)];
  }

  std::map<u32, place> places_;  ///< of values
  std::map<std::string, std::vector<u32>> writers_;
};

}  // namespace tenon::testing
