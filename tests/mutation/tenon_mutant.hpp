/// @file tenon_mutant: the switches that instrument.awk writes: which rule is off, and which rules a run came by.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>

struct tenon_mutants {
  int off = -1;
  const char* reached_file = nullptr;
  unsigned char reached[8192] = {};
  tenon_mutants() {
    if (const char* n = std::getenv("TENON_MUTANT")) off = std::atoi(n);
    reached_file = std::getenv("TENON_MUTANTS_REACHED");
  }
  ~tenon_mutants() {
    std::FILE* f = reached_file ? std::fopen(reached_file, "a") : nullptr;
    if (!f) return;
    for (int i = 0; i < 8192; ++i)
      if (reached[i]) std::fprintf(f, "%d\n", i);
    std::fclose(f);
  }
};
inline tenon_mutants tenon_all_mutants;

#ifndef TENON_COMPILED_MUTANT
#  define TENON_COMPILED_MUTANT -1
#endif

/// Rules are asked by the compiler too, for which mutants are chosen by a macro: one, or several at once.
inline constexpr int tenon_compiled_mutants[] = {TENON_COMPILED_MUTANT};
constexpr bool tenon_is_off(int n) {
  if (std::is_constant_evaluated()) {
    for (const int off : tenon_compiled_mutants)
      if (n == off) return true;
    return false;
  }
  tenon_all_mutants.reached[n & 8191] = 1;
  return tenon_all_mutants.off == n;
}
constexpr bool tenon_rule(int n, bool holds) { return holds && !tenon_is_off(n); }
constexpr bool tenon_kept(int n, bool holds) { return tenon_is_off(n) || holds; }
