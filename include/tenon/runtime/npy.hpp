/// @file npy: tensors in NumPy's file format, versions 1 to 3.
///
/// Read: little-endian f8 f4 f2, i8 to i1, u8 to u1, b1, in C order (mapped, not copied) and Fortran order (copied).
/// bfloat16, which the format does not know, is written as two raw bytes, "<V2", as ml_dtypes does, and read back from
/// "V2". `index` is written as i8 and comes back as i64.
/// Errors name the file: "npy.format" for a broken one, "npy.dtype" for an element type that is not one of these,
/// "io.open", "io.read", "io.write" from the system.
#pragma once

#include <string>

#include <tenon/runtime/tensor.hpp>

namespace tenon {

tensor read_npy(const std::string& path);

/// The tensor in `bytes`, which `owner` keeps alive; `name` is what errors call it.
tensor decode_npy(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name);

/// Replaces the file in one step (a temporary file beside it is renamed): readers see the old one or the new one.
/// What is not a regular file (a pipe, /dev/stdout) is written directly.
void write_npy(const std::string& path, const tensor& t);

}  // namespace tenon
