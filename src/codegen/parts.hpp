/// @file parts: the kernels of a module in parts that LLVM compiles one beside the other.
///
/// How a module is divided follows from the module alone, and parts are joined in their order: the code has the same
/// bytes on every number of threads.
#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include <tenon/compile/codegen/progress.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::codegen {

struct code_part {
  std::vector<function_id> kernels;  ///< those that become alike code (alike.hpp) beside each other, else in order
  u64 work = 0;                      ///< how long LLVM takes, in ops that it would take as long for
  function_id longest{};             ///< the kernel that takes longest; the first of several
  u64 longest_work = 0;
};

/// More parts than this balance no better on the threads that there are.
inline constexpr size_t most_parts = 24;

/// One part at least; where one is enough, all kernels are in it.
std::vector<code_part> parts_of(const ir::module& m, size_t most = most_parts);

/// f(i) for each part, on as many threads as loops of a program may use (runtime/threads.hpp), the longest parts first.
/// When all have ended, what was thrown is thrown: of several errors that of the first part, on every number of
/// threads.
void for_each_part(std::span<const code_part> parts, const std::function<void(size_t)>& f);

/// Says to a reader which parts are being made.
class part_progress {
 public:
  part_progress(const ir::module& m, std::span<const code_part> parts, const progress_reader& reader);
  void begins(size_t part) { changes(part, true); }
  void ends(size_t part) { changes(part, false); }

 private:
  void changes(size_t part, bool begins);
  const ir::module& m_;
  std::span<const code_part> parts_;
  const progress_reader& reader_;
  std::mutex mutex_;
  std::vector<char> made_now_;
  progress said_;
};

}  // namespace tenon::codegen
