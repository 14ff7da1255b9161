/// @file capability: what a device has that passes may rely on.
///
/// A pass says `using needs_of_device = capabilities<capability::thread_blocks>`, a device `using provides = …`. A target
/// whose device lacks what a pass of its pipeline needs does not compile.
#pragma once

#include <tenon/meta/fixed_string.hpp>

namespace tenon {

template <class... C>
struct capabilities {};

namespace capability {
struct threads {
  static constexpr fixed_string name = "threads";
};
struct vector_registers {
  static constexpr fixed_string name = "vector_registers";
};
/// Blocks of threads with indices, to which loops can be bound.
struct thread_blocks {
  static constexpr fixed_string name = "thread_blocks";
};
/// A small memory that code moves data to and from.
struct scratchpad {
  static constexpr fixed_string name = "scratchpad";
};
/// Instructions that multiply small matrices.
struct matrix_unit {
  static constexpr fixed_string name = "matrix_unit";
};
}  // namespace capability

}  // namespace tenon
