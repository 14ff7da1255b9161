/// @file transplant.ipp: definitions of ir/transplant.hpp.
#pragma once

#include <tenon/ir/transplant.hpp>

namespace tenon::ir {
type_id transplanter::type(type_id t) {
  if (const auto it = types_.find(t.index); it != types_.end()) return it->second;
  ir::type copy = from_[t];
  for (dim& d : copy.shape)
    if (d.is_symbol()) d = dim::symbol(to_.symbol(from_.name(d.symbol())));
  for (type_id& p : copy.parts) p = type(p);
  return types_[t.index] = to_.intern(copy);
}

constant_id transplanter::constant(constant_id c) {
  if (!c) return c;
  const auto [it, fresh] = constants_.try_emplace(c.index);
  if (fresh) it->second = to_.add_constant(from_[c].value, from_[c].name);
  return it->second;
}

op_id transplanter::copy(op_id op, region_id to, std::string (*constraint)(const std::string&)) {
  const op_node& n = from_[op];
  const std::unique_ptr<void, void (*)(void*)> attributes{n.info->copy(from_.attributes(n.attributes)),
                                                          n.info->destroy};
  for (const attribute& a : n.info->attributes()) {
    a.visit(attributes.get(), [&](constant_id& c) { c = constant(c); });
    a.visit(attributes.get(), [&](function_ref& f) { copy_function(f.name); });
  }
  std::vector<value_id> operands;
  std::vector<type_id> results;
  for (value_id v : from_.operands(op)) {
    if (v && !at(v))
      throw error("ir.transplant", "'" + std::string(n.info->name) + "' uses a value that is not copied",
                  from_.text(n.location));
    operands.push_back(at(v));
  }
  for (value_id v : from_.results(op)) results.push_back(type(from_[v].type));
  const std::string& target = from_.target(n.location);
  const location_id where =
      to_.location(from_.text(n.location), constraint && !target.empty() ? constraint(target) : std::string(),
                   to_.intern(from_.discardable(op)));
  const op_id made = to_.make_op(*n.info, to_.intern_attributes(*n.info, attributes.get()), operands, results,
                                 static_cast<int>(n.region_count), where);
  to_.append(to, made);
  for (size_t i = 0; i < results.size(); ++i)
    map_copy(from_.result(op, static_cast<int>(i)), to_.result(made, static_cast<int>(i)));
  for (u32 i = 0; i < n.region_count; ++i) {
    const region_id inner = from_.region(op, static_cast<int>(i)), copied = to_.region(made, static_cast<int>(i));
    for (value_id a : from_[inner].arguments) map_copy(a, to_.add_argument(copied, type(from_[a].type)));
    for (op_id o : from_[inner].ops) copy(o, copied, constraint);
  }
  return made;
}

function_id transplanter::copy_function(std::string_view name) {
  if (const function_id there = to_.find_function(name)) return there;
  const function_id f = from_.find_function(name);
  if (!f) return {};
  const function_id g = to_.add_function(name, from_[f].kind, {});
  const function& old = from_[f];
  to_[g].phase = old.phase;  // its constraint is not: whoever copies says what it is there
  to_[g].discardable = old.discardable, to_[g].purity = old.purity;
  to_[g].argument_names = old.argument_names, to_[g].result_names = old.result_names;
  for (type_id t : old.result_types) {
    const type_id copied = type(t);
    to_[g].result_types.push_back(copied);
  }
  const region_id body = to_[g].body;
  for (value_id a : from_[old.body].arguments) map_copy(a, to_.add_argument(body, type(from_[a].type)));
  for (op_id op : from_[old.body].ops) copy(op, body);
  return g;
}

module module::extract(function_id f) const {
  module part;
  transplanter copy(*this, part);
  const function& from = (*this)[f];
  function& made = part[copy.copy_function(from.name)];
  made.entry = from.entry, made.target = from.target;
  part.build.values_are_bound = build.values_are_bound;
  return part;
}

}  // namespace tenon::ir
