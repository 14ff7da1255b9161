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

/// The vector unit of a processor.
struct vector_unit {
  int bytes = 16;     ///< of a register: 64, 32 or 16
  bool dot4 = false;  ///< multiplies bytes and adds up four products each, as AVX-VNNI does
};
vector_unit vector_unit_of(const std::string& cpu, const std::string& features);
vector_unit vector_unit_here(const std::string& cpu, const std::string& features);

}  // namespace tenon::codegen
