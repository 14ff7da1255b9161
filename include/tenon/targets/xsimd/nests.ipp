/// @file nests.ipp: decodes kernels for targets/xsimd/nests.hpp.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <tenon/core/checked.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/dispatch.hpp>
#include <tenon/ops/fwd.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/targets/xsimd/nest_machine.ipp>
#include <tenon/targets/xsimd/nests.hpp>

namespace tenon::xsimd_kernels {

class nest_decoder {
 public:
  nest_decoder(nests& p, const ir::module& m) : p_(p), m_(m) {}

  void function(function_id f) {
    int position = 0;
    for (value_id a : m_[m_[f].body].arguments) {
      if (!m_.type_of(a).is_buffer()) fail({}, "its arguments are not all buffers");
      add_memory(a, {}).argument = position++;
    }
    p_.body_ = region(m_[f].body);
    const auto is_fixed = [](const nests::product& n) { return n.symbols.empty(); };
    if (std::all_of(p_.numbers_.begin(), p_.numbers_.end(), is_fixed))
      for (const nests::product& n : p_.numbers_) p_.fixed_.push_back(n.factor);
    const auto is_spread = [&](u32 r) { return spread_.contains(r); };
    for (nests::code& block : p_.blocks_)
      for (nests::instruction& in : block) in.spread = in.width != 0 && !in.varies && is_spread(in.to);
    const auto mark = [&](std::vector<nests::move>& moves) {
      for (nests::move& v : moves) v.spread = !v.varies && is_spread(v.to);
    };
    for (nests::loop_data& l : p_.loops_) l.spread = is_spread(l.index), mark(l.first), mark(l.next), mark(l.last);
    for (nests::branch_data& b : p_.branches_) mark(b.results[0]), mark(b.results[1]);
    for (nests::contract_data& c : p_.contracts_)
      for (u32 r : c.at) c.spread = c.spread || is_spread(r);
  }

 private:
  using instruction = nests::instruction;
  using forms_of_ops = loop_ops::with<op::constant_buffer, op::alloc>;

  [[noreturn]] void fail(op_id op, const std::string& what) const {
    throw error("external.no_kernel", "kernel '" + p_.name_ + "': " + what,
                op ? m_.text(m_[op].location) : std::string());
  }

  // -- values -------------------------------------------------------------------------------------------------------
  bool varies(value_id v) const { return varying_.contains(v.index); }
  u32 slot(value_id v) {
    const auto [it, fresh] = slots_.try_emplace(v.index, static_cast<u32>(slots_.size()));
    if (fresh) p_.start_.resize(slots_.size() * nests::lanes * 8);
    return it->second;
  }
  u32 use(value_id v, bool by_varying) {
    const u32 r = slot(v);
    if (const auto d = dims_.find(v.index); d != dims_.end()) used_[d->second] = true;
    if (by_varying && !varies(v)) spread_.insert(r);
    return r;
  }
  nests::memory_data& add_memory(value_id v, op_id op) {
    const ir::type& t = m_.type_of(v);
    if (!ir::is_known(t)) fail(op, "a buffer whose extents are not known");
    memory_.emplace(v.index, static_cast<u32>(p_.memories_.size()));
    nests::product bytes{size_of(t.elem), {}};
    for (ir::dim d : t.shape) multiply(bytes, d);
    p_.memories_.push_back({number(std::move(bytes))});
    return p_.memories_.back();
  }
  u32 memory_of(value_id v, op_id op) const {
    const auto it = memory_.find(v.index);
    if (it == memory_.end()) fail(op, "an operand is no buffer of the kernel");
    return it->second;
  }

  // -- numbers of a run ---------------------------------------------------------------------------------------------
  static void multiply(nests::product& n, ir::dim d) {
    if (d.is_static()) n.factor = checked_mul(n.factor, d.extent());
    else n.symbols.push_back(d.symbol().index);
  }
  u32 number(nests::product n) {
    std::sort(n.symbols.begin(), n.symbols.end());
    const auto found = std::find(p_.numbers_.begin(), p_.numbers_.end(), n);
    const u32 at = static_cast<u32>(found - p_.numbers_.begin());
    if (found == p_.numbers_.end()) p_.numbers_.push_back(std::move(n));
    return at;
  }
  /// The extents and strides of a buffer.
  std::vector<std::pair<u32, u32>> layout(const ir::type& t) {
    std::vector<std::pair<u32, u32>> dimensions(t.shape.size());
    nests::product stride;
    for (size_t d = t.shape.size(); d-- > 0;) {
      nests::product extent;
      multiply(extent, t.shape[d]);
      dimensions[d] = {number(std::move(extent)), number(stride)};
      multiply(stride, t.shape[d]);
    }
    return dimensions;
  }

