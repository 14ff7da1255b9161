/// @file cpu_session.cpp: the target `cpu` for sessions: a module becomes native code in this process.
#include <tenon/session.hpp>
#include <tenon/targets/cpu.hpp>

namespace tenon {
namespace {

class jitted final : public executable {
 public:
  explicit jitted(program p) : program_(std::move(p)) {}
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override {
    return program_.run(inputs, threads);
  }

 private:
  program program_;
};

std::unique_ptr<executable> compile_for_cpu(ir_module<phases::ingestion>&& m, const session_options& o, context& cx) {
  targets::cpu target;
  target.threads = o.threads;
  target.configure(cx);
  const auto built = build<targets::cpu>(std::move(m), cx);
  // Also left in the context, for those who want to know its size or its arena.
  return std::make_unique<jitted>(cx.set(load(built)));
}

}  // namespace

void targets::register_cpu_target() { register_target("cpu", &compile_for_cpu); }

}  // namespace tenon
