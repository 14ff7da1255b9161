/// @file dlpack: tensors to and from DLPack, without copying when the layout is the same.
///
/// Needs the header <dlpack/dlpack.h>; nothing else includes this file. Only host memory is taken.
#pragma once

#include <dlpack/dlpack.h>

#include <tenon/core/config.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon {

/// A handle on the tensor's own storage; whoever gets it calls its `deleter`. By DLPack the receiver could write to the
/// elements; those of a view are not to be written.
DLManagedTensor* to_dlpack(const tensor& t);

/// Takes `m` over: it is deleted when the last tensor that refers to it goes. Contiguous row-major elements are viewed,
/// others are copied. On an error ("dlpack.dtype", "dlpack.device", "dlpack.layout") `m` still belongs to the caller.
tensor from_dlpack(DLManagedTensor* m);

}  // namespace tenon

#if TENON_HEADER_ONLY
#  include <tenon/runtime/dlpack.ipp>
#endif
