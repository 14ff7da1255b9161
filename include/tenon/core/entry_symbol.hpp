/// @file entry_symbol: the names that code has for the entries of a program.
#pragma once

#include <string>

namespace tenon {

/// Of entry number `i`, where the first one is named `first`.
inline std::string symbol_of_entry(const std::string& first, size_t i) {
  return i == 0 ? first : first + "_" + std::to_string(i);
}

}  // namespace tenon
