/// @file completion: what shells and `man` know of the command line, from its own table of options.
#pragma once

namespace CLI { class App; }

namespace tenon::tool {

/// `completion bash|zsh|fish` and `man`: scripts and a page on the standard output. `app` has all its commands by then.
void add_completion(CLI::App& app, int& status);
/// As `add_completion`.
void add_man(CLI::App& app, int& status);

}  // namespace tenon::tool
