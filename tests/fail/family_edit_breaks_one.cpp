// An edit of what two targets have in common breaks one of them.
#include "house.hpp"
#include <tenon/targets/family.hpp>

using namespace house;

struct machine {
  static constexpr tn::fixed_string name = "machine";
  static constexpr tn::device_kind kind = tn::device_kind::cpu;
};
struct plain_codegen {
  static constexpr tn::fixed_string name = "plain_codegen";
};
struct shape_codegen {
  static constexpr tn::fixed_string name = "shape_codegen";
  using requires_facts = tn::facts<shapes_known>;
};
struct my_cpu {
  static constexpr tn::fixed_string name = "my_cpu";
  using device = machine;
  using code_generator = plain_codegen;
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes>;
  using ends_in = graph;
};
struct my_npu {
  static constexpr tn::fixed_string name = "my_npu";
  using device = machine;
  using code_generator = shape_codegen;
  using pipeline = tn::pipeline<lift_lambdas, infer_shapes>;
  using ends_in = graph;
};
struct reshape_all {
  static constexpr tn::fixed_string name = "reshape_all";
  using runs_in = graph;
  using needs = tn::facts<>;
#ifdef TENON_TWIN
  using keeps = tn::all_facts;
#else
  using breaks = tn::facts<shapes_known>;
#endif
  using emits = tn::ops<>;
};
using family = tn::target_family<my_cpu, my_npu>;
// CHECK: tenon-E073: the edit breaks target 'my_npu', by E012: target 'my_npu' requires 'shapes_known' of the module that its code generator gets
using edited = family::edit<tn::insert_after<infer_shapes, reshape_all>>;
