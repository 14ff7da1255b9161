// A program that compiles a module for the CPU.
#include <tenon/targets/cpu.hpp>

tenon::program compile(tenon::ir_module<tenon::phases::ingestion> m) {
  tenon::context cx;
  tenon::targets::cpu{}.configure(cx);
  return tenon::load(tenon::build<tenon::targets::cpu>(std::move(m), cx));
}
