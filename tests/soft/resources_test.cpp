// Effects on one resource, such as the writes of a cache: who answers for writes answers for them, who answers for them
// does not for those of another resource, and regions keep, allow or forbid them apart.
#include <doctest/doctest.h>

#include <tenon/op.hpp>

#include "soft/world.hpp"

namespace soft_resources {
using namespace world;
namespace effect = tn::effect;

struct cache;
struct journal;
template <class... Effects>
struct op_with {
  static constexpr tn::fixed_string name = "op_with";
  using effects = tn::effects<Effects...>;
};
struct append : op_with<effect::writes_of<cache>> {
  static constexpr tn::fixed_string name = "append";
};
struct note : op_with<effect::writes_of<journal>> {
  static constexpr tn::fixed_string name = "note";
};
struct store : op_with<effect::writes> {
  static constexpr tn::fixed_string name = "store";
};
struct lookup : op_with<effect::reads_of<cache>> {
  static constexpr tn::fixed_string name = "lookup";
};

struct any_pass {
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct drops_writes : any_pass {
  static constexpr tn::fixed_string name = "drops_writes";
  using deletes = tn::effects<effect::writes>;
};
struct drops_appends : any_pass {
  static constexpr tn::fixed_string name = "drops_appends";
  using deletes = tn::effects<effect::writes_of<cache>>;
};
struct leaves_writes : any_pass {
  static constexpr tn::fixed_string name = "leaves_writes";
  using deletes = tn::effects<>;
  using leaves = tn::effects<effect::writes>;
};
template <class Pass, class... Op>
constexpr bool answers = tn::judged<tn::ops<Op...>, Pass>::ok;
static_assert(answers<drops_writes, append, note, store> && !answers<drops_writes, lookup>);
static_assert(answers<drops_appends, append> && !answers<drops_appends, note> && !answers<drops_appends, store>);
static_assert(answers<leaves_writes, append, note, store> && !answers<leaves_writes, lookup>);

// Here and where passes run, a write is a write.
using tn::detail::bits_of_effects;
static_assert(
    bits_of_effects<tn::effects<effect::writes_of<cache>>> == bits_of_effects<tn::effects<effect::writes>> &&
    bits_of_effects<tn::effects<effect::allocates_of<cache>, effect::random_of<cache>, effect::io_of<cache>>> ==
        bits_of_effects<tn::effects<effect::allocates, effect::random, effect::io>>);

// Regions.
template <class... Es>
struct region_without : op_with<effect::io> {
  static constexpr tn::fixed_string name = "region_without";
  using region_forbids = tn::effects<Es...>;
};
template <class... Es>
struct region_with : op_with<effect::io> {
  static constexpr tn::fixed_string name = "region_with";
  using region_allows = tn::effects<Es...>;
};
template <class... Es>
struct region_of_own : op_with<effect::io> {
  static constexpr tn::fixed_string name = "region_of_own";
  using region_keeps = tn::effects<Es...>;
};
template <class Region, class Op>
constexpr bool stands = !tn::detail::kept_out<Region, Op>();
static_assert(!stands<region_without<effect::writes>, append> && stands<region_without<effect::writes>, lookup>);
static_assert(!stands<region_without<effect::writes_of<cache>>, append> &&
              stands<region_without<effect::writes_of<cache>>, note> &&
              !stands<region_without<effect::writes_of<cache>>, store>);
static_assert(stands<region_with<effect::writes>, append> && stands<region_with<effect::writes>, store> &&
              !stands<region_with<effect::writes>, lookup>);
static_assert(stands<region_with<effect::writes_of<cache>>, append> &&
              !stands<region_with<effect::writes_of<cache>>, note> &&
              !stands<region_with<effect::writes_of<cache>>, store>);

template <class... Es>
struct moves_ops : any_pass {
  static constexpr tn::fixed_string name = "moves_ops";
  using moves = tn::effects<Es...>;
};
template <class Pass, class Region>
constexpr bool takes_out = tn::detail::region_bar<Pass, Region>::value.effect.length != 0;
static_assert(takes_out<moves_ops<effect::writes>, region_of_own<effect::writes_of<cache>>> &&
              takes_out<moves_ops<effect::writes_of<cache>>, region_of_own<effect::writes_of<cache>>> &&
              takes_out<moves_ops<effect::writes_of<cache>>, region_of_own<effect::writes>>);
static_assert(!takes_out<moves_ops<effect::writes_of<journal>>, region_of_own<effect::writes_of<cache>>> &&
              !takes_out<moves_ops<effect::reads>, region_of_own<effect::writes_of<cache>>>);

// An op that is run again where its effect does not allow it: who answers for the effect of its resource is told that
// (43), who answers for no such effect is asked (16).
template <class... Es>
struct runs_again : any_pass {
  static constexpr tn::fixed_string name = "runs_again";
  using recomputes = tn::effects<Es...>;
};
template <class Pass, class... Op>
constexpr int code_of = tn::judged<tn::ops<Op...>, Pass>::value.code;
static_assert(code_of<runs_again<effect::reads>, lookup> == 43 && code_of<runs_again<effect::writes>, lookup> == 16);
static_assert(code_of<runs_again<effect::reads_of<cache>>, lookup> == 43);
static_assert(code_of<runs_again<effect::reads_of<journal>>, lookup> == 16);

/// An effect of a resource that bears it.
struct fills_cache {
  static constexpr tn::fixed_string name = "fills_cache";
  using in = effect::writes;
  static constexpr bool recomputable = true;
};
struct memoize : op_with<fills_cache> {
  static constexpr tn::fixed_string name = "memoize";
};
/// Its own ops are asked by what the pass does to them.
template <class... Op>
struct net {
  static constexpr tn::fixed_string name = "net";
  using op_list = tn::ops<Op...>;
};
template <class Recomputed, class Left, class... Op>
struct in_net {
  static constexpr tn::fixed_string name = "in_net";
  using runs_in = net<Op...>;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using recomputes = Recomputed;
  using leaves = Left;
};
template <class Recomputed, class Left, class... Op>
constexpr int code_in_net = tn::judged<tn::ops<>, in_net<Recomputed, Left, Op...>>::value.code;
using fills = tn::effects<fills_cache>;
using appends = tn::effects<effect::writes_of<cache>>;
using writes = tn::effects<effect::writes>;
static_assert(code_in_net<fills, tn::effects<>, memoize, note> == 0);
// A write that names no resource may be one of any.
static_assert(code_in_net<fills, tn::effects<>, memoize, store> == 43 &&
              code_in_net<fills, writes, memoize, store> == 0);
// Who leaves all writes leaves those of the cache, unless it says that it runs these again.
static_assert(code_in_net<appends, writes, append> == 43 && code_in_net<writes, appends, append> == 0 &&
              code_in_net<writes, appends, append, store> == 43);
}  // namespace soft_resources

using namespace soft_resources;

TEST_CASE("the sentence names the resource") {
  const tn::meta::phrase said = tn::sentence_of(tn::judged<tn::ops<note>, drops_appends>::value);
  const std::string_view text(said.characters, said.length);
  CHECK_MESSAGE(text.find("writes_of<") != text.npos, text);
  CHECK_MESSAGE(text.find("journal") != text.npos, text);
}
