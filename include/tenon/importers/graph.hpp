/// @file graph: models written in C++: tensors by name, operators as functions, and layers made of them.
///
///     nn::graph g("classifier");
///     const nn::variable x = g.input<float>("x", {"N", 784});
///     const nn::variable h = relu(dense(x, g.load("w1.npy"), g.load("b1.npy")));
///     g.output("y", softmax(dense(h, g.constant(w2), g.constant(b2))));
///     ir_module<phases::ingestion> m = std::move(g).finish();
///
/// Each operator infers the type of its result at once: an operator that does not fit its operands throws there, and
/// the error names the line of the caller and the scopes around it ("model.cpp:12, in 'encoder'"); so do messages of
/// later phases. Numbers beside values become constants of the value's element type: `2 * x + 1`. Operands broadcast as
/// in numpy. Cost: one op for each call, and weights are not copied.
#pragma once

#include <tenon/importers/graph/graph.hpp>
#include <tenon/importers/graph/layers.hpp>
#include <tenon/importers/graph/operators.hpp>
