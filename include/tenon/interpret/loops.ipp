/// @file loops.ipp: decoding kernels; running their control flow and contractions.
#pragma once

#include <bit>
#include <concepts>
#include <cstring>
#include <limits>

#include <tenon/core/checked.hpp>
#include <tenon/interpret/eval_table.hpp>
#include <tenon/interpret/loop_handlers.ipp>
#include <tenon/interpret/loops.hpp>
#include <tenon/ir/dispatch.hpp>
#include <tenon/ops/fwd.hpp>
#include <tenon/ops/graph/call.hpp>

namespace tenon::interpreting {

kernel::kernel(const ir::module& m, function_id f, kernel_checks checks) : module_(m), function_(f), checks_(checks) {
  for (value_id a : m[m[f].body].arguments) {
    if (!m.type_of(a).is_buffer()) fail("interpret.kernel_arguments", "its arguments are not all buffers", {});
    memory_index_.emplace(a.index, static_cast<u32>(memories_.size()));
    memories_.push_back({a, nullptr, true});
  }
  body_ = decode_region(m[f].body);
}

error kernel::said_of(std::string code, std::string message, op_id op) const {
  std::string where;
  if (op) {
    message = std::string(module_.view(op).name()) + ": " + message;
    where = module_.text(module_[op].location);
  }
  return error(std::move(code), "kernel '" + module_[function_].name + "': " + message, std::move(where));
}

u32 kernel::slot(value_id v) {
  const auto [it, fresh] = slots_.try_emplace(v.index, static_cast<u32>(literals_.size()));
  if (fresh) literals_.emplace_back();
  return it->second;
}

u32 kernel::memory_of(value_id v, op_id user) {
  const auto it = memory_index_.find(v.index);
  if (it == memory_index_.end()) fail("interpret.kernel_arguments", "an operand is no buffer of the kernel", user);
  return it->second;
}

u32 kernel::decode_region(region_id r) {
  const u32 number = static_cast<u32>(blocks_.size());
  blocks_.emplace_back();
  std::vector<instruction> code;
  for (op_id op : module_[r].ops) {
    const ir::op_view v = module_.view(op);
    if (v.is<loop::yield>() || v.is<op::return_>() || v.is<op::yield>()) {
      for (int i = 0; i < v.operand_count(); ++i) blocks_[number].yields.push_back(slot(v.operand(i)));
      break;
    }
    decode(op, code);
  }
  blocks_[number].code = std::move(code);
  return number;
}

kernel::access kernel::decode_access(op_id op, const ir::access_map& map, value_id memory, int first_index,
                                     size_t columns) {
  access a;
  a.memory = memory_of(memory, op);
  if (map.rows.size() != module_.type_of(memory).shape.size())
    fail("interpret.access",
         "the access has " + std::to_string(map.rows.size()) + " rows for a buffer of rank " +
             std::to_string(module_.type_of(memory).shape.size()),
         op);
  const ir::op_view v = module_.view(op);
  for (const auto& row : map.rows) {
    if (row.size() < 1 + columns) fail("interpret.access", "a row of the access has too few columns", op);
    a.constants.push_back(row[0]);
    for (size_t k = 0; k < columns; ++k)
      if (row[1 + k] != 0) a.terms.push_back({slot(v.operand(first_index + static_cast<int>(k))), row[1 + k]});
    a.ends.push_back(static_cast<u32>(a.terms.size()));
  }
  return a;
}

void kernel::decode(op_id op, std::vector<instruction>& code) {
  const ir::op_view v = module_.view(op);
  instruction in{};
  in.op = op;
  bool runs = true;  // else it only says where something is
  const auto on_literal = [&](const loop::literal& l) {
    literals_[slot(v.result())] = handlers::literal(l.type, l.real, l.integer);
    runs = false;
  };
  const auto on_scalar = [&](const loop::scalar& s) {
    u32* operands[3] = {&in.a, &in.b, &in.c};
    if (v.operand_count() != loop::arity(s.fn)) fail("interpret.operands", "wrong number of operands", op);
    for (int i = 0; i < v.operand_count(); ++i) *operands[i] = slot(v.operand(i));
    in.to = slot(v.result());
    in.fn = s.fn;
    in.run = handlers::scalar(s.fn, v.operand_type(s.fn == loop::scalar_fn::select ? 1 : 0).elem);
  };
  const auto on_convert = [&](const loop::convert& c) {
    in.a = slot(v.operand(0)), in.to = slot(v.result());
    in.b = static_cast<u32>(v.operand_type(0).elem), in.c = static_cast<u32>(c.to);
    in.run = c.bits ? &handlers::bits_of : handlers::convert(v.operand_type(0).elem, c.to);
  };
  const auto on_load = [&](const loop::load& ld) {
    const int indices = v.operand_count() - 1 - (ld.guarded ? 1 : 0);
    access a = decode_access(op, ld.map, v.operand(0), 1, static_cast<size_t>(indices));
    if (ld.guarded) in.b = slot(v.operand(v.operand_count() - 1));
    in.a = static_cast<u32>(accesses_.size()), in.to = slot(v.result());
    accesses_.push_back(std::move(a));
    in.run = handlers::load(v.operand_type(0).elem, ld.guarded);
  };
  const auto on_store = [&](const loop::store& st) {
    access a = decode_access(op, st.map, v.operand(1), 2, static_cast<size_t>(v.operand_count() - 2));
    in.b = slot(v.operand(0)), in.a = static_cast<u32>(accesses_.size());
    accesses_.push_back(std::move(a));
    in.run = handlers::store(v.operand_type(1).elem);
  };
  const auto on_loop = [&](const loop::for_loop& f) {
    if (f.step <= 0) fail("interpret.step", "its step is " + std::to_string(f.step) + ", not positive", op);
    const auto& arguments = module_[v.region()].arguments;
    loop_data d;
    in.a = slot(v.operand(0)), in.b = slot(v.operand(1));
    for (int i = 2; i < v.operand_count(); ++i) d.initial.push_back(slot(v.operand(i)));
    for (int i = 0; i < v.result_count(); ++i) d.results.push_back(slot(v.result(i)));
    if (arguments.size() != 1 + d.initial.size() || d.results.size() != d.initial.size())
      fail("interpret.operands", "initial values, region arguments and results do not agree", op);
    d.index = slot(arguments[0]);
    for (size_t i = 1; i < arguments.size(); ++i) d.carried.push_back(slot(arguments[i]));
    d.step = f.step;
    d.any_order = (f.independent || f.kind == loop::loop_kind::parallel) && d.initial.empty();
    d.body = decode_region(v.region());
    if (blocks_[d.body].yields.size() != d.carried.size())
      fail("interpret.operands", "the body yields another number of values than it carries", op);
    in.to = static_cast<u32>(loops_.size());
    loops_.push_back(std::move(d));
    in.run = [](kernel& k, const instruction& i) { k.run_loop(i); };
  };
  const auto on_branch = [&](const loop::branch&) {
    branch_data d;
    in.a = slot(v.operand(0));
    for (int i = 0; i < v.result_count(); ++i) d.results.push_back(slot(v.result(i)));
    for (int i = 0; i < 2; ++i) {
      d.body[i] = decode_region(v.region(i));
      if (blocks_[d.body[i]].yields.size() != d.results.size())
        fail("interpret.operands", "a branch yields another number of values than there are results", op);
    }
    in.to = static_cast<u32>(branches_.size());
    branches_.push_back(std::move(d));
    in.run = [](kernel& k, const instruction& i) {
      const branch_data& b = k.branches_[i.to];
      const u32 taken = b.body[k.registers_[i.a].i != 0 ? 0 : 1];
      k.execute(taken);
      k.transfer(k.blocks_[taken].yields, b.results);
    };
  };
  const auto on_contract = [&](const loop::contract&) {
    decode_contract(op, code);
    runs = false;
  };
  const auto on_constant = [&](const op::constant_buffer& cb) {
    memory_index_.emplace(v.result().index, static_cast<u32>(memories_.size()));
    memories_.push_back({v.result(), &module_[cb.value].value, false});
    runs = false;
  };
  const auto on_alloc = [&](const op::alloc&) {
    memory_index_.emplace(v.result().index, static_cast<u32>(memories_.size()));
    memories_.push_back({v.result(), nullptr, false});
    runs = false;
  };
  const auto on_yield = [&](const loop::yield&) { runs = false; };  // whoever owns the region reads it
  const ir::forms form{on_literal, on_scalar,   on_convert,  on_load,  on_store, on_loop,
                       on_branch,  on_contract, on_constant, on_alloc, on_yield};
  using known = loop_ops::with<op::constant_buffer, op::alloc>;
  if (!ir::dispatch<known, "the interpreter of loops", reference_evaluation>(v, form))
    fail("interpret.unknown_op", "the loop interpreter does not know this op", op);
  if (runs) code.push_back(in);
}

void kernel::decode_contract(op_id op, std::vector<instruction>& code) {
  const ir::op_view v = module_.view(op);
  const auto& c = v.as<loop::contract>();
  const size_t outer = static_cast<size_t>(v.operand_count() - 2);
  contract_data d;
  d.extents = c.m;
  d.extents.push_back(c.n);
  d.outputs = d.extents.size();
  d.extents.insert(d.extents.end(), c.k.begin(), c.k.end());
  for (size_t i = 0; i < d.extents.size(); ++i) {
    if (d.extents[i] >= 0) continue;
    if (d.extents[i] < -static_cast<i64>(outer))
      fail("interpret.access", "an extent is negative and names no operand", op);
    d.sized.emplace_back(i, slot(v.operand(static_cast<int>(1 - d.extents[i]))));
  }
  d.accumulate = c.accumulate;
  const auto side = [&](const ir::access_map& map, int operand) {
    contract_side s;
    s.outer = decode_access(op, map, v.operand(operand), 2, outer);
    for (const auto& row : map.rows) {
      if (row.size() != 1 + outer + d.extents.size())
        fail("interpret.access", "a map has the wrong number of columns", op);
      s.coefficients.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(1 + outer), row.end());
    }
    return s;
  };
  d.a = side(c.map_a, 0);
  for (const auto& row : d.a.coefficients)
    if (row[d.outputs - 1] != 0) fail("interpret.access", "its first operand depends on n", op);
  d.b = side(c.map_b, 1);
  for (value_id a : module_[v.region()].arguments) d.arguments.push_back(slot(a));
  if (d.arguments.size() != 1 + d.outputs) fail("interpret.operands", "the region needs (acc, m..., n)", op);
  d.body = decode_region(v.region());
  instruction in{};
  in.op = op;
  in.to = static_cast<u32>(contracts_.size());
  in.run = [](kernel& k, const instruction& i) { k.run_contract(i); };
  contracts_.push_back(std::move(d));
  code.push_back(in);
}

