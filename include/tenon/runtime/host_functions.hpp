/// @file host_functions: functions of the program that runs a model, which the model calls by name
/// (ops/graph/packed.hpp).
///
///     add_host_function("audit.check", [](std::span<const tensor> in) -> std::vector<tensor> { return {in[0]}; });
///
/// One table a process, since a program file that is opened calls what this process has. Safe to use from many threads;
/// a function is called by whichever threads run models, and by several at once. Operands are handed over as they are,
/// without a copy of their elements; what a function keeps of them stays valid.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/runtime/tensor.hpp>

namespace tenon {

/// A function with its state; copies share it. An operand that a call leaves out is a tensor that is not `defined()`.
struct host_function {
  std::shared_ptr<const void> state;
  std::vector<tensor> (*call)(const void* state, std::span<const tensor> operands) = nullptr;
};

/// Throws "host_function.taken" for a name that is registered already, "host_function.name" for an empty one.
void add_host_function(std::string name, host_function f);
template <class F>
  requires std::is_invocable_r_v<std::vector<tensor>, const F&, std::span<const tensor>>
void add_host_function(std::string name, F f) {
  add_host_function(std::move(name),
                    host_function{std::make_shared<const F>(std::move(f)),
                                  [](const void* state, std::span<const tensor> operands) -> std::vector<tensor> {
                                    return (*static_cast<const F*>(state))(operands);
                                  }});
}
/// Was there one? Calls that run end as they began.
bool remove_host_function(std::string_view name);
/// Throws "host_function.absent", which says how to register it.
host_function find_host_function(std::string_view name);

}  // namespace tenon
