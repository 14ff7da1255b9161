// openxla/xla #10826: tensors were marked as ones of the host's memory, and then layouts assigned to all types, which have no
// such mark. Who assigns them says that it changes every op; the fact, that it is about each copy.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct copy_start;
struct copy_done;
struct add;
struct thunk;
struct hlo {
  static constexpr tn::fixed_string name = "hlo";
  using op_list = tn::ops<copy_start, copy_done, add>;
};
struct host_memory_marked {
  static constexpr tn::fixed_string name = "host_memory_marked";
  using of_each = tn::ops<copy_start, copy_done>;
};
struct offload_to_host {
  static constexpr tn::fixed_string name = "offload_to_host";
  using runs_in = hlo;
  using needs = tn::facts<>;
  using gives = tn::facts<host_memory_marked>;
  using keeps = tn::all_facts;
  using emits = tn::ops<copy_start, copy_done>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct assign_layouts {
  static constexpr tn::fixed_string name = "assign_layouts";
  using runs_in = hlo;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using changes = tn::any_ops;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct assign_buffers {
  static constexpr tn::fixed_string name = "assign_buffers";
  using runs_in = hlo;
  using needs = tn::facts<host_memory_marked>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
#ifdef TENON_TWIN
using order = tn::pipeline<assign_layouts, offload_to_host, assign_buffers>;
#else
// CHECK: tenon-E003: pass 'assign_buffers' (3rd) needs 'host_memory_marked', which pass 'assign_layouts' (2nd) breaks, since it changes 'copy_done', after 'offload_to_host' (1st) gave it: move 'assign_layouts' before 'offload_to_host'
using order = tn::pipeline<offload_to_host, assign_layouts, assign_buffers>;
#endif
