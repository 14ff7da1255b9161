// Processes for what may crash or hang.
#include "process.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include <tenon/core/error.hpp>

namespace tenon::tool {

ended in_process(int seconds, const std::function<void(const std::function<void(const std::string&)>& say)>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw error("io.pipe", "no pipe to a process can be made");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw error("io.fork", "no process can be made");
  if (child == 0) {
    close(ends[0]);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    work([&](const std::string& line) {
      const std::string text = line + "\n";
      for (size_t at = 0; at < text.size();) {
        const ssize_t n = write(ends[1], text.data() + at, text.size() - at);
        if (n <= 0) _exit(3);
        at += static_cast<size_t>(n);
      }
    });
    _exit(0);
  }
  close(ends[1]);
  ended e;
  // The limit is for the time between two lines.
  auto last = std::chrono::steady_clock::now();
  for (;;) {
    pollfd wait{ends[0], POLLIN, 0};
    poll(&wait, 1, 200);
    if (wait.revents) {
      char buffer[4096];
      const ssize_t n = read(ends[0], buffer, sizeof buffer);
      if (n <= 0) break;
      e.said.append(buffer, static_cast<size_t>(n));
      last = std::chrono::steady_clock::now();
    } else if (std::chrono::steady_clock::now() - last > std::chrono::seconds(seconds)) {
      kill(child, SIGKILL);
      e.how = "ran for more than " + std::to_string(seconds) + " s";
      break;
    }
  }
  close(ends[0]);
  int state = 0;
  waitpid(child, &state, 0);
  if (e.how.empty() && WIFSIGNALED(state))
    e.crashed = true, e.how = "crashed with signal " + std::to_string(WTERMSIG(state));
  if (e.how.empty() && (!WIFEXITED(state) || WEXITSTATUS(state) != 0))
    e.how = "ended with exit status " + std::to_string(WEXITSTATUS(state));
  return e;
}

}  // namespace tenon::tool
