/// @file model_library: a compiled model as a library of its own: objects, and headers for C and C++, to be linked into
/// a program that has nothing of tenon and reads no file when it runs.
///
///     const model_library lib = library_of(built, {.symbol = "squeezenet", .model = "squeezenet.onnx"});
///     write_atomically("libsqueezenet.a", lib.archive());       // with lib.c_header and lib.cpp_header beside it
///
/// The module was built with the entry's name `library_entry(symbol)` where its code is C source. Every name that the
/// library defines begins with the symbol, so that one program links several. What is done before a run, sizes checked
/// and buffers placed, stands in the headers as inline functions. Errors: "library.symbol" for a symbol that C cannot
/// call; "library.no_code" for a module that is not one piece of machine code; "library.type".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/ir/module.hpp>
#include <tenon/runtime/program.hpp>

namespace tenon {

struct library_request {
  std::string symbol;  ///< what its names begin with
  std::string model;   ///< what it was made from, for people
  /// Constants of C source are a file beside it, which the assembler reads, instead of text that a compiler reads.
  bool weights_apart = false;
};

struct model_library {
  std::string symbol;
  std::string c_header, cpp_header;  ///< of the files SYMBOL.h and SYMBOL.hpp
  std::string source;                ///< C source of the code, where that is what was made; else empty
  std::string weights;               ///< SYMBOL.weights, which the source takes in, where it is apart
  /// SYMBOL_code.o and SYMBOL_data.o, where there is no source, which is for every machine.
  std::vector<std::pair<std::string, std::string>> objects;
  /// A static library; `compiled` is the object that a compiler made of the source, where there is one.
  std::string archive(std::string_view compiled = {}) const;
};

/// "squeezenet1.1-7" is called squeezenet1_1_7.
std::string library_symbol(std::string_view file_stem);
void check_library_symbol(std::string_view symbol);
inline std::string library_entry(std::string_view symbol) { return std::string(symbol) + "_entry"; }

/// Of a module that was built for `cpu` or `c_source`.
model_library library_of(const ir::module& built, const library_request& request);

/// The texts alone: what is linked is described by `parts`.
std::string library_c_header(const program::parts& parts, const library_request& request);
std::string library_cpp_header(const program::parts& parts, const library_request& request);
/// What `c_file_of` (targets/c_source.hpp) gives.
std::string c_file(const program::parts& parts, const library_request& request, std::string_view code,
                   const std::string& entry);

}  // namespace tenon
