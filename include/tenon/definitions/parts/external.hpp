/// @file external: definitions of external code and its execution.
#pragma once

#include <tenon/compile/external/runner.ipp>
#include <tenon/facts/partitioned_for.ipp>
#include <tenon/passes/partition_for.ipp>
#include <tenon/passes/run_external_codegen.ipp>
#include <tenon/phases/partitioned.ipp>
