// What reads a format says which files are of it, and gives a module or a model.
#include "house.hpp"
#include "../../tools/include/tenon/tool/main.hpp"

using namespace house;

struct toy {
  static constexpr tn::fixed_string name = "toy";
#ifdef TENON_TWIN
  static constexpr tn::fixed_string extension = ".toy";
#else
  static constexpr tn::fixed_string extension = "toy";
#endif
  static tn::ir_module<tn::phases::ingestion> load(const std::string& path);
};
int main(int argc, char** argv) {
  // CHECK: tenon-E075: 'importer_list<toy>' stands where a list of parts of a command line is meant: it holds what is no importer: one has a 'name', an 'extension' (.toy) and 'static model load(const std::string& path)', which gives a module in phase 'ingestion', or a model with a 'source_of'
  return tn::tenon_main<tn::importer_list<toy>>(argc, argv);
}
