/// @file emit: `tenon build --emit`: a model as a library that programs link.
#pragma once

#include <string>

#include <tenon/ir/module.hpp>
#include <tenon/targets/spec.hpp>

#include "words.hpp"

namespace tenon::tool {

/// What is asked for, or a name after the model's file. Error "library.symbol".
std::string library_symbol_for(const std::string& model, const std::string& asked);
/// C source of several libraries goes to one program.
void name_library_entry(target_spec& spec, const std::string& symbol);

struct emitted {
  std::string what;  ///< library, object or header
  std::string symbol, model, folder;
  bool weights_apart = false;  ///< of C source: see library_request
};
/// Writes the files, and says which.
void write_library(const ir::module& built, const emitted& e, words& talk);

}  // namespace tenon::tool
