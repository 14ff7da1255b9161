/// @file apart: runs a step of the code generator in a process of its own: see compile/codegen/apart.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenon/compile/codegen.hpp>
#include <tenon/compile/codegen/apart.hpp>

namespace tenon::codegen {

/// The bytes that `step(data)` returns in a fork of this process; what it throws is thrown here. `what` names it in
/// errors.
std::string run_apart(const char* what, std::string (*step)(const void* data), const void* data);
template <class F>
std::string run_apart(const char* what, const F& f) {
  return run_apart(what, +[](const void* data) -> std::string { return (*static_cast<const F*>(data))(); }, &f);
}

// What these do in this process.
object_code emit_object_here(const ir::module& m, const options& o);
std::vector<char> link_shared_here(const object_code& object, std::optional<u64> interface);
vector_unit vector_unit_here(const std::string& triple, const std::string& cpu, const std::string& features);

}  // namespace tenon::codegen
