/// @file lowered_op.ipp: definitions of targets/xsimd/lowered_op.hpp.
#pragma once

#include <algorithm>
#include <cstring>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/transplant.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/passes/host_side.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/partition_for.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/targets/xsimd/lowered_op.hpp>
#include <tenon/targets/xsimd/nests.ipp>
#include <tenon/targets/xsimd/rules.hpp>

namespace tenon::xsimd_kernels {
namespace detail {

/// A graph of this op alone. Constants that go along with a part stay constants, other operands become its arguments.
inline ir::module alone(const ir::module& m, op_id op, std::vector<value_id>& arguments) {
  ir::module made;
  ir::transplanter copy(m, made);
  const function_id f = made.add_function("main", ir::function_kind::graph, {});
  made[f].entry = true;
  const region_id body = made[f].body;
  for (value_id v : m.operands(op)) {
    if (!v || copy.at(v)) continue;
    if (const tensor* c = m.constant_value(v); c != nullptr && c->bytes() <= passes::partition_options{}.inner_bytes) {
      copy.copy(m[v].definition, body);
    } else {
      copy.map(v, made.add_argument(body, copy.type(m[v].type)));
      arguments.push_back(v);
    }
  }
  const op_id copied = copy.copy(op, body);
  const std::vector<value_id> results = made.results(copied);
  for (value_id r : results) made[f].result_types.push_back(made[r].type);
  ir::builder<>(made, body).make_op(op::return_{}, results, {});
  return made;
}

}  // namespace detail

lowered_op::lowered_op(const ir::module& m, op_id op) {
  context cx;
  passes::kernel_options options;
  options.vector_bytes = kernels().lanes * 4;
  cx.set(options);
  auto graph = ir_module<phases::optimization>::adopt(detail::alone(m, op, operands_));
  passes::legalize_ops{}.run(graph, cx);
  auto lowered = passes::to_lowering{}.run(std::move(graph), cx);
  module_ = std::make_unique<ir::module>(std::move(lowered.body()));
  const ir::module& made = *module_;
  const function_id f = made.find_function("main");
  std::unordered_map<u32, size_t> at;
  const auto add = [&](value_id v, buffer b) {
    at.emplace(v.index, buffers_.size());
    buffers_.push_back(b);
  };
  for (value_id a : made[made[f].body].arguments) add(a, {static_cast<int>(buffers_.size())});
  std::unordered_map<std::string, int> known;
  for (op_id o : made[made[f].body].ops) {
    const ir::op_view v = made.view(o);
    if (v.info().traits.terminator) break;
    if (const auto* c = v.get_if<op::constant_buffer>()) {
      add(v.result(), {-1, made[c->value].value.data()});
    } else if (v.is<op::alloc>()) {
      add(v.result(), {-1, nullptr, v.result_type().bytes()});
    } else if (v.is<op::view_buffer>()) {
      at.emplace(v.result().index, at.at(v.operand(0).index));
    } else {
      action a;
      for (value_id x : made.operands(o)) a.buffers.push_back(at.at(x.index));
      if (const auto* call = v.get_if<op::call_dps>()) {
        const auto [k, fresh] = known.try_emplace(call->kernel.name, static_cast<int>(kernels_.size()));
        if (fresh) kernels_.push_back(std::make_unique<nests>(made, made.find_function(call->kernel.name)));
        a.kernel = k->second;
      } else {
        a.bytes = v.operand_type(0).bytes();
      }
      actions_.push_back(std::move(a));
    }
  }
}

void lowered_op::run(std::span<char* const> given, int threads) const {
  std::vector<tensor> scratch;
  std::vector<char*> memory;
  for (const buffer& b : buffers_) {
    if (b.given >= 0) {
      memory.push_back(given[static_cast<size_t>(b.given)]);
    } else if (b.constant != nullptr) {
      memory.push_back(static_cast<char*>(const_cast<void*>(b.constant)));
    } else {
      scratch.emplace_back(dtype::u8, std::vector<i64>{b.bytes});
      memory.push_back(static_cast<char*>(scratch.back().data()));
    }
  }
  for (const action& a : actions_) {
    std::vector<char*> arguments;
    for (size_t i : a.buffers) arguments.push_back(memory[i]);
    if (a.kernel >= 0) kernels_[static_cast<size_t>(a.kernel)]->run(arguments, threads);
    else if (a.bytes != 0) std::memcpy(arguments[1], arguments[0], static_cast<size_t>(a.bytes));
  }
}

bool can_be_lowered(const ir::module& m, op_id op) {
  const ir::op_view v = m.view(op);
  if (!passes::host_side(m).has_kernels(op)) return false;
  for (int i = 0; i < v.operand_count(); ++i)
    if (v.has_operand(i) && !v.operand_type(i).is_static()) return false;
  for (int i = 0; i < v.result_count(); ++i)
    if (!v.result_type(i).is_static()) return false;
  try {
    lowered_op tried(m, op);
    return true;
  } catch (const error&) { return false; }
}

void lowered_step::run(const frame& f) const {
  std::vector<char*> memory;
  for (int s : slots) memory.push_back(f.data<char>(s));
  work->run(memory, f.threads);
}

}  // namespace tenon::xsimd_kernels
