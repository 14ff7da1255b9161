/// @file kernel_options: what kernels are made for; a target sets it in the context.
#pragma once

#include <span>
#include <string_view>

#include <tenon/ir/bounds_checks.hpp>

namespace tenon::passes {

/// How exactly numbers are computed (docs/accuracy.md).
///   strict:   functions such as exp as libm does, one by one; no sums in another form than the operator has
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

  bool strict() const { return precision == passes::precision::strict; }
  /// Are weights of f32 rounded to fewer bits?
  bool rounds_weights() const { return precision > passes::precision::standard; }
  int register_count() const { return registers > 0 ? registers : vector_bytes == 64 ? 32 : 16; }

  /// What options of a constraint make of those of the program; null: the target has no options of single functions.
  kernel_options (*constrained)(const kernel_options& program, std::string_view constraint) = nullptr;
  /// Those of a function, by its constraint: `cpu:threads=1`.
  kernel_options of(std::string_view constraint) const {
    return constrained == nullptr || constraint.find(':') == constraint.npos ? *this : constrained(*this, constraint);
  }
};

}  // namespace tenon::passes
