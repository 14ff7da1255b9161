/// @file ops_resize: definitions of ops that resample.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/ops/graph/resize.eval.ipp>
#include <tenon/ops/graph/resize.ipp>
#include <tenon/ops/graph/resize.lower.ipp>
#include <tenon/ops/graph/resize_by_axes.lower.ipp>
