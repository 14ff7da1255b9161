/// @file questions: what one asks of pipelines: how they differ, why a pass is there, what they look like.
///
///     std::string d = diff(passes_of<targets::cpu::pipeline>(), passes_of<my_npu::pipeline>());
///     std::string k = diff_of_facts(…, …);              // what is known no more, and what is now
///     std::string e = explain(passes_of<…>(), "fuse");
///     std::string m = mermaid(passes_of<…>());      // and dot
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/judge/judged.hpp>

namespace tenon {

/// Passes as data, in order.
using passes_view = std::vector<const pass_desc*>;

namespace detail {
template <class... Ps>
passes_view passes_of(meta::detail::box<pass_list<Ps...>>) {
  return {&pass_desc_of<Ps>...};
}
}  // namespace detail

/// The passes of a pipeline, or of a pass_list.
template <class Pipeline>
passes_view passes_of() {
  if constexpr (requires { typename Pipeline::passes; })
    return detail::passes_of(meta::detail::box<typename Pipeline::passes>{});
  else return detail::passes_of(meta::detail::box<Pipeline>{});
}

/// One line a pass: "  both", "- only in a", "+ only in b". The fewest changes; empty if there are none.
std::string diff(const passes_view& a, const passes_view& b);

/// What an edit changed of what is known: a line for each pass of both, in their order, in front of which other facts
/// hold than for the line before it, and one for the end; "fuse: lost 'shapes_known', gained 'calls_inlined'". Empty if
/// nothing changed. Of optional passes that is known which holds with and without them.
std::string diff_of_facts(const passes_view& a, const passes_view& b);

/// Where a pass runs, who gives what it needs, who uses what it gives, what it breaks. Throws tenon-E026 if no pass has
/// the name.
std::string explain(const passes_view& passes, std::string_view name);

/// A drawing: phases as boxes, passes in order, and an arrow from the giver of each fact to those who need it.
std::string mermaid(const passes_view& passes);
std::string dot(const passes_view& passes);

}  // namespace tenon
