// WebAssembly/binaryen #1563: ops that JavaScript has not were removed, and then 64-bit ops lowered, some into such. That pass takes no
// 64-bit products, so the other one cannot come behind it only: it runs again.
#include <tenon/pipeline.hpp>

namespace tn = tenon;

struct i64_mul;
struct i64_ctz;
struct i32_mul;
struct i32_ctz;
struct call;
struct js_call;
struct wasm {
  static constexpr tn::fixed_string name = "wasm";
  using op_list = tn::ops<i64_mul, i64_ctz, i32_mul, i32_ctz, call>;
};
struct js {
  static constexpr tn::fixed_string name = "js";
  using op_list = tn::ops<i32_mul, js_call>;
};
struct flat {
  static constexpr tn::fixed_string name = "flat";
  using of_each = tn::any_ops;
};
struct no_wide_products {
  static constexpr tn::fixed_string name = "no_wide_products";
  using absent_ops = tn::ops<i64_mul>;
};
struct flatten {
  static constexpr tn::fixed_string name = "flatten";
  using runs_in = wasm;
  using needs = tn::facts<>;
  using gives = tn::facts<flat>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct remove_non_js_ops {
  static constexpr tn::fixed_string name = "remove_non_js_ops";
  using runs_in = wasm;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<i64_mul, i32_ctz>;
  using handles = eliminates;
  using emits = tn::ops<call>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct lower_i64 {
  static constexpr tn::fixed_string name = "lower_i64";
  using runs_in = wasm;
  using needs = tn::facts<flat, no_wide_products>;
  using eliminates = tn::ops<i64_mul, i64_ctz>;
  using handles = eliminates;
  using emits = tn::ops<i32_mul, i32_ctz, call>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct to_js {
  static constexpr tn::fixed_string name = "to_js";
  using from = wasm;
  using to = js;
  using needs = tn::facts<>;
  using eliminates = tn::ops<call>;
  using handles = eliminates;
  using emits = tn::ops<js_call>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<remove_non_js_ops, flatten, lower_i64, remove_non_js_ops, to_js>;
#else
// CHECK: tenon-E004: pass 'to_js' (4th) enters phase 'js', which does not list 'i32_ctz', and pass 'lower_i64' (3rd) may emit it after 'remove_non_js_ops' (1st) eliminated it: run 'remove_non_js_ops' again after 'lower_i64'
using order = tn::pipeline<remove_non_js_ops, flatten, lower_i64, to_js>;
#endif
