/// @file apart: runs a step of the code generator in a process of its own: see compile/codegen/apart.hpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <tenon/compile/codegen/apart.hpp>

namespace tenon::codegen {

/// The bytes that `step(data)` returns in a fork of this process; what it throws is thrown here. `what` names it in
/// errors. What the step says on the way by `note_apart`, `noted` is given here, in that order.
std::string run_apart(const char* what, std::string (*step)(const void* data), const void* data,
                      const std::function<void(std::string_view)>& noted = {});
template <class F>
std::string run_apart(const char* what, const F& f, const std::function<void(std::string_view)>& noted = {}) {
  return run_apart(what, +[](const void* data) -> std::string { return (*static_cast<const F*>(data))(); }, &f, noted);
}
/// Of a step that runs apart: at most 4,000 bytes, from one thread at a time.
void note_apart(std::string_view bytes);

}  // namespace tenon::codegen