/// A kernel may see the elements in another shape than its caller, as a view would.
buffer kernel::as_argument(const buffer& given, const ir::type& formal, size_t number) const {
  buffer b = given;
  bool agree = b.type == formal.elem;
  if (formal.is_static()) {
    agree = agree && formal.count() == b.count;
    b.shape = formal.extents();
  } else {
    agree = agree && b.shape.size() == formal.shape.size();
    for (size_t d = 0; agree && d < b.shape.size(); ++d)
      agree = !formal.shape[d].is_static() || formal.shape[d].extent() == b.shape[d];
  }
  if (!agree)
    fail("interpret.kernel_arguments",
         "argument " + std::to_string(number) + " is given a buffer " + given.describe() +
             ", which its type does not allow",
         {});
  return b;
}

void kernel::run(std::span<const buffer> arguments) {
  const auto& formal = module_[module_[function_].body].arguments;
  if (arguments.size() != formal.size())
    fail("interpret.kernel_arguments",
         std::to_string(arguments.size()) + " buffers for " + std::to_string(formal.size()) + " arguments", {});
  registers_ = literals_, spent_ = 0;
  buffers_.clear();
  for (size_t i = 0; i < memories_.size(); ++i) {
    const memory_data& d = memories_[i];
    const ir::type& t = module_.type_of(d.value);
    if (d.argument) {
      buffers_.push_back(as_argument(arguments[i], t, i));
    } else if (d.constant != nullptr) {
      buffers_.push_back(buffer::read_only(*d.constant));
    } else {
      tensor fresh(t.elem, t.extents());
      buffers_.push_back(buffer::fresh(fresh));
    }
  }
  execute(body_);
  buffers_.clear();
}

