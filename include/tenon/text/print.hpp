/// @file print: the text form of a module.
///
///     tenon.module phase=optimization facts="shapes_known" {producer = "me"}
///
///     constant #0 "w" : tensor<2xf32> = [1, 2.5]
///
///     func entry @main(%0: tensor<2xNxf32>) -> (tensor<2xNxf32>) inputs("x") outputs("y") {
///       %1 = constant() {value = #0} : tensor<2xf32>
///       %2 = add(%0, %1) : tensor<2xNxf32> target("cpu") loc("node_3")
///       return(%2)
///     }
///
///     artifact main : elf_object target("znver4") producer("generate_code") = dense_hex "7f454c46…"
///
/// A function that is ahead of its module says so: `kernel @k(%0: buffer<2xf32>) phase(lowering) {`.
/// Everything that a module holds is in it, so `parse(print(m))` is `m`. Values are numbered in order within their
/// function; attributes that have their default value are left out (but for an enumeration that is the only one); `_`
/// is an absent operand; `//` starts a comment. Behind `tenon.module` may stand `version=1`: so does a text without it.
#pragma once

#include <span>
#include <string>

#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/module.hpp>

namespace tenon {

/// The newest version of the text form that `parse` reads. A later one is said in each first line, `version=2`.
inline constexpr i64 text_version = 1;

/// What is to be run on a module: noted in its first line, and read by `tenon opt`.
struct text_run {
  std::string passes;  ///< an order, as `order::parse` takes it
  std::string flags;   ///< "fast=off"
  bool verify_each = false;
};

struct print_options {
  std::string_view phase = {};   ///< for the first line; typed modules know it
  i64 decimal_elements = 64;     ///< constants with more elements are printed as bytes
  bool elide_constants = false;  ///< large constants and code as `elided`, for reading only: it does not parse
  bool locations = true;
  std::span<const std::string> facts = {};  ///< noted in the first line
  const text_run* run = nullptr;            ///< noted there too
};

std::string print(const ir::module& m, const print_options& options = {});
/// One function, op or type, for messages and tests.
std::string print(const ir::module& m, function_id f, const print_options& options = {});
std::string print(const ir::module& m, op_id op, const print_options& options = {});
std::string print(const ir::module& m, const ir::type& t);

template <class Phase, class... Facts>
std::string print(const ir_module<Phase, Facts...>& m, print_options options = {}) {
  options.phase = std::string_view(Phase::name.data(), Phase::name.size());
  return print(m.body(), options);
}

}  // namespace tenon