  // -- what varies --------------------------------------------------------------------------------------------------
  /// Finds what depends on the iterations in flight; false where these could not run together.
  bool spreads_through(region_id r) {
    bool changed = true;
    while (changed) {
      changed = false;
      if (!mark(r, changed)) return false;
    }
    return true;
  }
  bool mark(region_id r, bool& changed) {
    const auto add = [&](value_id v) { changed = varying_.insert(v.index).second || changed; };
    for (op_id op : m_[r].ops) {
      const ir::op_view v = m_.view(op);
      if (v.is<loop::contract>() || v.is<op::alloc>()) return false;
      if (v.is<loop::branch>()) {
        if (varies(v.operand(0)) || !mark(v.region(0), changed) || !mark(v.region(1), changed)) return false;
        for (int side = 0; side < 2; ++side)
          for (int i = 0; i < v.result_count(); ++i)
            if (varies(m_.operand(m_.terminator(v.region(side)), i))) add(v.result(i));
        continue;
      }
      if (v.is<loop::for_loop>()) {
        if (varies(v.operand(0)) || varies(v.operand(1))) return false;
        const auto& arguments = m_[v.region()].arguments;
        for (int i = 0; i < v.result_count(); ++i) {
          const value_id carried = arguments[static_cast<size_t>(i) + 1];
          if (varies(v.operand(i + 2)) || varies(m_.operand(m_.terminator(v.region()), i))) add(carried);
          if (varies(carried)) add(v.result(i));
        }
        if (!mark(v.region(), changed)) return false;
        continue;
      }
      bool any = false;
      for (int i = 0; i < v.operand_count(); ++i) any = any || varies(v.operand(i));
      if (any)
        for (int i = 0; i < v.result_count(); ++i) add(v.result(i));
    }
    return true;
  }

  // -- regions ------------------------------------------------------------------------------------------------------
  static bool ends(const ir::op_view& v) { return v.info().traits.terminator; }
  u32 region(region_id r) {
    const u32 number = static_cast<u32>(p_.blocks_.size());
    p_.blocks_.emplace_back();
    nests::code code;
    ++nesting_;
    for (op_id op : m_[r].ops)
      if (!ends(m_.view(op))) decode(op, code);
    --nesting_;
    p_.blocks_[number] = std::move(code);
    return number;
  }
  /// The single loop that a loop's body consists of, beside literals and extents.
  op_id inner_loop(region_id r) const {
    op_id found;
    for (op_id op : m_[r].ops) {
      const ir::op_view v = m_.view(op);
      if (stands(v) || ends(v)) continue;
      if (found || !v.is<loop::for_loop>() || !may_fly(v)) return {};
      found = op;
    }
    return found;
  }
  static bool may_fly(const ir::op_view& v) {
    const auto& f = v.as<loop::for_loop>();
    return v.operand_count() == 2 && (f.independent || f.kind == loop::loop_kind::parallel);
  }
  /// The loops from `op` inwards whose iterations are in flight together; false where they cannot.
  bool nest(op_id op, instruction& in) {
    std::vector<op_id> chain{op};
    const auto bounds_are_outside = [&](op_id inner) {
      for (op_id outer : chain)
        for (int i = 0; i < 2; ++i)
          if (m_.operand(inner, i) == m_[m_.region(outer)].arguments[0]) return false;
      return true;
    };
    for (op_id next = inner_loop(m_.region(op)); next && bounds_are_outside(next); next = inner_loop(m_.region(next))) {
      for (op_id o : m_[m_.region(chain.back())].ops) {
        if (m_.view(o).is<loop::literal>()) literal(m_.view(o));
        if (m_.view(o).is<loop::extent>()) extent(m_.view(o));
      }
      chain.push_back(next);
    }
    nests::nest_data d;
    for (op_id o : chain) {
      const value_id index = m_[m_.region(o)].arguments[0];
      varying_.insert(index.index), dims_.emplace(index.index, d.dims.size());
      d.dims.push_back(
          {slot(m_.operand(o, 0)), slot(m_.operand(o, 1)), m_.view(o).as<loop::for_loop>().step, slot(index), false});
    }
    const bool together = fly(d, m_.region(chain.back()));
    if (together) add(p_.nests_, std::move(d), in, &nest_machine::nest);
    return together;
  }
  bool fly(nests::nest_data& d, region_id body) {
    const bool together = spreads_through(body);
    if (together) {
      used_.assign(d.dims.size(), false);
      d.whole = nesting_ == 1;
      flying_ = true;
      d.body = region(body);
      flying_ = false;
      for (size_t i = 0; i < used_.size(); ++i) d.dims[i].used = used_[i];
    }
    varying_.clear(), dims_.clear();
    return together;
  }
  template <class Table, class Entry>
  static void add(Table& table, Entry e, instruction& in, nests::handler run) {
    in.a = static_cast<u32>(table.size());
    in.run = run;
    table.push_back(std::move(e));
  }

