/// @file terminal: what is shown on a terminal: how far a compilation is, and errors in colour.
///
/// Progress is a line on stderr, so that results can go to a file: which pass runs, and what of its code is made. It
/// appears when passes take longer than a moment, and is gone when they end. Where stderr is no terminal, a plain line
/// is printed every few seconds, for those who read a log. There is no colour where NO_COLOR is set (no-color.org), and
/// neither colour nor line where TERM is "dumb".
#pragma once

#include <string_view>

namespace tenon { class context; }

namespace tenon::tool {

/// Shows the passes that run in this context, those of the outermost list. Nothing may be printed while they run.
void show_progress(context& cx);
/// Which of several things is worked on, such as "model 3 of 20"; the line begins with it.
void progress_of(std::string_view what);

/// "error:", "warning:" and "note:", in colour on a terminal; the line of progress is gone then.
std::string_view error_word();
std::string_view warning_word();
std::string_view note_word();

}  // namespace tenon::tool
