/// @file op_watch.ipp: definitions of ir/op_watch.hpp.
#pragma once

#include <tenon/ir/ahead.hpp>
#include <tenon/ir/op_watch.hpp>
#include <tenon/ir/walk.hpp>

namespace tenon::ir {

op_watch::counts op_watch::effects_in(const module& m, function_id f) {
  counts n;
  for_each_op(m, m[f].body, [&](op_id op) {
    if (m[op].info->traits.effects != effect_bits::none) ++n[m[op].info->key];
  });
  return n;
}

op_watch::op_watch(const module& before, bool changes) {
  for (function_id f : before.functions()) {
    if (!before[f].phase.empty()) continue;
    for_each_op(before, before[f].body, [&](op_id op) {
      const op_info& info = *before[op].info;
      names_.emplace(info.key, info.name);
      if (changes) forms_[info.key].insert(hash_of_op(before, op));
    });
    if (auto keepers = keepers_in(before, f); !keepers.empty()) {
      kept_counts counted = count_kept(before, f, keepers);
      kept_.emplace(before[f].name, kept_ops{std::move(keepers), std::move(counted)});
    }
    if (counts n = effects_in(before, f); !n.empty()) effects_.emplace(before[f].name, std::move(n));
  }
}

op_watch::finding op_watch::find(const module& after, const op_claims& said) const {
  finding found;
  if (said.emits_any) return found;
  for (function_id f : after.functions()) {
    if (!after[f].phase.empty()) continue;
    for_each_op(after, after[f].body, [&](op_id op) {
      const u64 key = after[op].info->key;
      if (found.op || said.emits.contains(key) || said.early.contains(key)) return;
      if (!names_.contains(key)) found = {op, false};
      else if (said.eliminates.contains(key)) found = {op, true};
      else if (said.changes && said.changes->data && !said.changes->contains(key))
        if (const auto was = forms_.find(key); was != forms_.end() && !was->second.contains(hash_of_op(after, op)))
          found = {op, false, true};
    });
  }
  return found;
}

void op_watch::check_effects(const module& after, std::string_view pass, const op_claims& said) const {
  for (const auto& [name, before] : effects_) {
    const function_id f = after.find_function(name);
    if (!f || !after[f].phase.empty()) continue;  // nobody calls it any more, or it is finished
    const counts now = effects_in(after, f);
    for (const auto& [key, count] : before) {
      const auto it = now.find(key);
      if (said.eliminates.contains(key) || said.emits.contains(key) || (it != now.end() && it->second >= count))
        continue;
      throw error("tenon-E030",
                  "pass '" + std::string(pass) + "' deletes, merges or moves '" + names_.at(key) + "' of function '" +
                      name + "', which has an effect, and says nothing of effects",
                  {}, "correct the pass, or say what it 'deletes', 'merges' or 'moves'");
    }
  }
}

void op_watch::check_copies(const module& after, std::string_view pass, const op_claims& said) const {
  if (said.emits_any || said.copied == ~0u) return;
  counts before, now;
  for (const auto& [name, n] : effects_)
    for (const auto& [key, count] : n) before[key] += count;
  for (function_id f : after.functions()) {
    if (!after[f].phase.empty()) continue;
    for_each_op(after, after[f].body, [&](op_id op) {
      const op_info& info = *after[op].info;
      const auto effects = static_cast<unsigned>(info.traits.effects);
      if (!before.contains(info.key) || said.emits.contains(info.key) || said.early.contains(info.key)) return;
      if ((effects & ~said.copied) == 0 || ++now[info.key] <= before[info.key]) return;
      throw error("tenon-E030",
                  "pass '" + std::string(pass) + "' leaves more of '" + std::string(info.name) +
                      "', which has an effect, than there were, and says nothing of it",
                  after.text(after[op].location), "correct the pass, or say what it 'duplicates' or 'recomputes'");
    });
  }
}

void op_watch::check_kept(const module& after, std::string_view pass, const op_claims& said) const {
  if (said.emits_any) return;
  for (const auto& [name, before] : kept_) {
    const function_id f = after.find_function(name);
    if (!f || !after[f].phase.empty()) continue;
    kept_counts now = count_kept(after, f, before.keepers);
    for (const auto& [keeper, kinds] : before.counts)
      for (const auto& [key, was] : kinds) {
        const kept_count is = now[keeper][key];
        if (said.eliminates.contains(keeper) || said.emits.contains(key) || is.outside <= was.outside ||
            is.inside >= was.inside)
          continue;
        throw error(
            "tenon-E030",
            "pass '" + std::string(pass) + "' takes '" + names_.at(key) + "' out of a region of '" + names_.at(keeper) +
                "' in function '" + name + "', " +
                (before.keepers.at(keeper) == ~0u ? "which keeps what stands in it" : "each run of which has its own"),
            {}, "correct the pass: leave such ops in the region where they stand");
      }
  }
}

void op_watch::check(const module& after, std::string_view pass, const op_claims& said) const {
  if (!said.touches_effects) check_effects(after, pass, said);
  check_copies(after, pass, said);
  check_kept(after, pass, said);
  const finding f = find(after, said);
  if (!f.op) return;
  const std::string op = "'" + std::string(after.view(f.op).name()) + "'",
                    where = after[after.function_of(after[f.op].parent)].name;
  if (f.changed)
    throw error("tenon-E030",
                "pass '" + std::string(pass) + "' changes " + op + " of function '" + where +
                    "' where it stands, which is not in its 'changes'",
                after.text(after[f.op].location), "correct the pass, or what it 'changes'");
  throw error(
      "tenon-E030",
      "pass '" + std::string(pass) +
          (f.left ? "' says that it eliminates " + op + ", and leaves one in function '" + where + "'"
                  : "' leaves " + op + " in function '" + where + "', which was not there and is not in its 'emits'"),
      after.text(after[f.op].location), "correct the pass, or what it 'emits' or 'eliminates'");
}

}  // namespace tenon::ir
