// Program files of several parts: the file's table, its module, and the tables of the programs in it; no code is
// loaded.
//
// In tests: 30000 inputs.
#include <tenon/ir/module_file.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/text/print.hpp>

#include "fuzzers/frames.hpp"

using namespace tenon;
using namespace tenon::fuzzing;

namespace {
void look(const bundle& b, int depth) {
  summary_of(b), print(b.module);
  for (const bundle::part& p : b.parts) try {
      if (p.form == "program") program_of(p);
      else if (p.form == "module") deserialize(p.bytes, p.name);
      else if (p.form == "bundle" && depth < 4) look(read_bundle(p.bytes, p.owner, p.name), depth + 1);
    } catch (const error&) {
      // the next one may be whole
    }
}
}  // namespace

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  const std::string given(text_of(data, size));
  read(size, [&] { read_bundle(given, nullptr, "fuzz"); });
  const std::string file = sealed(given, {module_file_kind, program_file_kind, bundle_file_kind});
  return read(size, [&] { look(read_bundle(file, nullptr, "fuzz"), 0); });
}
