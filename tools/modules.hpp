/// @file modules: modules that the command line reads and writes: ONNX models, text, and the binary form.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tenon/ir/module.hpp>

namespace tenon::tool {

struct module_on_its_way {
  std::unique_ptr<ir::module> body;
  std::string phase;
};

/// By what the file is. `phase`: the one that it must be in, or is in if it does not say; may be empty. `shapes`:
/// "NAME=1x3x224x224" for the inputs of an ONNX model.
module_on_its_way read_module(const std::string& path, const std::string& phase, const std::vector<std::string>& shapes,
                              std::optional<u32> random_seed = {});

struct module_style {
  bool binary = false, elide = false;
};
/// As a file of its own, complete or not at all.
void write_module(const std::string& path, const ir::module& m, std::string_view phase, const module_style& style);

/// Whether a file holds a module, as text or binary.
bool holds_module(const std::string& path);

/// The passes of a target, by name, that take a module from phase `start` to the end of phase `stop`.
std::string passes_between(const std::string& target, std::string_view start, std::string_view stop);

}  // namespace tenon::tool
