// hw-native-sys/pypto #1821: buffers were packed tighter behind the pass that orders accesses, and no synchronization stood at
// the new borders: a store was read before it had arrived. plan_memory is this library's own, and never heard of the fact.
#include <tenon/targets/cpu.hpp>

namespace tn = tenon;
namespace passes = tenon::passes;

struct waits_placed {
  static constexpr tn::fixed_string name = "waits_placed";
};
struct add_waits {  // a wait wherever two accesses of one place may meet
  static constexpr tn::fixed_string name = "add_waits";
  using runs_in = tn::phases::lowering;
  using needs = tn::facts<>;
  using gives = tn::facts<waits_placed>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct copy_ahead {  // asynchronous copies: right only where all accesses are ordered
  static constexpr tn::fixed_string name = "copy_ahead";
  using runs_in = tn::phases::lowering;
  using needs = tn::facts<waits_placed>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
using tn::insert_after;
using tn::insert_before;
#ifdef TENON_TWIN
using ordered = tn::targets::cpu::pipeline::edit<insert_after<passes::plan_memory, add_waits>, insert_before<passes::lower_builtins, copy_ahead>>;
#else
using ordered = tn::targets::cpu::pipeline::edit<insert_before<passes::plan_memory, add_waits>, insert_before<passes::lower_builtins, copy_ahead>>;  // CHECK: tenon-E003: pass 'copy_ahead' ({{.*}}) needs 'waits_placed', which pass 'plan_memory' ({{.*}}) breaks after 'add_waits' ({{.*}}) gave it: move 'plan_memory' before 'add_waits', or move 'copy_ahead' before 'plan_memory'
#endif
