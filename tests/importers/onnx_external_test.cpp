/// @file onnx_external_test: external data is a regular file; one that is a link to outside of the model's folder is
/// read only where that is asked for.
#include <filesystem>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/interpret/interpreter.hpp>

#include "onnx_builder.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
namespace fs = std::filesystem;
using namespace onnx_builder;

namespace {

/// A cache of models as hubs lay it out: snapshots/1/ holds links to blobs/.
struct cache {
  const fs::path top = fs::temp_directory_path() / ("tenon_onnx_external_" + std::to_string(::getpid()));
  const fs::path snapshot = top / "snapshots" / "1", blobs = top / "blobs";
  cache() {
    fs::remove_all(top);
    fs::create_directories(snapshot);
    fs::create_directories(blobs);
    const float values[] = {1.f, -2.f};
    tn::write_file((blobs / "aaaa").string(), {reinterpret_cast<const char*>(values), sizeof values});
    fs::create_symlink("../../blobs/aaaa", snapshot / "model.onnx.data");
  }
  cache(const cache&) = delete;
  cache& operator=(const cache&) = delete;
  ~cache() { fs::remove_all(top); }

  /// What the model's only output is, or the error's text; its weight lies at `location`.
  std::string result(const std::string& location, bool follow_links) const {
    const model m{.nodes = {node("Relu", {"w"}, {"y"})},
                  .outputs = {open_value("y")},
                  .initializers = {message([&](pbf_writer& t) {
                    t.add_int64(1, 2), t.add_int32(2, 1), t.add_string(8, "w"), t.add_int32(14, 1);
                    pbf_writer e(t, 13);
                    e.add_string(1, "location"), e.add_string(2, location);
                  })}};
    // The model is a link, too, as it is in such caches.
    tn::write_file((blobs / "bbbb").string(), m.text());
    if (!fs::is_symlink(snapshot / "model.onnx")) fs::create_symlink("../../blobs/bbbb", snapshot / "model.onnx");
    try {
      onnx::import_options options;
      options.follow_links = follow_links;
      const auto module = onnx::load((snapshot / "model.onnx").string(), options);
      const auto y = tn::interpret(module.body(), "main", {})[0];
      return std::to_string(y.at_i64(0)) + " " + std::to_string(y.at_i64(1));
    } catch (const tn::error& e) { return e.what(); }
  }
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("links out of the model's folder are followed where that is asked for") {
  const cache c;
  const std::string refused = c.result("model.onnx.data", false);
  for (const char* part :
       {"onnx.external_data", "leaves the model's folder", "a link", "follow_links", "--follow-links"})
    CHECK_MESSAGE(contains(refused, part), refused);
  CHECK(c.result("model.onnx.data", true) == "1 0");
  // Only links: what a model names itself stays in its folder.
  CHECK(contains(c.result("../../blobs/aaaa", true), "leaves the model's folder"));
  CHECK(contains(c.result("x/../../../blobs/aaaa", true), "onnx.external_data"));
  CHECK(contains(c.result((c.blobs / "aaaa").string(), true), "not relative"));
  fs::create_symlink("../../blobs/gone", c.snapshot / "dangling");
  CHECK(contains(c.result("dangling", true), "missing"));
}

TEST_CASE("external data that is a pipe, a device or a folder is refused at once") {
  const cache c;
  REQUIRE(::mkfifo((c.snapshot / "pipe").c_str(), 0600) == 0);  // opening it would wait for a writer
  fs::create_directory(c.snapshot / "folder");
  fs::create_symlink("/dev/zero", c.snapshot / "device");
  for (const char* name : {"pipe", "folder", "device"})
    CHECK_MESSAGE(contains(c.result(name, true), "is no regular file"), name << ": " << c.result(name, true));
  CHECK(contains(c.result("pipe", false), "is no regular file"));
}
