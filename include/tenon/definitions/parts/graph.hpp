/// @file graph: definitions of models written in C++.
#pragma once

#include <tenon/importers/graph.ipp>
#include <tenon/importers/typed_graph.ipp>
