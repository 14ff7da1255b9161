/// @file run.ipp: what surrounds a pass when it runs.
#pragma once

#include <tenon/compile/run.hpp>
#include <tenon/ir/ahead.hpp>
#include <tenon/ir/op_watch.hpp>

namespace tenon::detail {

void meet_flags(context& cx, const pass_desc* const* passes, size_t count) {
  if (!cx.sets_flags()) return;
  std::vector<std::string> flags;
  for (size_t i = 0; i < count; ++i)
    if (const rare_parts& r = passes[i]->more(); r.flag_key) flags.emplace_back(std::string_view(r.flag));
  cx.meet_flags(flags);
}

void prove_begun_fact(const ir::module& m, label phase, const proof& what) {
  try {
    what.check(m);
  } catch (const error& e) {
    throw error("fact",
                "phase '" + std::string(std::string_view(phase)) + "' begins with '" + std::string(what.name) +
                    "', which these passes rely on, and of this module it does not hold: " + e.message(),
                e.where(), "run a pass that gives it first");
  }
}

std::unique_ptr<ir::module> run_erased(const pass_call& call, const void* pass, std::unique_ptr<ir::module> body,
                                       context& cx, const proof* proofs, size_t proof_count) {
  pass_scope scope(cx, call.name, call.after, *body);
  const ir::artifact_set made = body->artifacts();
  std::unique_ptr<ir::ahead_watch> watch;
  std::unique_ptr<ir::op_watch> ops;
  if (cx.verify_each) watch = std::make_unique<ir::ahead_watch>(*body), ops = std::make_unique<ir::op_watch>(*body);
  call.run(pass, body, cx);
  if (const ir::artifact* lost = body->artifacts().missing_of(made))
    throw error("tenon-E028",
                "pass '" + std::string(call.name) + "' leaves a module without artifact '" + lost->symbol + "' (" +
                    lost->format + ", made by '" + lost->producer + "'): the artifacts of a module are append-only",
                {}, "change the module that the pass is given, rather than making another one");
  if (watch) watch->check(*body, call.name, call.before);
  scope.finish(*body, proofs, proof_count);
  const pass_desc& said = *call.said;
  if (ops)
    ops->check(*body, call.name,
               {said.emits_any(), said.emits, said.is_transition() ? said.to->early : op_set{}, said.eliminates,
                said.is_transition() || said.more().touches_effects});
  return body;
}

}  // namespace tenon::detail
