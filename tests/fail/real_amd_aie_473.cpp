// nod-ai/iree-amd-aie #473: identifiers were given to buffer descriptors, and then a pass made more of these. It never heard of
// identifiers; the fact says that it is about each descriptor.
#include "house.hpp"

using namespace house;

struct object_fifo;
struct dma_bd;
struct aie {
  static constexpr tn::fixed_string name = "aie";
  using op_list = tn::ops<object_fifo, dma_bd>;
};
struct descriptors_numbered {
  static constexpr tn::fixed_string name = "descriptors_numbered";
  using of_each = tn::ops<dma_bd>;
};
struct assign_descriptor_ids {
  static constexpr tn::fixed_string name = "assign_descriptor_ids";
  using runs_in = aie;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using gives = tn::facts<descriptors_numbered>;
  using emits = tn::ops<>;
};
struct transform_object_fifos {
  static constexpr tn::fixed_string name = "transform_object_fifos";
  using runs_in = aie;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<object_fifo>;
  using handles = tn::ops<object_fifo>;
  using emits = tn::ops<dma_bd>;
};
struct emit_configuration {
  static constexpr tn::fixed_string name = "emit_configuration";
  using runs_in = aie;
  using needs = tn::facts<descriptors_numbered>;
  using keeps = tn::all_facts;
};
#ifdef TENON_TWIN
using order = tn::pipeline<transform_object_fifos, assign_descriptor_ids, emit_configuration>;
#else
// CHECK: tenon-E003: pass 'emit_configuration' (3rd) needs 'descriptors_numbered', which pass 'transform_object_fifos' (2nd) breaks, since it emits 'dma_bd', after 'assign_descriptor_ids' (1st) gave it: move 'transform_object_fifos' before 'assign_descriptor_ids', or move 'emit_configuration' before 'transform_object_fifos'
using order = tn::pipeline<assign_descriptor_ids, transform_object_fifos, emit_configuration>;
#endif
