// Large memory: a large tensor has large pages, a small one does not; what is given out is zeros and nobody else's.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tenon/core/large_memory.hpp>
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
bool has_large_pages() {
  return has_large_areas() && std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good();
}

struct block {
  u8* begin;
  size_t bytes;
  u8 mark;
};
bool holds(const block& b, u8 what) {
  return b.begin[0] == what && std::memcmp(b.begin, b.begin + 1, b.bytes - 1) == 0;
}

/// Takes and gives at random; each block is zeros at first, and holds its own mark until it is given back.
bool takes_and_gives(unsigned seed, int steps) {
  std::mt19937 random(seed);
  std::vector<block> all;
  bool right = true;
  for (int i = 0; i < steps; ++i) {
    if (all.size() < 12 && random() % 3 != 0) {
      const size_t bytes = least_large_memory + random() % (random() % 8 == 0 ? 40 << 20 : 3 << 20);
      block b{static_cast<u8*>(allocate_large(bytes)), bytes, static_cast<u8>(1 + random() % 255)};
      right = right && b.begin != nullptr && reinterpret_cast<std::uintptr_t>(b.begin) % 64 == 0 && holds(b, 0);
      if (b.begin == nullptr) return false;
      std::memset(b.begin, b.mark, b.bytes);
      all.push_back(b);
    } else if (!all.empty()) {
      std::swap(all[random() % all.size()], all.back());
      right = right && holds(all.back(), all.back().mark);
      free_large(all.back().begin);
      all.pop_back();
    }
    if (random() % 16 == 0) return_large_memory();
  }
  for (const block& b : all) right = holds(b, b.mark) && right, free_large(b.begin);
  return right;
}

}  // namespace

TEST_CASE("large tensors are in large pages, and small ones are not") {
  const tensor large(dtype::f32, {1 << 19}), small(dtype::f32, {1 << 17});
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

TEST_CASE("large memory is zeros and nobody else's, from several threads and where it was given back") {
  bool right[3] = {};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 3; ++t) threads.emplace_back([&right, t] { right[t] = takes_and_gives(t, 60); });
  for (std::thread& t : threads) t.join();
  CHECK((right[0] && right[1] && right[2]));
}

TEST_CASE("large memory is taken in a process that was forked while other threads take it") {
  std::thread other([] { CHECK(takes_and_gives(7, 60)); });
  for (int i = 0; i < 5; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(takes_and_gives(static_cast<unsigned>(i), 10) ? 0 : 1);
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  other.join();
}

TEST_CASE("more large memory than there is is none") { CHECK(allocate_large(SIZE_MAX) == nullptr); }

TEST_CASE("a block that a limit on memory leaves room for is given, though an area of the usual size does not fit") {
  if (!has_large_areas()) return;  // a sanitizer's allocator ends the process where there is no memory
  const pid_t child = fork();
  if (child == 0) {
    return_large_memory();
    size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t limit = pages * static_cast<size_t>(::getpagesize()) + (rlim_t{12} << 20);
    const rlimit most{limit, limit};
    if (pages == 0 || ::setrlimit(RLIMIT_AS, &most) != 0) _exit(2);
    std::vector<void*> blocks;
    while (void* const b = allocate_large(5 << 20)) blocks.push_back(b);
    _exit(blocks.size() == 2 ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}
