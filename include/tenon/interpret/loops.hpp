/// @file loops: runs kernels at loop level, one scalar at a time, with every access checked.
///
/// A kernel is decoded once: values become slots of a register file, ops become instructions in blocks, one block a
/// region. Loops of every kind run serially, and in order if `kernel_checks` do not say otherwise. Memory that nothing
/// wrote holds all ones. Errors: "interpret.out_of_bounds", "interpret.read_only", "interpret.kernel_arguments",
/// "interpret.unknown_op", "interpret.race", "interpret.budget".
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <unordered_map>

#include <tenon/interpret/buffer.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::interpreting {

/// One scalar of any type; the instruction knows which.
union scalar_register {
  i64 i = 0;
  double d;
  float f;
  u64 bits;
};

/// What is asked of parallel loops, and of loops that are said to be independent, beyond what they compute.
struct kernel_checks {
  u64 shuffle = 0;          ///< not 0: their iterations run in an order that this number says
  bool races = false;       ///< see interpret_options::find_races
  i64 most_iterations = 0;  ///< not 0: of all loops and contractions of a run; beyond it error "interpret.budget"
};

/// Who touched which element, in the loop that is running and may run in any order.
class race_watch {
 public:
  void begin(bool parallel) { touched_.clear(), active_ = true, parallel_ = parallel; }
  void iteration(i64 i) { now_ = i; }
  void end() { active_ = false; }
  bool active() const { return active_; }
  bool parallel() const { return parallel_; }  ///< else it only says that its iterations are independent
  i64 now() const { return now_; }
  /// The iteration with which this access meets, if there is one.
  std::optional<i64> touch(const void* element, bool writes);

 private:
  struct users {
    std::optional<i64> writer, reader;
    bool many_read = false;
  };
  std::unordered_map<const void*, users> touched_;
  i64 now_ = 0;
  bool active_ = false, parallel_ = false;
};

/// "interpret.race": iterations that may run in any order meet in an element.
class race_error : public error {
 public:
  explicit race_error(error e) : error(std::move(e)) {}
};

class kernel {
 public:
  kernel(const ir::module& m, function_id f, kernel_checks checks = {});
  /// Buffers for the function's arguments, in order.
  void run(std::span<const buffer> arguments);

 private:
  struct instruction;
  using handler = void (*)(kernel&, const instruction&);
  struct instruction {
    handler run;
    u32 to = 0, a = 0, b = 0, c = 0;  ///< registers, or a number of one of the tables below
    loop::scalar_fn fn{};
    op_id op;
  };
  struct block {
    std::vector<instruction> code;
    std::vector<u32> yields;
  };
  struct term {
    u32 slot;
    i64 coefficient;
  };
  /// An affine index per dimension: `constants[d]` plus the terms up to `ends[d]`.
  struct access {
    u32 memory = 0;
    std::vector<i64> constants;
    std::vector<term> terms;
    std::vector<u32> ends;
  };
  struct loop_data {
    u32 body, index;
    i64 step;
    std::vector<u32> initial, carried, results;
    bool any_order = false;  ///< it carries nothing from one iteration to the next, and says that these are independent
  };
  struct branch_data {
    u32 body[2];
    std::vector<u32> results;
  };
  /// Indices run over `extents` (m..., n, k...); `outer` is the affine part that does not depend on them.
  struct contract_side {
    access outer;
    std::vector<std::vector<i64>> coefficients;  ///< [dimension][extent]
    std::vector<i64> strides;                    ///< per extent, in elements of the buffer
    i64 start = 0;
  };
  struct contract_data {
    std::vector<i64> extents;
    std::vector<std::pair<size_t, u32>> sized;  ///< extents that are outer indices: which, and their registers
    size_t outputs;                             ///< how many of the extents are m... and n
    dtype accumulate;
    contract_side a, b;
    u32 body;
    std::vector<u32> arguments;
  };
  /// Where a contraction reads for one point of m: from where, and by which steps along k... and n.
  struct row_place {
    i64 from_a, from_b, n, by_n;
    std::span<const i64> k, by_a, by_b;
  };
  struct memory_data {
    value_id value;
    const tensor* constant = nullptr;
    bool argument = false;
  };

  u32 slot(value_id v);
  u32 memory_of(value_id v, op_id user);
  u32 decode_region(region_id r);
  void decode(op_id op, std::vector<instruction>& code);
  void decode_contract(op_id op, std::vector<instruction>& code);
  access decode_access(op_id op, const ir::access_map& map, value_id memory, int first_index, size_t columns);
  buffer as_argument(const buffer& given, const ir::type& formal, size_t number) const;
  void execute(u32 block);
  void transfer(const std::vector<u32>& from, const std::vector<u32>& to);
  void run_loop(const instruction& in);
  void run_in_any_order(const loop_data& d, i64 begin, i64 end, op_id op);
  void spend(i64 iterations, op_id op);
  void watch_sums(const contract_data& c, const row_place& s, op_id op);
  void watch(const unsigned char* element, bool writes, op_id op);
  void run_contract(const instruction& in);
  bool place(const access& a, i64& offset) const;
  void place_side(contract_side& s, const contract_data& c, op_id op);
  [[noreturn]] void out_of_bounds(const access& a, op_id op) const;
  error said_of(std::string code, std::string message, op_id op) const;
  [[noreturn]] void fail(std::string code, std::string message, op_id op) const {
    throw said_of(std::move(code), std::move(message), op);
  }

  const ir::module& module_;
  function_id function_;
  std::unordered_map<u32, u32> slots_, memory_index_;
  std::deque<block> blocks_;
  std::vector<access> accesses_;
  std::deque<loop_data> loops_;
  std::deque<branch_data> branches_;
  std::deque<contract_data> contracts_;
  std::vector<memory_data> memories_;
  std::vector<scalar_register> literals_;  ///< the register file as every run starts with it
  std::vector<scalar_register> registers_;
  std::vector<buffer> buffers_;
  std::vector<scalar_register> moving_;
  kernel_checks checks_;
  race_watch races_;
  i64 spent_ = 0;  ///< iterations of this run
  u32 body_ = 0;

  friend struct handlers;
};

}  // namespace tenon::interpreting
