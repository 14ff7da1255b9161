/// @file table: what src/codegen defines of `llvm_functions`, where other files do not declare it.
#pragma once

#include "llvm.hpp"

namespace tenon::codegen {

object_code emit_by_llvm(const ir::module& m, const options& o, const progress_reader& reader);
std::vector<char> link_shared_by_lld(const object_code& object, std::optional<u64> interface);
std::unique_ptr<loaded_object> load_by_jit(const object_code& object);
vector_unit unit_by_llvm(const std::string& triple, const std::string& cpu, const std::string& features);

}  // namespace tenon::codegen
