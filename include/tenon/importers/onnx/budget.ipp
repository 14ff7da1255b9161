/// @file budget: definitions: the errors, each with its limit and how to raise it.
#pragma once

#include <algorithm>

#include <tenon/importers/onnx/budget.hpp>

namespace tenon::importers::onnx {
namespace detail {

[[noreturn]] inline void throw_budget(const std::string& what, const std::string& where, const char* member,
                                      const char* option) {
  throw budget_error("onnx.budget", what, where,
                     std::string("if you trust the model, raise import_budget::") + member + ", or give " + option +
                         " to the command line");
}

}  // namespace detail

budget_meter::budget_meter(const import_budget& limits) : limits_(limits) {
  if (limits.nodes < 0 || limits.bytes < 0 || limits.depth < 0 || limits.depth > import_budget::most_depth ||
      !(limits.seconds >= 0))
    throw error(
        "onnx.bad_option",
        "a limit of the import's budget is negative, or its depth above " + std::to_string(import_budget::most_depth),
        {}, "give numbers that are not negative, and a depth that the stack can hold");
  using namespace std::chrono;
  // A clock counts 64 bits of nanoseconds; more than a year is as good as no limit.
  end_ = steady_clock::now() + duration_cast<steady_clock::duration>(duration<double>(std::min(limits.seconds, 3.2e7)));
}

void budget_meter::too_many_nodes(const std::string& where) const {
  detail::throw_budget(
      "the model is more than " + std::to_string(limits_.nodes) + " nodes once its functions and loops are written out",
      where, "nodes", "--max-nodes");
}
void budget_meter::too_many_bytes(i64 bytes, const std::string& where) const {
  detail::throw_budget("importing takes more than " + std::to_string(limits_.bytes) +
                           " bytes besides the model's weights: " + std::to_string(bytes) +
                           " more are asked for when " + std::to_string(bytes_) + " are taken",
                       where, "bytes", "--max-bytes");
}
void budget_meter::too_deep(const std::string& where) const {
  detail::throw_budget("functions and graphs lie more than " + std::to_string(limits_.depth) + " deep in each other",
                       where, "depth", "--max-depth");
}
void budget_meter::too_long(const std::string& where) const {
  std::string seconds = std::to_string(limits_.seconds);
  seconds.erase(seconds.find_last_not_of('0') + 1);
  if (seconds.ends_with('.')) seconds.pop_back();
  detail::throw_budget("importing the model takes more than " + seconds + " s", where, "seconds", "--max-seconds");
}

}  // namespace tenon::importers::onnx
