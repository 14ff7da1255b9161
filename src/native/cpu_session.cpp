// @file cpu_session.cpp: makes `cpu` a target by its name.
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {

bundle build_host_bundle(ir::module split, context& configured) {
  targets::register_cpu_target();
  const target_spec target = configured.target.value_or(spec_of(targets::cpu{}));
  return host_bundle(std::move(split), target, configured);
}

template const target_entry& entry_of<targets::cpu>();
void targets::register_cpu_target() { register_target<cpu>(); }

}  // namespace tenon
