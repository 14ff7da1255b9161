/// @file host: definitions of programs that run on the host, between kernels.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/facts/regions_outlined.ipp>
#include <tenon/passes/host_side.ipp>
#include <tenon/passes/outline_regions.ipp>
#include <tenon/targets/compilation_plan.ipp>
#include <tenon/targets/host_program.ipp>
