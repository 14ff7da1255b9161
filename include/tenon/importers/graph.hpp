/// @file graph: models written in C++: tensors by name, operators as functions, and layers made of them.
///
///     nn::graph g("classifier");
///     const nn::variable x = g.input<float>("x", {"N", 784});
///     const nn::variable h = relu(dense(x, g.load("w1.npy"), g.load("b1.npy")));
///     g.output("y", softmax(dense(h, g.constant(w2), g.constant(b2))));
///     ir_module<phases::ingestion> m = std::move(g).finish();
///
/// Each operator infers the type of its result at once: an operator that does not fit its operands throws there, and
/// the error names the line of the caller and the scopes around it ("model.cpp:12, in 'encoder'"); so do messages of
/// later phases. Numbers beside values become constants of the value's element type: `2 * x + 1`. Operands broadcast as
/// in numpy. Cost: one op for each call, and weights are not copied.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/phases/ingestion.hpp>

namespace tenon::nn {

class graph;
class operand;

/// A dimension of an input: a number, or a name: inputs that use the same name have the same extent.
class extent {
 public:
  extent(int n) : number_(n) {}
  extent(i64 n) : number_(n) {}
  extent(const char* name) : name_(name) {}
  extent(std::string name) : name_(std::move(name)) {}

 private:
  friend class graph;
  i64 number_ = 0;
  std::string name_;
};

/// A tensor of a graph that is being written. Cheap to copy; lives no longer than its graph.
class variable {
 public:
  value_id id() const { return id_; }
  nn::graph& graph() const { return *graph_; }
  /// Element type and shape, as far as they are known.
  const ir::type& type() const;
  int rank() const { return type().rank(); }

  friend variable operator+(operand a, operand b);
  friend variable operator-(operand a, operand b);
  friend variable operator*(operand a, operand b);
  friend variable operator/(operand a, operand b);
  friend variable operator-(operand a);

 private:
  friend class nn::graph;
  variable(nn::graph& g, value_id id) : graph_(&g), id_(id) {}
  nn::graph* graph_;
  value_id id_;
};

/// What an operator takes: a value or a number, and the line where it was called.
class operand {
 public:
  operand(const variable& v, std::source_location at = std::source_location::current()) : value_(v), at_(at) {}
  operand(double n, std::source_location at = std::source_location::current()) : number_(n), at_(at) {}

  bool is_number() const { return !value_; }
  double number() const { return number_; }
  /// Error "graph.number" for a number.
  const variable& get() const;
  const std::source_location& at() const { return at_; }

 private:
  std::optional<variable> value_;
  double number_ = 0;
  std::source_location at_;
};

namespace detail {
/// How many values a function of control flow gives: one, or those of an array.
template <class T>
inline constexpr size_t width = 1;
template <size_t N>
inline constexpr size_t width<std::array<variable, N>> = N;
}  // namespace detail

class graph {
 public:
  using location = std::source_location;

  /// A model whose entry is the function "main"; `name` stands before the places of its ops.
  explicit graph(std::string name = {});
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  template <class T>
  variable input(const std::string& name, const std::vector<extent>& shape, location at = location::current()) {
    return input(name, dtype_of<T>, shape, at);
  }
  variable input(const std::string& name, dtype type, const std::vector<extent>& shape,
                 location at = location::current());
  /// Outputs have the order in which they are named. Error "graph.name" for a name that is taken.
  void output(const std::string& name, const variable& v, location at = location::current());

  variable constant(tensor t, std::string name = {}, location at = location::current());
  template <class T>
  variable constant(std::vector<i64> shape, std::span<const T> elements, std::string name = {},
                    location at = location::current()) {
    return constant(tensor::from<T>(std::move(shape), elements), std::move(name), at);
  }
  /// A NumPy file, mapped and not copied. Errors "io.open", "npy.format" name the file.
  variable load(const std::string& path, location at = location::current());

  /// What is written while `f` runs stands in the scope `name`, as errors and profiles say it: "encoder/attention".
  template <class F>
  decltype(auto) scope(std::string name, F&& f) {
    const scoped inside(*this, std::move(name));
    return f();
  }

