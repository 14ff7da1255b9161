// A pass stands where a list of passes is meant.
#include "house.hpp"
#include "../../tools/include/tenon/tool/main.hpp"

using namespace house;

struct tidy {
  static constexpr tn::fixed_string name = "tidy";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using part = tn::pass_list<tidy>;
#else
using part = tidy;
#endif
int main(int argc, char** argv) {
  // CHECK: tenon-E075: 'tidy' stands where a list of parts of a command line is meant: write pass_list<tidy>
  return tn::tenon_main<part>(argc, argv);
}
