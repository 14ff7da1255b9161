/// @file dlpack: tensors to and from DLPack, without copying when the layout is the same.
///
/// Needs the header <dlpack/dlpack.h>; nothing else includes this file. Only host memory is taken.
#pragma once

#include <dlpack/dlpack.h>

#include <tenon/runtime/tensor.hpp>

namespace tenon {

/// A handle on the tensor's own storage; whoever gets it calls its `deleter`. By DLPack the receiver could write to the
/// elements; those of a view are not to be written, which only the versioned form can say.
DLManagedTensor* to_dlpack(const tensor& t);

/// Takes `m` over: it is deleted when the last tensor that refers to it goes. Contiguous row-major elements that are
/// aligned are borrowed: what is written to the tensor is written there. Others are copied, and the tensor is
/// read-only, since what was written to it would not be seen there. On an error ("dlpack.dtype", "dlpack.device",
/// "dlpack.layout") `m` still belongs to the caller.
tensor from_dlpack(DLManagedTensor* m);

#ifdef DLPACK_FLAG_BITMASK_READ_ONLY  // DLPack 1.0
/// The same with what may be written: a view is flagged as read-only.
DLManagedTensorVersioned* to_dlpack_versioned(const tensor& t);
/// What is flagged as read-only is a view. Error "dlpack.version" for a layout that is not known here.
tensor from_dlpack(DLManagedTensorVersioned* m);
#endif

}  // namespace tenon
