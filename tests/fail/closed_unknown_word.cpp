// In closed form a word that does not exist does not compile, whatever its spelling.
#include <tenon/judge/pass_of.hpp>

#include "house.hpp"

namespace words = tenon::words;

struct expand : tenon::pass_of<"expand", words::runs_in<house::graph>, words::needs<>, words::keeps<tenon::all_facts>,
#ifdef TENON_TWIN
                               words::eliminates<house::mul>, words::handles<house::mul>,
#else
                               // CHECK: elmintaes
                               words::elmintaes<house::mul>,
#endif
                               words::emits<house::add>> {
};
