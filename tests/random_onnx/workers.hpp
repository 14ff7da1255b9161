/// @file workers: work that may crash, in processes of its own.
#pragma once

#include <functional>
#include <string>

#include "draw.hpp"

namespace random_onnx {

/// What became of a process: all of what it wrote, and how it ended ("" is well).
struct ended {
  std::string said, how;
};
/// Runs `work` in another process; what it says goes into `said` line by line, as it comes.
ended in_process(int seconds, const std::function<void(const std::function<void(const std::string&)>& say)>& work);

}  // namespace random_onnx
