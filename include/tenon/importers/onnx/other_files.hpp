/// @file other_files: files that are given for ONNX models and are something else: what they are, and what to do.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tenon::importers::onnx::detail {

struct other_file {
  size_t at;               ///< where its bytes begin
  std::string_view bytes;  ///< that files of the kind have there
  const char *what, *hint;
};

inline constexpr const char* from_keras =
    "make an ONNX model of it, as tf2onnx does: python3 -m tf2onnx.convert --help";
inline constexpr const char* from_torch =
    "load it in PyTorch, and export it: torch.onnx.export(model, inputs, \"model.onnx\")";

inline constexpr other_file other_files[] = {
    {0, "version https://git-lfs", "the place of a file that Git LFS holds", "fetch it: git lfs pull"},
    {0, "PK\3\4", "a ZIP archive, as PyTorch saves, and .npz and .keras are", from_torch},
    {0, "\x80\2", "a Python pickle, as PyTorch saved once", from_torch},
    {0, "\x89HDF", "an HDF5 file, as Keras saves", from_keras},
    {4, "TFL3", "a TensorFlow Lite model",
     "make an ONNX model of it: python3 -m tf2onnx.convert --tflite FILE --output model.onnx"},
    {8, "{\"", "weights in the safetensors format", "export the model that has these weights to ONNX"},
    {0, "GGUF", "weights in the GGUF format", "export the model that has these weights to ONNX"},
    {0, "\x93NUMPY", "a NumPy array", "give the model; arrays are its inputs: tenon run MODEL --input NAME=FILE"},
    {0, "\x1f\x8b", "compressed by gzip", "unpack it: gunzip FILE"},
    {0, "TENON", "a program or a module that tenon wrote",
     "run a program (tenon run, tenon_open), and go on with a module (tenon build)"},
    {0, "tenon.module", "a module as text", "compile it: tenon build FILE -o PROGRAM"},
    {0, "/* ", "text that begins as source in C does", "compile it with a C compiler, into a program that calls it"},
    {0,
     "\x7f"
     "ELF",
     "a program or a library of this system", "give the model that it was made of"},
};

/// Whether bytes may be those of a model without a version: they begin with the key of another of its fields, 2 to 8,
/// 14, 20, 25 or 26.
inline bool begins_with_a_field(std::string_view bytes) {
  static constexpr std::string_view keys[] = {"\x12", "\x1a", "\x22",     "\x28",     "\x32",    "\x3a",
                                              "\x42", "\x72", "\xa2\x01", "\xca\x01", "\xd2\x01"};
  return std::any_of(std::begin(keys), std::end(keys), [&](std::string_view key) { return bytes.starts_with(key); });
}

/// What a file is that is no ONNX model; null where it may be one.
inline const other_file* other_file_of(std::string_view bytes) {
  static constexpr other_file nothing{0, {}, "empty", "export or download it again"};
  static constexpr other_file text{0, {}, "text", "where it was downloaded, look at it: it may say what went wrong"};
  static constexpr other_file unknown{0,
                                      {},
                                      "of no kind that is known here",
                                      "it is damaged, or for another program: export, build or download it again"};
  if (bytes.empty()) return &nothing;
  if (bytes[0] == 8) return nullptr;  // as models begin: the first field is the version
  for (const other_file& o : other_files)
    if (bytes.size() > o.at && bytes.substr(o.at).starts_with(o.bytes)) return &o;
  const std::string_view head = bytes.substr(0, 256);
  const bool printed = std::all_of(
      head.begin(), head.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t' || c == '\r'; });
  return printed ? &text : begins_with_a_field(bytes) ? nullptr : &unknown;
}

}  // namespace tenon::importers::onnx::detail
