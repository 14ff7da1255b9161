/// @file verify.ipp: definitions of ir/verify.hpp: structure and graph level; loop level is in verify_loops.ipp.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include <tenon/core/attempt.hpp>
#include <tenon/ir/agreeing_types.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ir/bounds.hpp>
#include <tenon/ir/condition_scope.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/entry_ports.hpp>
#include <tenon/ir/infer.hpp>
#include <tenon/ir/kept_inside.hpp>
#include <tenon/ir/placed.hpp>
#include <tenon/ir/purity.hpp>
#include <tenon/ir/same_storage.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/verify_error.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/dataflow.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::ir {
namespace detail {

/// Can a kernel's buffer `b` be given `a`? It may see the same elements in another shape, as a view would.
inline bool agree_as_storage(const module& m, const type& a, const type& b) {
  if (!b.is_buffer()) return agree(a, b);
  return (a.is_buffer() || a.is_tensor()) && a.elem == b.elem && may_share_storage(m, a, b);
}

inline std::string short_text(const type& t) {
  constexpr std::string_view kinds[] = {"none", "tensor", "buffer", "scalar", "sequence", "optional", "function"};
  std::string s(kinds[static_cast<size_t>(t.kind)]);
  s += '<';
  for (dim d : t.shape) s += (d.is_static() ? std::to_string(d.extent()) : "?") + "x";
  if (!t.ranked) s += "*x";
  return s + std::string(name_of(t.elem)) + ">";
}

class verifier {
 public:
  verifier(const module& m, const verify_rules& rules) : m_(m), rules_(rules), visible_(m.value_count(), 0) {}
  void run() {
    for (function_id f : m_.functions()) function_is_right(f);
    purity_is_right();
    dataflow_is_right();
  }

 private:
  [[noreturn]] void fail(const std::string& message, op_id op = {}, std::string hint = {}) const {
    std::string s = "function '" + m_[function_].name + "': ";
    std::string where;
    if (op) {
      if (m_.alive(op)) s += std::string(m_.view(op).name()) + ": ";
      where = m_.text(m_[op].location);
    }
    throw verify_error(s + message, std::move(where), std::move(hint), op);
  }
  void require(bool condition, const char* message, op_id op) const {
    if (!condition) fail(message, op);
  }

  void function_is_right(function_id f);
  void results_have_buffers(const function& fn);
  void purity_is_right();
  void dataflow_is_right();
  void phase_is_right(const function& fn);
  void call_is_allowed(const function& callee, op_id op) const;
  const phase_rules* rules_of_phase(std::string_view phase) const {
    for (const phase_rules& p : rules_.within)
      if (p.name == phase) return &p;
    return nullptr;
  }
  void arguments_are_right(region_id r);
  void region_is_right(region_id r);
  void op_is_right(op_id op);
  void uses_are_right(op_id op);
  void value_is_right(value_id v, op_id op);
  void references_are_right(op_id op);
  void results_follow(op_id op);
  void calls_are_right(op_id op);
  void storage_is_right(op_id op);
  void loop_op_is_right(op_id op);
  void accesses_stay_inside(const function& fn);
  void contract_is_right(op_id op);
  void access_is_right(op_id op, const access_map& map, const type& buffer, int first, int end, size_t more_columns);
  void types_match(std::span<const value_id> given, std::span<const value_id> wanted, const char* message, op_id op);
  std::vector<value_id> yielded(op_id op, int region) const {
    return m_.operands(m_.terminator(m_.region(op, region)));
  }
  bool is_scalar(value_id v, dtype t) const { return m_.type_of(v).is_scalar() && m_.type_of(v).elem == t; }

