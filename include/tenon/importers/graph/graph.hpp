/// @file graph: the graph that is being written: inputs, constants, outputs, functions, control flow, scopes.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/importers/graph/carried.hpp>
#include <tenon/importers/graph/variable.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/phases/ingestion.hpp>

namespace tenon::nn {

/// What a function takes: `parameter<float>("x", {"n", 8})`. Its names of extents are its own: calls say what they are.
struct parameter_type {
  std::string name;
  dtype type = dtype::f32;
  std::vector<extent> shape;
};
template <class T>
parameter_type parameter(std::string name, std::vector<extent> shape) {
  return {std::move(name), dtype_of<T>, std::move(shape)};
}

/// How a scan goes over its tensors.
struct scanning {
  i64 axis = 0;          ///< what is cut, and where results are stacked
  bool reverse = false;  ///< from the last part to the first
};

namespace detail {
template <class F>
struct typed_definition;  // importers/typed_graph.hpp
}

/// A function of a graph, to be called with as many tensors or numbers as it takes: `block(x, w)`.
template <class R, class Numbers>
class function;
template <class R, size_t... I>
class function<R, std::index_sequence<I...>> {
  template <size_t>
  using given = operand;

 public:
  const std::string& name() const { return name_; }
  R operator()(given<I>... operands, std::source_location at = std::source_location::current()) const;

