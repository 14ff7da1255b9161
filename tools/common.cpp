// What the subcommands share.
#include "common.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/compile/session.hpp>
#include <tenon/core/nearest.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/targets/composite.hpp>

namespace tenon::tool {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

void check_target(const std::string& text) {
#if !TENON_HAS_LLVM
  if (parse_target(text).name == "cpu")
    throw usage_error("target.unknown", "target 'cpu' is not in this build of tenon: it needs LLVM", {},
                      fmt::format("use --target {} or c_source", default_target));
#endif
  // Options are read now, so that a wrong one is said before a model is.
  context cx;
  const target_spec spec = find_target(text);
  if (spec.members.empty()) return find_entry(spec.name).configure(spec, 0, cx);
  for (const linked_member& m : members_of(spec)) m.entry->configure(m.spec, 0, cx);
}

namespace { std::string own_name = "tenon"; }
void set_own_name(std::string name) { own_name = std::move(name); }
std::string in_own_name(std::string text) {
  for (size_t at = text.find("tenon "); own_name != "tenon" && at != text.npos;
       at = text.find("tenon ", at + own_name.size()))
    if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == '`') text.replace(at, 5, own_name);
  return text;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  constexpr size_t most = 24;
  std::vector<std::string> once;
  for (const std::string& k : known)
    if (std::find(once.begin(), once.end(), k) == once.end()) once.push_back(k);
  const std::string all = nearest(name, once);
  if (once.size() <= most || all.starts_with("did you mean")) return all;
  const size_t more = once.size() - most;
  once.resize(most);
  return fmt::format("{} and {} more", nearest(name, once), more);
}

std::pair<std::string, std::string> split_assignment(const std::string& text, std::string_view option,
                                                     std::string_view form) {
  const size_t at = text.find('=');
  if (at == std::string::npos || at == 0)
    throw usage_error("usage", fmt::format("{} takes {}, and '{}' was given", option, form, text), {},
                      form.starts_with("NAME=") ? "tenon info MODEL lists the names" : "");
  return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<i64> parse_shape(const std::string& text, std::string_view option) {
  std::vector<i64> shape;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find_first_of("x,", at), text.size());
    i64 extent = 0;
    bool good = end > at && end - at <= 15;
    for (size_t i = at; good && i < end; ++i) {
      good = text[i] >= '0' && text[i] <= '9';
      extent = extent * 10 + (text[i] - '0');
    }
    if (!good)
      throw usage_error("usage", fmt::format("{} takes a shape such as 1x3x224x224, and '{}' was given", option, text));
    shape.push_back(extent);
    at = end + 1;
  }
  return shape;
}

void require_file(const std::string& path, const std::string& hint) {
  std::error_code failed;
  const std::filesystem::file_status there = std::filesystem::status(path, failed);
  if (std::filesystem::is_regular_file(there)) return;
  if (std::filesystem::is_directory(there))
    throw file_error("io.open", "'" + path + "' is a folder, not a file", {}, hint);
  if (std::filesystem::exists(there)) throw file_error("io.open", "'" + path + "' is no regular file", {}, hint);
  if (there.type() == std::filesystem::file_type::none)
    throw file_error("io.open", "cannot look for '" + path + "': " + failed.message(), {}, hint);
  throw file_error("io.open", "there is no file '" + path + "'", {}, hint);
}

void make_folder(const std::string& path, std::string_view option) {
  std::error_code failed, ignored;
  std::filesystem::create_directories(path, failed);
  if (!failed && std::filesystem::is_directory(path, ignored)) return;
  const std::string why = std::filesystem::exists(path, ignored) ? "there is a file of that name" : failed.message();
  throw file_error("io.write", fmt::format("{} names the folder '{}', which cannot be made: {}", option, path, why), {},
                   "name a folder that you may write to");
}

void check_is_file(const std::string& output) {
  if (output == "-")
    throw usage_error("usage", "what is made here is written to a file, and '-' is the standard output", {},
                      "name a file; one of that name is ./-");
}

void check_output(const std::string& input, const std::string& output) {
  check_is_file(output);
  std::error_code failed;
  if (std::filesystem::equivalent(input, output, failed) && !failed)
    throw usage_error("usage", fmt::format("'{}' is what is read, and would be overwritten", output), {},
                      "give --output another name");
  if (std::filesystem::is_directory(output, failed))
    throw file_error("io.write", fmt::format("cannot write '{}': it is a folder", output), {}, "name a file in it");
  const std::string parent = std::filesystem::path(output).parent_path().string();
  const std::string folder = parent.empty() ? "." : parent;
  if (!std::filesystem::is_directory(folder, failed))
    throw file_error("io.write", fmt::format("cannot write '{}': there is no folder '{}'", output, folder), {},
                     "make it: mkdir -p " + folder);
  if (::access(folder.c_str(), W_OK) != 0)
    throw file_error("io.write", fmt::format("cannot write '{}': {}", output, std::strerror(errno)), {},
                     "name a file in a folder that you may write to");
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw file_error("io.open", "cannot read '" + path + "': " + std::strerror(errno), {},
                     "check the path and its permissions");
  std::string text;
  std::error_code unknown;  // the size of what is no regular file
  const auto size = std::filesystem::file_size(path, unknown);
  if (!unknown) text.reserve(size);
  char part[1 << 16];
  while (file.read(part, sizeof part), file.gcount() > 0) text.append(part, static_cast<size_t>(file.gcount()));
  return text;
}

