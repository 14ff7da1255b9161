/// @file legalize_ops.ipp: definition of passes/legalize_ops.hpp.
#pragma once

#include <unordered_map>

#include <tenon/core/attempt.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/entry_steps.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/host_side.hpp>
#include <tenon/passes/inlining.hpp>
#include <tenon/passes/kernel_builder.hpp>
#include <tenon/passes/legalize_ops.hpp>

namespace tenon::passes {
namespace detail {

/// Spells the ops of a group, their attributes and types, and who uses whom: what a kernel depends on, but for what its
/// lowering asks of values outside.
inline std::string spell(const ir::module& m, const kernel_group& g) {
  std::string s = g.target + '\0';
  auto number = [&](u64 n) { s.append(reinterpret_cast<const char*>(&n), sizeof n); };
  std::vector<value_id> known = g.inputs;
  for (value_id v : g.inputs) number(m[v].type.index);
  for (op_id op : g.ops) {
    s += m.view(op).name();
    s += '\0';
    number(m[op].attributes.index);
    for (value_id v : m.operands(op)) {
      u64 n = ~u64{0};
      for (size_t i = 0; i < known.size(); ++i)
        if (known[i] == v) n = i;
      number(n);
    }
    for (value_id v : m.results(op)) number(m[v].type.index), known.push_back(v);
  }
  for (value_id v : g.outputs)
    for (size_t i = 0; i < known.size(); ++i)
      if (known[i] == v) number(i);
  return s;
}

/// Kernels by what they depend on: a tree of questions. Lowerings are deterministic, so groups of one spelling ask the
/// same first question, those that got the same answer ask the same second one, and so on to the kernel.
class kernel_cache {
 public:
  template <class Make>
  const made_kernel& find_or_make(const ir::module& m, const kernel_group& g, Make&& make) {
    std::string key = base(m, g);
    auto at = nodes_.find(key);
    for (; at != nodes_.end() && !at->second.kernel; at = nodes_.find(key))
      follow(key, answer_to(at->second.question, m, g));
    if (at != nodes_.end()) return *at->second.kernel;
    made_kernel made = make();
    key = base(m, g);
    for (const kernel_question& q : made.asked) {
      nodes_.try_emplace(key, node{q, {}});
      follow(key, answer_to(q, m, g));
    }
    return *nodes_.insert_or_assign(std::move(key), node{{}, std::move(made)}).first->second.kernel;
  }

 private:
  struct node {
    kernel_question question;  ///< where there is no kernel yet
    std::optional<made_kernel> kernel;
  };
  static std::string base(const ir::module& m, const kernel_group& g) {
    std::string key;
    follow(key, spell(m, g));
    return key;
  }
  static void follow(std::string& key, const std::string& answer) {
    key += std::to_string(answer.size()) + ':' + answer;
  }
  std::unordered_map<std::string, node> nodes_;
};

/// Kernels by what they are. What a lowering asks of an operand, such as whether it is one number, tells apart groups
/// whose loops are the same in the end: convolutions by different weights are one kernel.
class kernel_bodies {
 public:
  /// The first kernel with this body, these parameters and this target. If that is another one, `made` is erased.
  function_id first_like(ir::module& m, function_id made) {
    std::string text = m[made].target + '\0';
    values_.clear();
    spell(m, m[made].body, text);
    const function_id first = kernels_.try_emplace(std::move(text), made).first->second;
    if (first != made) m.erase_function(made);
    return first;
  }

