/// @file survives: runs what may crash in processes of its own, and says which one did.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>

#include <tenon/core/error.hpp>

namespace tenon::testing {

/// Runs `one(i)` for i in [0, count) in batches, each in a process of its own; says which one did not end well. A
/// tenon::error is a good end.
template <class F>
std::string survives(int count, F&& one) {
  const int batch = 200;
  for (int from = 0; from < count; from += batch) {
    std::fflush(nullptr);
    int progress[2];
    if (pipe(progress) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
      close(progress[0]);
      for (int s : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM})
        std::signal(s, SIG_DFL);  // doctest has handlers
      int result = 0;
      for (int i = from; i < std::min(count, from + batch) && result == 0; ++i) {
        alarm(20);
        if (write(progress[1], &i, sizeof i) != sizeof i) result = 3;
        try {
          one(i);
        } catch (const error&) {
        } catch (const std::exception& e) {
          std::fprintf(stderr, "number %d: %s\n", i, e.what());
          result = 2;
        } catch (...) { result = 2; }
      }
      _exit(result);
    }
    close(progress[1]);
    int last = -1, i = 0;
    while (read(progress[0], &i, sizeof i) == sizeof i) last = i;
    close(progress[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) return "number " + std::to_string(last) + ": signal " + std::to_string(WTERMSIG(status));
    if (WEXITSTATUS(status) != 0) return "number " + std::to_string(last) + ": an exception that is no tenon::error";
  }
  return "";
}

}  // namespace tenon::testing
