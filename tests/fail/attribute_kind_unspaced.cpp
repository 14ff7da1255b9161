// A kind of attributes whose name has no namespace: in a text it could be taken for a word of the language.
#include <tenon/ir/op_table.hpp>

namespace mine {
using namespace tenon;
struct angle {
#ifdef TENON_TWIN
  static constexpr std::string_view name = "mine.angle";
#else
  static constexpr std::string_view name = "reals";
#endif
  double degrees = 0;
  TENON_ATTRIBUTES(degrees)
};
struct turned {
  static constexpr fixed_string name = "turned";
  angle by{};
  TENON_ATTRIBUTES(by)
};
}  // namespace mine

// CHECK: tenon-E009: text and files know a kind of attributes by its name, which begins with a namespace, as in 'mine.scale'
const auto table = tenon::ir::op_table_of<tenon::ops<mine::turned>>();
