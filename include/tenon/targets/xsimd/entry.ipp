/// @file entry.ipp: definitions of targets/xsimd/entry.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include <tenon/core/checked.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/entry_ports.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/runtime/external_run.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/xsimd/entry.hpp>

namespace tenon::xsimd_kernels {

namespace detail {
inline ir::module with_numbered_extents(const ir::module& built) {
  ir::module m(built);
  ir::number_extents(m);
  return m;
}
}  // namespace detail

bound_entry::bound_entry(const ir::module& built, function_id entry, std::span<const external_format> formats)
    : module_(detail::with_numbered_extents(built)), entry_(entry), calls_(bind_native_calls(module_, formats)) {
  const ir::function& fn = module_[entry_];
  const auto& arguments = module_[fn.body].arguments;
  inputs_ = ir::input_count(module_, entry_);
  std::unordered_map<u32, place> places;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool in = i < inputs_;
    places[arguments[i].index] = {in ? place::input : place::output, static_cast<i64>(in ? i : i - inputs_)};
  }
  const std::vector<op_id> calls = ir::artifact_calls(module_);  // of all entries
  for (op_id op : module_[fn.body].ops) {
    read(op, places);
    if (const auto at = std::find(calls.begin(), calls.end(), op); at != calls.end())
      steps_.back().call = &calls_.table[static_cast<size_t>(at - calls.begin())];
  }
}

void bound_entry::read(op_id op, std::unordered_map<u32, place>& places) {
  const ir::op_view v = module_.view(op);
  const auto step_of = [&](const nests* kernel) {
    step s;
    s.kernel = kernel;
    for (value_id x : module_.operands(op)) s.buffers.push_back(places.at(x.index));
    steps_.push_back(std::move(s));
  };
  if (const auto* c = v.get_if<op::constant_buffer>()) {
    places[v.result().index] = {place::constant, static_cast<i64>(c->value.index)};
  } else if (const auto* s = v.get_if<op::slot>()) {
    places[v.result().index] = {place::arena, s->offset};
  } else if (v.is<op::view_buffer>()) {
    places[v.result().index] = places.at(v.operand(0).index);
  } else if (v.is<op::copy_buffer>()) {
    step_of(nullptr);
    steps_.back().copied = v.operand_type(0);
  } else if (const auto* call = v.get_if<op::call_native>()) {
    if (ir::called_artifact(module_, op) != nullptr) return step_of(nullptr);
    const auto [kernel, fresh] = kernels_.try_emplace(call->kernel.name);
    if (fresh) kernel->second = std::make_unique<nests>(module_, module_.find_function(call->kernel.name));
    step_of(kernel->second.get());
  }
}

void bound_entry::run(void* const* inputs, void* const* outputs, char* arena, const void* const* constants,
                      const tenon_runtime& rt) const {
  const tenon::detail::external_run& r = tenon::detail::external_run::of(rt);
  const int threads = r.threads > 0 ? r.threads : thread_count();
  const auto begins = [&](i64 offset) {
    return offset >= 0 ? offset : rt.sizes[module_.symbol_count() + static_cast<size_t>(-2 - offset)];
  };
  const auto bytes_of = [&](const ir::type& t) {
    i64 n = size_of(t.elem);
    for (ir::dim d : t.shape)
      n = checked_mul(n, d.is_static() ? d.extent() : std::max<i64>(0, rt.sizes[d.symbol().index]));
    return static_cast<size_t>(n);
  };
  std::vector<void*> buffers;
  for (size_t i = 0; i < steps_.size(); ++i) {
    if ((rt.stop != nullptr && *rt.stop != 0) || r.failed != 0) return;
    const step& s = steps_[i];
    buffers.clear();
    for (const place& p : s.buffers)
      buffers.push_back(p.in == place::input      ? inputs[p.number]
                        : p.in == place::output   ? outputs[p.number]
                        : p.in == place::constant ? const_cast<void*>(constants[p.number])
                                                  : arena + begins(p.number));
    if (rt.step != nullptr) rt.step(rt.step_state, static_cast<i64>(i), 0);
    if (s.call != nullptr) s.call->run(s.call->code, buffers.data(), &rt);
    else if (s.kernel != nullptr) s.kernel->run(buffers, rt.sizes, threads);
    else if (const size_t bytes = bytes_of(s.copied); bytes != 0) std::memmove(buffers[1], buffers[0], bytes);
    if (rt.step != nullptr) rt.step(rt.step_state, static_cast<i64>(i), 1);
  }
}

}  // namespace tenon::xsimd_kernels
