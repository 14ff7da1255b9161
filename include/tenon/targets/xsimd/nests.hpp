/// @file nests: runs the loop nests of a kernel many iterations at a time: what `targets::xsimd` computes ops by that
/// it has no kernel of its own for.
///
/// Of nested loops whose iterations are independent, up to `nests::lanes` iterations are in flight: each instruction
/// works on a vector with an element for each, so that what decoding costs is paid once for all of them. What is the
/// same in all of them is computed once. Loops inside, such as those of a reduction, run as often as they say, if that
/// is the same for all iterations; otherwise, and where a branch depends on the iteration, iterations go one by one.
/// Numbers are what the interpreter of loops computes (interpret/loops.hpp), but for the functions of f32 that
/// `kernel_table::elementwise` has. Every access is checked. Extents that are symbols are those of a run: what follows
/// from them, such as strides, is computed when it begins.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <tenon/ir/module.hpp>
#include <tenon/ops/loop/loop.hpp>
#include <tenon/targets/xsimd/kernel_table.hpp>

namespace tenon::xsimd_kernels {

struct nest_machine;

class nests {
 public:
  static constexpr i64 lanes = 128;

  /// A kernel of a module in phase `lowering`, which must outlive this. Errors: "external.no_kernel".
  nests(const ir::module& m, function_id kernel);
  /// The memory of its arguments, in order; the extents of the module's symbols, if it has some. Error:
  /// "external.out_of_bounds".
  void run(std::span<void* const> arguments, const i64* sizes, int threads) const;

 private:
  friend class nest_decoder;
  friend struct nest_machine;

  struct instruction;
  using handler = void (*)(nest_machine&, const instruction&);
  using scalar_lanes = void (*)(loop::scalar_fn fn, void* to, const void* a, const void* b, const void* c, i64 n);
  using converted_lanes = void (*)(void* to, const void* from, i64 n);
  struct instruction {
    handler run = nullptr;
    u32 to = 0, a = 0, b = 0, c = 0;  ///< registers, or the number of an entry of a table below
    loop::scalar_fn fn{};
    bool varies = false;  ///< it has a result for each iteration in flight, else one
    bool spread = false;  ///< the one result is read by instructions that vary: it is repeated for them
    u8 width = 0;         ///< bytes of the result
    scalar_lanes scalar = nullptr;
    converted_lanes convert = nullptr, before[2] = {};  ///< conversions that come first
    op_id op;
  };
  using code = std::vector<instruction>;

  struct term {
    enum class of_t : u8 { one, dimension, lane } of;  ///< a register that is the same for all, a loop in flight, else
    u32 at;                                            ///< a register, or which of the loops
    i64 coefficient;
  };
  struct row {
    i64 constant;
    u32 extent, stride;  ///< numbers of the run
    std::vector<term> terms;
  };
  struct access {
    u32 memory = 0;
    u8 width = 0;
    bool flags = false;    ///< bools, whose bytes need not be 0 or 1
    bool guarded = false;  ///< what is outside is `fill`
    u32 fill = 0;
    bool by_lane = false;  ///< an index is computed for each iteration
    std::vector<row> rows;
  };
  struct move {
    u32 from, to;
    bool varies, spread;
    u8 width;
  };
  /// Loops whose iterations are in flight together, the innermost last.
  struct dimension {
    u32 low, high;
    i64 step;
    u32 index;
    bool used;  ///< by more than accesses
  };
  struct nest_data {
    std::vector<dimension> dims;
    u32 body = 0;
    bool whole = false;  ///< nothing stands around it: it is cut over threads
  };
  struct loop_data {
    u32 low, high, index;
    i64 step;
    bool spread = false, parallel = false;
    u32 body = 0;
    std::vector<move> first, next, last;
  };
  struct branch_data {
    u32 body[2];
    std::vector<move> results[2];
  };
  struct side {
    u32 memory = 0;
    converted_lanes convert = nullptr;  ///< to the type of the sums; null: it is that
    u8 width = 0;
    struct line : row {
      std::vector<i64> by;  ///< by each of the extents
    };
    std::vector<line> rows;
  };
  struct contract_data {
    std::vector<i64> extents;                   ///< m..., n, k...
    std::vector<std::pair<size_t, u32>> sized;  ///< extents that are registers
    size_t outputs = 0;
    side a, b;
    u8 width = 0;
    void (*add_products)(void* sums, const void* factor, const void* line, i64 n) = nullptr;
    u32 sum = 0;
    std::vector<u32> at;  ///< the registers of m...
    bool spread = false;
    nest_data columns;
  };
  /// A factor times the extents of symbols.
  struct product {
    i64 factor = 1;
    std::vector<u32> symbols;
    friend bool operator==(const product&, const product&) = default;
    i64 at(const i64* sizes) const;
  };
  struct memory_data {
    u32 bytes = 0;  ///< a number of the run
    int argument = -1;
    const void* constant = nullptr;  ///< else it is allocated in each run
  };

  [[noreturn]] void fail(const instruction& in, const std::string& what) const;

  const ir::module* module_;
  std::string name_;
  std::vector<char> start_;                   ///< the registers as a run finds them: literals
  std::vector<std::pair<u32, u32>> extents_;  ///< registers that hold the extents of symbols
  std::vector<product> numbers_;              ///< what a run knows: extents and strides of memory, and its bytes
  std::vector<i64> fixed_;                    ///< the same, where no symbol is in them
  std::vector<code> blocks_;
  std::vector<access> accesses_;
  std::vector<nest_data> nests_;
  std::vector<loop_data> loops_;
  std::vector<branch_data> branches_;
  std::vector<contract_data> contracts_;
  std::vector<memory_data> memories_;
  u32 body_ = 0;
};

}  // namespace tenon::xsimd_kernels
