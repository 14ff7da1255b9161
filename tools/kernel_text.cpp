// Kernels as loops, LLVM IR and assembly.
#include "kernel_text.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include <tenon/text/print.hpp>
#if TENON_HAS_LLVM
#  include <tenon/compile/codegen.hpp>
#  include <tenon/ir/bind_symbols.hpp>
#endif

#include "common.hpp"
#include "profile_view.hpp"
#include "subject.hpp"

namespace tenon::tool {
namespace {

#if TENON_HAS_LLVM
/// The kernel that a function of the object belongs to: "k_NAME", or the body of one of its parallel loops,
/// "k_NAME.body.2".
std::string kernel_of(std::string_view function) {
  if (!function.starts_with("k_")) return {};
  function.remove_prefix(2);
  const size_t body = function.find(".body");
  return std::string(body == function.npos ? function : function.substr(0, body));
}

/// Calls f(line, without its end) for each line.
template <class F>
void for_each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Cuts a text into functions: `begins(line)` gives the name of one that begins there, `ends(line)` says whether it
/// ends.
template <class Begins, class Ends>
std::unordered_map<std::string, std::string> functions_of(std::string_view text, Begins&& begins, Ends&& ends) {
  std::unordered_map<std::string, std::string> found;
  std::string kernel;
  for_each_line(text, [&](std::string_view line) {
    if (kernel.empty())
      if (const std::string name = begins(line); !name.empty()) kernel = kernel_of(name);
    if (kernel.empty()) return;
    found[kernel].append(line) += '\n';
    if (ends(line)) kernel.clear();
  });
  return found;
}
std::unordered_map<std::string, std::string> llvm_functions(std::string_view text) {
  return functions_of(
      text,
      [](std::string_view line) -> std::string {
        const size_t at = line.find('@');
        if (!line.starts_with("define ") || at == line.npos) return {};
        const bool quoted = at + 1 < line.size() && line[at + 1] == '"';
        const size_t from = at + (quoted ? 2 : 1);
        return std::string(line.substr(from, line.find(quoted ? '"' : '(', from) - from));
      },
      [](std::string_view line) { return line == "}"; });
}
std::unordered_map<std::string, std::string> assembly_functions(std::string_view text) {
  return functions_of(
      text,
      [](std::string_view line) -> std::string {
        constexpr std::string_view type = "\t.type\t";
        const size_t end = line.find(",@function");
        return line.starts_with(type) && end != line.npos ? std::string(line.substr(type.size(), end - type.size()))
                                                          : std::string();
      },
      [](std::string_view line) { return line.starts_with("\t.size\t"); });
}
#endif

}  // namespace

kernel_texts texts_of_kernels(const ir::module& m, context& configured, bool code) {
  kernel_texts all;
  all.steps = ir::entry_steps(m, entry_of(m));
  std::unordered_map<std::string, size_t> number;
  for (size_t i = 0; i < all.steps.size(); ++i) {
    const function_id f = m.find_function(all.steps[i].name);
    if (!f || m[f].kind != ir::function_kind::kernel) continue;
    const auto [it, fresh] = number.try_emplace(all.steps[i].name, all.kernels.size());
    if (fresh) all.kernels.push_back({all.steps[i].name, {}, print(m, f, {.locations = false}), {}, {}});
    all.kernels[it->second].steps.push_back(i);
  }
#if TENON_HAS_LLVM
  if (!code) return all;
  codegen::options o = configured.get<codegen::options>();
  o.keep_text = true;
  ir::module numbered = m;
  ir::number_extents(numbered);
  const codegen::object_code made = codegen::emit_object(numbered, o);
  auto llvm = llvm_functions(made.ir), assembly = assembly_functions(made.assembly);
  for (kernel_text& k : all.kernels) k.llvm = std::move(llvm[k.name]), k.assembly = std::move(assembly[k.name]);
#else
  static_cast<void>(configured), static_cast<void>(code);
#endif
  return all;
}

std::vector<const kernel_text*> asked_kernels(const kernel_texts& all, const std::string& asked) {
  std::vector<const kernel_text*> found;
  std::vector<std::string> known;
  for (const kernel_text& k : all.kernels) {
    bool here = asked.empty() || k.name == asked;
    known.push_back(k.name);
    for (size_t s : k.steps)
      for (const std::string& place : all.steps[s].sources) {
        known.push_back(short_place(place));
        here = here || place == asked || known.back() == asked;
      }
    if (here) found.push_back(&k);
  }
  if (found.empty())
    throw error("build.kernel", fmt::format("no kernel is called '{}', or computes a node of that name", asked), {},
                suggestion(asked, known));
  return found;
}

std::string text_of(const kernel_texts& all, const std::vector<const kernel_text*>& shown, const std::string& what) {
  const std::string_view comment = what == "asm" ? "#" : what == "llvm" ? ";" : "//";
  std::string s;
  for (const kernel_text* k : shown) {
    s += fmt::format("{}{} kernel {}, called {}\n", s.empty() ? "" : "\n", comment, k->name,
                     counted(static_cast<i64>(k->steps.size()), "time"));
    for (size_t step : k->steps) {
      s += fmt::format("{}   {}:", comment, step);
      for (const std::string& place : all.steps[step].sources) s += " " + place;
      s += '\n';
    }
    s += what == "asm" ? k->assembly : what == "llvm" ? k->llvm : k->loops;
  }
  return s;
}

}  // namespace tenon::tool
