/// @file emit_c: the last pass of `targets::c_source`: a module in phase `build` gains the C source made from it.
///
/// Before: entry and kernels         After: the same, and an artifact of format "c_source" that defines the entry
/// The code is plain loops in C11 that compilers vectorize; it needs libc and libm, and no thread. Shapes may be open:
/// the code reads the sizes of a run from its caller's table. Needs no LLVM.
#pragma once

#include <string>
#include <vector>

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::formats {
struct c_source;  // artifacts/c_source.hpp
}

namespace tenon::passes {

struct emit_c {
  static constexpr fixed_string name = "emit_c";
  using from = phases::build;
  using to = phases::built;
  using needs = facts<>;
  using keeps = all_facts;
  using handles = build_ops;  // a C form each; the kernels stay as the artifact's source
  using emits = ops<>;
  using code_format = formats::c_source;
  std::string symbol = "tenon_main";
  TENON_ATTRIBUTES(symbol)
  ir_module<to> run(ir_module<from>&& m, context& cx) const;
};

/// Whether C has values of an element type. Else code for it is the error "codegen.unsupported".
bool has_c_form(dtype t);
/// Have the elements of all operands and results?
bool has_c_form(const ir::op_view& op);
/// The translation unit of a module in phase `build`. Error "codegen.unsupported" names op and kernel. `check_bounds`:
/// an access that is not proven to stay inside is looked at before it is made; what is wrong is said as `tenon_fault`
/// (runtime/abi.hpp), or ends the process where the caller has no place for it. All extents that loops ask for are
/// symbols of the module (`ir::number_extents`).
std::string c_source_of(const ir::module& m, const std::string& symbol, bool check_bounds = false);
/// The same without constants: the entry reads them from the table of pointers that it is given, which is of `table`.
std::string c_source_of(const ir::module& m, const std::string& symbol, bool check_bounds,
                        std::vector<constant_id>& table);

}  // namespace tenon::passes
