/// @file ir: definitions of modules: their types, verification and proofs about loops.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/ir/ahead.ipp>
#include <tenon/ir/analysis_cache.ipp>
#include <tenon/ir/artifact_calls.ipp>
#include <tenon/ir/bounds.ipp>
#include <tenon/ir/bounds_checks.ipp>
#include <tenon/ir/bounds_proof.ipp>
#include <tenon/ir/build_record.ipp>
#include <tenon/ir/builder.ipp>
#include <tenon/ir/called_extents.ipp>
#include <tenon/ir/check_constraints.ipp>
#include <tenon/ir/constraint.ipp>
#include <tenon/ir/dims.ipp>
#include <tenon/ir/discardable.ipp>
#include <tenon/ir/entries.ipp>
#include <tenon/ir/entry_steps.ipp>
#include <tenon/ir/function_watch.ipp>
#include <tenon/ir/kept_inside.ipp>
#include <tenon/ir/loop_builder.ipp>
#include <tenon/ir/module.ipp>
#include <tenon/ir/obstacle.ipp>
#include <tenon/ir/op_watch.ipp>
#include <tenon/ir/open_extents.ipp>
#include <tenon/ir/options.ipp>
#include <tenon/ir/purity.ipp>
#include <tenon/ir/races.ipp>
#include <tenon/ir/refine.ipp>
#include <tenon/ir/transplant.ipp>
#include <tenon/ir/verify.ipp>
#include <tenon/ir/verify_loops.ipp>
#include <tenon/ops/graph/constant.ipp>
#include <tenon/ops/graph/dataflow.ipp>
