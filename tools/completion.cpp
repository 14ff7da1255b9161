// `tenon completion` and `tenon man`.
#include "completion.hpp"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/core/error.hpp>
#include <tenon/core/version.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon::tool {
namespace {

/// An option as a shell sees it.
struct shown_option {
  std::vector<std::string> longs, shorts;
  std::string text, positional;
  bool takes_value = false;
};
struct shown_command {
  std::string name, text, footer;
  std::vector<shown_option> options;
};

std::vector<shown_command> commands_of(const CLI::App& app) {
  std::vector<shown_command> r;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    shown_command c{sub->get_name(), sub->get_description(), sub->get_footer(), {}};
    for (const CLI::Option* o : sub->get_options())
      c.options.push_back({o->get_lnames(), o->get_snames(), o->get_description(),
                           o->get_positional() ? o->get_name(true) : "", o->get_expected_max() > 0});
    r.push_back(std::move(c));
  }
  return r;
}

/// With each of some characters after a backslash, or doubled.
std::string escaped(std::string_view text, std::string_view special, char with = '\\') {
  std::string s;
  for (char c : text) {
    if (special.find(c) != special.npos) s += with;
    s += c == '\n' ? ' ' : c;
  }
  return s;
}
/// In single quotes, as all three shells read it.
std::string in_quotes(std::string_view text) {
  std::string s = "'";
  for (char c : text)
    if (c == '\'') s += "'\\''";
    else s += c == '\n' ? ' ' : c;
  return s + "'";
}
std::string words_of(const shown_command& c) {
  std::string s;
  for (const shown_option& o : c.options) {
    for (const std::string& n : o.longs) s += (s.empty() ? "--" : " --") + n;
    for (const std::string& n : o.shorts) s += (s.empty() ? "-" : " -") + n;
  }
  return s;
}
std::string targets_known() {
  std::string s;
  for (const target_entry* e : registered_entries()) s += (s.empty() ? "" : " ") + std::string(e->name);
  for (const target_tag& t : target_tags()) s += " " + t.name;
  return s;
}

std::string bash_of(const std::string& name, const std::vector<shown_command>& all) {
  std::string names, cases;
  for (const shown_command& c : all) {
    names += (names.empty() ? "" : " ") + c.name;
    cases += fmt::format("    {}) words=\"{}\" ;;\n", c.name, words_of(c));
  }
  return fmt::format(R"(# bash completion for {0}: . <({0} completion bash)
_{0}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{1} help --help --version" -- "$current"))
    return
  fi
  if [ "$before" = --target ]; then
    COMPREPLY=($(compgen -W "{2}" -- "$current"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
    help) words="{1}" ;;
{3}  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}}
complete -o filenames -F _{0} {0}
)",
                     name, names, targets_known(), cases);
}

std::string zsh_of(const std::string& name, const std::vector<shown_command>& all) {
  std::string names, cases;
  for (const shown_command& c : all) {
    names += fmt::format("    {}\n", in_quotes(c.name + ":" + escaped(c.text, ":")));
    cases += fmt::format("    {})\n      _arguments", c.name);
    for (const shown_option& o : c.options) {
      const std::string text = "[" + escaped(o.text, "[]:\\") + "]";
      const std::string value = !o.takes_value                                  ? ""
                                : o.longs == std::vector<std::string>{"target"} ? ":target:(" + targets_known() + ")"
                                                                                : ":value:_files";
      for (const std::string& n : o.longs) cases += " \\\n        " + in_quotes("--" + n + text + value);
      for (const std::string& n : o.shorts) cases += " \\\n        " + in_quotes("-" + n + text + value);
      if (!o.positional.empty()) cases += " \\\n        " + in_quotes("*:" + escaped(o.positional, ":") + ":_files");
    }
    cases += "\n      ;;\n";
  }
  return fmt::format(R"(#compdef {0}
# zsh completion for {0}: {0} completion zsh > "${{fpath[1]}}/_{0}"
_{0}() {{
  local -a commands
  commands=(
{1}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{2}  esac
}}
if [ "$funcstack[1]" = "_{0}" ]; then _{0} "$@"; else compdef _{0} {0}; fi
)",
                     name, names, cases);
}

