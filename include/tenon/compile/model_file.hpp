/// @file model_file: what a source of modules may be besides (importer.hpp): one whose model is in a file.
#pragma once

#include <string>

namespace tenon {

class model_file {
 public:
  virtual ~model_file() = default;
  /// The file that says all of the model, as long as it is what was opened; else empty. Sessions find what a cache has
  /// for it without importing it.
  virtual std::string file() const = 0;
};

}  // namespace tenon
