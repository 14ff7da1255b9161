/// @file processor.ipp: definitions over CPUID (Intel's manual, volume 2A; AMD's, volume 3, appendix E), and over what
/// Linux says of an AArch64 processor (Documentation/arch/arm64/elf_hwcaps.rst).
#pragma once

#if defined(__x86_64__)
#  include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#  include <sys/auxv.h>
#endif

#include <algorithm>
#include <fstream>
#include <string>

#include <tenon/core/error.hpp>
#include <tenon/core/int.hpp>
#include <tenon/core/machine.hpp>
#include <tenon/runtime/processor.hpp>

namespace tenon {
namespace detail {

#if defined(__aarch64__) && defined(__linux__)

struct feature_row {
  std::string_view name;
  u8 word;  ///< of the auxiliary vector: AT_HWCAP or AT_HWCAP2
  u8 bit;
};

inline constexpr feature_row feature_rows[] = {
    {"aes", AT_HWCAP, 3},    {"sha2", AT_HWCAP, 6},     {"crc", AT_HWCAP, 7},        {"lse", AT_HWCAP, 8},
    {"rdm", AT_HWCAP, 12},   {"jsconv", AT_HWCAP, 13},  {"complxnum", AT_HWCAP, 14}, {"rcpc", AT_HWCAP, 15},
    {"sha3", AT_HWCAP, 17},  {"sm4", AT_HWCAP, 19},     {"dotprod", AT_HWCAP, 20},   {"fullfp16", AT_HWCAP, 10},
    {"sve", AT_HWCAP, 22},   {"fp16fml", AT_HWCAP, 23}, {"sve2", AT_HWCAP2, 1},      {"fptoint", AT_HWCAP2, 8},
    {"i8mm", AT_HWCAP2, 13}, {"bf16", AT_HWCAP2, 14},   {"sme", AT_HWCAP2, 23},
};

inline bool processor_has(const feature_row& row) { return (::getauxval(row.word) >> row.bit & 1) != 0; }

#else

/// Where CPUID's answers stand: leaf 1, leaf 7, its first subleaf, AMD's leaf, that of AVX10.
enum class leaf : u8 { first, seven, seven_one, extended, avx10 };
/// What the system must keep of a thread when it switches, as bits of the register XCR0.
enum class kept : u64 { scalar = 0, avx = 0x6, avx512 = 0xe6, amx = 0x60000, apx = 0x80000 };

struct feature_row {
  std::string_view name;
  leaf from;
  char reg;  ///< 'a' to 'd': the register that CPUID answers in
  u32 bits;  ///< one of them is set where the processor has it
  kept state = kept::scalar;
};

inline constexpr feature_row feature_rows[] = {
#  if defined(__x86_64__)
    {"sse3", leaf::first, 'c', 1u << 0},
    {"ssse3", leaf::first, 'c', 1u << 9},
    {"sse4.1", leaf::first, 'c', 1u << 19},
    {"sse4.2", leaf::first, 'c', 1u << 20},
    {"sse4a", leaf::extended, 'c', 1u << 6},
    {"movbe", leaf::first, 'c', 1u << 22},
    {"popcnt", leaf::first, 'c', 1u << 23},
    {"lzcnt", leaf::extended, 'c', 1u << 5},
    {"bmi", leaf::seven, 'b', 1u << 3},
    {"bmi2", leaf::seven, 'b', 1u << 8},
    {"tbm", leaf::extended, 'c', 1u << 21},
    {"avx", leaf::first, 'c', 1u << 28, kept::avx},
    {"f16c", leaf::first, 'c', 1u << 29, kept::avx},
    {"fma", leaf::first, 'c', 1u << 12, kept::avx},
    {"fma4", leaf::extended, 'c', 1u << 16, kept::avx},
    {"xop", leaf::extended, 'c', 1u << 11, kept::avx},
    {"avx2", leaf::seven, 'b', 1u << 5, kept::avx},
    {"gfni", leaf::seven, 'c', 1u << 8},
    {"avxvnni", leaf::seven_one, 'a', 1u << 4, kept::avx},
    {"avxifma", leaf::seven_one, 'a', 1u << 23, kept::avx},
    {"avxvnniint8", leaf::seven_one, 'd', 1u << 4, kept::avx},
    {"avxneconvert", leaf::seven_one, 'd', 1u << 5, kept::avx},
    {"avxvnniint16", leaf::seven_one, 'd', 1u << 10, kept::avx},
    {"avx512f", leaf::seven, 'b', 1u << 16, kept::avx512},
    {"avx512cd", leaf::seven, 'b', 1u << 28, kept::avx512},
    {"avx512dq", leaf::seven, 'b', 1u << 17, kept::avx512},
    {"avx512bw", leaf::seven, 'b', 1u << 30, kept::avx512},
    {"avx512vl", leaf::seven, 'b', 1u << 31, kept::avx512},
    {"avx512ifma", leaf::seven, 'b', 1u << 21, kept::avx512},
    {"avx512vbmi", leaf::seven, 'c', 1u << 1, kept::avx512},
    {"avx512vbmi2", leaf::seven, 'c', 1u << 6, kept::avx512},
    {"avx512vnni", leaf::seven, 'c', 1u << 11, kept::avx512},
    {"avx512bitalg", leaf::seven, 'c', 1u << 12, kept::avx512},
    {"avx512vpopcntdq", leaf::seven, 'c', 1u << 14, kept::avx512},
    {"avx512bf16", leaf::seven_one, 'a', 1u << 5, kept::avx512},
    {"avx512fp16", leaf::seven, 'd', 1u << 23, kept::avx512},
    {"avx10.1", leaf::avx10, 'b', 0xff, kept::avx512},  // a version: 1 or more
    {"avx10.2", leaf::avx10, 'b', 0xfe, kept::avx512},
    {"amx-tile", leaf::seven, 'd', 1u << 24, kept::amx},
    {"amx-int8", leaf::seven, 'd', 1u << 25, kept::amx},
    {"amx-bf16", leaf::seven, 'd', 1u << 22, kept::amx},
    {"amx-fp16", leaf::seven_one, 'a', 1u << 21, kept::amx},
    {"egpr", leaf::seven_one, 'd', 1u << 21, kept::apx},
    {"ndd", leaf::seven_one, 'd', 1u << 21, kept::apx},
    {"ccmp", leaf::seven_one, 'd', 1u << 21, kept::apx},
    {"nf", leaf::seven_one, 'd', 1u << 21, kept::apx},
    {"cf", leaf::seven_one, 'd', 1u << 21, kept::apx},
    {"zu", leaf::seven_one, 'd', 1u << 21, kept::apx},
    {"ppx", leaf::seven_one, 'd', 1u << 21, kept::apx},
    {"push2pop2", leaf::seven_one, 'd', 1u << 21, kept::apx},
#  else
    {"", leaf::first, 'a', 0},
#  endif
};

struct processor_answers {
  u32 words[5][4] = {};
  u64 kept = 0;

#  if defined(__x86_64__)
  processor_answers() {
    const auto ask = [this](leaf to, u32 number, u32 sub = 0) {
      u32* w = words[static_cast<u8>(to)];
      return __get_cpuid_count(number, sub, &w[0], &w[1], &w[2], &w[3]) != 0;
    };
    ask(leaf::first, 1), ask(leaf::extended, 0x80000001);
    if (ask(leaf::seven, 7) && words[static_cast<u8>(leaf::seven)][0] > 0) ask(leaf::seven_one, 7, 1);
    if ((words[static_cast<u8>(leaf::seven_one)][3] >> 19 & 1) != 0) ask(leaf::avx10, 0x24);
    if ((words[0][2] >> 27 & 1) == 0) return;  // the system does not let us ask
    u32 low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    kept = low;
  }
#  endif
};

inline bool processor_has(const feature_row& row) {
  static const processor_answers known;
  const u64 state = static_cast<u64>(row.state);
  return (known.words[static_cast<u8>(row.from)][row.reg - 'a'] & row.bits) != 0 && (known.kept & state) == state;
}

#endif

}  // namespace detail

std::vector<std::string_view> processor_features() {
  std::vector<std::string_view> names;
  for (const detail::feature_row& row : detail::feature_rows)
    if (!row.name.empty()) names.push_back(row.name);
  return names;
}

bool processor_has(std::string_view feature) {
  for (const detail::feature_row& row : detail::feature_rows)
    if (row.name == feature) return detail::processor_has(row);
  return false;
}

std::string_view processor_level() {
#if defined(__x86_64__)
  const auto all = [](std::initializer_list<std::string_view> names) {
    return std::all_of(names.begin(), names.end(), [](std::string_view n) { return processor_has(n); });
  };
  if (!all({"popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"})) return "x86-64";
  if (!all({"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"})) return "x86-64-v2";
  return all({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}) ? "x86-64-v4" : "x86-64-v3";
#else
  return {};
#endif
}

const std::string& processor_model() {
  static const std::string model = [] {
    std::string said;
#if defined(__x86_64__)
    u32 a = 0, vendor[3] = {}, b = 0, c = 0, d = 0;
    if (__get_cpuid(0, &a, &vendor[0], &vendor[2], &vendor[1]) != 0)
      said.assign(reinterpret_cast<const char*>(vendor), sizeof vendor);
    if (__get_cpuid(1, &a, &b, &c, &d) != 0) said += " " + std::to_string(a);
#elif defined(__aarch64__) && defined(__linux__)
    std::ifstream("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1") >> said;
#endif
    return said;
  }();
  return model;
}

std::vector<std::string> missing_features(std::string_view target) {
  std::vector<std::string> missing;
  const std::string given = "," + std::string(option_in_target(target, "features")) + ",";
  for (const detail::feature_row& row : detail::feature_rows)
    if (!row.name.empty() && given.find(",+" + std::string(row.name) + ",") != given.npos &&
        !detail::processor_has(row))
      missing.emplace_back(row.name);
  return missing;
}

void require_processor(std::string_view target, const std::string& where) {
  require_machine(target, where);
  const std::vector<std::string> missing = missing_features(target);
  if (missing.empty()) return;
  constexpr size_t shown = 6;
  std::string list;
  for (size_t i = 0; i < missing.size() && i < shown; ++i)
    list += (i == 0 ? "" : i + 1 == missing.size() ? " and " : ", ") + missing[i];
  if (missing.size() > shown) list += " and " + std::to_string(missing.size() - shown) + " more";
  const std::string arch(option_in_target(target, "arch")), here(processor_level());
  throw error("program.processor",
              "the code needs what this processor" + (here.empty() ? "" : ", an " + here + ",") +
                  " does not have: " + list + (arch.empty() ? "" : "; it was made for " + arch),
              where,
              here.empty() ? "build it again with an arch that this processor is"
                           : "build it again on this machine, or with --arch " + here + " for all that are like it");
}

}  // namespace tenon
