/// @file graph_picture: a module's entry as a drawing: nodes with places, edges.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tenon/core/int.hpp>
#include <tenon/ir/entry_steps.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::tool {

struct graph_picture {
  struct node {
    std::string label, type;
    std::vector<std::string> places;  ///< in the model
    i64 step = -1;                    ///< of ir::entry_steps
    bool io = false;                  ///< an input or an output
    double column = 0;
    i64 row = 0;
  };
  std::string name, phase;
  std::vector<node> nodes;
  std::vector<std::pair<u32, u32>> edges;
};

/// The graph of the entry: ops that compute something, inputs, outputs; constants are left out. None in a module
/// without an entry.
graph_picture picture_of(const ir::module& m);
/// The steps of a module in phase `build`, as a graph of who reads what who wrote.
graph_picture picture_of(const ir::module& m, const std::vector<ir::entry_step>& steps);

/// Gives nodes their places: rows by the longest way from an input, columns near those of the nodes before, by a few
/// sweeps up and down. Cost: O((nodes + edges) log nodes).
void lay_out(graph_picture& g);

}  // namespace tenon::tool