  // -- accesses -----------------------------------------------------------------------------------------------------
  std::vector<nests::term> terms(op_id op, const std::vector<i64>& row, int first, size_t columns, bool& varying,
                                 bool& by_lane) {
    using of_t = nests::term::of_t;
    std::vector<nests::term> all;
    if (row.size() < 1 + columns) fail(op, "a row of an access has too few columns");
    for (size_t k = 0; k < columns; ++k) {
      if (row[1 + k] == 0) continue;
      const value_id v = m_.operand(op, first + static_cast<int>(k));
      varying = varying || varies(v);
      if (const auto d = dims_.find(v.index); d != dims_.end()) {
        all.push_back({of_t::dimension, static_cast<u32>(d->second), row[1 + k]});
      } else {
        by_lane = by_lane || varies(v);
        all.push_back({varies(v) ? of_t::lane : of_t::one, slot(v), row[1 + k]});
      }
    }
    return all;
  }
  nests::access access(op_id op, const ir::access_map& map, value_id memory, int first, size_t columns, bool& varying) {
    nests::access a;
    const ir::type& t = m_.type_of(memory);
    a.memory = memory_of(memory, op);
    a.width = static_cast<u8>(size_of(t.elem));
    a.flags = t.elem == dtype::boolean;
    const auto dimensions = layout(t);
    if (map.rows.size() != dimensions.size()) fail(op, "an access has not as many rows as its buffer dimensions");
    for (size_t d = 0; d < dimensions.size(); ++d)
      a.rows.push_back({map.rows[d][0], dimensions[d].first, dimensions[d].second,
                        terms(op, map.rows[d], first, columns, varying, a.by_lane)});
    return a;
  }

