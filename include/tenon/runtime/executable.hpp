/// @file executable: a compiled model as its target runs it, whatever that is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/runtime/tensor.hpp>
#include <tenon/runtime/value.hpp>

namespace tenon {

class program;

/// Safe to be called from several threads, unless its target says otherwise.
class executable {
 public:
  virtual ~executable() = default;
  /// Inputs in order; `threads` 0: the process's default.
  virtual std::vector<tensor> run(std::span<const tensor> inputs, int threads) const = 0;
  /// The same on any values. By default only tensors are taken.
  virtual std::vector<value> run_values(std::span<const value> inputs, int threads) const;
  /// Why the code does not serve inputs of these sizes, where they have the types that it takes: it relies on others.
  virtual std::optional<error> refusal(std::span<const value>) const { return std::nullopt; }
  /// The native program that this is, if it is one.
  virtual const program* native() const { return nullptr; }
  /// Parts that were compiled again for given sizes, since their code for all sizes could not be made or does not fit:
  /// how often, and why.
  struct specializations {
    int count = 0;
    std::string reason;
  };
  virtual specializations specialized() const { return {}; }
};

}  // namespace tenon
