/// @file graph: definitions of models written in C++.
#pragma once

#include <tenon/importers/graph.ipp>
