/// @file targets: definitions of targets as data, the registry, the interpreter and composites.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/targets/composite.ipp>
#include <tenon/targets/function_options.ipp>
#include <tenon/targets/general_variant.ipp>
#include <tenon/targets/interpreter.ipp>
#include <tenon/targets/linked_program.ipp>
#include <tenon/targets/registry.ipp>
#include <tenon/targets/spec.ipp>
