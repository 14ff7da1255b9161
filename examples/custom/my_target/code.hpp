// The accelerator's code: a stream of instructions, how it is made from ops, and how the simulator runs it.
#pragma once

#include <map>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/interpret/loops.hpp>

#include "device.hpp"
#include "ops.hpp"

namespace mine {

/// Where an operand is: an input, an output, a constant, or bytes of the dram arena or of the scratchpad.
enum class place : i64 { input, output, constant, dram, scratchpad };
enum class opcode : i64 { load, multiply, store, scalar, copy };

/// What the simulator counted. Cycles: 16 bytes of a transfer, one row of a product, or one element of scalar work.
struct npu_cost {
  i64 instructions = 0, transfers = 0, bytes_moved = 0, products = 0, scalar_kernels = 0, cycles = 0;
};

/// Writes the instruction stream. Numbers of 64 bits: opcode, four attributes, the number of operands, two for each
/// operand.
struct assemble {
  static constexpr fixed_string name = "assemble";
  using from = npu_phase;
  using to = phases::built;
  using needs = facts<>;
  using keeps = all_facts;
  using eliminates = npu_ops;  // constants, storage and the scalar loops stay as the source of the code
  using handles =
      handled_by_default<"every instruction of the phase has its code; the scalar core's loops stay as they are">;
  using emits = ops<>;

  ir_module<to> run(ir_module<from>&& module, context& cx) const {
    ir::module& m = module.body();
    for (function_id f : m.functions())
      if (m[f].kind == ir::function_kind::graph && m[f].entry) {
        std::vector<i64> stream;
        encode(m, f, stream);
        const char* bytes = reinterpret_cast<const char*>(stream.data());
        ir::artifact a;
        a.format = "npu_stream", a.target = cx.target ? to_text(*cx.target) : "npu", a.symbol = m[f].name;
        a.bytes = {bytes, bytes + stream.size() * sizeof(i64)};
        m.add_artifact(std::move(a));
        // The entry keeps its signature and its constants; `built` does not list the instructions.
        const std::vector<op_id> all = m[m[f].body].ops;
        for (size_t i = all.size(); i-- > 0;) {
          const ir::op_view v = m.view(all[i]);
          if (v.is<load_tile>() || v.is<multiply>() || v.is<store_tile>() || v.is<run_scalar>()) m.erase(all[i]);
        }
      }
    return ir_module<to>::adopt(std::move(m));
  }

 private:
  static void encode(const ir::module& m, function_id f, std::vector<i64>& out) {
    std::map<u32, std::pair<place, i64>> at;
    const auto& arguments = m[m[f].body].arguments;
    const size_t inputs = arguments.size() - m[f].result_types.size();
    for (size_t i = 0; i < arguments.size(); ++i)
      at[arguments[i].index] = {i < inputs ? place::input : place::output,
                                static_cast<i64>(i < inputs ? i : i - inputs)};
    const auto instruction = [&](opcode code, std::initializer_list<i64> attributes, op_id op) {
      out.push_back(static_cast<i64>(code));
      out.insert(out.end(), attributes);
      out.insert(out.end(), 4 - attributes.size(), 0);
      out.push_back(m.view(op).operand_count());
      for (value_id v : m.operands(op))
        out.push_back(static_cast<i64>(at.at(v.index).first)), out.push_back(at.at(v.index).second);
    };
    for (op_id op : m[m[f].body].ops) {
      const ir::op_view v = m.view(op);
      if (const auto* s = v.get_if<op::slot>())
        at[v.result().index] = {v.result_type().space == "scratchpad" ? place::scratchpad : place::dram, s->offset};
      else if (const auto* c = v.get_if<op::constant_buffer>())
        at[v.result().index] = {place::constant, static_cast<i64>(c->value.index)};
      else if (v.is<op::view_buffer>()) at[v.result().index] = at.at(v.operand(0).index);
      else if (const auto* l = v.get_if<load_tile>())
        instruction(opcode::load, {l->row, l->column, l->rows, l->columns}, op);
      else if (const auto* p = v.get_if<multiply>()) instruction(opcode::multiply, {p->first}, op);
      else if (const auto* t = v.get_if<store_tile>())
        instruction(opcode::store, {t->row, t->column, t->rows, t->columns}, op);
      else if (const auto* k = v.get_if<run_scalar>())
        instruction(opcode::scalar, {static_cast<i64>(m.find_function(k->kernel.name).index)}, op);
      else if (v.is<op::copy_buffer>()) instruction(opcode::copy, {v.operand_type(0).bytes()}, op);
      else if (!v.is<op::return_>())
        throw error("npu.assemble", "'" + std::string(v.name()) + "' is no instruction", m.text(v.location()));
    }
  }
};

/// Runs instruction streams, and counts what that costs.
class simulator final : public executable {
 public:
  explicit simulator(const ir::module& built) : m_(built) {
    for (const ir::artifact& a : built.artifacts())
      if (a.format == "npu_stream") {
        stream_.resize(a.bytes.size() / sizeof(i64));
        if (!stream_.empty()) std::memcpy(stream_.data(), a.bytes.data(), stream_.size() * sizeof(i64));
        entry_ = m_.find_function(a.symbol);
      }
    if (!entry_) throw error("npu.no_code", "the module holds no instruction stream", {}, "build it for mine::npu");
    arena_bytes_ = m_.build.memory.arena().value_or(0);
  }

