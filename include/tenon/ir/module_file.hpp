/// @file module_file: the binary form of a module in any phase: written whole or not at all, checked, mapped.
///
///     save_module("half.tmod", m);                                   // with graph, kernels, constraints, artifacts
///     ir_module<phases::lowering> n = load<phases::lowering>("half.tmod");
///     auto known = establish<fact::memory_planned>(std::move(n));   // a file proves nothing: its facts are a note
/// The same module gives the same bytes, and `serialize(deserialize(b)) == b`. Constants of a loaded file are views of
/// the mapping. Errors: those of core/framed_file.hpp; "module.phase", "module.file", "module.op", and the verifier's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/op_table.hpp>
#include <tenon/ops/all.hpp>

namespace tenon {

/// What a file says of the module in it before anything of it is read.
struct module_header {
  std::string phase;
  std::vector<std::string> facts;  ///< what was known when it was written; `establish` proves it again
  std::string fingerprint;         ///< of the pipeline that was running
  std::string target;              ///< what it was being compiled for
  std::string version;             ///< of the library that wrote it
  u32 format_version = 0;          ///< of the file: the oldest that has all that is in it
};

struct deserialize_options {
  std::string_view phase;                   ///< the phase that it must be in; empty: any
  std::span<const ir::op_info* const> ops;  ///< the ops that there are; empty: all that are built in
  std::shared_ptr<const void> owner;        ///< of the bytes: then constants are views of them
};

std::string serialize(const ir::module& m, std::string_view phase, std::span<const std::string> facts = {});
/// Of a module's bytes those that say all but the elements of its constants, and what its artifacts hold.
std::string serialize_table(const ir::module& m, std::string_view phase);
/// `where` names the bytes in errors. What comes back was verified as a module of its phase.
ir::module deserialize(std::string_view bytes, const std::string& where = "module",
                       const deserialize_options& options = {});
module_header read_module_header(std::string_view bytes, const std::string& where = "module");
bool is_module_file(const std::string& path);

void save_module(const std::string& path, const ir::module& m, std::string_view phase,
                 std::span<const std::string> facts = {});
/// Maps the file; it may be replaced afterwards, not shortened.
ir::module load_module(const std::string& path, deserialize_options options = {});

template <class Phase, class... Facts>
std::string serialize(const ir_module<Phase, Facts...>& m) {
  const std::vector<std::string> facts{std::string(label(Facts::name).data(), label(Facts::name).size())...};
  return serialize(m.body(), std::string_view(Phase::name.data(), Phase::name.size()), facts);
}
template <class Phase>
ir_module<Phase> deserialize(std::string_view bytes, const std::string& where = "module") {
  return ir_module<Phase>::adopt(
      deserialize(bytes, where,
                  {std::string_view(Phase::name.data(), Phase::name.size()), ir::op_table_of_phase<Phase>(), nullptr}));
}
template <class Phase, class... Facts>
void save_module(const std::string& path, const ir_module<Phase, Facts...>& m) {
  const std::vector<std::string> facts{std::string(label(Facts::name).data(), label(Facts::name).size())...};
  save_module(path, m.body(), std::string_view(Phase::name.data(), Phase::name.size()), facts);
}
/// A module of a phase, with the ops of that phase only. Nothing is known of it.
template <class Phase>
[[nodiscard]] ir_module<Phase> load(const std::string& path) {
  return ir_module<Phase>::adopt(load_module(
      path, {std::string_view(Phase::name.data(), Phase::name.size()), ir::op_table_of_phase<Phase>(), nullptr}));
}

}  // namespace tenon
