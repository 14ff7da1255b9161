/// @file pipelines: the definitions that phases, facts, passes, pipelines and modules need, no op and no target of
/// tenon's.
#pragma once

#if !__has_include(<tenon_definitions_are_linked>)
#  include <tenon/definitions/parts/ir.hpp>
#  include <tenon/definitions/parts/pipeline.hpp>
#  include <tenon/definitions/parts/tensors.hpp>
#endif
