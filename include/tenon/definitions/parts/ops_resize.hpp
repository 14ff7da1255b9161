/// @file ops_resize: definitions of ops that resample.
#pragma once

#include <tenon/ops/graph/resize.eval.ipp>
#include <tenon/ops/graph/resize.ipp>
#include <tenon/ops/graph/resize.lower.ipp>
