/// @file apart.cpp: steps of the code generator in processes of their own.
#include "apart.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#include <tenon/core/byte_stream.hpp>

#include "llvm.hpp"

namespace tenon::codegen {
namespace {

std::atomic<bool> apart{false};

constexpr int out_of_memory = 99;  ///< how a child says so: by its exit status, which takes no memory

/// Everything, or the reader is gone.
void send(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(to, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ::_exit(1);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}
/// What an answer begins with that is an error of a class.
enum error_class : char { any = 'E', of_usage = 'U', unsupported = 'C' };
error_class class_of(const error& e) {
  if (dynamic_cast<const usage_error*>(&e) != nullptr) return of_usage;
  return dynamic_cast<const unsupported_error*>(&e) != nullptr ? unsupported : any;
}
void send_error(int to, const error& e) {
  byte_writer out;
  out.bytes = class_of(e);
  out.text(e.code()), out.text(e.message()), out.text(e.where()), out.text(e.hint());
  send(to, out.bytes);
}

int child_output = -1;

constexpr size_t note_head = 3;  ///< 'N', and how many bytes follow: less than a pipe takes at once

[[noreturn]] void run_child(std::string (*step)(const void*), const void* data) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would read the answer
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  for (int s : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT}) std::signal(s, SIG_DFL);
  // Nothing is unwound: each way in which memory runs out ends this process at once.
  std::set_new_handler([] { ::_exit(out_of_memory); });
  llvm().on_failure([] { ::_exit(out_of_memory); },
                    [](const char* reason) {
                      send_error(child_output, error("codegen.internal", std::string("LLVM: ") + reason));
                      ::_exit(0);
                    });
  try {
    send(child_output, "R" + step(data));
  } catch (const error& e) { send_error(child_output, e); } catch (const std::bad_alloc&) {
    ::_exit(out_of_memory);
  } catch (const std::exception& e) {
    send_error(child_output, error("codegen.process", std::string("the code generator: ") + e.what(), "",
                                   "the system may be out of memory or threads"));
  } catch (...) {
    ::_exit(1);  // nothing leaves: above is what the process did before it was forked
  }
  ::_exit(0);
}

struct descriptor {
  int fd;
  explicit descriptor(int f) : fd(f) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() { close(); }
  void close() {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};
/// Does not outlive this.
struct child_process {
  pid_t id;
  explicit child_process(pid_t p) : id(p) {}
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;
  ~child_process() {
    if (id <= 0) return;
    ::kill(id, SIGKILL);
    wait();
  }
  int wait() {
    int status = 0;
    while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {}
    id = -1;
    return status;
  }
};

}  // namespace

void make_code_apart(bool on) { apart = on; }
bool makes_code_apart() { return apart; }

void note_apart(std::string_view bytes) {
  bytes = bytes.substr(0, 4000);
  std::string note{'N', static_cast<char>(bytes.size() & 0xff), static_cast<char>(bytes.size() >> 8)};
  send(child_output, note.append(bytes));
}

std::string run_apart(const char* what, std::string (*step)(const void*), const void* data,
                      const std::function<void(std::string_view)>& noted) {
  const auto fail = [&](const char* code, const std::string& why, const char* hint) {
    throw error(code, std::string(what) + ": " + why, {}, hint);
  };
  int ends[2];
  if (::pipe(ends) != 0)
    fail("codegen.process", std::string("no pipe to a process of its own: ") + std::strerror(errno),
         "close files, or allow more");
  descriptor in(ends[0]), out(ends[1]);
  llvm();  // opened once, not by each fork
  const pid_t id = ::fork();
  if (id < 0)
    fail("codegen.process", std::string("no process of its own: ") + std::strerror(errno),
         "free memory, or allow more processes");
  if (id == 0) {
    ::close(in.fd);
    child_output = out.fd;
    run_child(step, data);
  }
  child_process child(id);
  out.close();
  std::string answer;
  char block[1 << 14];
  for (;;) {
    const ssize_t n = ::read(in.fd, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    answer.append(block, static_cast<size_t>(n));
    while (answer.size() >= note_head && answer[0] == 'N') {  // the answer itself comes behind all notes
      const size_t size = static_cast<unsigned char>(answer[1]) + (size_t{static_cast<unsigned char>(answer[2])} << 8);
      if (answer.size() < note_head + size) break;
      if (noted) noted(std::string_view(answer).substr(note_head, size));
      answer.erase(0, note_head + size);
    }
  }
  const int status = child.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == out_of_memory)
    fail("codegen.memory", "there is not enough memory to make the code",
         "allow more, or use a smaller model or --target interpreter");
  if (WIFSIGNALED(status))
    fail("codegen.process",
         "its process ended by signal " + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")",
         WTERMSIG(status) == SIGKILL ? "the system may be out of memory"
                                     : "if there is memory enough, this is a mistake of the code generator");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.empty())
    fail("codegen.process", "its process ended without an answer", "");
  if (answer[0] == any || answer[0] == of_usage || answer[0] == unsupported) {
    byte_reader table(std::string_view(answer).substr(1), "codegen.process", what, "");
    const std::string code = table.text(), message = table.text(), where = table.text(), hint = table.text();
    if (answer[0] == of_usage) throw usage_error(code, message, where, hint);
    if (answer[0] == unsupported) throw unsupported_error(code, message, where, hint);
    throw error(code, message, where, hint);
  }
  return answer.substr(1);
}

}  // namespace tenon::codegen
