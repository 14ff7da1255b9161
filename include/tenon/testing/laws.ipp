/// @file laws.ipp: the laws that need no types.
#pragma once

#include <tenon/ir/walk.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/testing/laws.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

namespace tenon::laws {

void hold_to_ops(const ir::module& before, const ir::module& after, std::string_view pass, const ir::op_claims& said) {
  const ir::op_watch::finding f = ir::op_watch(before, said.changes != nullptr).find(after, said);
  if (!f.op) return;
  const std::string op = "'" + std::string(after.view(f.op).name()) + "'", where = after.text(after[f.op].location);
  if (f.changed)
    throw error("law.changes",
                "pass '" + std::string(pass) + "' changes " + op + " where it stands, which is not in its 'changes'",
                where);
  if (f.left)
    throw error("law.eliminates", "pass '" + std::string(pass) + "' says that it eliminates " + op + ", and leaves one",
                where);
  throw error("law.emits",
              "pass '" + std::string(pass) + "' leaves " + op + ", which was not there and is not in its 'emits'",
              where);
}

void hold_to_functions(const ir::module& before, const ir::module& after, std::string_view pass,
                       const ir::function_claims& said) {
  const ir::function_watch::finding f = ir::function_watch(before).find(after, said);
  if (!f.what.empty())
    throw error("law.functions", "pass '" + std::string(pass) + "' " + f.what + ", and does not say '" + f.flag + "'");
}

void hold_to_effects(const ir::module& before, const ir::module& after, const effect_claims& said) {
  if (said.emits_any) return;
  const auto effects_of = [&](const ir::module& m) {
    std::vector<std::string_view> names;
    for (function_id f : m.functions()) {
      if (!m[f].phase.empty()) continue;
      ir::for_each_op(m, m[f].body, [&](op_id op) {
        const ir::op_info& info = *m[op].info;
        const bool bound = (static_cast<u32>(info.traits.effects) & ~static_cast<u32>(said.free)) != 0;
        if (bound && !said.emits.contains(info.key) && !said.eliminates.contains(info.key)) names.push_back(info.name);
      });
    }
    return names;
  };
  const auto old = effects_of(before), now = effects_of(after);
  for (size_t i = 0; i < old.size() || i < now.size(); ++i) {
    if (i < old.size() && i < now.size() && old[i] == now[i]) continue;
    const std::string_view name = i < old.size() ? old[i] : now[i];
    throw error("law.effects", "pass '" + std::string(said.pass) + "' deletes, merges or moves '" + std::string(name) +
                                   "', whose effects are not in its 'deletes', 'merges' or 'moves'");
  }
}

void hold_to_text(const ir::module& once, const ir::module& twice, std::string_view pass) {
  if (print(once) != print(twice))
    throw error("law.deterministic",
                "pass '" + std::string(pass) + "' does not make the same of the same module twice");
}

void hold_to_meaning(const ir::module& before, const ir::module& after, const trial& t, std::string_view pass) {
  if (t.inputs.empty()) return;
  const std::vector<tensor> want = interpret(before, t.entry, t.inputs, t.evaluations);
  // Who marks loops as parallel says that their iterations share nothing, and run in any order.
  const std::vector<tensor> got =
      interpret(after, t.entry, t.inputs,
                interpret_options{.evaluations = t.evaluations, .shuffle_parallel = 1, .find_races = true});
  for (size_t i = 0; i < want.size(); ++i) {
    const comparison c = i < got.size() ? compare(got[i], want[i], {t.tolerance, t.tolerance, t.tolerance, false})
                                        : comparison{.ok = false, .message = "it is not there"};
    if (!c.ok)
      throw error("law.meaning", "after '" + std::string(pass) + "' result " + std::to_string(i) +
                                     " means something else: " + c.message);
  }
}

void hold_to_round_trip(const ir::module& m, std::span<const ir::op_info* const> known, std::string_view op) {
  const std::string text = print(m);
  if (print(parse(text, "text", {.phase = {}, .ops = known})) != text)
    throw error("law.text", "'" + std::string(op) + "' does not read back as it was printed");
}

}  // namespace tenon::laws
