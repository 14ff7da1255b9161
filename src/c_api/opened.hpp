/// @file opened: what stands behind the handles of <tenon.h>.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon.h>
#include <tenon/core/error.hpp>
#include <tenon/runtime/executable.hpp>
#include <tenon/runtime/program.hpp>

/// A port as C sees it; it does not move.
struct tenon_c_port {
  std::string name;
  std::vector<int64_t> shape;
  std::vector<std::string> symbols;  ///< empty: the extent is a number
  std::vector<const char*> spelled;
  tenon_port seen{};
};

struct tenon_program {
  std::unique_ptr<tenon::executable> code;
  std::vector<std::unique_ptr<tenon_c_port>> inputs, outputs;
  std::string target;
  std::vector<std::string> entries;  ///< their names, this one's first
};

struct tenon_results {
  std::vector<tenon::tensor> values;
  std::vector<tenon_tensor> seen;
  /// `name` null: it has none. It must outlive this.
  void add(const tenon::tensor& t, const char* name);
};

struct tenon_error {
  std::string code, message, hint, text;
};

namespace tenon::c_api {

/// `ranked` false: the shape is known only when the program runs.
void add_port(std::vector<std::unique_ptr<tenon_c_port>>& list, std::string name, dtype type, bool ranked,
              std::vector<int64_t> shape, std::vector<std::string> symbols);
std::unique_ptr<tenon_program> opened(program p);

/// What a program file's bytes are; each library has its own, for what it opens.
std::unique_ptr<tenon_program> open_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                                          const std::string& where);

/// Throws "usage" for what must not be null.
void require(bool good, const char* what);
/// Of a type that C names; `who` is named in the error otherwise.
dtype type_of(tenon_type type, const std::string& who);
std::vector<int64_t> shape_of(size_t rank, const int64_t* shape, const std::string& who);

/// Of the exception that is handled at this moment.
tenon_error* caught() noexcept;
template <class F>
tenon_error* guarded(const F& f) noexcept {
  try {
    f();
    return nullptr;
  } catch (...) { return caught(); }
}

}  // namespace tenon::c_api
