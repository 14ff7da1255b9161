// An op of one's own with the name of a built-in one: its text would be read as that.
#include <tenon/tenon.hpp>

namespace tn = tenon;

namespace mine {
struct lookup {
#ifdef TENON_TWIN
  static constexpr tn::fixed_string name = "mine.lookup";
#else
  static constexpr tn::fixed_string name = "gather";
#endif
};
}  // namespace mine
using graph = tn::extend<tn::phases::optimization, mine::lookup>;

// CHECK: tenon-E009: two ops that one module may hold are named 'gather': text and files know an op by its name: rename one of them
auto m = tn::parse<graph>("tenon.module phase=optimization");
