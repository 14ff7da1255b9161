/// @file every_target: one op, or a module as text, on every target; what they say is compared. Tests with it need llvm
/// and xsimd.
#pragma once

#include <algorithm>
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

/// An entry with one op in several ways, the results of one behind those of another: operands that a way marks are
/// constants of the module, the others its inputs.
struct single_op_module {
  ir::module m;
  std::vector<tensor> inputs;

  single_op_module(const ir::op_info& info, const void* attributes, const std::vector<tensor>& operands,
                   const std::vector<std::vector<bool>>& ways) {
    const auto constant = [](const std::vector<bool>& way, size_t i) { return i < way.size() && way[i]; };
    std::vector<type_id> types;
    std::vector<size_t> argument(operands.size());
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].defined() ||
          std::all_of(ways.begin(), ways.end(), [&](const auto& way) { return constant(way, i); }))
        continue;
      argument[i] = inputs.size();
      types.push_back(
          m.intern(ir::type::tensor(operands[i].type(), {operands[i].shape().begin(), operands[i].shape().end()})));
      inputs.push_back(operands[i]);
    }
    const function_id f = m.add_function("main", ir::function_kind::graph, types);
    const region_id body = m[f].body;
    ir::builder<> b(m, body);
    std::vector<value_id> results;
    for (const std::vector<bool>& way : ways) {
      std::vector<value_id> given;
      for (size_t i = 0; i < operands.size(); ++i) {
        if (!operands[i].defined()) given.push_back({});
        else if (constant(way, i)) given.push_back(m.result(b.make_op(op::constant{m.add_constant(operands[i])}, {})));
        else given.push_back(m[body].arguments[argument[i]]);
      }
      const std::vector<value_id> of_way = m.results(b.make_erased(info, attributes, given));
      results.insert(results.end(), of_way.begin(), of_way.end());
    }
    b.make_op(op::return_{}, results, {});
    m[f].entry = true;
    for (size_t i = 0; i < inputs.size(); ++i) m[f].argument_names.push_back("in" + std::to_string(i));
    for (size_t i = 0; i < results.size(); ++i) {
      m[f].result_names.push_back("out" + std::to_string(i));
      m[f].result_types.push_back(m[results[i]].type);
    }
  }
};

template <class Op>
struct one_op_module : single_op_module {
  one_op_module(const Op& attributes, const std::vector<tensor>& operands, const std::vector<bool>& constants = {})
      : single_op_module(ir::info_of<Op>, &attributes, operands, {constants}) {}
};

/// What a target says other than the first one, in a sentence; empty where all agree, NaN and infinities included.
inline std::string disagreement(const ir::module& m, const std::vector<tensor>& inputs, double allowed = 0) {
  const auto all = every_target();
  const std::vector<tensor> want = run_on(*all[0], m, inputs);
  for (const target_entry* target : all)
    for (int threads : {1, 2}) {
      if (threads == 2 && target != &entry_of<targets::cpu>() && target != &entry_of<targets::xsimd>()) continue;
      const std::vector<tensor> got = run_on(*target, m, inputs, threads);
      for (size_t i = 0; i < want.size(); ++i)
        if (const double d = distance(got.at(i), want[i]); !(d <= allowed))
          return std::string(target->name) + " with " + std::to_string(threads) + " threads: result " +
                 std::to_string(i) + " is off by " + std::to_string(d);
    }
  return {};
}

/// The same for one op with operands that are data, and, if `fixed` says which may be, with constants: as one module,
/// since most of the time goes to the C compiler.
inline std::string disagreement(const ir::op_info& info, const void* attributes, const std::vector<tensor>& operands,
                                const std::vector<bool>& fixed, double allowed) {
  std::vector<std::vector<bool>> ways{{}};
  if (!fixed.empty()) ways.push_back(fixed);
  const single_op_module o(info, attributes, operands, ways);
  return disagreement(o.m, o.inputs, allowed);
}
template <class Op>
std::string disagreement(const Op& op, const std::vector<tensor>& operands, const std::vector<bool>& fixed = {},
                         double allowed = 0) {
  return disagreement(ir::info_of<Op>, &op, operands, fixed, allowed);
}

}  // namespace tenon::testing
