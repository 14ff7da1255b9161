/// @file general_variant: plans a program that serves the sizes, too, which its entry alone would refuse though they
/// are right.
///
/// Two symbols that meet in an `add` are taken as equal, a computed slice as staying inside: code is simpler then, and
/// mostly they are. A session makes code for other sizes when they come; a file cannot. So it holds the entry a second
/// time (ir/variant.hpp), where something is so taken for granted: that variant takes nothing. Kernels and constants
/// that both need are there once.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <memory>

#include <tenon/compile/context.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/targets/compilation_plan.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {

/// `plan_module`; of a module in phase `ingestion` (`from` is 0) that becomes whole, the general variant is another
/// entry. Cost: where the entry has conditions of that kind, the graph's passes run twice.
planned_module plan_for_all_sizes(std::unique_ptr<ir::module> m, const target_spec& target, context& cx,
                                  size_t from = 0);

}  // namespace tenon
