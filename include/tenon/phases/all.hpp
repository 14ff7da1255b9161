/// @file all: the built-in phases, in the order of compilation.
#pragma once

#include <tenon/phases/build.hpp>
#include <tenon/phases/built.hpp>
#include <tenon/phases/ingestion.hpp>
#include <tenon/phases/lowering.hpp>
#include <tenon/phases/optimization.hpp>
#include <tenon/phases/partitioned.hpp>
