/// @file pipeline: definitions of contexts, orders and runs of passes.
#pragma once

#include <tenon/context.ipp>
#include <tenon/facts/shapes_known.ipp>
#include <tenon/pipeline/order.ipp>
#include <tenon/pipeline/questions.ipp>
#include <tenon/run.ipp>
