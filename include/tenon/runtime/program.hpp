/// @file program: a compiled model, ready to run. Needs no LLVM.
///
///     program p = load(built);                 // or program::open("model.tenon")
///     std::vector<tensor> y = p.run({x}, 2);   // two threads
///     tensor z = p["main"](x);
///     program decoder = p.entry("decode");     // of several functions; constants are in memory once
/// A program can be called from many threads at once: it is read-only, and each call takes an arena of its own.
/// What its kernels take: runtime/profile.hpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/extent_condition.hpp>
#include <tenon/runtime/abi.hpp>
#include <tenon/runtime/named_tensors.hpp>
#include <tenon/runtime/run_observer.hpp>
#include <tenon/runtime/run_options.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon {

class executable;

/// A named input or output with its element type and shape. An extent of -2 - i is the program's symbol i.
struct port {
  std::string name;
  dtype type = dtype::f32;
  std::vector<i64> shape;
  /// False: how many dimensions an output has depends on the inputs' sizes. Its shape is the one for those that the
  /// entry serves itself, without its variants.
  bool ranked = true;

  bool is_static() const {
    if (!ranked) return false;
    for (i64 d : shape)
      if (d < 0) return false;
    return true;
  }
};

/// What a program whose shapes are symbols computes before each run: its code reads the results from a table.
struct program_sizes {
  std::vector<std::string> symbols;          ///< expressions of inputs' extents (core/extent_expr.hpp); empty: not used
  std::vector<extent_condition> conditions;  ///< the code is right only where they hold
  struct buffer {
    i64 first = 0, last = 0;  ///< positions between which it lives
    std::string bytes;
  };
  std::vector<buffer> buffers;  ///< in the arena, placed for each set of sizes
  bool empty() const { return symbols.empty(); }
};

/// A step of a program's code, in the order of the code, and what its loops do (`loop_work::bytes`).
struct program_step : run_step {
  std::string work;
};

class program {
 public:
  /// What a program is made of. `code` keeps the entry's code alive.
  struct parts {
    tenon_entry entry = nullptr;
    std::shared_ptr<const void> code;
    std::vector<tensor> constants;
    i64 arena_bytes = 0;
    std::vector<port> inputs, outputs;
    program_sizes sizes;
    std::string name = "main", target, fingerprint;
    i64 code_bytes = 0;
    std::vector<tenon_external_call> external;  ///< what the code calls that others made; `code` keeps it alive
    std::vector<program_step> steps;            ///< what an observer of runs is told (runtime/run_observer.hpp)
    /// The functions of the same code that can be called besides this one. Constants, code, target and fingerprint are
    /// this one's; of the rest each has its own.
    std::vector<parts> more;
    /// Of one of `more`: the entry for which it serves the sizes that do not meet that one's conditions, if they meet
    /// its own (ir/variant.hpp). It is no entry by itself then.
    std::string variant_of;
  };

  explicit program(parts p);
  const std::vector<port>& inputs() const { return description().inputs; }
  const std::vector<port>& outputs() const { return description().outputs; }
  /// Of this entry; `more` is empty.
  const parts& description() const;

  /// The functions that can be called, the one that this program begins with first.
  std::vector<std::string> entries() const;
  /// The same program, of which inputs, outputs and runs are those of another function. Code and constants are shared.
  /// Error "program.entry", which lists the known ones.
  program entry(std::string_view name) const;

  /// Runs with fresh outputs of the shapes that follow from the inputs'. Inputs are in order, dense, of the ports'
  /// types and shapes; else a `tenon::error` names the input. `threads` 0: the process's default.
  std::vector<tensor> run(std::span<const tensor> inputs, int threads = 0) const;
  std::vector<tensor> run(std::initializer_list<tensor> inputs, int threads = 0) const;
  /// Runs into tensors that the caller owns; allocates nothing after the first call. Outputs are written where they
  /// are: one that is read-only, or shares memory with an input or another output, is an error ("program.read_only",
  /// "program.overlap"). Memory of your own is an output as `tensor::borrow`. "program.out_of_bounds": code that was
  /// built with `check_bounds` refused an access.
  void run_into(std::span<const tensor> inputs, std::span<tensor> outputs, int threads = 0) const;
  /// The same on a pool of the caller's, or so that it can be stopped: then "program.stopped", and outputs hold nothing
  /// of use.
  std::vector<tensor> run(std::span<const tensor> inputs, const run_options& o) const;
  void run_into(std::span<const tensor> inputs, std::span<tensor> outputs, const run_options& o) const;
  /// By name. Errors: "program.name", "program.count", which lists what is missing.
  named_tensors run_named(const named_tensors& inputs, const run_options& o = {}) const;

  /// One entry of the program as a function of tensors that gives its first result; errors are those of `entry`.
  class entry_point;
  entry_point operator[](std::string_view name) const;

  /// "f32[batch,3,n]"; of an output that is not ranked, each that it may be: "f32[n,4] or f32[4]".
  std::string describe(const port& p) const;
  /// The shapes of the outputs for inputs of these shapes. Throws as `run` does: "program.type" for an input that does
  /// not fit, "program.condition" where the code cannot serve these sizes.
  std::vector<std::vector<i64>> output_shapes(std::span<const tensor> inputs) const;

  /// What `output_shapes` would throw; nothing where the program serves these inputs.
  std::optional<error> refusal(std::span<const tensor> inputs) const;

  /// Reads a program file (runtime/program_file.hpp); needs the runtime only.
  static program open(const std::string& path);

 private:
  struct state;
  program(std::shared_ptr<const std::vector<std::shared_ptr<state>>> all, size_t entry);
  const state& serving(std::span<const tensor> inputs) const;
  std::shared_ptr<const std::vector<std::shared_ptr<state>>> all_;  ///< of each entry
  std::shared_ptr<state> state_;                                    ///< of this one
};

class program::entry_point {
 public:
  template <class... T>
  tensor operator()(const T&... x) const {
    return program_.run({x...}).at(0);
  }

 private:
  friend program;
  explicit entry_point(program p) : program_(std::move(p)) {}
  program program_;
};

/// Writes one file that `program::open` runs: `shared_object` is linked code that defines the entry. Atomic: the file
/// is complete or not there.
void save_program(const std::string& path, const program::parts& parts, std::span<const char> shared_object,
                  std::string_view entry_symbol);
/// What is in a program file, read and checked, with its code not put into the process.
struct program_contents {
  program::parts parts;  ///< without entry and code
  std::string symbol;    ///< what the code must define; that of other entries follows from it (`symbol_of_entry`)
  std::span<const char> code;
  std::shared_ptr<const void> file;  ///< keeps `code` and the constants mapped
  std::string where;                 ///< names it in errors
};
program_contents read_program(const std::string& path);
/// Whether a file begins as a program file does.
bool is_program_file(const std::string& path);

/// A program where any compiled model can be.
std::unique_ptr<executable> executable_of(program p);

}  // namespace tenon
