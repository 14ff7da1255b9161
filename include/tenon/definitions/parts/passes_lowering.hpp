/// @file passes_lowering: definitions of passes from graphs to loops, and on loops.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/facts/buffer_lives_known.ipp>
#include <tenon/facts/loops_scheduled.ipp>
#include <tenon/facts/memory_planned.ipp>
#include <tenon/passes/kernel_builder.ipp>
#include <tenon/passes/legalize_ops.ipp>
#include <tenon/passes/lower_builtins.ipp>
#include <tenon/passes/lower_external_calls.ipp>
#include <tenon/passes/lowering_table.ipp>
#include <tenon/passes/parallelize.ipp>
#include <tenon/passes/plan_memory.ipp>
#include <tenon/passes/tensorize.ipp>
#include <tenon/passes/tile.ipp>
#include <tenon/passes/to_lowering.ipp>
#include <tenon/passes/vectorize.ipp>
