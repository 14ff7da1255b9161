/// @file external: definitions of external code and its execution.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/compile/external/native_calls.ipp>
#include <tenon/compile/external/runner.ipp>
#include <tenon/facts/partitioned_for.ipp>
#include <tenon/passes/partition_for.ipp>
#include <tenon/passes/run_external_codegen.ipp>
#include <tenon/phases/partitioned.ipp>
