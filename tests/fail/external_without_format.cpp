// Code that nobody could keep: its generator does not say what format it has.
#include <tenon/compile/external/code_generator.hpp>

namespace tn = tenon;

struct text {
  static constexpr tn::fixed_string name = "text";
};
struct generator {
#ifdef TENON_TWIN
  using format = text;
#endif
  static std::vector<char> compile(const tn::external_function&, tn::context&);
  static std::unique_ptr<tn::external_code> load(std::span<const char>);
};
struct my_library {
  static constexpr tn::fixed_string name = "my_library";
  using patterns = tn::pattern_list<tn::pattern<tn::op::matmul, tn::any, tn::any>>;
  using external_code_generator = generator;
};
template <tn::sound_external_target T>
struct partitioner {};
// CHECK: tenon-E055: 'generator' generates no code that can be kept for target 'my_library', since it has no 'using format': a format says what its artifacts are, compile makes them, load runs them
partitioner<my_library> p;
