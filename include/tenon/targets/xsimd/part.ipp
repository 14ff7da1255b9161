/// @file part.ipp: definitions of targets/xsimd/part.hpp.
#pragma once

#include <tenon/runtime/threads.hpp>
#include <tenon/targets/xsimd/part.hpp>
#include <tenon/targets/xsimd/part_steps.ipp>

namespace tenon::xsimd_kernels {

part::part(ir::module m, std::string_view function) : module_(std::move(m)) {
  const function_id f = module_.find_function(function);
  if (!f || module_[f].kind != ir::function_kind::graph)
    throw error("external.no_kernel", "there is no graph function '" + std::string(function) + "'");
  part_binder(*this, f).bind();
}

std::vector<tensor> part::run(std::span<const tensor> inputs, int threads) const {
  if (inputs.size() != inputs_.size())
    throw error("external.arguments",
                std::to_string(inputs.size()) + " tensors for " + std::to_string(inputs_.size()) + " arguments");
  std::vector<external_buffer> buffers;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].type() != inputs_[i].type || inputs[i].shape() != inputs_[i].shape)
      throw error("external.arguments", "argument " + std::to_string(i) + " is " + inputs[i].describe() + ", not " +
                                            tensor(inputs_[i].type, inputs_[i].shape).describe());
    buffers.push_back({inputs_[i].type, inputs_[i].shape, const_cast<void*>(inputs[i].data())});
  }
  std::vector<tensor> outputs;
  for (const port& o : outputs_) {
    outputs.emplace_back(o.type, o.shape);
    buffers.push_back({o.type, o.shape, outputs.back().data()});
  }
  run_into(buffers, threads);
  return outputs;
}

void part::run_into(std::span<const external_buffer> buffers, int threads) const {
  if (buffers.size() != inputs_.size() + outputs_.size())
    throw error("external.arguments", std::to_string(buffers.size()) + " buffers for " +
                                          std::to_string(inputs_.size()) + " arguments and " +
                                          std::to_string(outputs_.size()) + " results");
  const auto results = buffers.subspan(inputs_.size());
  frame f;
  f.threads = threads > 0 ? threads : thread_count();
  f.at.assign(slots_, nullptr);
  const auto set = [&](int slot, const void* p) {
    f.at[static_cast<size_t>(slot)] = static_cast<char*>(const_cast<void*>(p));
  };
  for (size_t i = 0; i < inputs_.size(); ++i) set(inputs_[i].slot, buffers[i].data);
  for (const auto& [slot, p] : constants_) set(slot, p);
  std::vector<tensor> unused;
  for (const auto& [slot, bytes] : unused_) set(slot, unused.emplace_back(dtype::u8, std::vector<i64>{bytes}).data());
  for (size_t i = 0; i < outputs_.size(); ++i) set(outputs_[i].slot, results[i].data);
  for (const auto& s : steps_) s->run(f);
}

}  // namespace tenon::xsimd_kernels
