/// @file kernel_options: what kernels are made for; a target sets it in the context.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <tenon/ir/bounds_checks.hpp>

namespace tenon::passes {

/// How exactly numbers are computed (docs/accuracy.md).
///   strict:   functions such as exp as libm does, one by one; no sums in another form than the operator has; f16 and
///             bf16 rounded behind each op
///   standard: functions by vector code within 4 ulp; sums of products in the form that is fastest
///   bf16, f16, int8: as standard, and f32 weights of products are rounded to such elements, which take half or a
///             quarter of the memory; what they are multiplied with, and the sums, stay f32 (passes/narrow_weights.hpp)
enum class precision : u8 { strict, standard, bf16, f16, int8 };
inline std::span<const std::string_view> enumerator_names(precision) {
  static constexpr std::string_view names[] = {"strict", "standard", "bf16", "f16", "int8"};
  return names;
}

struct kernel_options {
  const char* target = "cpu";  ///< the target's name, for functions that are not constrained to another
  int vector_bytes = 64;       ///< width of a vector register: 64, 32 or 16
  int registers = 0;           ///< so many of them; 0: as many as x86-64 has of that width
  int threads = 1;             ///< threads that parallel loops are cut for
  bounds_checks check_bounds = bounds_checks::untrusted;
  passes::precision precision = passes::precision::standard;
  bool winograd = true;  ///< convolutions may be computed by transformed tiles (passes/use_winograd.hpp)
  /// Kernels leave out taps in the padding, or store an image with its borders; and convolutions read a few planes as
  /// they are. Else every convolution has an image that is padded and has its channels last.
  bool borders_in_kernels = false;
  /// So many products of bytes are added up at once: 4 of bytes, or 2 of words where the processor does not multiply
  /// bytes. 0: there are no kernels for products of bytes, and quantized tensors are multiplied as floats.
  int products_together = 4;
  bool narrow_weights = true;  ///< products may read weights of 16 and 8 bits (passes/narrow_weights.hpp)
  bool widen_halves = true;    ///< f16 and bf16 between ops may be held in f32 (passes/widen_halves.hpp)
  bool attention = true;       ///< there is a kernel for attention as one op (passes/fuse_attention.hpp)

  bool strict() const { return precision == passes::precision::strict; }
  /// May f16 and bf16 have excess precision?
  bool widens_halves() const { return widen_halves && !strict(); }
  /// Are weights of f32 rounded to fewer bits?
  bool rounds_weights() const { return precision > passes::precision::standard; }
  int register_count() const { return registers > 0 ? registers : vector_bytes == 64 ? 32 : 16; }

  /// What a constraint makes of those of the program; null: the target has no options of single functions.
  kernel_options (*constrained)(const kernel_options& program, std::string_view constraint) = nullptr;
  std::shared_ptr<const void> members =
      nullptr;  ///< of a composite, for `constrained`: their names are constraints, too
  /// Those of a function or an op, by its constraint: `cpu:threads=1`.
  kernel_options of(std::string_view constraint) const {
    const bool says = members != nullptr ? !constraint.empty() : constraint.find(':') != constraint.npos;
    return constrained == nullptr || !says ? *this : constrained(*this, constraint);
  }
};

}  // namespace tenon::passes
