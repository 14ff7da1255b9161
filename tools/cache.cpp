// `tenon cache`, and programs that were compiled before.
#include "cache.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include <tenon/compile/session.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/targets/spec.hpp>
#if TENON_HAS_LLVM
#  include <tenon/compile/codegen.hpp>
#endif

#include "common.hpp"
#include "words.hpp"

namespace tenon::tool {

namespace {
/// What is kept of a model that is no program in one piece: that this is known.
constexpr std::string_view none_in_one_piece = "no program in one piece";

void show_contents(words& talk, const char* what, const cache_contents& c) {
  talk.say("{}{}, {}\n", what, counted(static_cast<i64>(c.files), "program"), bytes_text(static_cast<i64>(c.bytes)));
  talk.document["programs"] = c.files, talk.document["bytes"] = c.bytes;
}
}  // namespace

program_cache cache_options::open() const {
  return program_cache({.folder = off ? std::string() : folder.empty() ? program_cache::usual_folder() : folder});
}

program_cache cache_options::open_to_keep() const {
  const char* const set = std::getenv("TENON_CACHE");
  program_cache cache = open();
  const bool named = !folder.empty() || (set != nullptr && *set != '\0');
  if (cache.on() && named && !cache.is_writable())
    fmt::print(stderr, "warning: nothing is kept: '{}', of {}, is no folder that you, and nobody else, may write to\n",
               cache.settings().folder, folder.empty() ? "TENON_CACHE" : "--cache");
  return cache;
}

void add_cache_options(CLI::App& sub, cache_options& to) {
  sub.add_option("--cache", to.folder,
                 "the folder where compiled models are kept; default: TENON_CACHE, or 'tenon' in the user's caches");
  sub.add_flag("--no-cache", to.off, "compile anew, and keep nothing")->excludes("--cache");
}

cache_key key_of_model(const program_cache& cache, const std::string& command, const std::string& model,
                       const std::string& target, const importers::onnx::read_options& limits) {
  cache_key key;
  key.text("command", command), key.text("target", target);
#if TENON_HAS_LLVM
  for (const std::string& file : codegen::files_opened_later()) key.file(file);
#endif
  key.text("threads here", std::to_string(thread_count()));
  // A model that is refused under other limits is no hit.
  for (const i64 n : {static_cast<i64>(limits.budget.nodes), static_cast<i64>(limits.budget.bytes),
                      static_cast<i64>(limits.budget.depth), static_cast<i64>(limits.follow_links)})
    key.text("limit", std::to_string(n));
  key.model(model, &cache);
  return key;
}

std::optional<cached_program> program_by_cache(const program_cache& cache, const std::string& model,
                                               const std::string& target, int threads, const input_options& given,
                                               context& cx) {
  if (!cache.on()) return std::nullopt;
  const importers::onnx::read_options& limits = given.limits;
  cache_key key = key_of_model(cache, "run", model, target, limits);
  key.text("threads", std::to_string(threads));
  if (!key.digest()) return std::nullopt;
  if (const cached_file found = cache.look_up(key)) {
    if (found.file->bytes() == none_in_one_piece) return std::nullopt;
    try {
      return cached_program{open_program(cache.read(key, found)), true};
    } catch (const error&) { cache.forget(key); }
  }
  importers::onnx::import_options import;
  import.budget = limits.budget, import.follow_links = limits.follow_links;
  try {
    const target_spec spec = find_target(target);
    compilation_request{.target = spec, .threads = threads}.configure(cx);
    bool is_whole = true;
    const cached_file kept = cache.keep_file(key, [&](const std::string& path) {
      auto m = importers::onnx::import_model(importers::onnx::load_model(model, limits), import);
      check_inputs(model, given, inputs_of_entry(m.body()));  // before it takes the time to compile
      return is_whole = save_whole_program(path, std::move(m), spec, cx);
    });
    if (!is_whole) cache.keep(key, none_in_one_piece);
    if (!kept) return std::nullopt;
    return cached_program{open_program(cache.read(key, kept)), false};
  } catch (const error&) { return std::nullopt; }  // a session knows more of the inputs, and says what is wrong
}

void add_cache(CLI::App& app, int& status) {
  struct asked {
    cache_options cache;
    words talk;
  };
  auto o = std::make_shared<asked>();
  CLI::App* sub = app.add_subcommand("cache", "show or clear what `run` and `build` compiled before");
  sub->require_subcommand(1);
  const auto options = [o](CLI::App* to) {
    to->add_option("--cache", o->cache.folder, "the folder; default: TENON_CACHE, or 'tenon' in the user's caches");
    add_words(*to, o->talk);
  };
  CLI::App* info = sub->add_subcommand("info", "where it is and how much is in it");
  options(info);
  info->callback([o, &status] {
    const program_cache cache = o->cache.open();
    words& talk = o->talk;
    if (!cache.on()) {
      talk.say("there is no cache: TENON_CACHE is off, or there is no home folder\n");
    } else {
      talk.say("folder {}\n", cache.settings().folder), talk.document["folder"] = cache.settings().folder;
      show_contents(talk, "", cache.contents());
      const u64 most = cache.settings().most_bytes;
      talk.say("at most {}\n", bytes_text(static_cast<i64>(most))), talk.document["most_bytes"] = most;
    }
    talk.finish();
    status = 0;
  });
  CLI::App* clear = sub->add_subcommand("clear", "remove all of it");
  options(clear);
  clear->callback([o, &status] {
    show_contents(o->talk, "removed ", o->cache.open().clear());
    o->talk.finish();
    status = 0;
  });
}

}  // namespace tenon::tool
