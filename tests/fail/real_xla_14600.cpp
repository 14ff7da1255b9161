// openxla/xla #14600: what users partition by themselves was inlined, and collectives came to stand there that had one channel.
// A channel is an effect of its own; channels are numbered behind whoever copies.
#include "house.hpp"

using namespace house;

struct channel {
  static constexpr tn::fixed_string name = "channel";
};
struct collective;
struct all_reduce {
  using effects = tn::effects<channel>;
};
struct hlo {
  static constexpr tn::fixed_string name = "hlo";
  using op_list = tn::ops<collective, all_reduce>;
};
struct assign_channels {
  static constexpr tn::fixed_string name = "assign_channels";
  using runs_in = hlo;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<collective>;
  using handles = tn::ops<collective>;
  using emits = tn::ops<all_reduce>;
};
struct legacy_channels {
  static constexpr tn::fixed_string name = "legacy_channels";
  using runs_in = hlo;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<all_reduce>;
  using handles = tn::ops<all_reduce>;
  using emits = tn::ops<collective>;
};
struct inline_partitioned {
  static constexpr tn::fixed_string name = "inline_partitioned";
  using runs_in = hlo;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using duplicates = tn::any_effects;
};
#ifdef TENON_TWIN
using order = tn::pipeline<legacy_channels, inline_partitioned, assign_channels>;
#else
// CHECK: tenon-E043: pass 'inline_partitioned' (3rd) may leave more than one of 'all_reduce', whose effect 'channel' does not allow that, and pass 'assign_channels' (2nd) emits it: move 'inline_partitioned' before 'assign_channels'
using order = tn::pipeline<legacy_channels, assign_channels, inline_partitioned>;
#endif
