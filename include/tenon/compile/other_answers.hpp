/// @file other_answers: a module for every answer to the questions of sizes that decide what a model's graph is.
///
///     y = If(Shape(x)[0] == 1) { Squeeze(x) } else { x }
///
/// The branches differ in rank, and so does all that follows: a module is for one answer, and asks for it as a
/// condition (`sourced_module::assumed`). A program file, which cannot import a model again, needs the graphs for the
/// other answers beside it: as variants of the entry (ir/variant.hpp).
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/importer.hpp>

namespace tenon {

/// The first module, with those for other answers that `again` makes where it is told likely sizes; `most` in all.
/// Those that the model's rules do not allow are left out. Where there are more than `most`, the entry's discardable
/// attribute `ir::more_graphs_attribute` is true, and what they would serve is refused. Cost: an import for each of
/// them.
ir_module<phases::ingestion> with_other_answers(sourced_module first, const module_maker& again, int most);

}  // namespace tenon