  std::vector<tensor> run(std::span<const tensor> inputs, int) const override {
    npu_cost cost;
    return run(inputs, cost);
  }
  std::vector<tensor> run(std::span<const tensor> inputs, npu_cost& cost) const {
    state s{inputs, {}, tensor(dtype::u8, {std::max<i64>(arena_bytes_, 64)}), tensor(dtype::u8, {scratchpad_bytes})};
    for (type_id t : m_[entry_].result_types) s.outputs.emplace_back(m_[t].elem, m_[t].extents());
    for (size_t at = 0; at < stream_.size();) at = step(at, s, cost);
    return std::move(s.outputs);
  }

 private:
  struct state {
    std::span<const tensor> inputs;
    std::vector<tensor> outputs;
    tensor dram, scratchpad;
  };
  unsigned char* pointer(state& s, place p, i64 n) const {
    const auto bytes = [](const tensor& t) {
      return static_cast<unsigned char*>(const_cast<void*>(std::as_const(t).data()));
    };
    const auto i = static_cast<size_t>(n);
    switch (p) {
      case place::input: return bytes(s.inputs[i]);
      case place::output: return bytes(s.outputs[i]);
      case place::constant: return bytes(m_[constant_id(i)].value);
      case place::dram: return bytes(s.dram) + n;
      case place::scratchpad: break;
    }
    if (n < 0 || n + tile * tile * 4 > scratchpad_bytes) throw error("npu.fault", "an access beyond the scratchpad");
    return bytes(s.scratchpad) + n;
  }

  size_t step(size_t at, state& s, npu_cost& cost) const {
    const auto code = static_cast<opcode>(stream_[at]);
    const i64* a = &stream_[at + 1];
    const auto count = static_cast<size_t>(stream_[at + 5]);
    std::vector<unsigned char*> x;
    for (size_t i = 0; i < count; ++i)
      x.push_back(pointer(s, static_cast<place>(stream_[at + 6 + 2 * i]), stream_[at + 7 + 2 * i]));
    ++cost.instructions;
    if (code == opcode::load || code == opcode::store) {
      auto* matrix = reinterpret_cast<float*>(x[code == opcode::load ? 0 : 1]);
      auto* block = reinterpret_cast<float*>(x[code == opcode::load ? 1 : 0]);
      for (i64 i = 0; i < tile; ++i)
        for (i64 j = 0; j < tile; ++j) {
          const bool inside = a[0] + i < a[2] && a[1] + j < a[3];
          if (code == opcode::load) block[i * tile + j] = inside ? matrix[(a[0] + i) * a[3] + a[1] + j] : 0;
          else if (inside) matrix[(a[0] + i) * a[3] + a[1] + j] = block[i * tile + j];
        }
      ++cost.transfers, cost.bytes_moved += tile * tile * 4, cost.cycles += tile * tile * 4 / 16;
    } else if (code == opcode::multiply) {
      const auto *l = reinterpret_cast<const float*>(x[0]), *r = reinterpret_cast<const float*>(x[1]);
      auto* c = reinterpret_cast<float*>(x[2]);
      for (i64 i = 0; i < tile; ++i)
        for (i64 j = 0; j < tile; ++j) {
          float sum = a[0] ? 0 : c[i * tile + j];
          for (i64 k = 0; k < tile; ++k) sum += l[i * tile + k] * r[k * tile + j];
          c[i * tile + j] = sum;
        }
      ++cost.products, cost.cycles += tile;
    } else if (code == opcode::copy) {
      std::memmove(x[1], x[0], static_cast<size_t>(a[0]));
      ++cost.transfers, cost.bytes_moved += a[0], cost.cycles += a[0] / 16 + 1;
    } else {
      const function_id f(static_cast<size_t>(a[0]));
      std::vector<interpreting::buffer> buffers;
      const auto& parameters = m_[m_[f].body].arguments;
      for (size_t i = 0; i < parameters.size(); ++i) {
        const ir::type& t = m_.type_of(parameters[i]);
        buffers.emplace_back(t.elem, t.extents(), x[i], nullptr, true);
        cost.cycles += buffers.back().count;
      }
      interpreting::kernel(m_, f).run(buffers);
      ++cost.scalar_kernels;
    }
    return at + 6 + 2 * count;
  }

  ir::module m_;
  std::vector<i64> stream_;
  function_id entry_;
  i64 arena_bytes_ = 0;
};

struct npu_runtime {
  static constexpr fixed_string name = "npu_simulator";
  static std::unique_ptr<executable> load(const ir::module& built) { return std::make_unique<simulator>(built); }
};

}  // namespace mine
