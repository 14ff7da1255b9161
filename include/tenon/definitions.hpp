/// @file definitions: everything of tenon that is no template, but for what needs the libraries of others.
///
/// Headers declare, and are cheap; a program has the definitions once: it links `tenon::compiled`, or one of its files
/// says
///
///     #include <tenon/definitions.hpp>
///
/// which takes g++ 12 40 to 80 s at -O0, by the machine. Parts of it cost less, others are added:
///
///     definitions/pipelines.hpp   phases, facts, passes, pipelines, modules; enough for one's own passes; 10 to 23 s
///     definitions/runtime.hpp     to run what was built, and nothing else; 6 to 12 s
///     definitions/onnx.hpp        with the ONNX importer and sessions; needs protozero
///     definitions/xsimd.hpp       with the target xsimd, for the instruction set that the compiler is told to use
///     definitions/json.hpp        with targets as JSON; needs nlohmann-json
///
/// In two files they are an error of the linker ("multiple definition of …"), in none, too ("undefined reference to
/// …"). Where tenon::compiled is linked, this and its parts are empty: a file may keep the line.
#pragma once

#if !__has_include(<tenon_definitions_are_linked>)
#  include <tenon/definitions/parts/binary.hpp>
#  include <tenon/definitions/parts/bundle.hpp>
#  include <tenon/definitions/parts/c_source.hpp>
#  include <tenon/definitions/parts/external.hpp>
#  include <tenon/definitions/parts/graph.hpp>
#  include <tenon/definitions/parts/host.hpp>
#  include <tenon/definitions/parts/instruments.hpp>
#  include <tenon/definitions/parts/interpret.hpp>
#  include <tenon/definitions/parts/ir.hpp>
#  include <tenon/definitions/parts/laws.hpp>
#  include <tenon/definitions/parts/model_library.hpp>
#  include <tenon/definitions/parts/ops_contraction.hpp>
#  include <tenon/definitions/parts/ops_elementwise.hpp>
#  include <tenon/definitions/parts/ops_host.hpp>
#  include <tenon/definitions/parts/ops_indexing.hpp>
#  include <tenon/definitions/parts/ops_movement.hpp>
#  include <tenon/definitions/parts/ops_patches.hpp>
#  include <tenon/definitions/parts/ops_reduce.hpp>
#  include <tenon/definitions/parts/ops_resize.hpp>
#  include <tenon/definitions/parts/passes_graph.hpp>
#  include <tenon/definitions/parts/passes_layout.hpp>
#  include <tenon/definitions/parts/passes_lowering.hpp>
#  include <tenon/definitions/parts/pipeline.hpp>
#  include <tenon/definitions/parts/runtime.hpp>
#  include <tenon/definitions/parts/targets.hpp>
#  include <tenon/definitions/parts/tensors.hpp>
#  include <tenon/definitions/parts/text.hpp>
#endif
