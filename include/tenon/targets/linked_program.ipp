/// @file linked_program.ipp: the parts of a joined module as artifacts, and what runs them.
#pragma once

#include <unordered_map>

#include <tenon/core/nearest.hpp>
#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/op_table.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/runtime/input_count.hpp>
#include <tenon/targets/composite.hpp>

namespace tenon {
namespace detail {

/// A part is one artifact: its module, with all that this holds.
inline void store_part(ir::module& linked, const std::string& name, const ir::module& part,
                       const target_entry& target) {
  const std::string bytes = serialize(part, target.end->name);
  ir::artifact a;
  a.format = label(formats::module_file::name), a.target = target.name, a.symbol = name, a.producer = "link_parts";
  a.bytes.assign(bytes.begin(), bytes.end());
  linked.add_artifact(std::move(a));
}

class stored_parts final : public part_loader {
 public:
  explicit stored_parts(const ir::module& linked) : linked_(linked) {}
  std::unique_ptr<executable> load(const std::string& part, const linked_member& member) const override {
    for (const ir::artifact& a : linked_.artifacts())
      if (a.symbol == part && a.format == std::string_view(formats::module_file::name))
        return member.entry->load(read_part({a.bytes.data(), a.bytes.size()}, part, member));
    throw error("program.no_code", "the module holds no part '" + part + "'", {}, "build it again");
  }

 private:
  const ir::module& linked_;
};

/// Where a program runs that needs no target to be opened.
struct opened_device : in_host_memory {
  static constexpr fixed_string name = "host";
  static constexpr device_kind kind = device_kind::cpu;
};

/// Follows the entry: brings tensors where they are needed, launches parts, waits.
class linked_program final : public executable {
 public:
  linked_program(const ir::module& linked, std::span<const linked_member> members, const part_loader& loader) {
    for (const linked_member& m : members) {
      labels_.push_back(m.label);
      devices_.push_back(m.entry ? m.entry->open_device() : std::make_unique<driver_of<opened_device>>());
    }
    for (function_id f : linked.functions())
      if (linked[f].entry) function_ = f, entry_ = linked[f].body;
    if (!entry_) throw error("program.entry", "the module has no entry function");
    module_ = linked;
    ir::for_each_op(module_, entry_, [&](op_id op) {
      const ir::op_view v = module_.view(op);
      step s;
      if (const auto* l = v.get_if<op::launch>()) {
        s.to = find(l->on, v);
        s.code = loader.load(l->part, members[s.to]);
      } else if (const auto* t = v.get_if<op::transfer>()) {
        s.from = find(t->from, v), s.to = find(t->to, v);
      } else if (const auto* a = v.get_if<op::await>()) {
        s.to = find(a->on, v);
      } else if (!v.is<op::return_>()) {
        throw error("program.entry", "'" + std::string(v.name()) + "' does not join parts", module_.text(v.location()));
      }
      s.op = op;
      steps_.push_back(std::move(s));
    });
  }

  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override {
    const auto& arguments = module_[entry_].arguments;
    if (inputs.size() != arguments.size())
      throw detail::wrong_input_count("program.count", "the program", arguments.size(), inputs.size(),
                                      [&](size_t i) { return ir::input_name(module_[function_], i); });
    if (const auto why = ir::unmet_condition(module_, function_, inputs)) throw *why;
    std::unordered_map<u32, tensor> values;
    for (size_t i = 0; i < inputs.size(); ++i) values[arguments[i].index] = inputs[i];
    std::vector<tensor> results;
    for (const step& s : steps_) {
      const ir::op_view v = module_.view(s.op);
      if (s.code) {
        std::vector<tensor> given;
        for (value_id x : module_.operands(s.op)) given.push_back(values.at(x.index));
        std::vector<tensor> made = devices_[s.to]->launch(*s.code, given, threads);
        if (made.size() != static_cast<size_t>(v.result_count()))
          throw error("bundle.part", "a part gives " + std::to_string(made.size()) + " tensors, and " +
                                         std::to_string(v.result_count()) + " are taken from it");
        for (size_t i = 0; i < made.size(); ++i) values[v.result(static_cast<int>(i)).index] = std::move(made[i]);
      } else if (v.is<op::transfer>()) {
        values[v.result().index] = brought(values.at(v.operand(0).index), s.from, s.to);
      } else if (v.is<op::await>()) {
        devices_[s.to]->wait();
      } else {
        for (value_id x : module_.operands(s.op)) results.push_back(values.at(x.index));
      }
    }
    return results;
  }
  /// Parts ask the conditions that their own inputs say all of; the rest are asked here, with what all inputs say.
  std::optional<error> refusal(std::span<const value> inputs) const override {
    std::vector<tensor> given;
    for (const value& v : inputs) given.push_back(v.is_tensor() ? v.as_tensor() : tensor());
    return ir::unmet_condition(module_, function_, given);
  }

 private:
  struct step {
    op_id op;
    size_t from = 0, to = 0;
    std::unique_ptr<executable> code;
  };
  size_t find(const std::string& label, const ir::op_view& v) const {
    for (size_t i = 0; i < labels_.size(); ++i)
      if (labels_[i] == label) return i;
    throw error("target.no_member", "'" + std::string(v.name()) + "' speaks of member '" + label + "'", {},
                nearest(label, labels_));
  }
  /// Between two devices by way of the host's memory.
  tensor brought(const tensor& t, size_t from, size_t to) const {
    tensor here = t;
    if (from != 0) {
      here = devices_[0]->allocate(t.type(), t.shape());
      devices_[from]->copy(here, t);
    }
    if (to == 0) return here;
    tensor there = devices_[to]->allocate(t.type(), t.shape());
    devices_[to]->copy(there, here);
    return there;
  }

  ir::module module_;
  function_id function_;
  region_id entry_;
  std::vector<std::string> labels_;
  std::vector<std::unique_ptr<device_driver>> devices_;
  std::vector<step> steps_;
};

}  // namespace detail

ir::module read_part(std::string_view bytes, const std::string& part, const linked_member& member) {
  return deserialize(bytes, "part '" + part + "'", {member.entry->end->name, ops_on_the_way(*member.entry), nullptr});
}

std::unique_ptr<executable> load_linked(const ir::module& linked, std::span<const linked_member> members,
                                        const part_loader* loader) {
  const detail::stored_parts stored(linked);
  return std::make_unique<detail::linked_program>(
      linked, members, loader != nullptr ? *loader : static_cast<const part_loader&>(stored));
}

}  // namespace tenon
