/// @file kernel_text: the kernels of a model as people read them: loops, LLVM IR, assembly, beside the nodes that they
/// compute.
#pragma once

#include <string>
#include <vector>

#include <tenon/compile/context.hpp>
#include <tenon/ir/entry_steps.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::tool {

struct kernel_text {
  std::string name;
  std::vector<size_t> steps;  ///< that call it: of `ir::entry_steps`
  std::string loops, llvm, assembly;
};
struct kernel_texts {
  std::vector<ir::entry_step> steps;
  std::vector<kernel_text> kernels;  ///< in the order in which they are first called
};

/// Of a module in phase `build`. `code`: with LLVM IR and assembly, where LLVM is in this build; the context is
/// configured for the target.
kernel_texts texts_of_kernels(const ir::module& m, context& configured, bool code);

/// Those of one kernel, by its name or by a node that it computes; all where nothing is asked. Error "build.kernel".
std::vector<const kernel_text*> asked_kernels(const kernel_texts& all, const std::string& asked);

/// `what`: loops, llvm or asm; each kernel under what it is, as comments.
std::string text_of(const kernel_texts& all, const std::vector<const kernel_text*>& shown, const std::string& what);

}  // namespace tenon::tool
