/// @file cpu_session.cpp: the target `cpu` for sessions, composites and command lines, by its name.
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {

void targets::register_cpu_target() { register_target<cpu>(); }

}  // namespace tenon
