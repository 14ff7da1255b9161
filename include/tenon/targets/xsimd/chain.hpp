/// @file chain: elementwise ops in a row, run block by block, so that what is between them stays in the cache.
///
/// Registers are blocks of `chain::block` f32 numbers; bools are 0 and 1 in them. A whole tensor of the result's shape
/// is read in place; broadcast operands, bools and the last, partial block are copied into registers first. Arithmetic
/// on what the instruction before gave goes on in the processor's registers (`running_step`): only what something else
/// reads is stored.
#pragma once

#include <vector>

#include <tenon/runtime/tensor.hpp>
#include <tenon/targets/xsimd/kernel_table.hpp>

namespace tenon::xsimd_kernels {

/// Where the buffers of a run are, by slot, and on how many threads it runs.
struct frame {
  std::vector<char*> at;
  int threads = 1;

  template <class T = float>
  T* data(int slot) const {
    return reinterpret_cast<T*>(at[static_cast<size_t>(slot)]);
  }
};

/// An elementwise operand, or an index into a buffer: extents of the result, and how far each index moves in the
/// buffer.
struct access {
  std::vector<i64> extents, strides;

  /// How an operand of one shape is read when the result has another: extents of 1 are repeated. Neighbouring
  /// dimensions that move alike become one.
  static access broadcast(const std::vector<i64>& operand, const std::vector<i64>& result);
  /// Of elements that repeat as they lie in memory; 0: they do not.
  i64 period() const { return extents.size() == 2 && strides[0] == 0 && strides[1] == 1 ? extents[1] : 0; }
  bool whole() const { return extents.empty() || (extents.size() == 1 && strides[0] == 1); }
};

class chain {
 public:
  static constexpr i64 block = 1024;
  struct operand {
    int slot;
    bool flags;  ///< bool elements
    access how;
    bool filled = false;  ///< a number that a whole register is filled with
    bool number() const { return how.extents.size() == 1 && how.strides[0] == 0 && !flags; }
  };
  struct instruction {
    loop::scalar_fn fn;
    int to, a, b, c;  ///< registers; operands come first
  };
  /// Instructions that run as one.
  struct group {
    size_t first, count;
    bool running;          ///< by `running_step`s
    int from;              ///< the register that they begin with
    std::vector<u8> kept;  ///< by instruction: is its value stored?
  };
  std::vector<operand> operands;
  std::vector<instruction> code;
  std::vector<group> groups;  ///< of the whole code, made by `divide`
  int registers = 0;
  int result = -1;  ///< the register that is written
  int out = -1;     ///< the slot that it is written to
  bool gives_flags = false;

  bool empty() const { return code.empty(); }
  /// Says which instructions run as one; to be called when the code is whole.
  void divide();
  /// Elements [begin, end) of the result, on this thread.
  void run(const frame& f, const kernel_table& k, i64 begin, i64 end) const;
};

}  // namespace tenon::xsimd_kernels
