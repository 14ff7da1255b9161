/// @file codegen: what the compiled part of the library (src/native over LLVM) offers; no LLVM type in sight.
///
/// Input is a module in phase `build`: an entry function over explicit storage, and kernels of loop nests.
/// Output is a relocatable ELF object that defines one symbol per entry with the signature of `tenon_entry`
/// (runtime/abi.hpp); it needs libm only. The same object is run in process or linked into a shared object.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenon/ir/module.hpp>

namespace tenon::codegen {

/// What the code of one kernel is to be, where that is not what the program's is.
struct kernel_form {
  bool strict = false, check_bounds = false;
};

struct options {
  std::string triple;            ///< of the machine (core/machine.hpp); empty: the host's
  std::string cpu;               ///< LLVM's name of the processor; empty: the host's, or the least of a triple's
  std::string features;          ///< "+avx2,-avx512f"; empty: what the processor has
  int optimize = 2;              ///< 0 to 3
  bool strict = false;           ///< functions as libm computes them, and no product is joined to a sum
  bool flush_denormals = false;  ///< of f32: see targets::denormals
  bool check_bounds = false;     ///< accesses that are not proven to stay inside are checked; see `tenon_fault`
  bool keep_text = false;        ///< also return LLVM IR and assembly, for people
  std::map<std::string, kernel_form> kernels{};  ///< by name; others are as these options say
};

struct object_code {
  std::vector<char> bytes;            ///< relocatable ELF
  std::string entry = "tenon_main";   ///< the first one's symbol; others follow from it (`symbol_of_entry`)
  std::string ir, assembly;           ///< when asked for
  std::string triple, cpu, features;  ///< what it was made for
};

/// Throws `tenon::error` ("codegen…") when an op has no native form, naming op and kernel. Sizes that kernels ask for
/// are symbols of the module (`ir::number_extents`).
object_code emit_object(const ir::module& m, const options& o);

/// Native code in this process's memory.
class jit_code {
 public:
  explicit jit_code(const object_code& object);
  jit_code(jit_code&&) noexcept;
  jit_code& operator=(jit_code&&) noexcept;
  ~jit_code();
  void* entry() const;
  /// Another function that the code defines. Error "codegen.jit" where there is none.
  void* find(const std::string& symbol) const;

 private:
  struct implementation;
  std::unique_ptr<implementation> implementation_;
};

/// Links an object into a shared object (ELF), in process; needs no linker on the machine. `interface`: a number that
/// it then defines as an absolute symbol (runtime/program_file.hpp).
std::vector<char> link_shared(const object_code& object, std::optional<u64> interface = {});

/// The host's triple, processor name and features as LLVM spells them.
std::string host_triple();
std::string host_cpu();
std::string host_features();

/// What a program makes code with that it opens when that is first needed, as the command line does: for keys of caches
/// (targets/program_cache.hpp). None where LLVM is linked.
std::vector<std::string> files_opened_later();

/// The vector unit that code for a processor has: registers of 64, 32 or 16 bytes. Where there is none, they stand for
/// as many scalar ones.
struct vector_unit {
  int bytes = 64, registers = 32;
  bool dot4 = false;  ///< multiplies bytes and adds up four products each: vpdpbusd, or AArch64's usdot
};
/// Errors: "target.triple" for a machine that there is no code for, or that this LLVM has no back end for;
/// "target.value" for a processor or a feature that its machine does not have.
vector_unit vector_unit_of(const std::string& triple, const std::string& cpu, const std::string& features);

}  // namespace tenon::codegen
