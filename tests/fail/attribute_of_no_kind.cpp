// A member of a type that nobody said how to write: it could be neither printed nor compared.
#include <tenon/ir/op_table.hpp>

namespace mine {
using namespace tenon;
struct angle {
  double degrees = 0;
};
struct turned {
  static constexpr fixed_string name = "turned";
  angle by{};
  TENON_ATTRIBUTES(by)
};
}  // namespace mine

#ifdef TENON_TWIN
template <>
struct tenon::ir::attribute_format<mine::angle> {
  static constexpr std::string_view name = "mine.angle";
  static double to(const mine::angle& a) { return a.degrees; }
  static mine::angle from(double degrees) { return {degrees}; }
};
#endif

// CHECK: tenon-E006: the printer has nothing for a member of this type: an attribute is an i64, double, bool, std::string, dtype, constant_id (a tensor of the module: add_constant), an enumeration, a vector of i64, double or std::string, or of a kind of your own: a struct with a name and TENON_ATTRIBUTES, or what ir::attribute_format is specialized for
const auto table = tenon::ir::op_table_of<tenon::ops<mine::turned>>();
