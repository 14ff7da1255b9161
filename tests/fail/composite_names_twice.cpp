// Constraints tell the members of a composite apart by their names.
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

#ifdef TENON_TWIN
using other = tn::device<"other", tn::targets::interpreter>;
#else
using other = tn::device<"interpreter", tn::targets::interpreter>;
#endif
// CHECK: tenon-E071: two members of a composite have one name, in 'interpreter', 'interpreter': constraints must tell them apart: name one of them otherwise, by tenon::device
using board = tn::composite<tn::host<tn::targets::interpreter>, other>;
