/// @file general_variant: plans a program that serves the sizes, too, which its entry alone would refuse though they
/// are right.
///
/// Two symbols that meet in an `add` are taken as equal, a computed slice as staying inside: code is simpler then, and
/// mostly they are. A session makes code for other sizes when they come; a file cannot. So it holds the entry a second
/// time (ir/variant.hpp), where something is so taken for granted: that variant takes nothing. Kernels and constants
/// that both need are there once. Of a composite, whose parts have one entry, it is a program beside the entry's.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <memory>
#include <vector>

#include <tenon/compile/context.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/targets/compilation_plan.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {

/// `plan_module`; of a module in phase `ingestion` (`from` is 0) that becomes whole, the general variant is another
/// entry. Cost: where the entry has conditions of that kind, the graph's passes run twice.
planned_module plan_for_all_sizes(std::unique_ptr<ir::module> m, const target_spec& target, context& cx,
                                  size_t from = 0);

/// The programs of a composite (`link_parts`) for the sizes of an entry, in the order in which they are asked: the
/// entry's, its variants', and behind each one that takes less for granted, where that has code. The common passes of
/// the members go on with pass `from`. Errors: the plan's reason; those of `link_parts`.
std::vector<std::unique_ptr<ir::module>> link_for_all_sizes(std::unique_ptr<ir::module> m, const target_spec& composite,
                                                            context& cx, size_t from = 0);

}  // namespace tenon
