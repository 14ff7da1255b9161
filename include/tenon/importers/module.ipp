/// @file module.ipp: definitions of importers/module.hpp.
#pragma once

#include <tenon/importers/module.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/passes/bind_inputs.hpp>

namespace tenon {
namespace detail {

class module_in_memory final : public module_source {
 public:
  explicit module_in_memory(ir_module<phases::ingestion> m) : module_(std::move(m)) {}
  const ir::module& signature() const override { return std::as_const(module_).body(); }
  sourced_module make(const known_inputs& known) const override {
    ir_module<phases::ingestion> m = module_.clone();
    ir::module& body = m.body();
    choose_variant(body, known);
    passes::input_binding b;
    for (function_id f : body.functions()) {
      if (!body[f].entry || body[f].kind != ir::function_kind::graph) continue;
      b.function = body[f].name;
      b.shapes.resize(body[body[f].body].arguments.size());
      for (size_t i = 0; i < b.shapes.size(); ++i) {
        const std::string name = ir::input_name(body[f], i);
        if (const auto s = known.shapes.find(name); s != known.shapes.end()) b.shapes[i] = s->second;
        if (const auto v = known.values.find(name); v != known.values.end())
          b.values.emplace_back(static_cast<int>(i), v->second);
      }
      break;
    }
    passes::bind(body, b);
    return {std::move(m), {}, {}};
  }

 private:
  /// For known shapes one graph is enough: the variant that serves them, where the entry does not.
  static void choose_variant(ir::module& m, const known_inputs& known) {
    std::vector<function_id> entries = ir::entries_of(m);
    if (entries.size() < 2 || known.shapes.empty() || ir::variant_of(m[entries[1]]) == nullptr) return;
    alignas(64) static const char unread[64] = {};  // only shapes are asked for
    std::vector<tensor> inputs;
    const auto& arguments = m[m[entries[0]].body].arguments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const auto shape = known.shapes.find(ir::input_name(m[entries[0]], i));
      if (shape == known.shapes.end()) return;
      inputs.push_back(tensor::view(m.type_of(arguments[i]).elem, shape->second, unread, nullptr));
    }
    const function_id f = ir::serving(m, entries[0], inputs);
    if (ir::variant_of(m[f]) != nullptr) m = ir::variant_alone(m, f);
    else ir::drop_variants(m);
  }

  ir_module<phases::ingestion> module_;
};

}  // namespace detail

std::unique_ptr<module_source> source_of(ir_module<phases::ingestion> m) {
  return std::make_unique<detail::module_in_memory>(std::move(m));
}

}  // namespace tenon
