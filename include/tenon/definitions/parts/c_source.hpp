/// @file c_source: definitions of the target that writes C.
#pragma once

#include <tenon/compile/artifacts/c_source.ipp>
#include <tenon/passes/emit_c.ipp>
#include <tenon/targets/c_source.ipp>
#include <tenon/targets/c_source_session.ipp>
