/// @file tensors: definitions of tensors, element types, files and extents.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/core/byte_source.ipp>
#include <tenon/core/dtype.ipp>
#include <tenon/core/element_format.ipp>
#include <tenon/core/extent_condition.ipp>
#include <tenon/core/extent_expr.ipp>
#include <tenon/core/extent_names.ipp>
#include <tenon/core/fitting_extents.ipp>
#include <tenon/core/framed_file.ipp>
#include <tenon/core/freed_memory.ipp>
#include <tenon/core/large_memory.ipp>
#include <tenon/core/loop_work.ipp>
#include <tenon/core/mapped_file.ipp>
#include <tenon/core/sizes_outside.ipp>
#include <tenon/core/smallest_extents.ipp>
#include <tenon/runtime/compare.ipp>
#include <tenon/runtime/dlpack.ipp>
#include <tenon/runtime/host_functions.ipp>
#include <tenon/runtime/image_codecs.ipp>
#include <tenon/runtime/image_file.ipp>
#include <tenon/runtime/magnitude.ipp>
#include <tenon/runtime/npy.ipp>
#include <tenon/runtime/random_tensor.ipp>
#include <tenon/runtime/run_observer.ipp>
#include <tenon/runtime/shared_constant.ipp>
#include <tenon/runtime/strings.ipp>
#include <tenon/runtime/tensor.ipp>
#include <tenon/runtime/value.ipp>
