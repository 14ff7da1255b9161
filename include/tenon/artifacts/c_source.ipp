/// @file c_source.ipp: running the system's C compiler.
#pragma once

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <tenon/artifacts/c_source.hpp>
#include <tenon/core/mapped_file.hpp>

extern char** environ;

namespace tenon {
namespace detail {

inline std::string c_compiler() {
  const char* named = std::getenv("CC");
  return named != nullptr && *named != '\0' ? named : "cc";
}

/// Runs a program and waits for it: its exit status, or -1 when it could not be started. Output goes to `log`.
inline int run_program(const std::vector<std::string>& words, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, 1, log.c_str(), 0x241 /* write, create, truncate */, 0600);
  ::posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t child = 0;
  const int started = ::posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (started != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/// A folder that goes away with all that was put into it.
struct temporary_folder {
  std::string path;
  std::vector<std::string> files;
  temporary_folder() {
    const char* base = std::getenv("TMPDIR");
    path = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/tenonXXXXXX";
    if (::mkdtemp(path.data()) == nullptr)
      throw file_error("io.write", "cannot make a folder '" + path + "': " + std::strerror(errno), {},
                       "check TMPDIR and the free space there");
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    for (const std::string& f : files) ::unlink(f.c_str());
    ::rmdir(path.c_str());
  }
  std::string file(const char* name) { return files.emplace_back(path + "/" + name); }
};

}  // namespace detail

bool has_c_compiler() { return detail::run_program({detail::c_compiler(), "--version"}, "/dev/null") == 0; }

artifact<formats::elf_shared> formats::c_source::link(const artifact<c_source>& a, int optimize,
                                                      std::span<const std::pair<std::string, u64>> symbols) {
  detail::temporary_folder folder;
  const std::string source = folder.file("code.c"), shared = folder.file("code.so"), log = folder.file("log");
  write_atomically(source, std::string_view(a.bytes().data(), a.bytes().size()));
  const std::string compiler = detail::c_compiler();
  // A product and a sum stay apart, so that results do not depend on the processor: -std=c11 says so to some compilers.
  std::vector<std::string> words = {compiler,
                                    "-std=c11",
                                    "-ffp-contract=off",
                                    "-O" + std::to_string(optimize),
                                    "-w",
                                    "-shared",
                                    "-fPIC",
                                    source,
                                    "-o",
                                    shared,
                                    "-lm"};
  for (const auto& [name, value] : symbols) words.push_back("-Wl,--defsym=" + name + "=" + std::to_string(value));
  const int status = detail::run_program(words, log);
  if (status == -1 || status == 127)
    throw error("artifact.compiler", "cannot run the C compiler '" + compiler + "'", {},
                "install one, or name it by CC");
  if (status != 0) {
    const mapped_file said(log);
    throw error("artifact.compiler", "'" + compiler + "' does not take the source of '" + a.symbol() +
                                         "': " + std::string(said.bytes().substr(0, 500)));
  }
  const mapped_file code(shared);
  return {a.symbol(), a.target(), {code.bytes().begin(), code.bytes().end()}, a.producer()};
}

}  // namespace tenon
