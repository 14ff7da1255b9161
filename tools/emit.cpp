// A model as a library: what `tenon build --emit library|object|header` writes.
#include "emit.hpp"

#include <filesystem>

#include <fmt/format.h>

#include <tenon/core/framed_file.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/model_library.hpp>

#include "common.hpp"

namespace tenon::tool {

std::string library_symbol_for(const std::string& model, const std::string& asked) {
  if (asked.empty()) return library_symbol(std::filesystem::path(model).stem().string());
  check_library_symbol(asked);
  return asked;
}

void name_library_entry(target_spec& spec, const std::string& symbol) {
  if (spec.name != std::string_view(targets::c_source::name)) return;
  std::erase_if(spec.options, [](const target_option& o) { return o.name == "entry"; });
  spec.options.push_back({"entry", library_entry(symbol)});
}

void write_library(const ir::module& built, const emitted& e, words& talk) {
  const model_library lib =
      library_of(built, {e.symbol, std::filesystem::path(e.model).filename().string(), e.weights_apart});
  std::vector<std::pair<written_file, size_t>> files;  // all of them, or none
  const auto write = [&](const std::string& name, const std::string& bytes) {
    files.emplace_back(written_file(e.folder + "/" + name, {bytes}), bytes.size());
  };
  const std::string& s = e.symbol;
  write(s + ".h", lib.c_header);
  write(s + ".hpp", lib.cpp_header);
  const bool only_headers = e.what == "header", apart = e.what == "object" || !lib.source.empty();
  if (!only_headers && !lib.source.empty()) write(s + ".c", lib.source);
  if (!only_headers && e.weights_apart) write(s + ".weights", lib.weights);  // even where there are none
  if (!only_headers && apart)
    for (const auto& [name, bytes] : lib.objects) write(name, bytes);
  if (!only_headers && !apart) write("lib" + s + ".a", lib.archive());
  for (auto& [file, bytes] : files) {
    file.keep();
    talk.say("{}: {}\n", file.path(), bytes_text(static_cast<i64>(bytes)));
    talk.document["files"].push_back({{"file", file.path()}, {"bytes", bytes}});
  }
  if (only_headers) return;
  if (!lib.source.empty())
    talk.say("compile it with: cc -std=c11 -O3{2} -c {0}/{1}.c, and link it with -lm\n", e.folder, s,
             lib.weights.empty() ? "" : " -Wa,-I" + e.folder);
  if (!apart) talk.say("include {1}.hpp (C: {1}.h), call {1}{2}, link with: -L{0} -l{1} -lm\n", e.folder, s, "::run");
}

}  // namespace tenon::tool