bool is_tensor_file(const std::string& path) { return ends_with(path, ".npy") || ends_with(path, ".pb"); }

tensor read_tensor(const std::string& path) {
  if (ends_with(path, ".npy")) return read_npy(path);
  if (ends_with(path, ".pb")) return importers::onnx::read_tensor_pb(path);
  throw usage_error("usage", "'" + path + "' is not a tensor file that tenon reads", {},
                    ends_with(path, ".npz")
                        ? "save each of its arrays as a file of its own: numpy.save(\"x.npy\", arrays[\"x\"])"
                        : "give a .npy file, as numpy.save writes it, or an ONNX TensorProto as .pb");
}

std::string file_name_of(std::string_view name) {
  // Letters beyond ASCII stay, whole; names of files end at 255 bytes.
  constexpr size_t most = 200;
  std::string s;
  for (char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                       c == '-' || static_cast<unsigned char>(c) >= 0x80;
    s += plain ? c : '_';
  }
  if (s.size() > most) {
    size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(s[end]) & 0xc0) == 0x80) --end;
    s.resize(end);
  }
  return s.empty() || s[0] == '.' ? "_" + s : s;
}

std::vector<std::string> file_names_of(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  std::set<std::string> taken;  // names as they are first: of `a/b` and `a_b`, the latter is `a_b`
  for (const std::string& name : names)
    if (file_name_of(name) == name) taken.insert(name);
  for (const std::string& name : names) {
    std::string file = file_name_of(name);
    if (file != name || std::count(files.begin(), files.end(), file) != 0) {
      const std::string plain = file;
      for (int i = 2; !taken.insert(file).second; ++i) file = plain + "_" + std::to_string(i);
    }
    files.push_back(file);
  }
  return files;
}

void add_read_options(CLI::App& sub, importers::onnx::read_options& to) {
  using budget = importers::onnx::import_budget;
  const char* group = "Limits on ONNX models";
  sub.add_option("--max-nodes", to.budget.nodes, "nodes, once functions and loops are written out")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  sub.add_option("--max-bytes", to.budget.bytes, "bytes that importing takes besides the weights")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  sub.add_option("--max-depth", to.budget.depth, "functions in functions, and graphs in graphs")
      ->capture_default_str()
      ->check(CLI::Range(0, budget::most_depth))
      ->group(group);
  sub.add_option("--max-seconds", to.budget.seconds, "seconds that importing takes")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  sub.add_flag("--follow-links", to.follow_links,
               "read external data that is a link to outside of the model's folder, as in caches of models")
      ->group(group);
}

std::string type_text(const importers::onnx::value_type& t) {
  using kind = importers::onnx::value_type::kind_t;
  const char* kinds[] = {"none", "tensor", "sparse_tensor", "sequence", "optional", "map", "opaque"};
  if (t.kind != kind::tensor) {
    std::string s = kinds[static_cast<int>(t.kind)];
    for (const auto& inner : t.inner) s += "(" + type_text(inner) + ")";
    return s;
  }
  const auto element = importers::onnx::to_dtype(t.element);
  std::string s = element ? std::string(name_of(*element)) : importers::onnx::name_of(t.element);
  if (!t.has_shape) return s + "[*]";
  s += '[';
  for (size_t i = 0; i < t.dims.size(); ++i) {
    const auto& d = t.dims[i];
    s += i ? "," : "";
    s += d.is_known() ? std::to_string(d.value) : d.symbol.empty() ? "?" : d.symbol;
  }
  return s + ']';
}

double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

std::string short_target(const std::string& text) try {
  const auto shorten = [](target_spec& spec, const auto& self) -> void {
    std::erase_if(spec.options, [](const target_option& o) { return o.name == "features" && o.value.size() > 64; });
    for (target_spec& m : spec.members) self(m, self);
  };
  target_spec spec = parse_target(text);
  shorten(spec, shorten);
  return to_text(spec);
} catch (const error&) { return text; }

std::string counted(i64 n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string bytes_text(i64 bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  if (bytes < 1024 * 1024) return fmt::format("{:.1f} KB", static_cast<double>(bytes) / 1024);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / (1024 * 1024));
}

}  // namespace tenon::tool