  /// What the first function gives where the one element of `condition` is true, else what the second gives: a value,
  /// or an array of values. Both may use the values around them; results of one place have one element type.
  template <class Yes, class No>
  auto if_else(operand condition, Yes&& yes, No&& no) {
    using result = decltype(yes());
    branching b(*this, condition, detail::width<result>);
    b.write(0, listed(yes()));
    b.write(1, listed(static_cast<result>(no())));
    return unlisted<result>(b.results());
  }
  /// The state, a value or an array of values, after `trips` runs of `body(i, state)`: i counts the runs, from 0, as
  /// i64. What it gives has the types of what it takes.
  template <class State, class Body>
  State repeat(operand trips, const State& state, Body&& body) {
    looping l(*this, trips, listed(state));
    l.write(listed(static_cast<State>(body(l.count(), unlisted<State>(l.state())))));
    return unlisted<State>(l.results());
  }

  /// What the function gives, a value or an array of values, from a region that holds pure ops and no control flow
  /// (ops/graph/dataflow.hpp): verifying the module proves it.
  template <class Body>
  auto dataflow(Body&& body, location at = location::current()) {
    using result = decltype(body());
    flowing d(*this, at, detail::width<result>);
    d.write(listed(body()));
    return unlisted<result>(d.results());
  }

  /// Any op of the phase, with one result or all of them. `at` is what errors name.
  template <class Op>
    requires(phases::ingestion::op_list::contains<Op>)
  variable make(const Op& op, std::initializer_list<variable> operands, location at = location::current()) {
    return make_all(op, std::vector<variable>(operands), at).front();
  }
  template <class Op>
    requires(phases::ingestion::op_list::contains<Op>)
  std::vector<variable> make_all(const Op& op, const std::vector<variable>& operands,
                                 location at = location::current()) {
    return make_erased(ir::info_of<Op>, &op, operands, at);
  }
  /// The operand as a value: a number as a constant of `like`'s element type.
  variable as_value(const operand& o, const variable& like);

  /// What is made while it lives stands where `from` was called: so layers name the line of their caller.
  class called {
   public:
    explicit called(const operand& from) : called(from.get().graph(), from.at()) {}
    called(graph& g, const location& at) : graph_(g), outer_(g.caller_) {
      if (!g.caller_) g.caller_ = at;
    }
    called(const called&) = delete;
    called& operator=(const called&) = delete;
    ~called() { graph_.caller_ = outer_; }

   private:
    graph& graph_;
    std::optional<location> outer_;
  };

  const ir::module& body() const { return module_.body(); }
  /// "model.cpp:12, in 'encoder/attention'": for errors of layers of one's own.
  std::string place(const location& l) const;
  /// The module, which is verified where it goes to passes. Error "graph.empty" without an output.
  ir_module<phases::ingestion> finish() &&;

 private:
  class scoped {
   public:
    scoped(graph& g, std::string name) : graph_(g) { g.scopes_.push_back(std::move(name)); }
    scoped(const scoped&) = delete;
    scoped& operator=(const scoped&) = delete;
    ~scoped() { graph_.scopes_.pop_back(); }

   private:
    graph& graph_;
  };
  /// An op whose regions are being written: what is made goes into them until all are ended. One that is left before,
  /// by an exception, is taken back, and the graph stands where it was.
  class region_writing {
   public:
    region_writing(const region_writing&) = delete;
    region_writing& operator=(const region_writing&) = delete;

   protected:
    region_writing(graph& g, const location& at) : graph_(g), at_(at), outer_(g.to_) {}
    ~region_writing();
    void begin(op_id op);
    void end();

    graph& graph_;
    location at_;
    op_id op_;

   private:
    ir::inserter outer_;
    bool ended_ = false;
  };
  class branching : region_writing {
   public:
    branching(graph& g, const operand& condition, size_t results);
    void write(int branch, const std::vector<variable>& results);
    std::vector<variable> results();
  };
  class flowing : region_writing {
   public:
    flowing(graph& g, const location& at, size_t results);
    void write(const std::vector<variable>& results);
    std::vector<variable> results();
  };
  class looping : region_writing {
   public:
    looping(graph& g, const operand& trips, const std::vector<variable>& state);
    variable count() const;
    std::vector<variable> state() const;
    void write(const std::vector<variable>& state);
    std::vector<variable> results();

   private:
    size_t carried_;
  };
  static std::vector<variable> listed(const variable& v) { return {v}; }
  template <size_t N>
  static std::vector<variable> listed(const std::array<variable, N>& list) {
    return {list.begin(), list.end()};
  }
  template <class T>
  static T unlisted(const std::vector<variable>& list) {
    if constexpr (std::is_same_v<T, variable>) return list.front();
    else
      return [&]<size_t... I>(std::index_sequence<I...>) {
        return T{list[I]...};
      }(std::make_index_sequence<detail::width<T>>{});
  }

