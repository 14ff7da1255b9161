/// @file function_watch.ipp: definitions of ir/function_watch.hpp.
#pragma once

#include <tenon/ir/agreeing_types.hpp>
#include <tenon/ir/function_watch.hpp>

namespace tenon::ir {

function_watch::head::head(const module& m, function_id f) {
  const function& fn = m[f];
  said = {static_cast<char>(fn.kind), static_cast<char>(fn.purity), static_cast<char>(fn.entry)};
  said += fn.target;
  for (const auto* names : {&fn.argument_names, &fn.result_names}) {
    said += ";" + std::to_string(names->size());
    for (const std::string& name : *names) said += "," + name;
  }
  for (value_id a : m[fn.body].arguments) types.push_back(m.type_of(a));
  arguments = types.size();
  for (type_id t : fn.result_types) types.push_back(m[t]);
}

bool function_watch::head::same(const head& later) const {
  if (said != later.said || arguments != later.arguments || types.size() != later.types.size()) return false;
  for (size_t i = 0; i < types.size(); ++i)
    if (!detail::agree(types[i], later.types[i]) || types[i].parts.size() != later.types[i].parts.size()) return false;
  return true;
}

function_watch::function_watch(const module& before) {
  for (function_id f : before.functions())
    if (before[f].phase.empty()) heads_.emplace(before[f].name, head(before, f));
    else ahead_.insert(before[f].name);
}

function_watch::finding function_watch::find(const module& after, const function_claims& said) const {
  for (function_id f : after.functions()) {
    if (!after[f].phase.empty()) continue;
    const auto was = heads_.find(after[f].name);
    if (was == heads_.end()) {
      if (!said.adds && !ahead_.contains(after[f].name))
        return {"adds function '" + after[f].name + "'", "adds_functions"};
    } else if (!said.changes && !(said.adds && said.removes) && !was->second.same(head(after, f))) {
      // who removes functions and adds some may add one of the same name
      return {"changes what function '" + after[f].name + "' takes, returns or says of itself", "changes_functions"};
    }
  }
  for (const auto& [name, was] : heads_)
    if (!said.removes && !after.find_function(name)) return {"removes function '" + name + "'", "removes_functions"};
  return {};
}

void function_watch::check(const module& after, std::string_view pass, const function_claims& said) const {
  const finding f = find(after, said);
  if (f.what.empty()) return;
  throw error("tenon-E030", "pass '" + std::string(pass) + "' " + f.what + ", and does not say so", {},
              std::string("correct the pass, or say 'static constexpr bool ") + f.flag + " = true'");
}

}  // namespace tenon::ir
