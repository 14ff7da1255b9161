/// @file capability: what a device or a runtime has that passes and code generators may rely on.
///
/// A pass, the rule of one, or a code generator says `using needs_of_device = capabilities<capability::thread_blocks>`,
/// a device `using provides = …`; and the same of the runtime, by `needs_of_runtime`. A target whose device or runtime
/// lacks what its pipeline or its code generator needs does not compile.
#pragma once

#include <tenon/meta/fixed_string.hpp>

namespace tenon {

template <class... C>
struct capabilities {};

/// Those of a list, and those that a rule needs of the device, if it says any: what a pass says that is made from a
/// rule.
template <class List, class Rule>
struct with_needs_of {
  using type = List;
};
template <class... C, class Rule>
  requires requires { typename Rule::needs_of_device; }
struct with_needs_of<capabilities<C...>, Rule> {
  template <class... More>
  static auto join(capabilities<More...>*) -> with_needs_of<capabilities<C..., More...>, void>;
  static auto join(void*)
      -> with_needs_of<typename Rule::needs_of_device, void>;  // no list: told where targets are judged
  using type = typename decltype(join(static_cast<typename Rule::needs_of_device*>(nullptr)))::type;
};

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
