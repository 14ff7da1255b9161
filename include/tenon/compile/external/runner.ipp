/// @file runner.ipp: definitions of compile/external/runner.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include <tenon/compile/external/runner.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>

namespace tenon {

void external_code::run_into(std::span<const external_buffer> buffers, int threads) const {
  const size_t results = std::min(result_count(), buffers.size()), arguments = buffers.size() - results;
  std::vector<tensor> inputs;
  for (const external_buffer& b : buffers.first(arguments)) inputs.push_back(b.borrowed());
  const std::vector<tensor> made = run(inputs, threads);
  for (size_t i = 0; i < results; ++i) {
    const external_buffer& to = buffers[arguments + i];
    if (i >= made.size() || made[i].type() != to.type || !std::ranges::equal(made[i].shape(), to.shape))
      throw error("external.results",
                  "external code gives " + (i < made.size() ? made[i].describe() : std::string("nothing")) +
                      " as its result " + std::to_string(i) + ", where " + to.borrowed().describe() + " is taken");
    if (made[i].bytes() != 0) std::memcpy(to.data, made[i].data(), static_cast<size_t>(made[i].bytes()));
  }
}
void external_code::prepare(std::span<const tensor* const>) {}

std::unique_ptr<external_code> load_external(const ir::module& m, op_id call, const op::call_external& c,
                                             std::span<const external_format> formats) {
  const external_format* format = nullptr;
  std::string known;
  for (const external_format& f : formats) {
    if (f.name == c.format) format = &f;
    known += (known.empty() ? "" : ", ") + std::string(f.name);
  }
  const std::string where = m.text(m[call].location);
  if (format == nullptr)
    throw error(
        "external.no_format", "nobody here runs artifacts of format '" + c.format + "'", where,
        known.empty() ? "name the targets whose artifacts they are: external_formats<…>()" : "there are: " + known);
  for (const ir::artifact& a : m.artifacts())
    if (a.format == c.format && a.symbol == c.symbol) return format->load(a.bytes);
  throw error("external.no_artifact",
              "the module has no artifact of format '" + c.format + "' that defines '" + c.symbol + "'", where);
}

external_program::external_program(ir::module m, std::span<const external_format> formats) : module_(std::move(m)) {
  for (function_id f : module_.functions())
    if (module_[f].entry && !entry_) entry_ = f;
  if (!entry_) throw error("external.no_entry", "the module has no entry");
  std::unordered_map<u32, size_t> last;
  for (op_id op : module_[module_[entry_].body].ops) {
    action a{op, nullptr, {}};
    if (const auto* call = module_.view(op).get_if<op::call_external>())
      a.code = load_external(module_, op, *call, formats);
    const auto reads = [&](op_id user) {
      for (value_id v : module_.operands(user))
        if (v) last[v.index] = actions_.size();
    };
    reads(op);
    for (u32 r = 0; r < module_[op].region_count; ++r)
      ir::for_each_op(module_, module_.region(op, static_cast<int>(r)), reads);
    actions_.push_back(std::move(a));
  }
  for (const auto& [v, at] : last) actions_[at].dead.push_back(value_id(v));
}

std::vector<tensor> external_program::run(std::span<const tensor> inputs, int threads) const {
  const auto& arguments = module_[module_[entry_].body].arguments;
  if (inputs.size() != arguments.size())
    throw error("external.arguments",
                std::to_string(inputs.size()) + " tensors for " + std::to_string(arguments.size()) + " arguments");
  std::unordered_map<u32, tensor> values;
  for (size_t i = 0; i < inputs.size(); ++i) values[arguments[i].index] = inputs[i];
  std::vector<tensor> given, results;
  for (const action& a : actions_) {
    const ir::op_view v = module_.view(a.op);
    if (const auto* c = v.get_if<op::constant>()) {
      values[v.result().index] = module_[c->value].value;
      continue;
    }
    given.clear();
    std::vector<const tensor*> pointers;
    for (int i = 0; i < v.operand_count(); ++i) {
      if (a.code || v.info().traits.terminator) given.push_back(values.at(v.operand(i).index));
      else pointers.push_back(v.has_operand(i) ? &values.at(v.operand(i).index) : nullptr);
    }
    if (v.info().traits.terminator) return given;
    results = a.code ? a.code->run(given, threads) : evaluate_op(module_, a.op, pointers);
    for (int i = 0; i < v.result_count(); ++i) values[v.result(i).index] = std::move(results[static_cast<size_t>(i)]);
    for (value_id d : a.dead) values.erase(d.index);
  }
  return {};
}

}  // namespace tenon
