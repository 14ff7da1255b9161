/// @file report_data: what a compilation did, as the report page shows it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

#include <tenon/compile/context.hpp>
#include <tenon/compile/instrument.hpp>
#include <tenon/ir/module.hpp>

#include "graph_picture.hpp"
#include "kernel_text.hpp"
#include "profile_view.hpp"

namespace tenon::tool {

/// Watches a compilation: pictures of the graph, what each pass changed, facts.
class report_watch {
 public:
  struct pass {
    std::string name, phase;
    double ms = 0;
    size_t before = 0, after = 0;
    std::map<std::string, size_t> added, removed;  ///< ops by name
    std::vector<std::string> changed;              ///< places in the model whose ops changed
    std::vector<std::string> needs, gives, known, known_behind;
  };
  /// The module before the first pass.
  void begin(const ir::module& m);
  void after(const pass_event& e);

  std::vector<pass> passes;
  std::vector<graph_picture> pictures;  ///< as imported; before anything is fused; before kernels are called

 private:
  struct census {
    std::map<std::string, size_t> ops;
    std::unordered_map<std::string, u64> places;  ///< a sum over the ops of each place
  };
  static census count(const ir::module& m);
  census last_;
};

struct report_parts {
  std::string model, summary, note;
  const report_watch* watch = nullptr;
  const ir::module* built = nullptr;  ///< in phase `build`, where the model has such a form
  kernel_texts kernels;
  std::optional<profiled> profile;
};

/// What the page's script reads (tools/report_page/page.js).
nlohmann::ordered_json report_json(report_parts& parts);
/// The page, with everything in it.
std::string report_page(report_parts& parts);

}  // namespace tenon::tool
