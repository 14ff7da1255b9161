// Any letter of a member is reported by a tool of one's own, which is compiled once: facts about additions would be
// judged as if the pass left these as they are.
#include "house.hpp"
#include "../../tools/include/tenon/tool/main.hpp"

using namespace house;

struct mark_sums {
  static constexpr tn::fixed_string name = "mark_sums";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
#ifdef TENON_TWIN
  using changes = tn::ops<add>;
#else
  using chaqges = tn::ops<add>;
#endif
  int changer = 0;  // an option: no list of ops, so nobody takes it for one
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};

int start(int argc, char** argv) {
  // CHECK: tenon-E008: pass 'mark_sums' has a member 'chaqges', which means nothing to the judge: write 'changes'
  return tn::tenon_main<tn::pass_list<mark_sums>>(argc, argv);
}
