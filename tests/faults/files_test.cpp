// The system refuses what is asked of it at some byte or call: files are whole or as they were, and the error names
// them.
#include <doctest/doctest.h>

#include <csignal>
#include <cstdio>
#include <filesystem>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <tenon/compile/session.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/text/parse.hpp>

#include "support/caught.hpp"

using namespace tenon;
using testing::caught;
using testing::code_of;

namespace {

/// While it lives, the process may have no more of something.
struct resource_limit {
  int what;
  rlimit before{};
  resource_limit(int w, rlim_t most) : what(w) {
    getrlimit(static_cast<__rlimit_resource_t>(what), &before);
    rlimit less = before;
    less.rlim_cur = most;
    setrlimit(static_cast<__rlimit_resource_t>(what), &less);
  }
  resource_limit(const resource_limit&) = delete;
  resource_limit& operator=(const resource_limit&) = delete;
  ~resource_limit() { setrlimit(static_cast<__rlimit_resource_t>(what), &before); }
};

struct scratch {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tenon_file_faults_" + std::to_string(getpid()));
  scratch() { std::filesystem::create_directories(folder); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() { std::filesystem::remove_all(folder); }
  std::string path(const char* name) const { return (folder / name).string(); }
  size_t files() const {
    size_t n = 0;
    for (const auto& e : std::filesystem::directory_iterator(folder)) n += e.exists() ? 1 : 0;
    return n;
  }
};

std::string content(const std::string& path) { return std::string(mapped_file(path).bytes()); }

ir::module some_module() {
  return parse(
      "tenon.module phase=optimization\nfunc entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>) inputs(\"x\") "
      "outputs(\"y\") {\n  return(%x)\n}\n");
}

/// Everything that writes a file of the library, by name.
struct file_writer {
  const char* name;
  void (*write)(const std::string& path);
};
const file_writer writers[] = {
    {"npy", [](const std::string& p) { write_npy(p, tensor(dtype::f32, {50})); }},
    {"pb", [](const std::string& p) { importers::onnx::write_tensor_pb(p, tensor(dtype::f32, {50}), "t"); }},
    {"module", [](const std::string& p) { save_module(p, some_module(), "optimization"); }},
    {"program", [](const std::string& p) { save_program(p, {}, std::string(100, 'c'), "main"); }},
    {"bundle",
     [](const std::string& p) {
       bundle b;
       b.kind = "module", b.target = "interpreter", b.phase = "optimization", b.module = some_module();
       save_bundle(p, b);
     }},
};

}  // namespace

TEST_CASE("a disk that is full after n bytes leaves the file that was there") {
  const scratch folder;
  std::signal(SIGXFSZ, SIG_IGN);  // else the system ends a process that writes beyond its limit
  for (const file_writer& w : writers) {
    const std::string path = folder.path("file");
    w.write(path);
    const std::string whole = content(path);
    write_file(path, "before");
    for (size_t most = 0; most < whole.size(); most += 1 + most / 8) {
      const error e = [&] {
        const resource_limit limit(RLIMIT_FSIZE, most);
        return caught([&] { w.write(path); });
      }();
      CHECK_MESSAGE(e.code() == "io.write", w.name << " after " << most << ": " << e.what());
      CHECK_MESSAGE(std::string(e.what()).find(path) != std::string::npos, w.name << ": " << e.what());
      CHECK_MESSAGE(content(path) == "before", w.name << " after " << most);
      CHECK_MESSAGE(folder.files() == 1, w.name << " after " << most);
    }
    w.write(path);
    CHECK(content(path) == whole);
  }
}

TEST_CASE("a device that is full, a folder, a folder that is not there") {
  const scratch folder;
  for (const file_writer& w : writers)
    for (const std::string& path : {std::string("/dev/full"), folder.folder.string(), folder.path("no/such/file")}) {
      const error e = caught([&] { w.write(path); });
      CHECK_MESSAGE(e.code() == "io.write", w.name << ": " << e.what());
      CHECK_MESSAGE(std::string(e.what()).find(path) != std::string::npos, w.name << ": " << e.what());
    }
  CHECK(folder.files() == 0);
}

TEST_CASE("no descriptor is left: nothing can be opened, and nothing is lost") {
  const scratch folder;
  for (const file_writer& w : writers) {
    const std::string path = folder.path(w.name);
    w.write(path);
    const std::string whole = content(path);
    const int next = ::dup(0);
    ::close(next);
    {
      const resource_limit limit(RLIMIT_NOFILE, static_cast<rlim_t>(next));
      CHECK_MESSAGE(code_of([&] { w.write(path); }) == "io.write", w.name);
      CHECK_MESSAGE(code_of([&] { mapped_file f(path); }) == "io.open", w.name);
    }
    CHECK_MESSAGE(content(path) == whole, w.name);
  }
  CHECK(folder.files() == std::size(writers));
}

TEST_CASE("every beginning of a file is refused") {
  const scratch folder;
  for (const file_writer& w : writers) {
    const std::string path = folder.path("file");
    w.write(path);
    const std::string whole = content(path);
    const auto read = [&] {
      if (w.name == std::string_view("npy")) read_npy(path);
      else if (w.name == std::string_view("pb")) importers::onnx::read_tensor_pb(path);
      else if (w.name == std::string_view("module")) load_module(path);
      else if (w.name == std::string_view("program")) read_program(path);
      else read_bundle(path);
    };
    CHECK_MESSAGE(code_of(read) == "none", w.name);
    for (size_t n = 0; n < whole.size(); n += 1 + n / 64) {
      write_file(path, whole.substr(0, n));
      CHECK_MESSAGE(code_of(read) != "none", w.name << ", " << n << " of " << whole.size() << " bytes");
    }
  }
}
