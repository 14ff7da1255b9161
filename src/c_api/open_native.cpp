// libtenon_runtime: program files of native code, and of the definitions only what running needs.
#include <tenon/core/framed_file.hpp>
#include <tenon/definitions/runtime.hpp>
#include <tenon/runtime/program_file.hpp>

#include "opened.hpp"

namespace tenon::c_api {

std::unique_ptr<tenon_program> open_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                                          const std::string& where) {
  if (bytes.starts_with("TENONBND"))
    throw error("file.kind", "this program file has several parts, which need an interpreter", where,
                "link libtenon_compiler, or give the inputs' shapes when it is built: tenon build --shape");
  return opened(open_program(read_program(bytes, std::move(owner), where)));
}

}  // namespace tenon::c_api
