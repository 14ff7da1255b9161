// The main function of all test executables.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "support/skip.hpp"

int main(int argc, char** argv) {
  const int failed = doctest::Context(argc, argv).run();
  return failed == 0 && tenon::testing::skipped > 0 ? 77 : failed;
}
