/// @file all: the text form of modules, in both directions.
#pragma once

#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>
