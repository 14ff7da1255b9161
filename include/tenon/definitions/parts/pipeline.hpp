/// @file pipeline: definitions of contexts, orders and runs of passes.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/compile/context.ipp>
#include <tenon/compile/execute.ipp>
#include <tenon/compile/instruments/statistics.ipp>
#include <tenon/compile/instruments/timing.ipp>
#include <tenon/compile/repeat.ipp>
#include <tenon/compile/settings.ipp>
#include <tenon/facts/shapes_known.ipp>
#include <tenon/judge/order.ipp>
#include <tenon/judge/order_text.ipp>
#include <tenon/judge/questions.ipp>
#include <tenon/judge/repeated_order.ipp>
