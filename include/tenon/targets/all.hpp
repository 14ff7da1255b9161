/// @file all: the built-in targets.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/targets/c_source.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/opencl.hpp>
#include <tenon/targets/registry.hpp>
#if __has_include(<xsimd/xsimd.hpp>)
#  include <tenon/targets/xsimd.hpp>
#endif

namespace tenon {

/// Those that this build can compile for.
using built_in_targets = target_list<
#if TENON_HAS_LLVM
    targets::cpu,
#endif
    targets::c_source, targets::opencl,
#if __has_include(<xsimd/xsimd.hpp>)
    targets::xsimd,
#endif
    targets::interpreter>;

// Each is compiled once, with the library.
#if TENON_HAS_LLVM
extern template const target_entry& entry_of<targets::cpu>();
#endif
extern template const target_entry& entry_of<targets::c_source>();
extern template const target_entry& entry_of<targets::opencl>();
#if __has_include(<xsimd/xsimd.hpp>)
extern template const target_entry& entry_of<targets::xsimd>();
#endif
extern template const target_entry& entry_of<targets::interpreter>();

}  // namespace tenon
