/// @file ops_contraction: definitions of convolutions, products, normalizations, pools, recurrences and eliminations.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/ops/graph/attention.eval.ipp>
#include <tenon/ops/graph/attention.ipp>
#include <tenon/ops/graph/attention.lower.ipp>
#include <tenon/ops/graph/block_product.eval.ipp>
#include <tenon/ops/graph/block_product.ipp>
#include <tenon/ops/graph/block_product.lower.ipp>
#include <tenon/ops/graph/contraction.eval.ipp>
#include <tenon/ops/graph/contraction.ipp>
#include <tenon/ops/graph/contraction.lower.ipp>
#include <tenon/ops/graph/depthwise.lower.ipp>
#include <tenon/ops/graph/linear_algebra.eval.ipp>
#include <tenon/ops/graph/linear_algebra.ipp>
#include <tenon/ops/graph/linear_algebra.lower.ipp>
#include <tenon/ops/graph/normalization.eval.ipp>
#include <tenon/ops/graph/normalization.ipp>
#include <tenon/ops/graph/normalization.lower.ipp>
#include <tenon/ops/graph/pool.eval.ipp>
#include <tenon/ops/graph/pool.ipp>
#include <tenon/ops/graph/pool.lower.ipp>
#include <tenon/ops/graph/recurrence.eval.ipp>
#include <tenon/ops/graph/recurrence.ipp>
#include <tenon/ops/graph/recurrence.lower.ipp>
#include <tenon/ops/graph/winograd.eval.ipp>
#include <tenon/ops/graph/winograd.ipp>
#include <tenon/ops/graph/winograd.lower.ipp>
