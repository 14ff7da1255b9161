/// @file near_miss: members of a pass that mean nothing, and whose names are nearly those of members that do.
///
/// All that are told stand here, and in `near_misses` of usual_pass.hpp, which asks for them all at once.
#pragma once

#include <tenon/pipeline/pass_desc.hpp>

namespace tenon::detail {

struct near_miss {
  bool found;
  const char *said, *meant;
};
template <class P>
constexpr near_miss near_miss_of() {
  if constexpr (!has_no_near_miss<P>) {  // what follows is not instantiated for most
    const near_miss known[] = {{requires { requires member_of<P, typename P::need>; }, "need", "needs"},
                               {requires { requires member_of<P, typename P::require>; }, "require", "needs"},
                               {requires { requires member_of<P, typename P::requires_>; }, "requires_", "needs"},
                               {requires { requires member_of<P, typename P::give>; }, "give", "gives"},
                               {requires { requires member_of<P, typename P::provides>; }, "provides", "gives"},
                               {requires { requires member_of<P, typename P::emit>; }, "emit", "emits"},
                               {requires { requires member_of<P, typename P::eliminate>; }, "eliminate", "eliminates"},
                               {requires { requires member_of<P, typename P::keep>; }, "keep", "keeps"},
                               {requires { requires member_of<P, typename P::preserves>; }, "preserves", "keeps"},
                               {requires { requires member_of<P, typename P::break_>; }, "break_", "breaks"},
                               {requires { requires member_of<P, typename P::invalidates>; }, "invalidates", "breaks"},
                               {requires { requires member_of<P, typename P::run_in>; }, "run_in", "runs_in"},
                               {requires { requires member_of<P, typename P::runs_on>; }, "runs_on", "runs_in"},
                               {requires { requires member_of<P, typename P::delete_>; }, "delete_", "deletes"},
                               {requires { requires member_of<P, typename P::merge>; }, "merge", "merges"},
                               {requires { requires member_of<P, typename P::move>; }, "move", "moves"},
                               {requires { requires member_of<P, typename P::leave>; }, "leave", "leaves"},
                               {requires { requires member_of<P, typename P::handle>; }, "handle", "handles"},
                               {requires { requires member_of<P, typename P::option>; }, "option", "options"},
                               {requires { requires member_of<P, typename P::after>; }, "after", "needs"},
                               {requires { requires member_of<P, typename P::runs_after>; }, "runs_after", "needs"},
                               {requires { requires member_of<P, typename P::before>; }, "before", "not_between"},
                               {requires { requires member_of<P, typename P::makes_functions>; }, "makes_functions", "makes_functions_in"}};
    for (const near_miss& n : known)
      if (n.found) return n;
  }
  return {false, "", ""};
}
constexpr label label_of(const char* text) {
  size_t n = 0;
  while (text[n]) ++n;
  return {text, n};
}

}  // namespace tenon::detail
