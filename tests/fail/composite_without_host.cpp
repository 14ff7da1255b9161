// A composite says which member is the host, and names the others.
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

#ifdef TENON_TWIN
using board = tn::composite<tn::host<tn::targets::interpreter>, tn::device<"other", tn::targets::interpreter>>;
#else
// CHECK: tenon-E071: member 1 of a composite is 'interpreter': the first is a tenon::host<A>, each other one a tenon::device<
using board = tn::composite<tn::targets::interpreter, tn::targets::interpreter>;
#endif
