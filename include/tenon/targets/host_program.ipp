/// @file host_program.ipp: definitions of targets/host_program.hpp.
#pragma once

#include <algorithm>
#include <optional>

#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/targets/host_program.hpp>

namespace tenon {

/// A region for operands of one set of shapes.
struct host_program::variant {
  std::optional<program> code;
  bool failed = false;  ///< no code can be made
  bool misfit = false;  ///< the code for all shapes does not serve these
  u64 calls = 0, last_call = 0;
};

struct host_program::state {
  struct region {
    std::optional<program> all;  ///< code for all shapes
    bool tried_all = false;
    std::map<std::string, variant> variants;
    size_t compiled = 0;
    bool heavy = false;  ///< too dear to evaluate
  };
  std::mutex mutex;
  std::map<u32, region> regions;
  u64 clock = 0;
  counts counted;
};

class host_program::caller final : public function_caller {
 public:
  caller(const host_program& p, int threads) : p_(p), threads_(threads) {}
  std::vector<tensor> call(function_id f, std::span<const tensor> operands) override {
    program keep({});
    if (const program* code = p_.code_for_all(f, operands, keep)) {
      try {
        return code->run(operands, threads_);
      } catch (const error& e) {
        if (e.code() != "program.condition" && e.code() != "program.type") throw;
        p_.note_misfit(f, operands, e);
      }
    }
    if (const program* code = p_.code_for(f, operands, keep)) return code->run(operands, threads_);
    return interpret(p_.module_, p_.module_[f].name, operands);
  }

 private:
  const host_program& p_;
  int threads_;
};

TENON_INLINE host_program::host_program(ir::module m, std::unique_ptr<region_compiler> compiler, options o)
    : module_(std::move(m)), compiler_(std::move(compiler)), options_(o), state_(std::make_unique<state>()) {
  for (function_id f : module_.functions()) {
    if (module_[f].target.empty()) continue;
    auto& region = state_->regions[f.index];
    ir::for_each_op(module_, module_[f].body, [&](op_id op) {
      const ir::op_view v = module_.view(op);
      region.heavy = region.heavy || v.is<op::matmul>() || v.is<op::conv>() || v.is<op::conv_transpose>();
    });
  }
}

TENON_INLINE host_program::~host_program() = default;

namespace detail {

/// What code for given shapes is found by.
inline std::string key_of(std::span<const tensor> operands) {
  std::string key;
  const auto number = [&](i64 n) { key.append(reinterpret_cast<const char*>(&n), sizeof n); };
  for (const tensor& t : operands) {
    number(static_cast<i64>(t.type()) | t.rank() * 256);
    for (const i64 d : t.shape()) number(d);
  }
  return key;
}

}  // namespace detail

/// The code for all shapes, made at the first call; null: there is none, or none for these.
TENON_INLINE const program* host_program::code_for_all(function_id f, std::span<const tensor> operands, program& keep) const {
  const std::lock_guard lock(state_->mutex);
  state::region& region = state_->regions[f.index];
  if (!region.tried_all && compiler_) {
    region.tried_all = true;
    try {
      region.all = compiler_->compile_for_all(module_, f);
      ++region.compiled, ++state_->counted.compiled;
    } catch (const error& e) {
      state_->counted.for_shapes.push_back(module_[f].name + ": " + e.what());
    }
  }
  if (!region.all) return nullptr;
  if (!region.variants.empty())
    if (const auto known = region.variants.find(detail::key_of(operands)); known != region.variants.end() && known->second.misfit) return nullptr;
  ++state_->counted.native;
  keep = *region.all;
  return &keep;
}

TENON_INLINE void host_program::note_misfit(function_id f, std::span<const tensor> operands, const error& e) const {
  const std::lock_guard lock(state_->mutex);
  state_->regions[f.index].variants[detail::key_of(operands)].misfit = true;
  --state_->counted.native;
  state_->counted.for_shapes.push_back(module_[f].name + ": " + e.what());
}

/// The code for a call, made if it is worth it; null: evaluate it.
TENON_INLINE const program* host_program::code_for(function_id f, std::span<const tensor> operands, program& keep) const {
  i64 elements = 0;
  for (const tensor& t : operands) {
    if (t.size() == 0) elements = -1;
    if (elements >= 0) elements += t.size();
  }
  const std::string key = detail::key_of(operands);
  const std::lock_guard lock(state_->mutex);
  state::region& region = state_->regions[f.index];
  // Kernels for tensors without elements would be made for nothing.
  if (elements < 0 || (!compiler_ && region.variants.empty())) {
    ++state_->counted.evaluated;
    return nullptr;
  }
  variant& v = region.variants[key];
  ++v.calls;
  v.last_call = ++state_->clock;
  const bool worth = region.compiled < options_.eager || region.heavy || elements > options_.little || v.calls > 1;
  if (!v.code && !v.failed && compiler_ && worth) {
    try {
      v.code = compiler_->compile(module_, f, operands);
      if (region.compiled++ != 0) ++state_->counted.again;
      ++state_->counted.compiled;
    } catch (const error& e) {
      // A kernel may still not exist for these very shapes; its evaluation does.
      if (e.code() != "passes.dynamic_shape" && e.code().rfind("legalize", 0) != 0) throw;
      v.failed = true;
      state_->counted.without_code.push_back(module_[f].name + ": " + e.what());
    }
    if (region.variants.size() > options_.most) {
      auto oldest = region.variants.begin();
      for (auto it = region.variants.begin(); it != region.variants.end(); ++it)
        if (it->second.last_call < oldest->second.last_call) oldest = it;
      region.variants.erase(oldest);
    }
  }
  const auto now = region.variants.find(key);
  if (now == region.variants.end() || !now->second.code) {
    ++state_->counted.evaluated;
    return nullptr;
  }
  ++state_->counted.native;
  keep = *now->second.code;
  return &keep;
}

TENON_INLINE std::vector<value> host_program::run(std::span<const value> inputs, int threads) const {
  caller regions(*this, threads);
  std::string_view entry = "main";
  for (function_id f : module_.functions())
    if (module_[f].entry) entry = module_[f].name;
  return interpret_values(module_, entry, inputs, {}, &regions);
}

TENON_INLINE host_program::counts host_program::counted() const {
  const std::lock_guard lock(state_->mutex);
  return state_->counted;
}

}  // namespace tenon