std::string fish_of(const std::string& name, const std::vector<shown_command>& all) {
  std::string s = fmt::format("# fish completion for {0}: {0} completion fish | source\n", name);
  for (const shown_command& c : all) {
    s += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", name, c.name, in_quotes(c.text));
    for (const shown_option& o : c.options) {
      if (o.longs.empty() && o.shorts.empty()) continue;
      s += fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", name, c.name);
      for (const std::string& n : o.longs) s += " -l " + n;
      for (const std::string& n : o.shorts) s += " -s " + n;
      if (o.longs == std::vector<std::string>{"target"}) s += " -x -a " + in_quotes(targets_known());
      else if (o.takes_value) s += " -r";
      s += " -d " + in_quotes(o.text) + "\n";
    }
  }
  return s;
}

/// Text for roff: a line that begins with a control character is text all the same.
std::string roff(std::string_view text) {
  std::string s;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((i == 0 || text[i - 1] == '\n') && (text[i] == '.' || text[i] == '\'')) s += "\\&";
    if (text[i] == '\\') s += "\\e";
    else if (text[i] == '-') s += "\\-";
    else s += text[i];
  }
  return s;
}
std::string man_of(const CLI::App& app, const std::string& name, const std::vector<shown_command>& all) {
  std::string upper;
  for (char c : name) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string what = app.get_description();  // "tenon compiles …": the name stands before it
  if (what.starts_with("tenon ")) what.erase(0, 6);
  std::string s = fmt::format(".TH {} 1 \"\" \"tenon {}.{}.{}\"\n.SH NAME\n{} \\- {}\n", upper, version_major,
                              version_minor, version_patch, roff(name), roff(what));
  s += fmt::format(".SH SYNOPSIS\n.B {}\n.I COMMAND\n[\n.I OPTION\n\\&...]\n.SH COMMANDS\n", roff(name));
  for (const shown_command& c : all) {
    s += ".SS " + roff(c.name) + "\n" + roff(c.text) + "\n";
    for (const shown_option& o : c.options) {
      std::string names;
      for (const std::string& n : o.shorts) names += (names.empty() ? "-" : ", -") + n;
      for (const std::string& n : o.longs) names += (names.empty() ? "--" : ", --") + n;
      if (!o.positional.empty()) names = o.positional;
      s += fmt::format(".TP\n.B \"{}{}\"\n{}\n", roff(names), o.takes_value && o.positional.empty() ? " VALUE" : "",
                       roff(o.text));
    }
    if (!c.footer.empty()) s += ".PP\n.nf\n" + roff(c.footer) + "\n.fi\n";
  }
  return s + ".SH NOTES\n.nf\n" + roff(app.get_footer()) + "\n.fi\n";
}

}  // namespace

void add_completion(CLI::App& app, int& status) {
  auto shell = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("completion", "a script that completes this command line in a shell");
  sub->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  sub->footer(
      "Examples:\n  . <(tenon completion bash)\n  tenon completion fish > ~/.config/fish/completions/tenon.fish");
  sub->callback([&app, shell, &status] {
    const std::vector<shown_command> all = commands_of(app);
    const std::string& name = app.get_name();
    fmt::print("{}", *shell == "bash" ? bash_of(name, all) : *shell == "zsh" ? zsh_of(name, all) : fish_of(name, all));
    status = 0;
  });
}

void add_man(CLI::App& app, int& status) {
  app.add_subcommand("man", "the manual page of this command line: tenon man | man -l -")->callback([&app, &status] {
    fmt::print("{}", man_of(app, app.get_name(), commands_of(app)));
    status = 0;
  });
}

}  // namespace tenon::tool
