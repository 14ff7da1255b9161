/// @file obstacle: why a module is not what is asked of it, as a value: what is in the way, where, and which inputs
/// would have to be known for it to go away.
#pragma once

#include <string>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/ids.hpp>
#include <tenon/core/int.hpp>

namespace tenon::ir {
class module;

enum class obstacle_kind : u8 {
  input_extents,   ///< of an input of a function
  result_extents,  ///< of an op's result: they depend on values
  host_op,         ///< control flow, sequences, strings …: what runs between kernels
  no_kernel,       ///< loop nests exist for the op, but not for these operands
};

struct obstacle {
  obstacle_kind kind = obstacle_kind::result_extents;
  function_id function;  ///< that it is in
  op_id op;              ///< none: an input of the function
  unsupported_error why;
};

/// An input of the entry of which more must be known: its shape, or its value.
struct input_need {
  std::string name;
  bool value = false;
  friend bool operator==(const input_need&, const input_need&) = default;
};

struct function;
/// What an input is called: its name, or its number.
std::string input_name(const function& f, size_t i);

/// What must be known for values to be known that follow from the entry's inputs: the shapes of all inputs, while some
/// are open; else the values of those that these values are computed from. Where an op has integers that say sizes or
/// axes these come first: whoever tells them asks again.
std::vector<input_need> needs_of(const module& m, function_id entry, std::vector<value_id> values);
/// What must be known for an obstacle to go away, as far as inputs decide it; empty where they do not. Inputs are of
/// the entry that the obstacle is in, or of the first one that calls the function that it is in.
std::vector<input_need> needs_of(const module& m, const obstacle& o);

}  // namespace tenon::ir
