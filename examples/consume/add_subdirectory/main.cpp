#include <cstdio>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>

int main() {
  std::printf("tenon %d.%d.%d from add_subdirectory\n", tenon::version_major, tenon::version_minor,
              tenon::version_patch);
}
