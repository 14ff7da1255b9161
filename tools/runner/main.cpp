// tenon-runner: runs a program file that `tenon build` made, and holds nothing else: no compiler, no importer, no
// interpreter.
//
//   tenon-runner PROGRAM [--threads N] [--load-times N] [INPUT.npy …] [-o FOLDER]
// Inputs come in order; those that are not given are zeros, where the program fixes their sizes. Each output is written
// to FOLDER/NAME.npy, or summed up.
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <tenon/definitions/runtime.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/runtime/program.hpp>

namespace {

double now_ms() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

constexpr const char* usage =
    "usage: tenon-runner PROGRAM [--threads N] [--load-times N] [INPUT.npy ...] [-o FOLDER]\n"
    "Inputs come in the program's order; those that are not given are zeros. -o writes each output to "
    "FOLDER/NAME.npy.\n";

int refuse(const char* option, const char* takes, const char* given) {
  const std::string what = given == nullptr ? "none was given" : "'" + std::string(given) + "' was given";
  return std::fprintf(stderr, "error: %s takes %s, and %s\n%s", option, takes, what.c_str(), usage), 2;
}
/// A number that may stand behind an option; -1: it is none.
int number_of(const char* text) {
  char* end = nullptr;
  const long n = std::strtol(text, &end, 10);
  return *text != '\0' && *end == '\0' && n >= 0 && n <= 100000 ? static_cast<int>(n) : -1;
}

/// Zeros for an input that no file was given for.
tenon::tensor zeros_for(const tenon::program& p, const tenon::port& input) {
  for (const tenon::i64 extent : input.shape)
    if (extent < 0)
      throw tenon::error("runner.input",
                         "input '" + input.name + "' is " + p.describe(input) + ", and nothing says its open sizes", {},
                         "give an array for it: tenon-runner PROGRAM INPUT.npy ...");
  return {input.type, input.shape};
}

int run(int argc, char** argv) {
  std::string path, folder;
  int threads = 0, load_times = 1;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* const next = i + 1 < argc ? argv[i + 1] : nullptr;
    if (word == "--threads" || word == "--load-times") {
      int& number = word == "--threads" ? threads : load_times;
      number = next == nullptr ? -1 : number_of(next);
      if (number < 0) return refuse(argv[i], "a number", next);
      ++i;
    } else if (word == "-o") {
      if (next == nullptr) return refuse("-o", "a folder", next);
      folder = argv[++i];
    } else if (word == "--help" || word == "-h") return std::fputs(usage, stdout) < 0;
    else if (word.starts_with('-')) return std::fprintf(stderr, "error: what is '%s'?\n%s", argv[i], usage), 2;
    else if (path.empty()) path = word;
    else files.push_back(word);
  }
  if (!folder.empty()) mkdir(folder.c_str(), 0777);  // where it cannot be made, writing says so
  if (path.empty()) return std::fputs(usage, stderr), 2;
  std::vector<double> times;
  for (int i = 1; i < load_times; ++i) {
    const double begin = now_ms();
    tenon::program::open(path);
    times.push_back(now_ms() - begin);
  }
  const double begin = now_ms();
  const tenon::program p = tenon::program::open(path);
  times.push_back(now_ms() - begin);
  std::sort(times.begin(), times.end());
  std::printf("loaded in %.2f ms\n", times[times.size() / 2]);

  std::vector<tenon::tensor> inputs;
  for (const std::string& file : files) inputs.push_back(tenon::read_npy(file));  // too many are an error of the run
  while (inputs.size() < p.inputs().size()) inputs.push_back(zeros_for(p, p.inputs()[inputs.size()]));
  const std::vector<tenon::tensor> outputs = p.run(inputs, threads);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = p.outputs()[i].name;
    double sum = 0;
    for (tenon::i64 k = 0; k < outputs[i].size(); ++k) sum += outputs[i].at_f64(k);
    std::printf("output %s %s, sum %.6g\n", name.c_str(), outputs[i].describe().c_str(), sum);
    std::string file = name;
    for (char& c : file) c = c == '/' ? '_' : c;
    if (!folder.empty()) tenon::write_npy(folder + "/" + file + ".npy", outputs[i]);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
