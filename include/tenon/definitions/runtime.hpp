/// @file runtime: the definitions of a program that only runs what was built: tensors, threads, program files.
#pragma once

#if !__has_include(<tenon_definitions_are_linked>)
#  include <tenon/definitions/parts/runtime.hpp>
#  include <tenon/definitions/parts/tensors.hpp>
#endif
