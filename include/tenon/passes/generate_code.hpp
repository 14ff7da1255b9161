/// @file generate_code: the last pass of `targets::cpu`: a module in phase `build` gains the object file made from it.
///
/// Before: entry and kernels         After: the same, and an artifact of format "elf_object" that defines the entry
/// The definition is in the compiled part of the library (src/native); nothing here needs LLVM to be included.
#pragma once

#include <tenon/compile/codegen.hpp>
#include <tenon/compile/context.hpp>
#include <tenon/facts/loops_scheduled.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::formats {
struct elf_object;  // artifacts/elf.hpp
}

namespace tenon::passes {

struct generate_code {
  static constexpr fixed_string name = "generate_code";
  using from = phases::build;
  using to = phases::built;
  using needs = facts<fact::loops_scheduled>;
  using keeps = all_facts;
  using handles = build_ops;  // one native form each, in src/codegen; what they are made from stays
  using emits = ops<>;
  using code_format = formats::elf_object;
  ir_module<to> run(ir_module<from>&& m, context& cx) const;
};

}  // namespace tenon::passes
