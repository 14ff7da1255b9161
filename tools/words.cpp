// How much a command says.
#include "words.hpp"

#include <cstdio>

#include <tenon/compile/context.hpp>
#include <tenon/runtime/threads.hpp>

namespace tenon::tool {

nlohmann::ordered_json passes_as_json(const context& cx) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const pass_record& r : cx.records)
    list.push_back({{"name", r.name},
                    {"phase", r.phase},
                    {"ms", r.milliseconds},
                    {"ops_before", r.ops_before},
                    {"ops_after", r.ops_after}});
  return list;
}

void warn_of_threads(int threads) {
  const int there = available_threads();
  if (threads > there)
    fmt::print(stderr, "warning: {} threads on {} processor{}: more than one on each makes it slower; --threads {}\n",
               threads, there, there == 1 ? "" : "s", there);
}

}  // namespace tenon::tool