  const module& m_;
  verify_rules rules_;
  std::vector<char> visible_;        ///< by value: defined, and in scope
  std::unique_ptr<module> scratch_;  ///< a copy in which type rules may intern types
  std::vector<op_id> limits_;        ///< ops around it whose regions are not for every op
  function_id function_;
  std::string_view phase_;  ///< of the function
  op_set ops_, added_;      ///< that it may hold
};

inline void verifier::function_is_right(function_id f) {
  function_ = f;
  const function& fn = m_[f];
  if (fn.body.index >= m_.region_count() || m_[fn.body].function != f || m_[fn.body].parent)
    fail("its body is not its own");
  if (m_.find_function(fn.name) != f) fail("its name leads to another function");
  phase_is_right(fn);
  if (phase_ == "build" && fn.target.empty()) fail("it has no target, but in phase 'build' every function has one");
  arguments_are_right(fn.body);
  const bool storage = fn.kind == function_kind::kernel || writes_to_arguments(m_, f);
  for (value_id a : m_[fn.body].arguments) {
    if (fn.kind == function_kind::kernel && !m_.type_of(a).is_buffer()) fail("an argument of a kernel is not a buffer");
  }
  region_is_right(fn.body);
  const op_id end = m_.terminator(fn.body);
  if (!m_.view(end).is<op::return_>()) fail("it does not end with 'return'", end);
  const auto returned = m_.operands(end);
  if (storage) {
    if (fn.purity == function_purity::pure)
      fail("it says that it is pure, and writes its results to buffers: say 'forced_pure'");
    require(returned.empty(), "a function that writes its results to buffers returns values", end);
    if (fn.kind != function_kind::kernel) results_have_buffers(fn);
  } else if (!fn.result_types.empty()) {
    require(returned.size() == fn.result_types.size(), "it returns another number of values than the function states",
            end);
    for (size_t i = 0; i < returned.size(); ++i)
      if (returned[i] && !agree(m_[fn.result_types[i]], m_.type_of(returned[i])))
        fail("result " + std::to_string(i) + " is " + short_text(m_.type_of(returned[i])) +
                 ", but the function states " + short_text(m_[fn.result_types[i]]),
             end);
  }
  if (fn.kind == function_kind::kernel) accesses_stay_inside(fn);
}

/// Results are the last arguments, in their order.
inline void verifier::results_have_buffers(const function& fn) {
  const std::vector<value_id>& arguments = m_[fn.body].arguments;
  if (fn.result_types.size() > arguments.size())
    fail("it states " + std::to_string(fn.result_types.size()) + " results, and has " +
         std::to_string(arguments.size()) + " arguments: the last of them are the buffers that results are written to");
  for (size_t i = 0; i < fn.result_types.size(); ++i) {
    const size_t at = arguments.size() - fn.result_types.size() + i;
    const type &stated = m_[fn.result_types[i]], &given = m_.type_of(arguments[at]);
    if (!agree(tensor_of(stated), tensor_of(given)))
      fail("result " + std::to_string(i) + " is stated as " + short_text(stated) + ", but is written to argument " +
           std::to_string(at) + ", which is " + short_text(given));
  }
}

/// Functions that say that they are pure do nothing else, and call nothing that does.
inline void verifier::purity_is_right() {
  const auto says_pure = [this](function_id f) { return m_[f].purity == function_purity::pure; };
  const std::vector<function_id> all = m_.functions();
  if (std::none_of(all.begin(), all.end(), says_pure)) return;
  const purity known(m_);
  for (function_id f : all) {
    if (!says_pure(f) || known.of_function(m_, f)) continue;
    function_ = f;
    const op_id op = known.impure_op(m_, m_[f].body);
    const auto* c = m_.view(op).get_if<op::call>();
    fail((c != nullptr ? "it calls '" + c->callee.name + "', which is not pure" : std::string("it is not pure")) +
             ", and the function says that it is: say 'impure', or 'forced_pure' if its callers need not know",
         op);
  }
}

/// Dataflow regions hold nothing that has an effect, and call nothing that has one. Functions as values would bring in
/// bodies that nobody has looked at.
inline void verifier::dataflow_is_right() {
  std::optional<purity> known;
  for (function_id f : m_.functions()) {
    function_ = f;
    for_each_op(m_, m_[f].body, [&](op_id op) {
      if (!m_.view(op).is<op::dataflow>()) return;
      const region_id inside = m_.region(op);
      if (!known) known.emplace(m_);
      if (const op_id bad = known->impure_op(m_, inside)) fail("it is not pure, and stands in a dataflow region", bad);
      for_each_op(m_, inside, [&](op_id o) {
        for (value_id v : m_.operands(o))
          if (v && m_.type_of(v).kind == type_kind::function) fail("it is given a function in a dataflow region", o);
      });
    });
  }
}

/// Finds out in which phase the function is, and thus which ops it may hold.
inline void verifier::phase_is_right(const function& fn) {
  phase_ = rules_.phase, ops_ = rules_.ops, added_ = rules_.added;
  if (fn.phase.empty() || fn.phase == rules_.phase || rules_.within.empty()) return;
  const phase_rules* ahead = rules_of_phase(fn.phase);
  if (ahead != nullptr && ahead->early.size != 0) {
    phase_ = ahead->name, ops_ = ahead->early, added_ = {};
    return;
  }
  std::string may;
  for (const phase_rules& p : rules_.within)
    if (p.name != rules_.phase && p.early.size != 0) may += (may.empty() ? "'" : ", '") + std::string(p.name) + "'";
  throw error("tenon-E033",
              "function '" + fn.name + "' is in phase '" + fn.phase + "', where no function of a module in phase '" +
                  std::string(rules_.phase) +
                  "' may be: " + (may.empty() ? "all must be in that phase" : "besides that phase there is " + may));
}

inline void verifier::call_is_allowed(const function& callee, op_id op) const {
  const std::string_view to = callee.phase.empty() ? rules_.phase : std::string_view(callee.phase);
  const phase_rules* from = rules_of_phase(phase_);
  if (from == nullptr || to == phase_) return;
  for (std::string_view allowed : from->calls)
    if (allowed == to) return;
  const std::string a(phase_), b(to);
  throw error("tenon-E032",
              "function '" + m_[function_].name + "' of phase '" + a + "' may not call function '" + callee.name +
                  "' of phase '" + b + "': add '" + b + "' to the 'calls_into' of '" + a +
                  "', or specialize tenon::callable_across<" + a + ", " + b + ">",
              m_.text(m_[op].location));
}

inline void verifier::arguments_are_right(region_id r) {
  const region_node& region = m_[r];
  for (size_t i = 0; i < region.arguments.size(); ++i) {
    const value_id a = region.arguments[i];
    if (a.index >= m_.value_count() || m_[a].definition || m_[a].owner != r || m_[a].number != i)
      fail("argument " + std::to_string(i) + " of a region does not belong to it", region.parent);
    value_is_right(a, region.parent);
    visible_[a.index] = 1;
  }
}

inline void verifier::region_is_right(region_id r) {
  const region_node& region = m_[r];
  if (region.parent) arguments_are_right(r);  // a function's have been looked at
  if (region.ops.empty()) fail("a region is empty: it needs a terminator", region.parent);
  for (size_t i = 0; i < region.ops.size(); ++i) {
    const op_id op = region.ops[i];
    if (op.index >= m_.op_count() || !m_.alive(op)) fail("an erased op is still in its region", region.parent);
    require(m_[op].parent == r, "it stands in a region that is not its parent", op);
    op_is_right(op);
    const bool last = i + 1 == region.ops.size();
    if (m_.view(op).info().traits.terminator != last)
      fail(last ? "the region ends with it, but it is no terminator"
                : "a terminator stands before the end of its region",
           op,
           !last           ? ""
           : region.parent ? "end it with one, such as yield"
                           : "end the function with return(...)");
  }
  for (value_id a : region.arguments) visible_[a.index] = 0;
  for (op_id op : region.ops)
    for (value_id v : m_.results(op)) visible_[v.index] = 0;
}

inline void verifier::value_is_right(value_id v, op_id op) {
  if (m_[v].type.index >= m_.type_count()) fail("a value has no type", op);
  size_t steps = 0;
  for (use_id u = m_[v].first_use; u; u = m_[u].next) {
    if (++steps > 4 * (m_.op_count() + m_.value_count()) + 1000000) fail("a use list has no end", op);
    if (m_[u].value != v || !m_[u].user || !m_.alive(m_[u].user))
      fail("a use list holds the use of another value or of an erased op", op);
  }
}

inline void verifier::uses_are_right(op_id op) {
  const op_node& n = m_[op];
  for (u32 i = 0; i < n.operand_count; ++i) {
    const use_id slot(n.first_operand + i);
    const use_node& u = m_[slot];
    if (u.user != op || u.number != i) fail("operand " + std::to_string(i) + " is not its own", op);
    if (!u.value) {
      // What a function or region ends with is somebody's value.
      if (static_cast<int>(i) < n.info->traits.min_operands || n.info->traits.terminator)
        fail("operand " + std::to_string(i) + " is required", op);
      continue;
    }
    if (u.value.index >= m_.value_count() || !visible_[u.value.index])
      fail("operand " + std::to_string(i) + " is not defined before it, or not in this region", op);
    const bool linked = (u.previous ? m_[u.previous].next == slot : m_[u.value].first_use == slot) &&
                        (!u.next || m_[u.next].previous == slot);
    if (!linked) fail("operand " + std::to_string(i) + " is missing in the use list of its value", op);
  }
}

inline void verifier::op_is_right(op_id op) {
  const op_view v = m_.view(op);
  const op_traits& t = v.info().traits;
  if (ops_.size != 0 && !ops_.contains(v.info().key) && !added_.contains(v.info().key))
    fail("it does not exist in phase '" + std::string(phase_) + "'" +
             (phase_ == rules_.phase ? "" : ", in a function that is ahead of its module"),
         op);
  const auto count = [&](const char* what, int is, int low, int high) {
    if (is < low || (high >= 0 && is > high))
      fail("it has " + std::to_string(is) + " " + what + ", which its signature does not allow", op);
  };
  count("operands", v.operand_count(), t.min_operands, t.max_operands);
  count("results", v.result_count(), std::max(t.results, 0), t.results);
  count("regions", v.region_count(), std::max(t.regions, 0), t.regions);
  for (op_id around : limits_)
    if (!detail::stands_in(m_.view(around).info().region, t, v.info().key))
      fail("it stands in a region of '" + std::string(m_.view(around).name()) + "', which does not allow it", op);
  uses_are_right(op);
  references_are_right(op);
  const bool in_kernel = m_[function_].kind == function_kind::kernel;
  if (!in_kernel && v.name().starts_with("loop.")) fail("it stands outside of a kernel", op);
  for (int i = 0; i < v.region_count(); ++i) {
    const region_id r = v.region(i);
    require(m_[r].parent == op, "a region of it has another parent", op);
    if (v.info().region.said) limits_.push_back(op);
    region_is_right(r);
    if (v.info().region.said) limits_.pop_back();
  }
  if (v.info().region.keeps != 0 && kept_value_handed_out(m_, op))
    fail("each run of its region has what stands there for itself, and the region hands it out", op);
  for (int i = 0; i < v.result_count(); ++i) {
    const value_id r = v.result(i);
    if (m_[r].definition != op || m_[r].number != static_cast<u32>(i)) fail("a result of it is not its own", op);
    value_is_right(r, op);
    visible_[r.index] = 1;
  }
  results_follow(op);
  if (in_kernel) loop_op_is_right(op);
  else calls_are_right(op), storage_is_right(op);
  for (int i = 0; i < v.operand_count() && i < 32; ++i)  // tensors and scalars do not change
    if ((v.info().writes >> i & 1) != 0 && v.operand(i) && !m_.type_of(v.operand(i)).is_buffer())
      fail(
          "it writes operand " + std::to_string(i) + ", which is no buffer but " + short_text(m_.type_of(v.operand(i))),
          op);
}

inline void verifier::references_are_right(op_id op) {
  const op_node& n = m_[op];
  const void* const attributes = m_.attributes(n.attributes);
  for (const attribute& a : n.info->attributes()) {
    a.visit(attributes, [&](const function_ref& f) {
      const function_id callee = m_.find_function(f.name);
      if (callee) return call_is_allowed(m_[callee], op);
      if (called_artifact(m_, op) == nullptr) fail("there is no function '" + f.name + "'", op);
    });
    a.visit(attributes, [&](const constant_id& c) {
      if (c && c.index >= m_.constant_count()) fail("there is no constant #" + std::to_string(c.index), op);
    });
  }
}

inline void verifier::results_follow(op_id op) {
  if (m_.view(op).info().infer == nullptr || !rules_.type_rules) return;
  if (!scratch_) scratch_ = std::make_unique<module>(m_);
  std::string problem;
  if (const failure wrong = attempt([&] { problem = type_rule_problem(*scratch_, op); })) problem = wrong->message();
  if (!problem.empty()) fail(problem, op);
}

inline void verifier::types_match(std::span<const value_id> given, std::span<const value_id> wanted,
                                  const char* message, op_id op) {
  if (given.size() != wanted.size())
    fail(std::string(message) + ": " + std::to_string(given.size()) + " for " + std::to_string(wanted.size()), op);
  for (size_t i = 0; i < given.size(); ++i) {
    if (!wanted[i]) fail(std::string(message) + ": number " + std::to_string(i) + " is left out", op);
    if (given[i] && !agree_as_storage(m_, m_.type_of(given[i]), m_.type_of(wanted[i])))
      fail(std::string(message) + ": number " + std::to_string(i) + " is " + short_text(m_.type_of(given[i])) +
               ", not " + short_text(m_.type_of(wanted[i])),
           op);
  }
}

inline void verifier::calls_are_right(op_id op) {
  const op_view v = m_.view(op);
  if (called_artifact(m_, op) != nullptr) {
    const auto* d = v.get_if<op::call_dps>();
    return require(d == nullptr || (d->inputs >= 0 && d->inputs <= v.operand_count()),
                   "'inputs' is not a number of operands", op);
  }
  const auto callee = [&](const function_ref& name, function_kind kind) -> const region_node& {
    const function_id f = m_.find_function(name.name);  // there is one: references_are_right
    if (m_[f].kind != kind) fail("'" + name.name + "' is not a function of the right kind", op);
    return m_[m_[f].body];
  };
  if (const auto* c = v.get_if<op::call>()) {
    const region_node& body = callee(c->callee, function_kind::graph);
    types_match(m_.operands(op), body.arguments, "operands do not match the function's arguments", op);
    if (!body.ops.empty())
      types_match(m_.results(op), m_.operands(body.ops.back()), "results do not match what the function returns", op);
  } else if (const auto* k = v.get_if<op::call_kernel>()) {
    const auto& formal = callee(k->kernel, function_kind::kernel).arguments;
    auto values = m_.operands(op);
    for (value_id r : m_.results(op)) values.push_back(r);
    if (values.size() > formal.size()) fail("the kernel has fewer arguments than operands and results", op);
    types_match(values, std::span(formal).first(values.size()), "values do not match the kernel's arguments", op);
  } else if (const auto* d = v.get_if<op::call_dps>()) {
    if (d->inputs < 0 || d->inputs > v.operand_count()) fail("'inputs' is not a number of operands", op);
    types_match(m_.operands(op), callee(d->kernel, function_kind::kernel).arguments,
                "operands do not match the kernel's arguments", op);
  } else if (const auto* n = v.get_if<op::call_native>()) {
    types_match(m_.operands(op), callee(n->kernel, function_kind::kernel).arguments,
                "operands do not match the kernel's arguments", op);
  } else if (v.is<op::fused>()) {
    types_match(m_.operands(op), m_[v.region()].arguments, "operands do not match the region's arguments", op);
    types_match(m_.results(op), yielded(op, 0), "results do not match what the region yields", op);
  } else if (v.is<op::call_closure>()) {
    require(v.operand_type(0).kind == type_kind::function, "its first operand is not a closure", op);
  } else if (v.is<op::closure>()) {
    require(v.result_type().kind == type_kind::function, "its result is not of a function type", op);
  }
}

inline void verifier::storage_is_right(op_id op) {
  const op_view v = m_.view(op);
  const bool makes_buffer =
      v.is<op::alloc>() || v.is<op::slot>() || v.is<op::constant_buffer>() || v.is<op::view_buffer>();
  if (makes_buffer) {
    require(v.result_type().is_buffer() && is_known(v.result_type()), "its result is not a buffer of known shape", op);
    if (const auto* s = v.get_if<op::slot>()) require(s->offset != -1, "it has no place", op);
    if (const auto* c = v.get_if<op::constant_buffer>()) {
      require(bool(c->value), "it has no constant", op);
      require(v.result_type().is_static() && m_[c->value].value.bytes() == v.result_type().bytes() &&
                  m_[c->value].value.type() == v.result_type().elem,
              "its result does not have the elements of its constant", op);
    }
  }
  if (v.is<op::view_buffer>() || v.is<op::copy_buffer>()) {
    const type &a = v.operand_type(0), &b = v.is<op::copy_buffer>() ? v.operand_type(1) : v.result_type();
    require(a.is_buffer() && b.is_buffer(), "it needs buffers", op);
    require(may_share_storage(m_, a, b), "the buffers differ in size", op);
  }
  if (v.is<op::view>()) {
    const type &a = v.operand_type(0), &b = v.result_type();
    require(a.is_tensor() && b.is_tensor(), "it needs tensors", op);
    require(may_share_storage(m_, a, b), "the tensors differ in size", op);
  }
}

}  // namespace detail

