/// @file evaluations: the reference evaluation of every built-in graph op.
#pragma once

#include <tenon/ops/graph/attention.eval.hpp>
#include <tenon/ops/graph/block_product.eval.hpp>
#include <tenon/ops/graph/contraction.eval.hpp>
#include <tenon/ops/graph/control.eval.hpp>
#include <tenon/ops/graph/elementwise.eval.hpp>
#include <tenon/ops/graph/indexing.eval.hpp>
#include <tenon/ops/graph/movement.eval.hpp>
#include <tenon/ops/graph/normalization.eval.hpp>
#include <tenon/ops/graph/packed.eval.hpp>
#include <tenon/ops/graph/patches.eval.hpp>
#include <tenon/ops/graph/pool.eval.hpp>
#include <tenon/ops/graph/recurrence.eval.hpp>
#include <tenon/ops/graph/reduce.eval.hpp>
#include <tenon/ops/graph/resize.eval.hpp>
#include <tenon/ops/graph/sequence.eval.hpp>
#include <tenon/ops/graph/source.eval.hpp>
#include <tenon/ops/graph/text.eval.hpp>
#include <tenon/ops/graph/winograd.eval.hpp>
