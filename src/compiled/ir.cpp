// The IR, compiled once.
#include <tenon/ir/builder.ipp>
#include <tenon/ir/loop_builder.ipp>
#include <tenon/ir/module.ipp>
#include <tenon/ir/refine.ipp>
#include <tenon/ops/graph/constant.ipp>
