/// @file built_in: what the command line `tenon` knows: the passes, targets and ops of this library.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/passes/all.hpp>
#include <tenon/targets/all.hpp>
#include <tenon/tool/main.hpp>

namespace tenon {

/// All that is built in: a part to give `tenon_main` beside those of a program.
using built_in = part_list<built_in_passes, built_in_targets>;

}  // namespace tenon
