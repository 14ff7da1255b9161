/// @file loop_orders.ipp: definition of interpret/loop_orders.hpp.
#pragma once

#include <cstring>
#include <unordered_map>

#include <tenon/interpret/loop_orders.hpp>
#include <tenon/interpret/loops.ipp>
#include <tenon/ir/walk.hpp>
#include <tenon/runtime/random_tensor.hpp>

namespace tenon {
namespace interpreting {

/// Which values follow from loop indices, literals and sizes alone.
class data_flow {
 public:
  explicit data_flow(const ir::module& m) : m_(m) {}

  /// Where an op goes, or whether it runs: its indices, bounds, conditions.
  bool course_depends_on_elements(op_id op) {
    const ir::op_view v = m_.view(op);
    const auto any = [&](int first, int end) {
      for (int i = first; i < end; ++i)
        if (depends_on_elements(v.operand(i))) return true;
      return false;
    };
    if (const auto* l = v.get_if<loop::load>()) return any(1, v.operand_count() - (l->guarded ? 1 : 0));
    if (v.is<loop::store>() || v.is<loop::contract>()) return any(2, v.operand_count());
    if (v.is<loop::for_loop>()) return any(0, 2);
    return v.is<loop::branch>() && any(0, 1);
  }

 private:
  bool depends_on_elements(value_id v) {
    const auto [at, fresh] = known_.try_emplace(v.index, true);
    if (!fresh) return at->second;
    const bool depends = find(v);
    return known_[v.index] = depends;
  }
  bool find(value_id v) {
    const op_id d = m_[v].definition;
    if (!d) {  // the index of a loop, or what it carries; the sum of a contraction, or where it is
      const op_id around = m_[m_[v].owner].parent;
      if (!around) return true;
      const bool first = m_[m_[v].owner].arguments[0] == v;
      return m_.view(around).is<loop::for_loop>() ? !first : !m_.view(around).is<loop::contract>() || first;
    }
    const ir::op_view o = m_.view(d);
    if (o.is<loop::literal>() || o.is<loop::extent>()) return false;
    if (!o.is<loop::scalar>() && !o.is<loop::convert>()) return true;
    for (value_id operand : m_.operands(d))
      if (depends_on_elements(operand)) return true;
    return false;
  }

  const ir::module& m_;
  std::unordered_map<u32, bool> known_;
};

inline constexpr i64 most_bytes_tried = 1 << 20;

/// Has it a loop whose iterations may change places, and can it be run by itself, and soon?
inline bool orders_can_be_tried(const ir::module& m, function_id f) {
  i64 bytes = 0;
  for (value_id a : m[m[f].body].arguments) {
    const ir::type& t = m.type_of(a);
    if (!t.is_buffer() || !t.is_static() || t.bytes() > most_bytes_tried - bytes) return false;
    bytes += t.bytes();
  }
  bool parallel = false, known = true;
  data_flow flow(m);
  ir::for_each_op(m, m[f].body, [&](op_id op) {
    const auto* l = m.view(op).get_if<loop::for_loop>();
    parallel = parallel || (l != nullptr && (l->independent || l->kind == loop::loop_kind::parallel));
    known = known && !m.view(op).is<loop::extent>() && !flow.course_depends_on_elements(op);
  });
  return parallel && known;
}

}  // namespace interpreting

std::optional<error> order_problem(const ir::module& m, function_id f) {
  using namespace interpreting;
  if (!orders_can_be_tried(m, f)) return std::nullopt;
  const auto left_by = [&](const kernel_checks& checks) {
    std::vector<tensor> memory;
    std::vector<buffer> arguments;
    for (value_id a : m[m[f].body].arguments) {
      const ir::type& t = m.type_of(a);
      memory.push_back(random_tensor(t.elem, t.extents(), memory.size() + 1));
      tensor& made = memory.back();
      arguments.push_back({made.type(), made.shape(), static_cast<unsigned char*>(made.data()),
                           std::make_shared<const tensor>(made), true});
    }
    kernel(m, f, checks).run(arguments);
    return memory;
  };
  try {
    const std::vector<tensor> want = left_by({.most_iterations = 1 << 15});
    const std::vector<tensor> got = left_by({.shuffle = 1, .races = true});
    for (size_t i = 0; i < want.size(); ++i)
      if (want[i].bytes() != 0 && std::memcmp(want[i].data(), got[i].data(), static_cast<size_t>(want[i].bytes())) != 0)
        return error("interpret.order", "kernel '" + m[f].name + "': argument " + std::to_string(i) +
                                            " is another one when iterations of its independent loops change places");
  } catch (const race_error& e) { return e; } catch (const error&) {  // it was so before, and is no matter of order
  }
  return std::nullopt;
}

}  // namespace tenon