 private:
  friend class graph;
  function(graph& g, std::string name) : graph_(&g), name_(std::move(name)) {}
  graph* graph_;
  std::string name_;
};

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
    require_count(shape, elements.size(), at);
    return constant(tensor::from<T>(std::move(shape), elements), std::move(name), at);
  }
  /// `g.constant({2, 2}, {1.f, 2.f, 3.f, 4.f})`
  template <class T>
  variable constant(std::vector<i64> shape, std::initializer_list<T> elements, std::string name = {},
                    location at = location::current()) {
    return constant<T>(std::move(shape), std::span<const T>(elements.begin(), elements.size()), std::move(name), at);
  }
  /// A NumPy file, mapped and not copied. Errors "io.open", "npy.format" name the file, and the line.
  variable load(const std::string& path, location at = location::current());
  /// What is written while `f` runs stands in the scope `name`, as errors and profiles say it: "encoder/attention".
  template <class F>
  decltype(auto) scope(std::string name, F&& f) {
    const scoped inside(*this, std::move(name));
    return f();
  }

  /// A function of the module, which is written once and called where it is needed:
  ///
  ///     const auto block = g.function("block", {nn::parameter<float>("x", {"n", 8})}, [&](variable x) { … });
  ///     g.output("y", block(block(x)));
  ///
  /// The body takes a tensor for each parameter, and gives one, or an array, pair or tuple of them. It sees what it is
  /// given and constants. It may call functions that are written already. Errors: "graph.name" for a name that is
  /// taken, "graph.scope" for a tensor from around it.
  template <size_t N, class Body>
  auto function(const std::string& name, const parameter_type (&parameters)[N], Body&& body,
                location at = location::current()) {
    defining d(*this, name, parameters, at);
    return define(d, body, std::make_index_sequence<N>{});
  }
  template <class Body>
  auto function(const std::string& name, Body&& body, location at = location::current()) {
    defining d(*this, name, {}, at);
    return define(d, body, std::make_index_sequence<0>{});
  }
  /// With types (importers/typed_graph.hpp): the body's parameters say them, and only their names are given.
  template <size_t N, class Body>
  auto function(const std::string& name, const char* const (&parameters)[N], Body&& body,
                location at = location::current()) {
    return detail::typed_definition<std::remove_cvref_t<Body>>::write(*this, name, parameters, body, at);
  }
  /// What a function gives, by its name. Errors: "graph.function" for a name that no function has, "graph.recursion"
  /// for one that is being written, "graph.call" for operands that it does not take.
  std::vector<variable> call(const std::string& name, const std::vector<operand>& operands,
                             location at = location::current());

  /// What the first function gives where the one element of `condition` is true, else what the second gives: a tensor,
  /// or an array, pair or tuple of them. Results of one place have one element type.
  template <class C, class Yes, class No>
  auto if_else(const C& condition, Yes&& yes, No&& no, location at = location::current()) {
    detail::condition_rule<"if_else", C>::accept();
    using result = std::remove_cvref_t<decltype(yes())>;
    branching b(*this, operand_of(condition, at), detail::carried<result>::size);
    b.write(0, detail::listed(yes()));
    b.write(1, detail::listed(become<"if_else", result>(no(), at)));
    return detail::unlisted<result>(b.results(), at);
  }
  /// The state, a tensor or an array, pair or tuple of them, after `trips` runs of `body(i, state)`: i counts the runs,
  /// from 0, as i64. What the body gives has the types of what it takes.
  template <detail::carries State, class Body>
  State repeat(operand trips, const State& state, Body&& body) {
    looping l(*this, &trips, std::nullopt, detail::listed(state), 0, trips.at());
    l.write(std::nullopt, detail::listed(run<"repeat", State>(body, l, trips.at())));
    return detail::unlisted<State>(l.results(), trips.at());
  }
  /// The state after as many runs of `body(state)`, or `body(i, state)`, as begin where `condition(state)`, one bool,
  /// is true. Both are written into the graph, the condition twice.
  template <detail::carries State, class Condition, class Body>
  State repeat_while(const State& state, Condition&& condition, Body&& body, location at = location::current()) {
    return repeat_if(nullptr, state, condition, body, at);
  }
  /// The same for at most `trips` runs.
  template <detail::carries State, class Condition, class Body>
  State repeat_while(operand trips, const State& state, Condition&& condition, Body&& body,
                     location at = location::current()) {
    return repeat_if(&trips, state, condition, body, at);
  }
  /// `body(state, part)` for each part of a tensor, or of several that are as long, along an axis: it gives a pair of
  /// the next state and of what is stacked, at the place of the part, along the same axis. Gives the last state and
  /// what was stacked:
  ///
  ///     auto [last, sums] = g.scan(x, zero, [](variable sum, variable part) { return std::pair{sum + part, sum}; });
  ///     g.scan<nn::scanning{.axis = 1, .reverse = true}>(std::array{x, y}, zero, …)
  ///
  /// Error "graph.scan" for tensors that have no such axis, or are not as long as one another.
  template <scanning How = scanning{}, class X, detail::carries State, class Body>
    requires detail::carries<X>
  auto scan(const X& parts, const State& state, Body&& body, location at = location::current()) {
    detail::scan_rule<X, void, How.axis>::accept();
    using part = typename detail::cut<X, How.axis>::part;
    using given = std::remove_cvref_t<decltype(body(state, std::declval<const part&>()))>;
    detail::scan_rule<X, typename given::second_type, How.axis>::accept();
    using out = typename detail::stacked<typename given::second_type, X, How.axis>::type;
    slicing s(*this, detail::listed(parts), detail::listed(state), detail::carried<out>::size, How, at);
    const given next = body(detail::unlisted<State>(s.state(), at), detail::unlisted<part>(s.parts(), at));
    s.write(detail::listed(become<"scan", State>(next.first, at)), detail::listed(next.second));
    return detail::unlisted<std::pair<State, out>>(s.results(), at);
  }

  /// What the function gives, a tensor or an array, pair or tuple of them, from a region that holds pure ops and no
  /// control flow (ops/graph/dataflow.hpp): verifying the module proves it.
  template <class Body>
  auto dataflow(Body&& body, location at = location::current()) {
    using result = std::remove_cvref_t<decltype(body())>;
    flowing d(*this, at, detail::carried<result>::size);
    d.write(detail::listed(body()));
    return detail::unlisted<result>(d.results(), at);
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
    return make_erased(ir::info_of<Op>, &op, {operands.begin(), operands.end()}, at);
  }
  /// The same where operands are left out: `std::nullopt`.
  template <class Op>
    requires(phases::ingestion::op_list::contains<Op>)
  std::vector<variable> make_with_gaps(const Op& op, const std::vector<std::optional<variable>>& operands,
                                       location at = location::current()) {
    return make_erased(ir::info_of<Op>, &op, operands, at);
  }
  /// The operand as a value: a number as a constant of `like`'s element type.
  variable as_value(const operand& o, const variable& like);
  /// Extents that must be equal: what is known of both. Nothing where they are numbers that differ.
  std::optional<ir::dim> same(ir::dim a, ir::dim b, const location& at);
  bool divides(i64 n, ir::dim d, const location& at);  ///< what a layer asks of an open extent is a condition, too

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

  const ir::module& body() const;  ///< error "graph.finished" behind `finish`, as of whatever is asked then
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
  /// An op whose regions are being written: what is made goes into them until all are ended. One that is left before
  /// its results are asked for, by an exception, is taken back, and the graph stands where it was.
  class region_writing {
   public:
    region_writing(const region_writing&) = delete;
    region_writing& operator=(const region_writing&) = delete;
    std::vector<variable> results();

   protected:
    region_writing(graph& g, const location& at) : graph_(g), at_(at), outer_(g.to_) {}
    ~region_writing();
    void begin(op_id op);
    void end() { graph_.to_ = outer_; }

    graph& graph_;
    location at_;
    op_id op_;

   private:
    ir::inserter outer_;
    bool done_ = false;
  };
  class branching : public region_writing {
   public:
    branching(graph& g, const operand& condition, size_t results);
    void write(int branch, const std::vector<variable>& results);
  };
  class flowing : public region_writing {
   public:
    flowing(graph& g, const location& at, size_t results);
    void write(const std::vector<variable>& results);
  };
  class looping : public region_writing {
   public:
    looping(graph& g, const operand* trips, const std::optional<variable>& begins, const std::vector<variable>& state,
            size_t stacked, const location& at);
    variable count() const;
    std::vector<variable> state() const;
    void write(const std::optional<variable>& goes_on, const std::vector<variable>& state,
               const std::vector<variable>& parts = {});

   protected:
    size_t carried_;
  };
  class slicing : looping {
   public:
    slicing(graph& g, const std::vector<variable>& parts, const std::vector<variable>& state, size_t stacked,
            scanning how, const location& at);
    using looping::state;
    std::vector<variable> parts() const { return inside_; }
    void write(const std::vector<variable>& state, const std::vector<variable>& parts);
    std::vector<variable> results();

   private:
    slicing(graph& g, const variable& length, const std::vector<variable>& parts, const std::vector<variable>& state,
            size_t stacked, scanning how, const location& at);
    static variable length(graph& g, const std::vector<variable>& parts, scanning how, const location& at);
    scanning how_;
    std::vector<variable> inside_;
  };
  /// A function whose body is being written. One that is left by an exception is taken back.
  class defining {
   public:
    defining(graph& g, const std::string& name, std::span<const parameter_type> parameters, const location& at);
    defining(const defining&) = delete;
    defining& operator=(const defining&) = delete;
    ~defining();
    const std::string& name() const { return graph_.to_.mod()[function_].name; }
    std::vector<variable> arguments() const;
    void write(const std::vector<variable>& results);

   private:
    graph& graph_;
    location at_;
    ir::inserter outer_;
    std::optional<location> outer_caller_;
    function_id function_;
    bool done_ = false;
  };
  template <class F>
  friend struct detail::typed_definition;

  template <class Body, size_t... I>
  auto define(defining& d, Body& body, std::index_sequence<I...> numbers) {
    const std::vector<variable> arguments = d.arguments();
    const auto results = body(arguments[I]...);
    using result = typename detail::carried<std::remove_cvref_t<decltype(results)>>::untyped;
    d.write(detail::listed(results));
    return nn::function<result, decltype(numbers)>(*this, d.name());
  }
  template <fixed_string What, class T, class Given>
  static T become(const Given& v, const location& at) {
    return detail::becomes<What, T, Given>::make(v, at);
  }
  template <class C>
  static operand operand_of(const C& c, const location& at) {
    if constexpr (std::is_same_v<C, operand>) return c;
    else return operand(c, at);
  }
  /// One run of a loop's body, with the number of the run where it takes that.
  template <fixed_string What, class State, class Body>
  State run(Body& body, const looping& l, const location& at) {
    const State state = detail::unlisted<State>(l.state(), at);
    const auto given = [&] {
      if constexpr (std::is_invocable_v<Body&, variable, const State&>) return body(l.count(), state);
      else return body(state);
    }();
    return detail::becomes<What, State, std::remove_cv_t<decltype(given)>>::make(given, at);
  }
  template <class State, class Condition, class Body>
  State repeat_if(const operand* trips, const State& state, Condition& condition, Body& body, const location& at) {
    const auto asked = condition(state);
    detail::condition_rule<"repeat_while", std::remove_cvref_t<decltype(asked)>>::accept();
    looping l(*this, trips, static_cast<const variable&>(asked), detail::listed(state), 0, at);
    const State next = run<"repeat_while", State>(body, l, at);
    l.write(static_cast<const variable&>(condition(next)), detail::listed(next));
    return detail::unlisted<State>(l.results(), at);
  }
  std::vector<variable> make_erased(const ir::op_info& info, const void* op,
                                    const std::vector<std::optional<variable>>& operands, const location& at);
  std::string text(const ir::type& t) const;
  std::vector<variable> values(const std::vector<value_id>& ids);
  void yield(const std::vector<variable>& results, const location& at);
  void require_open() const;
  void stand_at(const location& l);
  void require_count(const std::vector<i64>& shape, size_t elements, const location& at) const;
  void require_no_body(const char* what, const location& at) const;
  /// The value as an operand where the graph stands. Errors: "graph.other", "graph.scope".
  value_id own(const variable& v, const location& at);
  variable number_as(dtype t, const operand& o);
  value_id add_argument(function_id f, std::string_view what, const parameter_type& p, const location& at);
  std::string name_;
  ir_module<phases::ingestion> module_;
  function_id main_;  ///< none: the module was taken
  ir::inserter to_;
  std::vector<std::string> scopes_;
  std::optional<location> caller_;
  std::vector<value_id> results_;
  std::vector<function_id> writing_;  ///< functions whose bodies are not ended
};

template <class R, size_t... I>
R function<R, std::index_sequence<I...>>::operator()(given<I>... operands, std::source_location at) const {
  return detail::unlisted<R>(graph_->call(name_, {operands...}, at), at);
}

}  // namespace tenon::nn
