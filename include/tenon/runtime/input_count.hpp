/// @file input_count: the error of a run that is given another number of inputs than there are.
#pragma once

#include <string>
#include <utility>

#include <tenon/core/error.hpp>

namespace tenon::detail {

/// "the model has 2 inputs, and 1 was given; give them in this order: x, weights". `what`: "the model", "the program";
/// `name(i)`: the name of an input.
template <class Name>
error wrong_input_count(std::string code, const std::string& what, size_t inputs, size_t given, Name&& name) {
  std::string all;
  for (size_t i = 0; i < inputs; ++i) all.append(i == 0 ? "" : ", ").append(name(i));
  return error(std::move(code),
               what + " has " + std::to_string(inputs) + (inputs == 1 ? " input" : " inputs") + ", and " +
                   std::to_string(given) + (given == 1 ? " was" : " were") + " given",
               {}, inputs == 0 ? "give none" : "give them in this order: " + all);
}

}  // namespace tenon::detail
