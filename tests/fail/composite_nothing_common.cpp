// The members of a composite begin alike, so that there is something to be split.
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>

namespace tn = tenon;

struct npu {
  static constexpr tn::fixed_string name = "npu";
  using device = tn::targets::reference_device;
  using code_generator = tn::targets::interpreter::code_generator;
#ifdef TENON_TWIN
  using pipeline = tn::targets::interpreter::pipeline::edit<tn::append<tn::passes::eliminate_dead>>;
#else
  using pipeline = tn::targets::interpreter::pipeline::edit<tn::insert_before<tn::passes::inline_calls, tn::passes::eliminate_dead>>;
#endif
  using ends_in = tn::phases::optimization;
  using format = tn::formats::module_file;
  using abi = tn::abis::interpreted;
  using runtime = tn::targets::evaluator;
};
// CHECK: tenon-E071: the members 'interpreter', 'npu' have no common way to a graph without calls: their pipelines must begin alike, at least up to 'inline_calls'
using board = tn::composite<tn::host<tn::targets::interpreter>, tn::device<"npu", npu>>;
