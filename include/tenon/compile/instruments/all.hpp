/// @file all: the ready-made instruments.
#pragma once

#include <tenon/compile/instruments/bisect.hpp>
#include <tenon/compile/instruments/print.hpp>
#include <tenon/compile/instruments/reproducer.hpp>
#include <tenon/compile/instruments/statistics.hpp>
#include <tenon/compile/instruments/stop_after.hpp>
#include <tenon/compile/instruments/timing.hpp>
#include <tenon/compile/instruments/verify_each.hpp>
