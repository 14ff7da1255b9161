/// @file tenon: what a compiler is made of: contracts, the IR, the judge, pipelines, text, and the built-in ops and
/// passes.
///
/// Not here, each with a header of its own: the interpreter (interpret/interpreter.hpp), importers
/// (importers/onnx.hpp), targets (targets/cpu.hpp), programs and tensor files (runtime/…), sessions
/// (compile/session.hpp), the planner (judge/plan.hpp) and questions (judge/questions.hpp). A program links
/// `tenon::compiled`, or has a file that includes definitions.hpp.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/build.hpp>
#include <tenon/compile/context.hpp>
#include <tenon/compile/run.hpp>
#include <tenon/compile/run_pipeline.hpp>
#include <tenon/fact.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/loop_builder.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/judge/effect.hpp>
#include <tenon/judge/pass_of.hpp>
#include <tenon/op.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/phase.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/pipeline.hpp>
#include <tenon/target.hpp>
#include <tenon/text/all.hpp>
