/// @file progress: how far LLVM is with the code of a module, for those who wait for it.
///
///     cx.set(codegen::progress_reader{&line, [](void* line, const codegen::progress& p) { … }});
///
/// The pass `generate_code` says it to the reader of its context when a part of the code begins and when it is made. A
/// reader is called from the threads that make code, from one at a time; where code is made apart (apart.hpp), in this
/// process all the same. It throws nothing. Cost: a call for each part, of which there are at most 24.
#pragma once

#include <string>

#include <tenon/compile/codegen.hpp>
#include <tenon/core/int.hpp>

namespace tenon::codegen {

struct progress {
  u64 done = 0, all = 1;  ///< of the work that LLVM has with the module
  std::string kernel{};   ///< the one that takes longest of those that are being made; empty: none is
};
struct progress_reader {
  void* object = nullptr;
  void (*read)(void* object, const progress&) = nullptr;
};

object_code emit_object(const ir::module& m, const options& o, const progress_reader& reader);

}  // namespace tenon::codegen
