/// @file native_calls.ipp: definitions of compile/external/native_calls.hpp.
#pragma once

#include <algorithm>

#include <tenon/compile/external/native_calls.hpp>
#include <tenon/compile/external/runner.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/runtime/external_run.hpp>
#include <tenon/runtime/run_observer.hpp>

namespace tenon {
namespace detail {

/// One call: the code, and what its buffers are.
class native_call {
 public:
  native_call(const ir::module& m, op_id op, std::span<const external_format> formats) {
    const ir::artifact& a = *ir::called_artifact(m, op);
    code_ = load_external(m, op, {a.symbol, a.format}, formats);
    std::vector<const tensor*> known;
    for (value_id v : m.operands(op)) {
      const ir::type& t = m.type_of(v);
      shaped b{t.elem, {}, {}};
      for (ir::dim d : t.shape) {
        if (d.is_unknown())
          throw error("external.dynamic_shape", "'" + a.symbol + "' is called with a buffer of unknown size",
                      m.text(m[op].location), "give the inputs their shapes");
        if (d.is_symbol()) b.open.emplace_back(b.shape.size(), d.symbol().index);
        b.shape.push_back(d.is_static() ? d.extent() : 0);
      }
      if (!b.open.empty()) open_dimensions_ += b.shape.size();
      buffers_.push_back(std::move(b));
      known_.push_back(constant_of(m, v));
    }
    for (const tensor& t : known_) known.push_back(t.defined() ? &t : nullptr);
    known.resize(known.size() - std::min(known.size(), code_->result_count()));
    code_->prepare(known);
  }

  static void call(const void* self, void* const* buffers, const tenon_runtime* rt) noexcept {
    external_run& r = external_run::of(*rt);
    try {
      const observed_runs unseen(nullptr);  // the call as a whole is a step of the program
      static_cast<const native_call*>(self)->run(buffers, rt->sizes, r.threads);
    } catch (...) {
      r.error = std::current_exception();
      r.failed = 1;
    }
  }

 private:
  struct shaped {
    dtype type;
    std::vector<i64> shape;                       ///< 0 where it is open
    std::vector<std::pair<size_t, size_t>> open;  ///< dimensions, and which of the run's sizes they are
  };
  /// A constant's elements with the buffer's shape; not defined where the buffer is none.
  static tensor constant_of(const ir::module& m, value_id v) {
    value_id from = v;
    while (m.definition_info(from) == &ir::info_of<op::view_buffer>) from = m.operand(m[from].definition, 0);
    if (m.definition_info(from) != &ir::info_of<op::constant_buffer>) return {};
    const tensor& c = m[m.view(m[from].definition).as<op::constant_buffer>().value].value;
    const ir::type& t = m.type_of(v);
    return t.elem == c.type() && t.is_static() ? c.reshaped(t.extents()) : tensor();
  }
  /// `sizes` is the table of this run's (runtime/abi.hpp).
  void run(void* const* data, const i64* sizes, int threads) const {
    constexpr size_t usual = 16, usual_dimensions = 64;
    external_buffer few[usual];
    i64 few_extents[usual_dimensions];
    std::vector<external_buffer> many(buffers_.size() > usual ? buffers_.size() : 0);
    std::vector<i64> many_extents(open_dimensions_ > usual_dimensions ? open_dimensions_ : 0);
    const std::span<external_buffer> all(many.empty() ? few : many.data(), buffers_.size());
    i64* next = many_extents.empty() ? few_extents : many_extents.data();
    for (size_t i = 0; i < all.size(); ++i) {
      const shaped& b = buffers_[i];
      all[i] = {b.type, b.shape, data[i]};
      if (b.open.empty()) continue;
      const std::span<i64> now(next, b.shape.size());
      next = std::copy(b.shape.begin(), b.shape.end(), next);
      for (const auto& [dimension, size] : b.open) now[dimension] = std::max<i64>(sizes[size], 0);
      all[i].shape = now;
    }
    code_->run_into(all, threads);
  }

  std::vector<shaped> buffers_;
  size_t open_dimensions_ = 0;  ///< of the buffers that have open extents
  std::vector<tensor> known_;
  std::unique_ptr<external_code> code_;  // last: it goes before what it was told
};

}  // namespace detail

native_calls bind_native_calls(const ir::module& built, std::span<const external_format> formats) {
  const auto calls = std::make_shared<std::vector<std::unique_ptr<const detail::native_call>>>();
  native_calls n;
  for (op_id op : ir::artifact_calls(built)) {
    calls->push_back(std::make_unique<const detail::native_call>(built, op, formats));
    n.table.push_back({&detail::native_call::call, calls->back().get()});
  }
  n.code = calls;
  return n;
}

}  // namespace tenon
