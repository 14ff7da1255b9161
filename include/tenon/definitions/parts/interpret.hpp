/// @file interpret: definitions of the reference interpreter.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/interpret/interpreter.ipp>
#include <tenon/interpret/loop_handlers.ipp>
#include <tenon/interpret/loop_orders.ipp>
#include <tenon/interpret/loop_races.ipp>
#include <tenon/interpret/loops.ipp>
#include <tenon/interpret/machine.ipp>
#include <tenon/interpret/types_of_run.ipp>
