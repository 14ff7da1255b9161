/// @file bisect.ipp: definitions of compile/instruments/bisect.hpp.
#pragma once

#include <tenon/compile/instruments/bisect.hpp>
#include <tenon/core/extent_expr.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/ahead.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/runtime/random_tensor.hpp>

namespace tenon::instrument {
namespace detail {

inline function_id entry_of(const ir::module& m) {
  for (function_id f : m.functions())
    if (m[f].entry) return f;
  throw error("bisect.entry", "the module has no entry function, which could be interpreted");
}

/// Extents for names: the smallest number, the same for all, with which the module's conditions hold.
inline i64 extent_for_names(const ir::module& m) {
  for (i64 n = 2; n <= 64; ++n) {
    bool holds = true;
    for (const extent_condition& c : m.conditions)
      holds = holds && c.holds(c.value.evaluate([n](const std::string&) { return n; }));
    if (holds) return n;
  }
  throw error("bisect.extents", "no small extents were found for which the module is", {}, "give 'inputs'");
}

inline std::vector<tensor> random_inputs(const ir::module& m, u64 seed) {
  const function_id f = entry_of(m);
  const i64 n = extent_for_names(m);
  std::vector<tensor> inputs;
  for (value_id v : m[m[f].body].arguments) {
    if (inputs.size() == m[f].argument_names.size() && !m[f].argument_names.empty()) break;
    const ir::type& t = m.type_of(v);
    std::vector<i64> shape;
    for (ir::dim d : t.shape) {
      const auto e = d.is_symbol() ? extent_expr::parse(m.name(d.symbol())) : std::nullopt;
      shape.push_back(d.is_static() ? d.extent() : e ? e->evaluate([n](const std::string&) { return n; }) : n);
    }
    inputs.push_back(random_tensor(t.elem, std::move(shape), ++seed));
  }
  return inputs;
}

/// Of a module that the interpreter runs: one that no code was generated of, nor cut out for another code generator.
inline bool can_be_interpreted(const ir::module& m, std::string_view phase) {
  return m.artifacts().empty() && phase != "partitioned" && phase != "built";
}

/// How results differ; empty: they do not.
inline std::string difference(const std::vector<tensor>& got, const std::vector<tensor>& want, const tolerance& t) {
  if (got.size() != want.size())
    return "there are " + std::to_string(got.size()) + " results, and were " + std::to_string(want.size());
  for (size_t i = 0; i < want.size(); ++i)
    if (const comparison c = compare(got[i], want[i], t); !c.ok)
      return "result " + std::to_string(i) + ": " + c.message;
  return {};
}
}  // namespace detail

void bisect::before(const pass_event& e) {
  if (e.depth != 0 || !detail::can_be_interpreted(*e.module, e.phase)) return;
  if (!kept.empty() && ir::hash_of_module(*kept.back().module) == ir::hash_of_module(*e.module)) return;
  kept.push_back({{}, std::make_shared<const ir::module>(*e.module)});
}

void bisect::after(const pass_event& e) {
  if (e.depth == 0 && !kept.empty() && detail::can_be_interpreted(*e.module, e.phase))
    kept.push_back({std::string(e.pass), std::make_shared<const ir::module>(*e.module)});
}

std::optional<bisect::finding> bisect::find_within(size_t first, size_t last) const {
  const auto results = [&](size_t i, const std::vector<tensor>& given, const interpret_options& how = {}) {
    const ir::module& m = *kept[i].module;
    return interpret(m, m[detail::entry_of(m)].name, given, how);
  };
  // A loop that is marked as parallel by mistake computes the same in order.
  const interpret_options any_order{.shuffle_parallel = seed, .find_races = true};
  const std::vector<tensor> given = inputs.empty() ? detail::random_inputs(*kept[first].module, seed) : inputs;
  const std::vector<tensor> want = results(first, given);
  const auto wrong = [&](size_t i) -> std::string {
    try {
      return detail::difference(results(i, given, any_order), want, allowed);
    } catch (const error& e) { return std::string("it cannot be run: ") + e.what(); }
  };
  std::string what = wrong(last);
  if (what.empty()) return std::nullopt;
  size_t right = first;
  while (last - right > 1) {
    const size_t middle = right + (last - right) / 2;
    std::string why = wrong(middle);
    if (why.empty()) right = middle;
    else last = middle, what = std::move(why);
  }
  size_t number = 0;
  for (size_t i = 0; i <= last; ++i) number += kept[i].pass.empty() ? 0 : 1;
  return finding{kept[last].pass, number, std::move(what)};
}

std::optional<bisect::finding> bisect::find() const {
  const auto takes = [&](size_t i) {  // a pass that binds inputs leaves a module that others are given to
    const ir::module& m = *kept[i].module;
    return m[detail::entry_of(m)].argument_names.size();
  };
  for (size_t first = 0; first < kept.size();) {
    size_t last = first;
    while (last + 1 < kept.size() && !kept[last + 1].pass.empty() && takes(last + 1) == takes(first)) ++last;
    if (last != first)
      if (auto found = find_within(first, last)) return found;
    first = last + 1;
  }
  return std::nullopt;
}

std::string bisect::text() const {
  if (const auto f = find())
    return "pass '" + f->pass + "', number " + std::to_string(f->number) +
           " of those that ran, changes what is computed: " + f->what + "\n";
  return "no pass changes what is computed\n";
}

}  // namespace tenon::instrument
