// Large pages: a large tensor asks for them where whole ones fit, a small one does not, and memory is zeros as before.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include <tenon/runtime/tensor.hpp>

using namespace tenon;

namespace {

/// Flags of the mapping that holds an address, as Linux lists them ("hg": large pages are asked for); empty where it
/// does not.
std::string mapping_flags(const void* p) {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    const size_t dash = line.find('-'), space = line.find(' ');
    if (dash != line.npos && dash < space && line.find(':') > space)
      here = at >= std::stoull(line, nullptr, 16) && at < std::stoull(line.substr(dash + 1), nullptr, 16);
    if (here && line.starts_with("VmFlags:")) return line + " ";
  }
  return {};
}
bool has_large_pages() { return std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good(); }

}  // namespace

TEST_CASE("tensors that hold whole large pages ask for them, and others do not") {
  const tensor large(dtype::f32, {4 << 20}), small(dtype::f32, {1 << 18});
  const char* const middle = static_cast<const char*>(large.data()) + large.bytes() / 2;
  if (has_large_pages()) CHECK(mapping_flags(middle).find(" hg ") != std::string::npos);
  CHECK(mapping_flags(small.data()).find(" hg ") == std::string::npos);
}

TEST_CASE("a tensor in large pages is zeros, and holds what is written") {
  tensor t(dtype::u8, {(6 << 20) + 123});
  const auto zero = [](u8 x) { return x == 0; };
  const std::span<u8> all = t.data<u8>();
  CHECK(std::all_of(all.begin(), all.end(), zero));
  std::fill(all.begin(), all.end(), u8{7});
  CHECK(std::count(all.begin(), all.end(), 7) == t.size());
}
