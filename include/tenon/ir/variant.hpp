/// @file variant: entries that take less for granted.
///
/// Type rules take two symbols that meet as equal, and a slice as staying inside, since code is simpler then; a program
/// checks it before it runs. In a general entry nothing of that is taken for granted: extents are what numpy's rules
/// make of them, and its code finds out which. As the variant of another entry it serves the sizes that that one
/// refuses though they are right (program::run), and is no entry to anybody else. Both are discardable: who drops one
/// has code that is right for fewer sizes, or two entries in place of one.
#pragma once

#include <string>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

inline constexpr const char* general_attribute = "tenon.general";     ///< of a function: true
inline constexpr const char* variant_attribute = "tenon.variant_of";  ///< of a function: the name of an entry

/// Does a function take nothing for granted that a right run need not meet?
inline bool is_general(const function& f) {
  const bool* said = f.discardable.empty() ? nullptr : f.discardable.get<bool>(general_attribute);
  return said != nullptr && *said;
}
/// The entry that a function is a variant of; null for any other function.
inline const std::string* variant_of(const function& f) {
  return f.discardable.empty() ? nullptr : f.discardable.get<std::string>(variant_attribute);
}

}  // namespace tenon::ir
