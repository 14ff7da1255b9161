/// @file lowerings: the loop-level meaning of every built-in graph op.
#pragma once

#include <tenon/ops/graph/attention.lower.hpp>
#include <tenon/ops/graph/block_product.lower.hpp>
#include <tenon/ops/graph/contraction.lower.hpp>
#include <tenon/ops/graph/elementwise.lower.hpp>
#include <tenon/ops/graph/indexing.lower.hpp>
#include <tenon/ops/graph/movement.lower.hpp>
#include <tenon/ops/graph/normalization.lower.hpp>
#include <tenon/ops/graph/patches.lower.hpp>
#include <tenon/ops/graph/pool.lower.hpp>
#include <tenon/ops/graph/recurrence.lower.hpp>
#include <tenon/ops/graph/reduce.lower.hpp>
#include <tenon/ops/graph/resize.lower.hpp>
#include <tenon/ops/graph/winograd.lower.hpp>