std::string type_rule_problem(module& m, op_id op) {
  const condition_scope scope(m, m[op].parent);
  const op_info& info = *m[op].info;
  if (info.infer == nullptr) return {};
  const auto operands = m.operands(op);
  std::vector<region_id> regions;
  for (u32 i = 0; i < m[op].region_count; ++i) regions.push_back(m.region(op, static_cast<int>(i)));
  infer_context cx(m, info, operands, regions, m[op].location);
  infer_placed(m, info, m.attributes(m[op].attributes), cx, operands, m[op].location);
  const auto stated = m.results(op);
  if (cx.results().size() != stated.size())
    return "its type rule gives " + std::to_string(cx.results().size()) + " results, but it has " +
           std::to_string(stated.size());
  for (size_t i = 0; i < stated.size(); ++i)
    if (!detail::agree(m[cx.results()[i]], m.type_of(stated[i])))
      return "result " + std::to_string(i) + " is said to be " + detail::short_text(m.type_of(stated[i])) +
             ", but its type rule gives " + detail::short_text(m[cx.results()[i]]);
  return {};
}

std::vector<function_id> functions_where(const module& m, void (*check)(const module&, function_id)) {
  std::vector<function_id> found;
  for (function_id f : m.functions()) {
    if (!m[f].phase.empty()) continue;
    if (!attempt([&] { check(m, f); })) found.push_back(f);
  }
  return found;
}

void verify_absent(const module& m, std::string_view fact, const op_set& absent) {
  const auto check = [&](op_id op) {
    if (!absent.contains(m[op].info->key)) return;
    throw error(
        "fact." + std::string(fact),
        "function '" + m[m.function_of(m[op].parent)].name + "': " + std::string(m.view(op).name()) + " is left",
        m.text(m[op].location));
  };
  for (function_id f : m.functions())
    if (m[f].phase.empty()) for_each_op(m, m[f].body, check);
}

void verify(const module& m, const verify_rules& rules) { detail::verifier(m, rules).run(); }

}  // namespace tenon::ir

#include <tenon/ir/verify_loops.ipp>