 private:
  /// Types and attributes are interned: equal ones have one number.
  void spell(const ir::module& m, region_id r, std::string& s) {
    const auto number = [&](u64 n) { s.append(reinterpret_cast<const char*>(&n), sizeof n); };
    const auto define = [&](const std::vector<value_id>& list) {
      number(list.size());
      for (value_id v : list) values_.emplace(v.index, values_.size()), number(m[v].type.index);
    };
    define(m[r].arguments);
    number(m[r].ops.size());
    for (op_id op : m[r].ops) {
      const ir::op_view v = m.view(op);
      s += v.name();
      s += '\0';
      number(m[op].attributes.index);
      number(static_cast<u64>(v.operand_count()));
      for (value_id x : m.operands(op)) number(x ? values_.at(x.index) : ~u64{0});
      define(m.results(op));
      number(static_cast<u64>(v.region_count()));
      for (int i = 0; i < v.region_count(); ++i) spell(m, v.region(i), s);
    }
  }
  std::unordered_map<std::string, function_id> kernels_;
  std::unordered_map<u32, u64> values_;  ///< of the kernel that is spelled, in the order of their definitions
};

inline kernel_group group_of(const ir::module& m, op_id op) {
  kernel_group g;
  g.location = m[op].location;
  g.target = ir::constraint_of(m, op);
  const ir::op_view v = m.view(op);
  if (v.is<op::fused>()) {
    for (op_id o : m[v.region()].ops) {
      if (m.view(o).is<op::yield>()) continue;
      if (const std::string own = ir::constraint_of(m, o); own != g.target)
        throw error("target.fused",
                    ir::origin_of(m, o) + " is constrained to '" + own + "', and it is fused with ops that are not",
                    m.text(m[o].location), "constrain it before ops are fused, or all that it is fused with alike");
      g.ops.push_back(o);
    }
    g.inputs = m[v.region()].arguments;
    g.operands = m.operands(op);
    g.outputs = m.operands(m.terminator(v.region()));
    return g;
  }
  g.ops.push_back(op);
  for (value_id x : m.operands(op)) {
    if (!x) continue;
    bool seen = false;
    for (value_id y : g.inputs) seen = seen || x == y;
    if (!seen) g.inputs.push_back(x);
  }
  g.operands = g.inputs;
  g.outputs = m.results(op);
  return g;
}

/// A lowering that needs more than it is told says so without knowing whose it is.
inline made_kernel make_kernel(ir::module& m, const kernel_group& g, int vector_bytes, const more_lowerings& more,
                               const std::string& name) {
  try {
    return kernel_builder(m, g, vector_bytes, more).build(name);
  } catch (error& e) {
    if (e.where().empty()) e.restate(name + ": " + e.message(), m.text(g.location), e.hint());
    throw;
  }
}

inline std::string kernel_name(const ir::module& m, const kernel_group& g) {
  std::string s;
  size_t n = 0;
  for (op_id op : g.ops) {
    if (++n > 4) return s + "_and_" + std::to_string(g.ops.size() - 4);
    s += (s.empty() ? "" : "_") + std::string(m.view(op).name());
  }
  return s;
}

template <class... Ops>
bool is_any_of(const ir::op_info& info, ops<Ops...>) {
  return ((&info == &ir::info_of<Ops>) || ...);
}
/// What becomes a view, or a list of extents that kernels are told.
inline bool needs_no_kernel(const ir::op_view& v) {
  return v.info().traits.view || v.info().value_from_type != nullptr;
}
inline bool has_static_types(const ir::op_view& v) {
  for (int i = 0; i < v.operand_count(); ++i)
    if (v.has_operand(i) && !v.operand_type(i).is_static()) return false;
  for (int i = 0; i < v.result_count(); ++i)
    if (!v.result_type(i).is_static()) return false;
  return true;
}

}  // namespace detail

std::optional<ir::obstacle> legalize_ops::obstacle(const ir::module& m, const context& cx) {
  const auto options = cx.get<kernel_options>();
  const auto more = cx.get<more_lowerings>();
  host_side sides(m, &more);
  std::optional<ir::obstacle> found;
  std::vector<std::pair<function_id, op_id>> asked;
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::graph)) continue;
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      const ir::op_view v = m.view(op);
      if (found || v.info().traits.terminator || v.is<op::constant>() || v.is<op::call>() || v.is<op::extents_of>())
        return;
      if (sides.has_kernels(op)) {
        // Elementwise code exists for whatever extents are numbers.
        const bool plain = v.info().traits.elementwise && detail::has_static_types(v);
        if (!plain && !detail::needs_no_kernel(v)) asked.emplace_back(f, op);
        return;
      }
      // Of ops that a pipeline adds the judge knows who eliminates them.
      if (!detail::is_any_of(v.info(), meta::concat_t<tenon::legalizable_ops, tenon::host_ops>{})) return;
      found = ir::obstacle{
          ir::obstacle_kind::host_op, f, op,
          unsupported_error("legalize.no_native_form",
                            std::string(v.name()) + " has no loop nests: " + sides.reason(op), m.text(m[op].location),
                            "run the model on target 'interpreter', or declare lower() for the op")};
    });
    if (found) return found;
  }
  if (asked.empty()) return std::nullopt;
  ir::module scratch = m;
  detail::kernel_cache kernels;
  for (const auto& [f, op] : asked) {
    const kernel_group g = detail::group_of(scratch, op);
    const failure why = attempt([&, op = op] {  // what a lowering says that is asked for what it cannot do
      kernels.find_or_make(scratch, g, [&] {
        return detail::make_kernel(scratch, g, options.vector_bytes, more, std::string(scratch.view(op).name()));
      });
    });
    if (why) return ir::obstacle{ir::obstacle_kind::no_kernel, f, op, unsupported_error(*why)};
  }
  return std::nullopt;
}

