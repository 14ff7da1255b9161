/// @file extent_names: the same expression over other names: what a function says of extents, where it is called.
///
///     extent_expr n = extent_expr::name("n");
///     with_names(n * 2 + 1, {{"n", extent_expr::name("N") - 1}})        // 2*N-1
#pragma once

#include <map>
#include <optional>
#include <string>

#include <tenon/core/extent_expr.hpp>

namespace tenon {

/// What names stand for, by their text in expressions; nothing: an extent that is not known.
using extent_names = std::map<std::string, std::optional<extent_expr>, std::less<>>;

/// All names of the list are replaced at once, and others stay. Nothing where one of them is not known.
std::optional<extent_expr> with_names(const extent_expr& e, const extent_names& names);

}  // namespace tenon
