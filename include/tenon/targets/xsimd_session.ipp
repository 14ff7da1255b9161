/// @file xsimd_session.ipp: definition of targets/xsimd_session.hpp, and of what runs the target's modules.
#pragma once

#include <tenon/ir/check_constraints.hpp>
#include <tenon/targets/all.hpp>  // declares what is instantiated here
#include <tenon/targets/registry.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/targets/xsimd_session.hpp>

namespace tenon::targets {
namespace xsimd_detail {

class vectorized final : public executable {
 public:
  explicit vectorized(ir::module m) : program_(std::move(m), external_formats<xsimd>()) {}
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override {
    return program_.run(inputs, threads);
  }

 private:
  external_program program_;
};

}  // namespace xsimd_detail

std::unique_ptr<executable> external_runtime::load(const ir::module& built) {
  ir::check_constraints(built, "xsimd");
  return std::make_unique<xsimd_detail::vectorized>(built);
}

void register_xsimd_target() { register_target<xsimd>(); }

}  // namespace tenon::targets

namespace tenon { template const target_entry& entry_of<targets::xsimd>(); }
