/// @file executable: a compiled model as its target runs it, whatever that is.
#pragma once

#include <span>
#include <vector>

#include <tenon/runtime/tensor.hpp>

namespace tenon {

class program;

/// Safe to be called from several threads, unless its target says otherwise.
class executable {
 public:
  virtual ~executable() = default;
  /// Inputs in order; `threads` 0: the process's default.
  virtual std::vector<tensor> run(std::span<const tensor> inputs, int threads) const = 0;
  /// The native program that this is, if it is one.
  virtual const program* native() const { return nullptr; }
};

}  // namespace tenon
