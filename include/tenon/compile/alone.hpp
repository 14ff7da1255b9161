/// @file alone: one function of a module, as a module of its own: what is compiled for a whole model is compiled for
/// it.
///
///     program p = load(build<targets::cpu>(alone(std::move(m), "encoder"), targets::cpu{.threads = 2}));
///     session s(alone(m.clone(), "decode"), {.target = "xsimd"});
/// A few ops become a function by `passes::outline`, and then a program in the same way.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <string_view>

#include <tenon/ir/ir_module.hpp>
#include <tenon/phases/built.hpp>

namespace tenon {

/// The module without what the function does not refer to; the function is its only entry. Error "program.entry" where
/// there is no such graph function.
ir::module alone(ir::module m, std::string_view function);

/// Facts are forgotten, as by `edit`. A built module has code of all its entries: `program::entry`.
template <class Phase, class... Facts>
  requires(!meta::same<Phase, phases::built>)
[[nodiscard]] ir_module<Phase> alone(ir_module<Phase, Facts...>&& m, std::string_view function) {
  return ir_module<Phase>::adopt(alone(std::move(std::move(m).edit().body()), function));
}

}  // namespace tenon
