/// @file typed_graph: tensors of a graph whose element type and shape are in their C++ type: operators that do not fit
/// do not compile.
///
///     nn::graph g;
///     const auto x = nn::input<float, "N", 784>(g, "x");                  // nn::typed<float, "N", 784>
///     const auto h = relu(dense(x, nn::constant<float, 784, 128>(g, w1)));
///     const auto y = dense(h, nn::constant<float, 100, 10>(g, w2));       // tenon-E080: … 128 and 100
///
/// A dimension is a number or a name; extents of one name are equal. A typed tensor goes wherever a `variable` does,
/// and `nn::as<float, "N", 10>(v)` is the way back, checked when the graph is written. Cost: no op more than untyped
/// code.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that compilers print above a sentence is short

#include <tenon/importers/graph/typed_control.hpp>
#include <tenon/importers/graph/typed_movement.hpp>
#include <tenon/importers/graph/typed_operators.hpp>