void kernel::execute(u32 number) {
  for (const instruction& in : blocks_[number].code) in.run(*this, in);
}

void kernel::transfer(const std::vector<u32>& from, const std::vector<u32>& to) {
  if (from.size() == 1) {
    registers_[to[0]] = registers_[from[0]];
    return;
  }
  moving_.clear();  // yields may be a permutation of what they replace
  for (u32 r : from) moving_.push_back(registers_[r]);
  for (size_t i = 0; i < to.size(); ++i) registers_[to[i]] = moving_[i];
}

void kernel::run_loop(const instruction& in) {
  const loop_data& d = loops_[in.to];
  const i64 end = registers_[in.b].i;
  if (d.any_order && (checks_.shuffle != 0 || checks_.races))
    return run_in_any_order(d, registers_[in.a].i, end, in.op);
  transfer(d.initial, d.carried);
  for (i64 i = registers_[in.a].i; i < end;) {
    spend(1, in.op);
    registers_[d.index].i = i;
    execute(d.body);
    transfer(blocks_[d.body].yields, d.carried);
    if (i > std::numeric_limits<i64>::max() - d.step) break;
    i += d.step;
  }
  transfer(d.carried, d.results);
}

bool kernel::place(const access& a, i64& offset) const {
  const buffer& b = buffers_[a.memory];
  const term* t = a.terms.data();
  u64 at = 0;
  for (size_t d = 0; d < a.constants.size(); ++d) {
    u64 x = static_cast<u64>(a.constants[d]);
    for (const term* end = a.terms.data() + a.ends[d]; t != end; ++t)
      x += static_cast<u64>(t->coefficient) * registers_[t->slot].bits;
    const u64 extent = static_cast<u64>(b.shape[d]);
    if (x >= extent) return false;
    at = at * extent + x;
  }
  offset = static_cast<i64>(at);
  return true;
}

