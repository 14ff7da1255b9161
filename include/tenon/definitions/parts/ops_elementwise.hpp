/// @file ops_elementwise: definitions of elementwise ops.
#pragma once

#include <tenon/interpret/scalar.ipp>
#include <tenon/ops/graph/elementwise.eval.ipp>
#include <tenon/ops/graph/elementwise.ipp>
#include <tenon/ops/graph/elementwise.lower.ipp>
#include <tenon/ops/graph/elementwise.simplify.ipp>