void legalize_ops::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const auto options = cx.get<kernel_options>();
  const auto more = cx.get<more_lowerings>();
  detail::kernel_cache kernels;
  detail::kernel_bodies bodies;
  for (function_id f : module.functions()) {
    if (m[f].kind != ir::function_kind::graph) continue;
    inline_dataflow(m, f);
    // Lists of extents come last: the others ask what they say, and most of them are needed by nobody then.
    std::vector<op_id> ops, lists;
    for (op_id op : m[m[f].body].ops) {
      const ir::op_view v = m.view(op);
      (v.is<op::extents_of>() || v.info().value_from_type != nullptr ? lists : ops).push_back(op);
    }
    ops.insert(ops.end(), lists.begin(), lists.end());
    for (op_id op : ops) {
      const ir::op_view v = m.view(op);
      if (v.is<op::extents_of>() && !m.has_uses(v.result())) {
        m.erase(op);
        continue;
      }
      if (v.is<op::constant>() || v.is<op::return_>() || v.is<op::call_kernel>() || v.is<op::view>() ||
          v.is<op::call>())
        continue;
      ir::builder<emits> b(m, m[f].body);
      b.before(op);
      if (v.info().traits.view) {  // the same bytes, differently seen
        const value_id x[1] = {v.operand(0)};
        const type_id t[1] = {m[v.result()].type};
        m.replace_uses(v.result(), m.result(b.make_op(op::view{}, x, t)));
        m.erase(op);
        continue;
      }
      const kernel_group g = detail::group_of(m, op);
      const made_kernel& made = kernels.find_or_make(m, g, [&] {
        made_kernel fresh = detail::make_kernel(m, g, options.vector_bytes, more, detail::kernel_name(m, g));
        module.put_ahead<makes_functions_in>(fresh.function);
        m[fresh.function].target = g.target;
        fresh.function = bodies.first_like(m, fresh.function);
        return fresh;
      });
      std::vector<type_id> types;
      for (value_id r : m.results(op)) types.push_back(m[r].type);
      std::vector<value_id> read;
      for (size_t i : made.reads) read.push_back(g.operands[i]);
      b.set_location(ir::joined_location(m, g.ops, g.location));  // a profile names all that the kernel computes
      const op_id call = b.make_op(op::call_kernel{{m[made.function].name}, made.in_place}, read, types);
      for (size_t i = 0; i < types.size(); ++i)
        m.replace_uses(m.result(op, static_cast<int>(i)), m.result(call, static_cast<int>(i)));
      m.erase(op);
    }
  }
}

}  // namespace tenon::passes
