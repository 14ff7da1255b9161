/// @file ops_host: definitions of ops that run on the host, and of what no other part of ops has.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/ops/all.ipp>
#include <tenon/ops/graph/control.eval.ipp>
#include <tenon/ops/graph/control.ipp>
#include <tenon/ops/graph/packed.eval.ipp>
#include <tenon/ops/graph/regex.ipp>
#include <tenon/ops/graph/sequence.eval.ipp>
#include <tenon/ops/graph/sequence.ipp>
#include <tenon/ops/graph/source.eval.ipp>
#include <tenon/ops/graph/source.ipp>
#include <tenon/ops/graph/strings.eval.ipp>
#include <tenon/ops/graph/strings.ipp>