  // -- ops ----------------------------------------------------------------------------------------------------------
  void literal(const ir::op_view& v) {
    const auto& l = v.as<loop::literal>();
    const u32 r = slot(v.result());
    visit_storage(l.type, [&]<class T>(T) {
      T value{};
      if constexpr (is_float(dtype_of<T>)) value = convert_element<T>(l.real);
      else value = convert_element<T>(l.integer);
      for (i64 i = 0; i < nests::lanes; ++i)
        std::memcpy(p_.start_.data() + (r * nests::lanes * 8 + i * i64{sizeof(T)}), &value, sizeof(T));
    });
  }
  void extent(const ir::op_view& v) {
    const auto& e = v.as<loop::extent>();
    for (u32 s = 0; s < m_.symbol_count(); ++s)
      if (m_.name(symbol_id(size_t{s})) == e.expression) return p_.extents_.emplace_back(slot(v.result()), s), void();
    fail(v.id(), "'" + e.expression + "' is no symbol of the module");
  }
  /// What has no operands, and is there before loops begin.
  static bool stands(const ir::op_view& v) { return v.is<loop::literal>() || v.is<loop::extent>(); }
  nests::move move(value_id from, value_id to) {
    const bool varying = varies(to);
    return {use(from, varying), slot(to), varying, false, static_cast<u8>(size_of(m_.type_of(to).elem))};
  }
  void decode(op_id op, nests::code& code) {
    const ir::op_view v = m_.view(op);
    instruction in;
    in.op = op;
    bool any = false;
    for (int i = 0; i < v.operand_count(); ++i) any = any || varies(v.operand(i));
    const auto result = [&] {
      in.to = slot(v.result()), in.varies = any;
      in.width = static_cast<u8>(size_of(v.result_type().elem));
    };
    const auto on_literal = [&](const loop::literal&) { literal(v); };
    const auto on_scalar = [&](const loop::scalar& s) {
      if (v.operand_count() != loop::arity(s.fn)) fail(op, "wrong number of operands");
      u32* const operands[3] = {&in.a, &in.b, &in.c};
      for (int i = 0; i < v.operand_count(); ++i) *operands[i] = use(v.operand(i), any);
      result();
      in.fn = s.fn;
      in.scalar = lane::scalar_of(s.fn, v.operand_type(s.fn == loop::scalar_fn::select ? 1 : 0).elem);
      in.run = &nest_machine::scalar;
    };
    const auto on_convert = [&](const loop::convert& c) {
      in.a = use(v.operand(0), any);
      result();
      dtype from = v.operand_type(0).elem;
      if (is_narrow(from) || is_narrow(c.to)) {  // through the widest types
        const dtype wide = is_float(from) || is_float(c.to) ? dtype::f64 : dtype::i64;
        const dtype first = !is_narrow(from) ? wide : is_float(from) ? dtype::f64 : dtype::i64;
        in.before[0] = lane::converted_of(from, first);
        if (first != wide) in.before[1] = lane::converted_of(first, wide);
        from = wide;
      }
      in.convert = c.bits ? &lane::bits : lane::converted_of(from, c.to);
      in.run = &nest_machine::convert;
    };
    const auto on_load = [&](const loop::load& l) {
      const int indices = v.operand_count() - 1 - (l.guarded ? 1 : 0);
      bool varying = false;
      nests::access a = access(op, l.map, v.operand(0), 1, static_cast<size_t>(indices), varying);
      any = any || varying;
      a.guarded = l.guarded;
      if (l.guarded) a.fill = use(v.operand(v.operand_count() - 1), any);
      result();
      add(p_.accesses_, std::move(a), in, &nest_machine::load);
    };
    const auto on_store = [&](const loop::store& s) {
      bool varying = false;
      nests::access a = access(op, s.map, v.operand(1), 2, static_cast<size_t>(v.operand_count() - 2), varying);
      in.b = use(v.operand(0), any);
      in.varies = any;
      add(p_.accesses_, std::move(a), in, &nest_machine::store);
    };
    const auto on_loop = [&](const loop::for_loop& f) {
      if (f.step <= 0) fail(op, "a step that is not positive");
      if (!flying_ && may_fly(v) && nest(op, in)) return;
      nests::loop_data d;
      const auto& arguments = m_[v.region()].arguments;
      d.low = slot(v.operand(0)), d.high = slot(v.operand(1)), d.index = slot(arguments[0]);
      d.step = f.step;
      d.parallel = nesting_ == 1 && may_fly(v);
      d.body = region(v.region());
      const op_id end = m_.terminator(v.region());
      for (int i = 0; i < v.result_count(); ++i) {
        const value_id carried = arguments[static_cast<size_t>(i) + 1];
        d.first.push_back(move(v.operand(i + 2), carried));
        d.next.push_back(move(m_.operand(end, i), carried));
        d.last.push_back(move(carried, v.result(i)));
      }
      add(p_.loops_, std::move(d), in, &nest_machine::loop);
    };
    const auto on_branch = [&](const loop::branch&) {
      nests::branch_data d;
      in.b = slot(v.operand(0));
      for (int side = 0; side < 2; ++side) {
        d.body[side] = region(v.region(side));
        const op_id end = m_.terminator(v.region(side));
        for (int i = 0; i < v.result_count(); ++i) d.results[side].push_back(move(m_.operand(end, i), v.result(i)));
      }
      add(p_.branches_, std::move(d), in, &nest_machine::branch);
    };
    const auto on_contract = [&](const loop::contract& c) { contract(op, c, in); };
    const auto on_constant = [&](const op::constant_buffer& c) {
      add_memory(v.result(), op).constant = m_[c.value].value.data();
    };
    const auto on_alloc = [&](const op::alloc&) { add_memory(v.result(), op); };
    const auto on_extent = [&](const loop::extent&) { extent(v); };
    const auto on_yield = [&](const loop::yield&) {};
    const ir::forms form{on_literal, on_scalar,   on_convert,  on_load,  on_store,  on_loop,
                         on_branch,  on_contract, on_constant, on_alloc, on_extent, on_yield};
    if (!ir::dispatch<forms_of_ops, "the nests of xsimd", nests>(v, form)) fail(op, "an op that nests do not know");
    if (in.run != nullptr) code.push_back(in);
  }
  void contract(op_id op, const loop::contract& c, instruction& in) {
    const ir::op_view v = m_.view(op);
    const size_t outer = static_cast<size_t>(v.operand_count() - 2);
    nests::contract_data d;
    d.extents = c.m;
    d.extents.push_back(c.n);
    d.outputs = d.extents.size();
    d.extents.insert(d.extents.end(), c.k.begin(), c.k.end());
    for (size_t i = 0; i < d.extents.size(); ++i)
      if (d.extents[i] < 0) {
        if (d.extents[i] < -static_cast<i64>(outer)) fail(op, "an extent is negative and names no operand");
        d.sized.emplace_back(i, slot(v.operand(static_cast<int>(1 - d.extents[i]))));
      }
    const auto side = [&](const ir::access_map& map, int operand) {
      nests::side s;
      const ir::type& t = v.operand_type(operand);
      s.memory = memory_of(v.operand(operand), op), s.width = static_cast<u8>(size_of(t.elem));
      if (is_narrow(t.elem)) fail(op, "products of " + std::string(name_of(t.elem)));
      if (t.elem != c.accumulate) s.convert = lane::converted_of(t.elem, c.accumulate);
      const auto dimensions = layout(t);
      if (map.rows.size() != dimensions.size()) fail(op, "an access has not as many rows as its buffer dimensions");
      for (size_t r = 0; r < dimensions.size(); ++r) {
        const std::vector<i64>& row = map.rows[r];
        if (row.size() != 1 + outer + d.extents.size()) fail(op, "a map has the wrong number of columns");
        bool varying = false, by_lane = false;
        s.rows.push_back(
            {{row[0], dimensions[r].first, dimensions[r].second, terms(op, row, 2, outer, varying, by_lane)},
             {row.begin() + static_cast<std::ptrdiff_t>(1 + outer), row.end()}});
        if (operand == 0 && s.rows.back().by[d.outputs - 1] != 0) fail(op, "its first operand depends on n");
      }
      return s;
    };
    d.a = side(c.map_a, 0), d.b = side(c.map_b, 1);
    d.width = static_cast<u8>(size_of(c.accumulate));
    const auto type = [&]<class T>(T) { d.add_products = &lane::add_products<T>; };
    switch (c.accumulate) {
      case dtype::f64: type(double{}); break;
      case dtype::f32: type(float{}); break;
      case dtype::i32: type(i32{}); break;
      case dtype::u32: type(u32{}); break;
      case dtype::u64: type(u64{}); break;
      case dtype::i64:
      case dtype::index: type(i64{}); break;
      default: fail(op, "sums of " + std::string(name_of(c.accumulate)));
    }
    const std::vector<value_id> arguments = m_[v.region()].arguments;
    if (arguments.size() != 1 + d.outputs) fail(op, "the region needs (acc, m..., n)");
    d.sum = slot(arguments[0]);
    for (size_t i = 1; i < d.outputs; ++i) d.at.push_back(slot(arguments[i]));
    varying_.insert(arguments[0].index), varying_.insert(arguments.back().index);
    dims_.emplace(arguments.back().index, 0);
    d.columns.dims.push_back({0, 0, 1, slot(arguments.back()), false});
    if (!fly(d.columns, v.region())) fail(op, "what becomes of its sums depends on branches");
    add(p_.contracts_, std::move(d), in, &nest_machine::contract);
  }

  nests& p_;
  const ir::module& m_;
  std::unordered_map<u32, u32> slots_, memory_;
  std::unordered_set<u32> varying_, spread_;
  std::unordered_map<u32, size_t> dims_;
  std::vector<bool> used_;
  bool flying_ = false;
  int nesting_ = 0;
};

nests::nests(const ir::module& m, function_id kernel) : module_(&m), name_(m[kernel].name) {
  start_.resize(static_cast<size_t>(lanes * 8));
  nest_decoder(*this, m).function(kernel);
}

}  // namespace tenon::xsimd_kernels
