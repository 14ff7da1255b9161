/// @file xsimd: definitions of the target xsimd.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/targets/xsimd.ipp>
#include <tenon/targets/xsimd/chain.ipp>
#include <tenon/targets/xsimd/entry.ipp>
#include <tenon/targets/xsimd/nest_lanes.ipp>
#include <tenon/targets/xsimd/nest_machine.ipp>
#include <tenon/targets/xsimd/nests.ipp>
#include <tenon/targets/xsimd/part.ipp>
#include <tenon/targets/xsimd/part_binder.ipp>
#include <tenon/targets/xsimd/part_steps.ipp>
#include <tenon/targets/xsimd/recurrent.ipp>
#include <tenon/targets/xsimd/rules.ipp>
#include <tenon/targets/xsimd/steps.ipp>
#include <tenon/targets/xsimd/transposed_conv.ipp>
#include <tenon/targets/xsimd/winograd_step.ipp>
#include <tenon/targets/xsimd_session.ipp>
