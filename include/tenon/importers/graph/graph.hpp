/// @file graph: the graph that is being written: inputs, constants, outputs, control flow, scopes.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tenon/importers/graph/variable.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/phases/ingestion.hpp>

namespace tenon::nn {

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

}  // namespace tenon::nn
