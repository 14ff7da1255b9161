// The main function of all test executables.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "support/skip.hpp"

/// Asked by the leak sanitizer, where a program has it: what libraries of others lose is not reported. pocl loses 16
/// bytes where it compiles kernels for the first time.
extern "C" const char* __lsan_default_suppressions() { return "leak:libpocl\n"; }

int main(int argc, char** argv) {
  const int failed = doctest::Context(argc, argv).run();
  return failed == 0 && tenon::testing::skipped > 0 ? 77 : failed;
}
