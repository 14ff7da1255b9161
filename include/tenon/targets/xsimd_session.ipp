/// @file xsimd_session.ipp: definition of targets/xsimd_session.hpp.
#pragma once

#include <tenon/session.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/targets/xsimd_session.hpp>

namespace tenon::targets {
namespace xsimd_detail {

class vectorized final : public executable {
 public:
  explicit vectorized(ir::module m) : program_(std::move(m), external_formats<xsimd>()) {}
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override { return program_.run(inputs, threads); }

 private:
  external_program program_;
};

inline std::unique_ptr<executable> compile_for_session(ir_module<phases::ingestion>&& m, const session_options& o, context& cx) {
  xsimd target;
  target.threads = o.threads;
  target.configure(cx);
  auto built = build<xsimd>(std::move(m), cx);
  return std::make_unique<vectorized>(std::move(std::move(built).edit().body()));
}

}  // namespace xsimd_detail

TENON_INLINE void register_xsimd_target() { register_target("xsimd", &xsimd_detail::compile_for_session); }

}  // namespace tenon::targets
