/// @file graph: definitions of models written in C++.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/importers/graph/control.ipp>
#include <tenon/importers/graph/graph.ipp>
#include <tenon/importers/graph/layers.ipp>
#include <tenon/importers/graph/operators.ipp>
#include <tenon/importers/graph/typed.ipp>
