/// @file linked: the targets that a program has by being linked: `cpu`, where `tenon::llvm` is.
#pragma once

#if TENON_HAS_LLVM
namespace tenon {
namespace targets { void register_cpu_target(); }
namespace detail {
/// A program that links `tenon::llvm` and asks for targets by name compiles for `cpu`: this refers to what would else
/// not be linked.
inline const bool knows_cpu = (targets::register_cpu_target(), true);
}  // namespace detail
}  // namespace tenon
#endif
