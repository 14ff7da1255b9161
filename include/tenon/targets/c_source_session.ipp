/// @file c_source_session.ipp: a session's module becomes C, and that code of this process.
#pragma once

#include <tenon/session.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/c_source_session.hpp>

namespace tenon {
namespace detail {

class compiled_c final : public executable {
 public:
  explicit compiled_c(program p) : program_(std::move(p)) {}
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override { return program_.run(inputs, threads); }

 private:
  program program_;
};

}  // namespace detail

TENON_INLINE void targets::register_c_source_target() {
  register_target("c_source", [](ir_module<phases::ingestion>&& m, const session_options&, context& cx) -> std::unique_ptr<executable> {
    c_source{}.configure(cx);
    const auto built = build<c_source>(std::move(m), cx);
    return std::make_unique<detail::compiled_c>(cx.set(load_c_source(built)));
  });
}

}  // namespace tenon
