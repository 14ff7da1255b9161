/// @file extent_names.ipp: definition of core/extent_names.hpp.
#pragma once

#include <tenon/core/extent_expr.ipp>
#include <tenon/core/extent_names.hpp>

namespace tenon {

std::optional<extent_expr> with_names(const extent_expr& e, const extent_names& names) {
  extent_expr sum;
  for (const extent_expr::term& t : e.terms()) {
    extent_expr product = t.coefficient;
    for (const extent_expr::atom_ptr& f : t.factors) {
      using atom = extent_expr::atom;
      if (f->kind == atom::named) {
        const auto found = names.find(f->text);
        if (found != names.end() && !found->second) return std::nullopt;
        product = product * (found == names.end() ? *extent_expr::parse(f->text) : *found->second);
        continue;
      }
      const auto a = with_names(f->a, names), b = with_names(f->b, names);
      if (!a || !b) return std::nullopt;
      product = product * extent_algebra::again(f->kind, *a, *b);
    }
    sum = sum + product;
  }
  return sum;
}

}  // namespace tenon
