/// @file dtype: definitions.
#pragma once

#include <string>

#include <tenon/core/dtype.hpp>
#include <tenon/core/error.hpp>

namespace tenon {

void throw_narrow(dtype t) {
  throw error("tensor.dtype", "nothing is computed in " + std::string(name_of(t)), {},
              "cast to f32 or i8 before, and back afterwards");
}

}  // namespace tenon
