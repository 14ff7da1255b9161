// Lesson 10: a pipeline computed as a value of Boost.Hana: which passes a target runs follows from what its device has.
// needs: hana
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/hana.hpp>         // opt-in: nobody else pays for Hana
#include <tenon/targets/c_source.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;
namespace hana = boost::hana;

// What passes want of a device. (A pass of your own says `using needs_of_device = …` itself.)
constexpr auto wishes =
    hana::make_map(hana::make_pair(hana::type_c<passes::vectorize>, capabilities<capability::vector_registers>{}),
                   hana::make_pair(hana::type_c<passes::tile>, capabilities<capability::vector_registers>{}),
                   hana::make_pair(hana::type_c<passes::parallelize>, capabilities<capability::threads>{}));
// What stands for passes of `cpu` where C is the code.
constexpr auto instead =
    hana::make_map(hana::make_pair(hana::type_c<passes::generate_code>, hana::type_c<passes::emit_c>));

// The elements of a list are hana::types, and lists are Sequences: filter, transform, is_subset, == …
template <class Device>
constexpr auto serves = [](auto pass) {
  return hana::is_subset(hana::find(wishes, pass).value_or(capabilities<>{}), typename Device::provides{});
};
template <class Device>
constexpr auto passes_for = hana::transform(hana::filter(targets::cpu::pipeline{}, serves<Device>),
                                            [](auto pass) { return hana::find(instead, pass).value_or(pass); });

struct microcontroller {
  static constexpr fixed_string name = "microcontroller";
  static constexpr device_kind kind = device_kind::cpu;
  using provides = capabilities<>;
};
struct two_cores {
  static constexpr fixed_string name = "two_cores";
  static constexpr device_kind kind = device_kind::cpu;
  using provides = capabilities<capability::threads>;
};

// What was computed is judged where it is named: an order that cannot run would not compile, with the usual sentence.
struct board {
  static constexpr fixed_string name = "board";
  using device = microcontroller;
  using code_generator = passes::emit_c;
  using pipeline = decltype(as_pipeline(passes_for<microcontroller>));
};
static_assert(target<board>);
static_assert(board::pipeline{} == targets::c_source::pipeline{}, "what surgery says there was computed here");
static_assert(hana::contains(passes_for<two_cores>, hana::type_c<passes::parallelize>));
// Softly: an order is a value, and so is the question.
static_assert(!can_be_pipeline(hana::reverse(passes_for<microcontroller>)));

int main() {
  std::printf("left out of cpu's:");
  hana::for_each(hana::remove_if(targets::cpu::pipeline{}, serves<microcontroller>),
                 [](auto pass) { std::printf(" %s", decltype(pass)::type::name.data()); });
  std::printf("\n");

  // Attributes and options are members of Hana's Structs, each with its name.
  hana::for_each(targets::c_source{}, hana::fuse([](auto name, auto value) {
                   if constexpr (std::is_same_v<decltype(value), i64>)
                     std::printf("%s = %d\n", name.c_str(), int(value));
                 }));

  auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %1 = exp(%0) : tensor<4xf32>
  return(%1)
})");
  const auto built = build<board>(std::move(m));
  const auto source = artifact_of<formats::c_source>(built);
  const std::string_view code(source.bytes().data(), source.bytes().size());
  std::printf("%s\n", code.find("tenon_main") != code.npos ? "C source with 'tenon_main'" : "no entry");
}

// CHECK: left out of cpu's: vectorize parallelize tile
// CHECK: optimize = 3
// CHECK: C source with 'tenon_main'
