/// @file interpret: definitions of the reference interpreter.
#pragma once

#include <tenon/interpret/interpreter.ipp>
#include <tenon/interpret/loop_orders.ipp>
#include <tenon/interpret/loops.ipp>
