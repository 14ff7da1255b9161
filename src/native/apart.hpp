/// @file apart: runs a step of the code generator in a process of its own: see compile/codegen/apart.hpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/compile/codegen.hpp>
#include <tenon/compile/codegen/apart.hpp>
#include <tenon/compile/codegen/progress.hpp>

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

// What these do in this process.
object_code emit_object_here(const ir::module& m, const options& o, const progress_reader& reader);
std::vector<char> link_shared_here(const object_code& object, std::optional<u64> interface);
vector_unit vector_unit_here(const std::string& triple, const std::string& cpu, const std::string& features);

}  // namespace tenon::codegen
