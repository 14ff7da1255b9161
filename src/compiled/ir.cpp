/// @file ir: the module, its builders and its verifier, compiled once.
#include <tenon/core/extent_expr.hpp>
#include <tenon/ir/ahead.hpp>
#include <tenon/ir/ahead.ipp>
#include <tenon/ir/bind_symbols.ipp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/builder.ipp>
#include <tenon/ir/loop_builder.hpp>
#include <tenon/ir/loop_builder.ipp>
#include <tenon/ir/module.hpp>
#include <tenon/core/extent_expr.ipp>
#include <tenon/ir/dims.ipp>
#include <tenon/ir/module.ipp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/verify.ipp>
#include <tenon/ops/graph/constant.ipp>
