/// @file runtime: definitions of programs and what runs them.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/artifacts/elf.ipp>
#include <tenon/core/machine.ipp>
#include <tenon/runtime/executable.ipp>
#include <tenon/runtime/loaded_code.ipp>
#include <tenon/runtime/loop_division.ipp>
#include <tenon/runtime/processor.ipp>
#include <tenon/runtime/profile.ipp>
#include <tenon/runtime/program.ipp>
#include <tenon/runtime/program_file.ipp>
#include <tenon/runtime/threads.ipp>