void kernel::out_of_bounds(const access& a, op_id op) const {
  std::string at;
  const term* t = a.terms.data();
  for (size_t d = 0; d < a.constants.size(); ++d) {
    u64 x = static_cast<u64>(a.constants[d]);
    for (const term* end = a.terms.data() + a.ends[d]; t != end; ++t)
      x += static_cast<u64>(t->coefficient) * registers_[t->slot].bits;
    at += (d != 0 ? ", " : "") + std::to_string(static_cast<i64>(x));
  }
  fail("interpret.out_of_bounds",
       "index [" + at + "] is outside of buffer " + std::to_string(a.memory) + ", " + buffers_[a.memory].describe(),
       op);
}

/// The bounds of an affine index over a box are attained at its corners, so one check covers the whole contraction.
void kernel::place_side(contract_side& s, const contract_data& c, op_id op) {
  const buffer& b = buffers_[s.outer.memory];
  const std::vector<i64> steps = row_major_strides(b.shape);
  s.strides.assign(c.extents.size(), 0);
  s.start = 0;
  const term* t = s.outer.terms.data();
  for (size_t d = 0; d < s.coefficients.size(); ++d) {
    i64 base = s.outer.constants[d], reach = 0;
    bool wraps = false;  // what does not fit in 64 bits is outside of every buffer
    const auto add_product = [&](i64& to, i64 factor, i64 by) {
      wraps = __builtin_mul_overflow(factor, by, &reach) || __builtin_add_overflow(to, reach, &to) || wraps;
    };
    for (const term* end = s.outer.terms.data() + s.outer.ends[d]; t != end; ++t)
      add_product(base, t->coefficient, registers_[t->slot].i);
    i64 low = base, high = base;
    for (size_t e = 0; e < c.extents.size(); ++e) {
      add_product(s.coefficients[d][e] < 0 ? low : high, s.coefficients[d][e], c.extents[e] - 1);
      if (c.extents[e] > 1) add_product(s.strides[e], s.coefficients[d][e], steps[d]);
    }
    if (wraps || low < 0 || high >= b.shape[d])
      fail("interpret.out_of_bounds",
           "indices " + std::to_string(low) + " to " + std::to_string(high) + " of dimension " + std::to_string(d) +
               " are outside of buffer " + std::to_string(s.outer.memory) + ", " + b.describe(),
           op);
    s.start += base * steps[d];
  }
}

void kernel::run_contract(const instruction& in) {
  contract_data& c = contracts_[in.to];
  for (const auto& [extent, reg] : c.sized) c.extents[extent] = std::max<i64>(registers_[reg].i, 0);
  for (size_t e = 0; e < c.outputs; ++e)
    if (c.extents[e] == 0) return;
  bool empty_sum = false;
  for (size_t e = c.outputs; e < c.extents.size(); ++e) empty_sum = empty_sum || c.extents[e] == 0;
  if (!empty_sum) {
    place_side(c.a, c, in.op);
    place_side(c.b, c, in.op);
  }
  const size_t m = c.outputs - 1;  // the extents are m..., n, k...
  const std::span<const i64> extents(c.extents), by_a(c.a.strides), by_b(c.b.strides);
  std::vector<i64> at(m, 0);
  // The columns of sums without terms are bound by no buffer.
  std::vector<scalar_register> row(empty_sum ? 1 : static_cast<size_t>(extents[m]),
                                   handlers::literal(c.accumulate, 0, 0));
  for (;;) {
    if (!empty_sum) {
      row_place s{c.a.start,
                  c.b.start,
                  extents[m],
                  by_b[m],
                  extents.subspan(c.outputs),
                  by_a.subspan(c.outputs),
                  by_b.subspan(c.outputs)};
      for (size_t e = 0; e < m; ++e) s.from_a += at[e] * by_a[e], s.from_b += at[e] * by_b[e];
      watch_sums(c, s, in.op);
      handlers::row_of_sums(c.accumulate, buffers_[c.a.outer.memory], buffers_[c.b.outer.memory], s, row);
    }
    for (size_t e = 0; e < m; ++e) registers_[c.arguments[1 + e]].i = at[e];
    for (i64 j = 0; j < extents[m]; ++j) {
      registers_[c.arguments[0]] = row[empty_sum ? 0 : static_cast<size_t>(j)];
      registers_[c.arguments[1 + m]].i = j;
      execute(c.body);
    }
    size_t e = m;
    while (e != 0 && ++at[e - 1] == extents[e - 1]) at[--e] = 0;
    if (e == 0) return;
  }
}

}  // namespace tenon::interpreting

#include <tenon/interpret/loop_races.ipp>