  std::vector<variable> make_erased(const ir::op_info& info, const void* op, const std::vector<variable>& operands,
                                    const location& at);
  std::vector<variable> values(const std::vector<value_id>& ids);
  void yield(const std::vector<variable>& results, const location& at);
  void stand_at(const location& l);
  value_id own(const variable& v, const location& at) const;

  std::string name_;
  ir_module<phases::ingestion> module_;
  function_id main_;
  ir::inserter to_;
  std::vector<std::string> scopes_;
  std::optional<location> caller_;
  std::vector<value_id> results_;
};

// -- elementwise: one function for each row of the table: exp(x), maximum(a, b), less(a, b) …
#define TENON_NN_unary(name) variable name(operand x);
#define TENON_NN_binary(name) variable name(operand a, operand b);
#define TENON_NN_commutative(name) variable name(operand a, operand b);
#define TENON_NN_DECLARE(name, kind, ...) TENON_NN_##kind(name)
TENON_ELEMENTWISE_OPS(TENON_NN_DECLARE)
#undef TENON_NN_DECLARE
#undef TENON_NN_commutative
#undef TENON_NN_binary
#undef TENON_NN_unary
variable where(operand condition, operand a, operand b);
variable cast(operand x, dtype to);

// -- activations
variable relu(operand x);
variable leaky_relu(operand x, double slope = 0.01);
variable gelu(operand x);  ///< exact: x · (1 + erf(x / √2)) / 2
variable silu(operand x);  ///< x · sigmoid(x)
variable clip(operand x, double low, double high);
variable softmax(operand x, i64 axis = -1);
variable log_softmax(operand x, i64 axis = -1);

// -- shapes. A dimension of -1 follows from the others, 0 is the operand's own.
variable reshape(operand x, std::vector<i64> shape);
variable flatten(operand x);  ///< [N, …] to [N, the rest]
variable transpose(operand x, std::vector<i64> permutation = {});
variable concat(const std::vector<variable>& parts, i64 axis,
                std::source_location at = std::source_location::current());
/// Elements [start, end) along one axis; negative positions count from the end.
variable slice(operand x, i64 axis, i64 start, i64 end, i64 step = 1);
variable gather(operand x, operand indices, i64 axis = 0);
variable embedding(operand table, operand indices);  ///< rows of [rows, width]

// -- reductions; no axes: all of them
variable reduce_sum(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable reduce_mean(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable reduce_max(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable reduce_min(operand x, std::vector<i64> axes = {}, bool keep_dims = true);
variable arg_max(operand x, i64 axis = -1, bool keep_dims = false);

// -- layers
variable matmul(operand a, operand b);
variable dense(operand x, operand weight);                ///< x [..., in], weight [in, out]
variable dense(operand x, operand weight, operand bias);  ///< bias [out]

struct window {
  std::vector<i64> kernel{}, strides{}, dilations{}, pads{};  ///< pads: all begins, then all ends
};
struct convolution {
  std::vector<i64> strides{}, dilations{}, pads{};
  i64 group = 1;
};
/// x [N, C, spatial…], weight [O, C / group, kernel…], bias [O].
variable conv(operand x, operand weight, const convolution& how = {});
variable conv(operand x, operand weight, operand bias, const convolution& how = {});
variable max_pool(operand x, const window& w);
variable average_pool(operand x, const window& w);
variable global_average_pool(operand x);  ///< [N, C, spatial…] to [N, C, 1…]
/// Per channel of [N, C, …]: scale · (x - mean) / √(variance + epsilon) + shift.
variable batch_norm(operand x, operand scale, operand shift, operand mean, operand variance, double epsilon = 1e-5);
/// Over the last dimension: scale · (x - mean) / √(variance + epsilon) + shift.
variable layer_norm(operand x, operand scale, operand shift, double epsilon = 1e-5);
variable rms_norm(operand x, operand scale, double epsilon = 1e-6);  ///< scale · x / √(mean(x²) + epsilon)
/// softmax(q · kᵀ / √d [+ mask]) · v over the last two dimensions: q [..., n, d], k [..., m, d], v [..., m, e]. A mask
/// is added: 0 where one may look, and a large negative number where not.
variable attention(operand q, operand k, operand v);
variable attention(operand q, operand k, operand v, operand mask);
/// x [..., n, heads · d] as [..., heads, n, d], and back. Error "graph.heads" for fewer dimensions.
variable split_heads(operand x, i64 heads);
variable merge_heads(operand x);

}  // namespace tenon::nn
