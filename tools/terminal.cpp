// What is shown on a terminal.
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include <fmt/format.h>

#include <tenon/compile/codegen/progress.hpp>
#include <tenon/compile/instrument.hpp>

#include "common.hpp"

namespace tenon::tool {
namespace {

constexpr double moment_ms = 300;  ///< what takes no longer shows no line
constexpr double plain_ms = 5000;  ///< between two lines of a log

bool is_set(const char* variable) {
  const char* s = std::getenv(variable);
  return s != nullptr && *s != '\0';
}
bool on_terminal() {
  static const bool is = ::isatty(STDERR_FILENO) == 1 && std::getenv("TERM") != std::string_view("dumb");
  return is;
}
bool in_colour() {
  static const bool is = on_terminal() && !is_set("NO_COLOR");
  return is;
}

/// At once, past the buffers of what is printed.
void write_out(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(STDERR_FILENO, text.data() + at, text.size() - at);
    if (n <= 0) return;  // nobody reads it, and no result is lost
    at += static_cast<size_t>(n);
  }
}
size_t columns() {
  winsize w{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : 80;
}

/// An instrument. A thread draws the line, so that it says how long a pass takes while the pass runs.
class progress_line {
 public:
  progress_line() = default;
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  ~progress_line() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
      erase();
    }
    changed_.notify_all();
    if (drawer_.joinable()) drawer_.join();
  }

  void name(std::string_view what) {
    const std::lock_guard lock(mutex_);
    what_ = what;
    begun_ = 0;
  }
  void before(const pass_event& e) {
    if (e.depth != 0) return;
    const std::lock_guard lock(mutex_);
    pass_begun_ = now_ms();
    if (begun_ == 0) begun_ = said_ = pass_begun_;
    pass_ = e.pass, phase_ = e.phase, at_ = e.at, count_ = e.end;
    code_ = {};
    if (on_terminal()) {
      runs_ = true;
      if (!drawer_.joinable()) drawer_ = std::thread([this] { draw(); });
      changed_.notify_all();
    } else {
      say_plainly(pass_begun_);
    }
  }
  /// Of the pass that runs: what LLVM does.
  void code(const codegen::progress& p) {
    const std::lock_guard lock(mutex_);
    code_ = p;
    if (!on_terminal() && begun_ != 0) say_plainly(now_ms());
  }
  void after(const pass_event& e) {
    if (e.depth == 0 && e.at + 1 == e.end) hide();
  }
  void skipped(const pass_event& e) { after(e); }
  void failed(const pass_event& e, const std::exception&) {
    if (e.depth == 0) hide();
  }
  void hide() {
    const std::lock_guard lock(mutex_);
    runs_ = false;
    erase();
  }

 private:
  /// " 62 % compiled: tile (lowering, pass 17 of 27), 3.2 s"; while code is made, short enough for 80 columns:
  /// " 98 % compiled: generate_code (built), 3.2 s; code 41 %, conv_maximum_7"
  std::string text(double now) const {
    const double part = code_.all == 0 ? 0 : static_cast<double>(code_.done) / static_cast<double>(code_.all);
    const double share = (static_cast<double>(at_) + part) / static_cast<double>(std::max<size_t>(count_, 1));
    const auto percent = [](double of_one) { return static_cast<int>(100 * of_one); };
    std::string place = phase_, code;
    if (code_.kernel.empty()) place += fmt::format(", pass {} of {}", at_ + 1, count_);
    else code = fmt::format("; code {} %, {}", percent(part), code_.kernel);
    return fmt::format("{}{:3} % compiled: {} ({}), {:.1f} s{}", what_.empty() ? "" : what_ + ": ", percent(share),
                       pass_, place, (now - pass_begun_) / 1000, code);
  }
  void say_plainly(double now) {
    if (now - said_ <= plain_ms) return;
    write_out(text(now) + "\n");
    said_ = now;
  }
  void erase() {
    if (shown_) write_out("\r\x1b[K");
    shown_ = false;
  }
  void draw() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
      if (!runs_) {
        changed_.wait(lock);
        continue;
      }
      const double now = now_ms();
      if (now - begun_ > moment_ms) {
        const std::string line = text(now).substr(0, columns() - 1);
        write_out(in_colour() ? "\r\x1b[K\x1b[2m" + line + "\x1b[0m" : "\r\x1b[K" + line);
        shown_ = true;
      }
      changed_.wait_for(lock, std::chrono::milliseconds(100));
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread drawer_;
  std::string what_, pass_, phase_;
  codegen::progress code_;
  size_t at_ = 0, count_ = 0;
  double begun_ = 0, pass_begun_ = 0, said_ = 0;  ///< 0: nothing began yet
  bool runs_ = false, shown_ = false, ends_ = false;
};

/// A process has one terminal.
progress_line& line() {
  static progress_line the;
  return the;
}

}  // namespace

void show_progress(context& cx) {
  attach(cx, line());
  cx.set(codegen::progress_reader{
      &line(), [](void* it, const codegen::progress& p) { static_cast<progress_line*>(it)->code(p); }});
}
void progress_of(std::string_view what) { line().name(what); }

std::string_view error_word() {
  line().hide();
  return in_colour() ? "\x1b[1;31merror:\x1b[0m" : "error:";
}
std::string_view warning_word() {
  line().hide();
  return in_colour() ? "\x1b[1;33mwarning:\x1b[0m" : "warning:";
}

std::string_view note_word() {
  line().hide();
  return in_colour() ? "\x1b[1;36mnote:\x1b[0m" : "note:";
}

}  // namespace tenon::tool
