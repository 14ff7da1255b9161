/// @file part.ipp: definitions of targets/xsimd/part.hpp.
#pragma once

#include <algorithm>

#include <tenon/ir/refine.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/xsimd/part.hpp>
#include <tenon/targets/xsimd/part_steps.ipp>
#include <tenon/text/print.hpp>

namespace tenon::xsimd_kernels {

part::part(ir::module m, std::string_view function) : module_(std::move(m)) {
  function_ = module_.find_function(function);
  if (!function_ || module_[function_].kind != ir::function_kind::graph)
    throw error("external.no_kernel", "there is no graph function '" + std::string(function) + "'");
  part_binder::check(module_, function_);
  const region_id body = module_[function_].body;
  for (value_id v : module_[body].arguments) arguments_.push_back(&module_.type_of(v));
  for (value_id v : module_.operands(module_[body].ops.back())) results_.push_back(&module_.type_of(v));
  if (module_.symbol_count() == 0) bound_.push_back(part_binder(module_, function_, {}).bind());
}

/// Notes what the symbols of a type are, whose tensor has this shape.
void part::read_extents(const ir::type& t, dtype elem, std::span<const i64> shape, size_t number,
                        std::span<i64> extents) const {
  bool fits = elem == t.elem && shape.size() == t.shape.size();
  for (size_t d = 0; fits && d < shape.size(); ++d) {
    if (t.shape[d].is_static()) {
      fits = t.shape[d].extent() == shape[d];
    } else {
      i64& e = extents[t.shape[d].symbol().index];
      fits = e < 0 || e == shape[d];
      e = shape[d];
    }
  }
  if (!fits)
    throw error("external.arguments", "argument " + std::to_string(number) + " is " +
                                          tensor::borrow(elem, {shape.begin(), shape.end()}, nullptr).describe() +
                                          ", not " + print(module_, t));
}

std::shared_ptr<const bound_part> part::bound_for(std::span<const i64> extents) const {
  const auto is_for = [&](const std::shared_ptr<const bound_part>& b) {
    return std::equal(extents.begin(), extents.end(), b->extents.begin(), b->extents.end());
  };
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(bound_.begin(), bound_.end(), is_for);
    if (found != bound_.end()) {
      std::rotate(bound_.begin(), found, found + 1);
      return bound_.front();
    }
  }
  std::shared_ptr<const bound_part> made = part_binder(module_, function_, extents).bind();
  const std::lock_guard lock(mutex_);
  if (std::none_of(bound_.begin(), bound_.end(), is_for)) {
    if (bound_.size() == kept) bound_.pop_back();
    bound_.insert(bound_.begin(), made);
  }
  return made;
}

/// For arguments of these shapes, as the type rules of its ops have it.
std::vector<ir::type> part::result_types(std::span<const tensor> inputs) const {
  const auto types_in = [this](const ir::module& now) {
    std::vector<ir::type> types;
    for (value_id v : now.operands(now[now[function_].body].ops.back())) types.push_back(now.type_of(v));
    return types;
  };
  if (module_.symbol_count() == 0) return types_in(module_);
  ir::module m(module_);
  for (size_t i = 0; i < inputs.size(); ++i)
    m.set_type(m[m[function_].body].arguments[i],
               m.intern(ir::type::tensor(inputs[i].type(), {inputs[i].shape().begin(), inputs[i].shape().end()})));
  for (op_id op : m[m[function_].body].ops)
    for (value_id v : m.results(op)) {
      ir::type t = m.type_of(v);
      for (ir::dim& d : t.shape)
        if (d.is_symbol()) d = ir::dim::unknown();
      m.set_type(v, m.intern(t));
    }
  for (op_id op : m[m[function_].body].ops) ir::refine_op(m, op);
  return types_in(m);
}

std::vector<tensor> part::run(std::span<const tensor> inputs, int threads) const {
  if (inputs.size() != arguments_.size())
    throw error("external.arguments",
                std::to_string(inputs.size()) + " tensors for " + std::to_string(arguments_.size()) + " arguments");
  std::vector<i64> extents(module_.symbol_count(), -1);
  std::vector<external_buffer> buffers;
  for (size_t i = 0; i < inputs.size(); ++i) {
    read_extents(*arguments_[i], inputs[i].type(), inputs[i].shape(), i, extents);
    buffers.push_back({inputs[i].type(), inputs[i].shape(), const_cast<void*>(inputs[i].data())});
  }
  std::vector<tensor> outputs;
  for (const ir::type& t : result_types(inputs)) {
    outputs.emplace_back(t.elem, t.extents());
    buffers.push_back({outputs.back().type(), outputs.back().shape(), outputs.back().data()});
  }
  run_into(buffers, threads);
  return outputs;
}

void part::run_into(std::span<const external_buffer> buffers, int threads) const {
  if (buffers.size() != arguments_.size() + results_.size())
    throw error("external.arguments", std::to_string(buffers.size()) + " buffers for " +
                                          std::to_string(arguments_.size()) + " arguments and " +
                                          std::to_string(results_.size()) + " results");
  constexpr size_t usual = 16;
  i64 few[usual];
  const size_t symbols = module_.symbol_count();
  std::vector<i64> many(symbols > usual ? symbols : 0);
  const std::span<i64> extents(many.empty() ? few : many.data(), symbols);
  std::fill(extents.begin(), extents.end(), -1);
  std::shared_ptr<const bound_part> open;
  if (symbols != 0) {
    for (size_t i = 0; i < buffers.size(); ++i)
      read_extents(i < arguments_.size() ? *arguments_[i] : *results_[i - arguments_.size()], buffers[i].type,
                   buffers[i].shape, i, extents);
    const auto is_empty = [](const external_buffer& b) {
      return std::find(b.shape.begin(), b.shape.end(), 0) != b.shape.end();
    };
    const auto results = buffers.subspan(arguments_.size());
    if (std::all_of(results.begin(), results.end(), is_empty)) return;
    open = bound_for(extents);
  }
  const bound_part& b = open ? *open : *bound_.front();
  frame f;
  f.threads = threads > 0 ? threads : thread_count();
  f.at.assign(b.slots, nullptr);
  const auto set = [&](int slot, const void* p) {
    f.at[static_cast<size_t>(slot)] = static_cast<char*>(const_cast<void*>(p));
  };
  for (size_t i = 0; i < b.inputs.size(); ++i) set(b.inputs[i], buffers[i].data);
  for (const auto& [slot, p] : b.constants) set(slot, p);
  std::vector<tensor> unused;
  for (const auto& [slot, bytes] : b.unused) set(slot, unused.emplace_back(dtype::u8, std::vector<i64>{bytes}).data());
  for (size_t i = 0; i < b.outputs.size(); ++i) set(b.outputs[i], buffers[b.inputs.size() + i].data);
  for (const auto& s : b.steps) s->run(f);
}

}  // namespace tenon::xsimd_kernels
