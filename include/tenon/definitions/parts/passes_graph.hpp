/// @file passes_graph: definitions of passes on graphs, the facts that they give, and variants of entries.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/facts/channels_last.ipp>
#include <tenon/facts/extents_folded.ipp>
#include <tenon/facts/extents_known.ipp>
#include <tenon/facts/purity_known.ipp>
#include <tenon/facts/purity_said.ipp>
#include <tenon/facts/static_shapes.ipp>
#include <tenon/ir/add_entry.ipp>
#include <tenon/ir/bind_symbols.ipp>
#include <tenon/ir/variant.ipp>
#include <tenon/passes/bind_inputs.ipp>
#include <tenon/passes/eliminate_common.ipp>
#include <tenon/passes/eliminate_dead.ipp>
#include <tenon/passes/fold_batch_norm.ipp>
#include <tenon/passes/fold_constants.ipp>
#include <tenon/passes/fold_extents.ipp>
#include <tenon/passes/fuse.ipp>
#include <tenon/passes/fusion_rules.ipp>
#include <tenon/passes/infer_shapes.ipp>
#include <tenon/passes/inline_calls.ipp>
#include <tenon/passes/lift_lambdas.ipp>
#include <tenon/passes/note_purity.ipp>
#include <tenon/passes/outline.ipp>
#include <tenon/passes/require_known_extents.ipp>
#include <tenon/passes/require_static_shapes.ipp>
#include <tenon/passes/simplify.ipp>
#include <tenon/passes/unwrap_pure_calls.ipp>
