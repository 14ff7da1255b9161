// Nobody in the order, or known beside it, makes it true again: the sentence says what kind of pass is missing, and what
// to say if none is.
#include "house.hpp"

using namespace house;

struct products_in_order {
  static constexpr tn::fixed_string name = "products_in_order";
  using of_all = tn::ops<mul>;
  static void check(const tn::ir::module&);
};
struct sorted {
  static constexpr tn::fixed_string name = "sorted";
  using op_list = tn::ops<add, mul, kernel_call>;
  using begins_with = tn::facts<products_in_order>;
};
struct outline_products {
  static constexpr tn::fixed_string name = "outline_products";
  using runs_in = sorted;
  using needs = tn::facts<>;
#ifdef TENON_TWIN
  using keeps = tn::facts<products_in_order>;
#else
  using keeps = tn::all_facts;
#endif
  using emits = tn::ops<mul>;
};
struct number_products {
  static constexpr tn::fixed_string name = "number_products";
  using from = sorted;
  using to = code;
  using needs = tn::facts<products_in_order>;
  using eliminates = tn::ops<add, mul>;
  using handles = tn::ops<add, mul>;
  using emits = tn::ops<jump>;
};
// CHECK: tenon-E003: pass 'number_products' (2nd) needs 'products_in_order', which pass 'outline_products' (1st) breaks, since it emits 'mul', after it held from the start: no order of these passes was found that keeps it; add a pass behind 'outline_products' after which it holds again, or, if it is still true there, let 'outline_products' say so in its 'keeps'
using order = tn::pipeline<outline_products, number_products>;
