/// @file shared_constant: constants of compiled models, which a process holds once, whoever brought them.
///
/// Modules and programs exchange their constants for these: sessions of one model, its code for several shapes, and
/// files that hold the same weights share them, as long as one of them lives.
#pragma once

#include <tenon/runtime/tensor.hpp>

namespace tenon {

/// The same tensor, whose elements are those of an earlier one with equal bytes where there is one; pages of a mapped
/// file that are not needed then are given back. Nobody writes to these elements any more. Tensors of less than a page,
/// those of memory that is not kept alive by its owner, and those that nobody has computed yet, stay as they are. Cost:
/// reads a few bytes; all of those for which it finds others.
tensor shared_constant(tensor t);

}  // namespace tenon
