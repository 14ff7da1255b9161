/// @file process: work that may crash or hang, in a process of its own.
#pragma once

#include <functional>
#include <string>

namespace tenon::tool {

/// What became of a process: all of what it said, and how it ended ("" is well).
struct ended {
  std::string said, how;
  bool crashed = false;  ///< by a signal that was not sent for taking too long
};
/// Runs `work` in another process; what it says goes into `said` line by line, as it comes. `seconds`: the most that
/// may pass between two lines.
ended in_process(int seconds, const std::function<void(const std::function<void(const std::string&)>& say)>& work);

}  // namespace tenon::tool
