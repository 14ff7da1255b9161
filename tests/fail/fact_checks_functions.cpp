// A fact that is asked of one function at a time is true of each: who adds functions ends it, though the fact does not
// say so besides its check, and the pass keeps all facts. (Only pipeline.hpp: an order of ids needs no <compare>.)
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct loop;
struct launch;
struct inst;
struct bound {
  static constexpr tn::fixed_string name = "bound";
  static void check(const tn::ir::module&, tn::function_id);
};
struct ph {
  static constexpr tn::fixed_string name = "ph";
  using op_list = tn::ops<loop, launch>;
};
struct q {
  static constexpr tn::fixed_string name = "q";
  using op_list = tn::ops<inst>;
};
struct bind {
  static constexpr tn::fixed_string name = "bind";
  using runs_in = ph;
  using needs = tn::facts<>;
  using gives = tn::facts<bound>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool changes_functions = true;
};
struct outline {
  static constexpr tn::fixed_string name = "outline";
  using runs_in = ph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<launch>;
  static constexpr bool adds_functions = true;
};
struct gen {
  static constexpr tn::fixed_string name = "gen";
  using from = ph;
  using to = q;
  using needs = tn::facts<bound>;
  using eliminates = tn::ops<loop, launch>;
  using handles = eliminates;
  using emits = tn::ops<inst>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<outline, bind, gen>;
#else
// CHECK: tenon-E003: pass 'gen' (3rd) needs 'bound', which pass 'outline' (2nd) breaks, since it adds functions, after 'bind' (1st) gave it: move 'outline' before 'bind', or run 'bind' again after it
using order = tn::pipeline<bind, outline, gen>;
#endif
