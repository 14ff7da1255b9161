/// @file every_target: one op, or a module as text, on every target; what they say is compared. Tests with it need llvm
/// and xsimd.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <tenon/ir/builder.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/targets/xsimd.hpp>

#include "support/lowered.hpp"
#include "support/skip.hpp"

namespace tenon::testing {

inline std::vector<const target_entry*> every_target() {
  std::vector<const target_entry*> r{&entry_of<targets::interpreter>(), &entry_of<targets::cpu>(),
                                     &entry_of<targets::xsimd>()};
  if (has_c_compiler()) r.push_back(&entry_of<targets::c_source>());
  else skip("there is no C compiler");
  return r;
}

inline std::vector<tensor> run_on(const target_entry& target, const ir::module& m, const std::vector<tensor>& inputs,
                                  int threads = 1) {
  context cx;
  target_spec spec{{}, std::string(target.name), {}, {}};
  if (&target == &entry_of<targets::c_source>())
    spec.options.push_back({"optimize", "0"});  // the C compiler's time is most of it
  target.configure(spec, threads, cx);
  const auto done = target.run(std::make_unique<ir::module>(m), cx, 0, target.passes.size());
  return target.load(*done)->run(inputs, threads);
}

/// An entry with ops that know nothing of each other, the results of one behind those of another.
struct ops_module {
  ir::module m;
  std::vector<tensor> inputs;
  std::vector<value_id> results;
  function_id main;

  ops_module() : main(m.add_function("main", ir::function_kind::graph, {})) {}
  /// One op in several ways: operands that a way marks are constants of the module, the others its inputs.
  void add(const ir::op_info& info, const void* attributes, const std::vector<tensor>& operands,
           const std::vector<std::vector<bool>>& ways) {
    const auto constant = [](const std::vector<bool>& way, size_t i) { return i < way.size() && way[i]; };
    const region_id body = m[main].body;
    std::vector<value_id> arguments(operands.size());
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].defined() ||
          std::all_of(ways.begin(), ways.end(), [&](const auto& way) { return constant(way, i); }))
        continue;
      arguments[i] = m.add_argument(
          body,
          m.intern(ir::type::tensor(operands[i].type(), {operands[i].shape().begin(), operands[i].shape().end()})));
      inputs.push_back(operands[i]);
    }
    ir::builder<> b(m, body);
    for (const std::vector<bool>& way : ways) {
      std::vector<value_id> given;
      for (size_t i = 0; i < operands.size(); ++i) {
        if (!operands[i].defined()) given.push_back({});
        else if (constant(way, i)) given.push_back(m.result(b.make_op(op::constant{m.add_constant(operands[i])}, {})));
        else given.push_back(arguments[i]);
      }
      const std::vector<value_id> of_way = m.results(b.make_erased(info, attributes, given));
      results.insert(results.end(), of_way.begin(), of_way.end());
    }
  }
  void finish() {
    ir::builder<>(m, m[main].body).make_op(op::return_{}, results, {});
    m[main].entry = true;
    for (size_t i = 0; i < inputs.size(); ++i) m[main].argument_names.push_back("in" + std::to_string(i));
    for (size_t i = 0; i < results.size(); ++i) {
      m[main].result_names.push_back("out" + std::to_string(i));
      m[main].result_types.push_back(m[results[i]].type);
    }
  }
};

template <class Op>
struct one_op_module : ops_module {
  one_op_module(const Op& attributes, const std::vector<tensor>& operands, const std::vector<bool>& constants = {}) {
    add(ir::info_of<Op>, &attributes, operands, {constants});
    finish();
  }
};

/// What `target` says other than `want`, in a sentence; empty where it agrees, NaN and infinities included.
inline std::string disagreement_of(const target_entry& target, const ir::module& m, const std::vector<tensor>& inputs,
                                   const std::vector<tensor>& want, double allowed, int threads) {
  const std::vector<tensor> got = run_on(target, m, inputs, threads);
  for (size_t i = 0; i < want.size(); ++i)
    if (const double d = distance(got.at(i), want[i]); !(d <= allowed))
      return std::string(target.name) + " with " + std::to_string(threads) + " threads: result " + std::to_string(i) +
             " is off by " + std::to_string(d);
  return {};
}

/// What a target says other than the first one; empty where all agree.
inline std::string disagreement(const ir::module& m, const std::vector<tensor>& inputs, double allowed = 0) {
  const auto all = every_target();
  const std::vector<tensor> want = run_on(*all[0], m, inputs);
  for (const target_entry* target : all)
    for (int threads : {1, 2}) {
      if (threads == 2 && target != &entry_of<targets::cpu>() && target != &entry_of<targets::xsimd>()) continue;
      if (std::string said = disagreement_of(*target, m, inputs, want, allowed, threads); !said.empty()) return said;
    }
  return {};
}

/// Ops, each alone on every target but C source, where all of them are one module: most of the time of a small one goes
/// to starting the C compiler. `disagreement_in_c`, at the end, is asked once.
class ops_on_every_target {
  struct part {
    std::string op;
    size_t first;  ///< of its results
    double allowed;
  };
  ops_module c;
  std::vector<tensor> want;
  std::vector<part> parts;
  bool asked = false;

 public:
  ops_on_every_target() = default;
  ops_on_every_target(const ops_on_every_target&) = delete;
  ops_on_every_target& operator=(const ops_on_every_target&) = delete;
  ~ops_on_every_target() { CHECK_MESSAGE((asked || std::uncaught_exceptions() > 0), "nobody asked for C source"); }

  /// What a target says other than the interpreter of an op with operands that are data, and, if `fixed` says which may
  /// be, with constants.
  template <class Op>
  std::string disagreement(const Op& op, const std::vector<tensor>& operands, const std::vector<bool>& fixed = {},
                           double allowed = 0) {
    std::vector<std::vector<bool>> ways{{}};
    if (!fixed.empty()) ways.push_back(fixed);
    ops_module one;
    one.add(ir::info_of<Op>, &op, operands, ways);
    one.finish();
    const std::vector<tensor> right = run_on(entry_of<targets::interpreter>(), one.m, one.inputs);
    c.add(ir::info_of<Op>, &op, operands, ways);
    parts.push_back({std::string(ir::info_of<Op>.name), want.size(), allowed});
    want.insert(want.end(), right.begin(), right.end());
    for (const target_entry* target : {&entry_of<targets::cpu>(), &entry_of<targets::xsimd>()})
      for (int threads : {1, 2})
        if (std::string said = disagreement_of(*target, one.m, one.inputs, right, allowed, threads); !said.empty())
          return said;
    return {};
  }
  std::string disagreement_in_c() {
    asked = true;
    if (!has_c_compiler()) return skip("there is no C compiler"), std::string();
    c.finish();
    const std::vector<tensor> got = run_on(entry_of<targets::c_source>(), c.m, c.inputs);
    for (size_t p = 0; p < parts.size(); ++p)
      for (size_t i = parts[p].first; i < (p + 1 < parts.size() ? parts[p + 1].first : want.size()); ++i)
        if (const double d = distance(got.at(i), want[i]); !(d <= parts[p].allowed))
          return "c_source: " + parts[p].op + ", the op number " + std::to_string(p) + ", is off by " +
                 std::to_string(d);
    return {};
  }
};

}  // namespace tenon::testing
