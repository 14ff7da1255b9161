/// @file passes_layout: definitions of passes that choose layouts.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/passes/convert_layout.ipp>
#include <tenon/passes/fuse_attention.ipp>
#include <tenon/passes/integer_weights.ipp>
#include <tenon/passes/narrow_weights.ipp>
#include <tenon/passes/pack_weights.ipp>
#include <tenon/passes/use_byte_products.ipp>
#include <tenon/passes/use_winograd.ipp>
#include <tenon/passes/widen_halves.ipp>
