// A target is offered parts of graphs, and does not say which it takes.
#include <tenon/compile/external/code_generator.hpp>

namespace tn = tenon;

struct text {
  static constexpr tn::fixed_string name = "text";
};
struct generator {
  using format = text;
  static std::vector<char> compile(const tn::external_function&, tn::context&);
  static std::unique_ptr<tn::external_code> load(std::span<const char>);
};
struct my_library {
  static constexpr tn::fixed_string name = "my_library";
  using external_code_generator = generator;
#ifdef TENON_TWIN
  using patterns = tn::pattern_list<tn::pattern<tn::op::matmul, tn::any, tn::any>>;
#endif
};
template <tn::sound_external_target T>
struct partitioner {};
// CHECK: tenon-E054: 'my_library' takes no parts of a graph, since it has no 'using patterns': it has a name, patterns and an external code generator
partitioner<my_library> p;
