/// @file transpose.cpp: blocks of rows by vectors whose rows are contiguous where the lanes are not, in registers.
///
/// A vector loop inside of a short one, `for i < n { for j { store(f(load x[j * stride + i]), y[i * stride' + j]) } }`,
/// would gather 16 elements from as many lines. Its rows are loaded along i instead, as many as a vector has lanes, and
/// transposed by shuffles. The other way round, where n neighbours in y have an i each, their vectors are interleaved
/// and stored whole.
#include "emitter.hpp"

#include <algorithm>

#include <tenon/passes/loop_analysis.hpp>

namespace tenon::codegen {

using llvm::Value;
using passes::detail::access_stride;

struct kernel_emitter::crossing {
  op_id inner;                       ///< the vector loop
  value_id i, j;                     ///< the indices of both loops
  i64 rows = 0, first = 0, ops = 0;  ///< of the outer one
  std::vector<op_id> loads;          ///< whose neighbours have the next i
  std::vector<op_id> stores;         ///< the same, and the next j is where the last i of this one ends
  std::vector<value_id> inputs;      ///< buffers of `loads`
};

namespace {

/// Is an address linear in an index, by a factor that may be known only when the kernel runs?
bool is_linear(const ir::module& m, op_id access, value_id index) {
  const ir::op_view v = m.view(access);
  for (int k = v.is<loop::store>() ? 2 : 1; k < v.operand_count(); ++k)
    if (passes::detail::coefficient(m, v.operand(k), index) == passes::detail::unknown_stride) return false;
  return true;
}

constexpr i64 most_ops = 48, most_unrolled = 96, most_vectors = 2, most_interleaved = 4;

/// Transposes blocks of 4x4 in each quarter of four vectors.
std::array<Value*, 4> transpose_quarters(llvm::IRBuilder<>& b, std::array<Value*, 4> v, int lanes) {
  const auto unpack = [&](Value* x, Value* y, int unit, int high) {
    std::vector<int> from;
    for (int e = 0; e < lanes; ++e) {
      const int place = e % 4, pair = place / unit;  // units of x and y in turns
      from.push_back(e - place + high * 2 + (unit == 1 ? pair / 2 : place % 2) + (pair % 2 == 1 ? lanes : 0));
    }
    return b.CreateShuffleVector(x, y, from);
  };
  Value *low01 = unpack(v[0], v[1], 1, 0), *high01 = unpack(v[0], v[1], 1, 1);
  Value *low23 = unpack(v[2], v[3], 1, 0), *high23 = unpack(v[2], v[3], 1, 1);
  return {unpack(low01, low23, 2, 0), unpack(low01, low23, 2, 1), unpack(high01, high23, 2, 0),
          unpack(high01, high23, 2, 1)};
}

/// As many vectors as each has quarters, of four lanes each: quarter q of vector g becomes quarter g of vector q.
std::vector<Value*> transpose_groups(llvm::IRBuilder<>& b, const std::vector<Value*>& v, int lanes) {
  if (v.size() == 1) return v;
  const auto every_other = [&](Value* x, Value* y, int odd) {
    std::vector<int> from;
    for (int e = 0; e < lanes; ++e) {
      const int group = 2 * (e / 4) + odd;  // of x, then of y
      from.push_back(group * 4 + e % 4);
    }
    return b.CreateShuffleVector(x, y, from);
  };
  std::vector<Value*> halves[2], r(v.size());
  for (size_t g = 0; g < v.size(); g += 2)
    for (int odd = 0; odd < 2; ++odd) halves[odd].push_back(every_other(v[g], v[g + 1], odd));
  for (size_t odd = 0; odd < 2; ++odd) {
    if (v.size() == 2) {
      r[odd] = halves[odd][0];
      continue;
    }
    for (size_t q = 0; q < 2; ++q) r[odd + 2 * q] = every_other(halves[odd][0], halves[odd][1], static_cast<int>(q));
  }
  return r;
}

/// Vectors of 4, 8 or 16 lanes, as many as each has lanes.
std::vector<Value*> transpose(llvm::IRBuilder<>& b, const std::vector<Value*>& rows) {
  const size_t lanes = rows.size(), groups = lanes / 4;
  std::vector<std::vector<Value*>> columns(4);
  for (size_t g = 0; g < groups; ++g) {
    const auto four = transpose_quarters(b, {rows[4 * g], rows[4 * g + 1], rows[4 * g + 2], rows[4 * g + 3]},
                                         static_cast<int>(lanes));
    for (size_t c = 0; c < 4; ++c) columns[c].push_back(four[c]);
  }
  std::vector<Value*> r(lanes);
  for (size_t c = 0; c < 4; ++c) {
    const auto along = transpose_groups(b, columns[c], static_cast<int>(lanes));
    for (size_t q = 0; q < groups; ++q) r[4 * q + c] = along[q];
  }
  return r;
}

/// The `part`-th vector of those that hold lane 0 of each of `v`, then lane 1 of each, and so on.
Value* interleaved(llvm::IRBuilder<>& b, const std::vector<Value*>& v, int lanes, int part) {
  const int n = static_cast<int>(v.size());
  Value* r = v[0];
  for (int i = 1; i < n; ++i) {
    std::vector<int> from;
    for (int e = 0; e < lanes; ++e) {
      const int place = part * lanes + e, whose = place % n, lane = place / n;
      from.push_back(whose == i ? lanes + lane : whose > i ? -1 : i == 1 ? lane : e);
    }
    r = b.CreateShuffleVector(r, v[static_cast<size_t>(i)], from);
  }
  return r;
}

}  // namespace

/// Does the loop with its only op, a vector loop, have such loads or stores, and nothing that could not run row by row
/// for a vector of j?
bool kernel_emitter::find_crossing(op_id op, crossing& c) {
  const ir::op_view v = m_.view(op);
  const auto is_plain = [&](const ir::op_view& loop) {
    const auto& l = loop.as<loop::for_loop>();
    return l.independent && l.step == 1 && loop.result_count() == 0;
  };
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(get(v.operand(0)).v);
  c.rows = passes::detail::trip_count(m_, op);
  const i64 lanes = target_.lanes(dtype::f32);
  if (lane_ != nullptr || first == nullptr || !is_plain(v) || v.as<loop::for_loop>().kind != loop::loop_kind::serial ||
      c.rows < 2 || c.rows > most_vectors * lanes || (lanes != 4 && lanes != 8 && lanes != 16))
    return false;
  c.first = first->getSExtValue();
  for (op_id o : m_[v.region()].ops) {
    const ir::op_view inside = m_.view(o);
    if (inside.is<loop::for_loop>() && !c.inner) c.inner = o;
    else if (!inside.is<loop::literal>() && !inside.info().traits.terminator) return false;
  }
  if (!c.inner) return false;
  const ir::op_view inner = m_.view(c.inner);
  const auto& l = inner.as<loop::for_loop>();
  if (l.kind != loop::loop_kind::vector || l.lanes != 0 || !is_plain(inner) || !vectorizable(c.inner)) return false;
  c.i = m_[v.region()].arguments[0], c.j = m_[inner.region()].arguments[0];
  std::vector<value_id> outputs;
  const auto is_word = [&](value_id buffer) {
    const dtype t = m_.type_of(buffer).elem;
    return t == dtype::f32 || t == dtype::i32 || t == dtype::u32;
  };
  // With vectors of 64 bytes, bytes that are a few places apart are one masked store (`store_apart`).
  const auto is_interleaved = [&](value_id buffer) {
    const dtype t = m_.type_of(buffer).elem;
    return is_word(buffer) || (target_.x86 && target_.vector_bytes < 64 && (t == dtype::u8 || t == dtype::i8));
  };
  // Addresses are computed before the loops run: from what was there before.
  const auto is_direct = [&](op_id access, int buffer) {
    const ir::op_view x = m_.view(access);
    bool direct = (buffer == 1 ? is_interleaved(x.operand(1)) : is_word(x.operand(0))) && !is_checked(access);
    for (int k = buffer + 1; k < x.operand_count(); ++k) {
      const op_id d = m_[x.operand(k)].definition;
      direct = direct && (!d || (m_[d].parent != v.region() && m_[d].parent != inner.region()));
    }
    return direct;
  };
  for (op_id o : m_[inner.region()].ops) {
    const ir::op_view x = m_.view(o);
    if (x.info().traits.terminator || x.is<loop::literal>()) continue;
    ++c.ops;
    if (const auto* s = x.get_if<loop::scalar>()) {
      if (!is_cheap(s->fn)) c.ops += 8;
    } else if (const auto* load = x.get_if<loop::load>()) {
      const i64 i = access_stride(m_, o, c.i), j = access_stride(m_, o, c.j);
      if (!load->guarded && is_direct(o, 0) && i == 1 && j != 0 && j != 1 && is_linear(m_, o, c.j))
        c.loads.push_back(o), c.inputs.push_back(x.operand(0));
    } else if (x.is<loop::store>()) {
      const i64 i = access_stride(m_, o, c.i), j = access_stride(m_, o, c.j);
      if (i == 1 && j == c.rows && j <= most_interleaved && is_direct(o, 1)) c.stores.push_back(o);
      outputs.push_back(x.operand(1));
    } else if (!x.is<loop::convert>()) {
      return false;
    }
  }
  for (value_id b : c.inputs)
    if (std::find(outputs.begin(), outputs.end(), b) != outputs.end()) return false;
  return c.ops <= most_ops && c.loads.empty() != c.stores.empty();
}

/// `left`: how many lanes there are; null: all.
void kernel_emitter::crossed_block(const crossing& c, Value* at, Value* left) {
  const unsigned lanes = target_.lanes(dtype::f32);
  const i64 width = static_cast<i64>(lanes);
  const auto mask_of = [&](Value* n) { return b_.CreateICmpSLT(iota(lanes, 1), b_.CreateVectorSplat(lanes, n)); };
  const auto place = [&](op_id access, i64 row, Value* column) {
    const ir::op_view v = m_.view(access);
    const bool is_store = v.is<loop::store>();
    const int buffer = is_store ? 1 : 0;
    set(c.i, {lane_value::uniform, index_constant(row)}), set(c.j, {lane_value::uniform, column});
    llvm::SmallVector<lane_value> indices;
    for (int k = buffer + 1; k < v.operand_count(); ++k) indices.push_back(get(v.operand(k)));
    const ir::type& type = v.operand_type(buffer);
    const ir::access_map& map = is_store ? v.as<loop::store>().map : v.as<loop::load>().map;
    return place_of(type, address_of(get(v.operand(buffer)).v, map, indices, type));
  };
  const llvm::Align align(4);
  std::vector<std::vector<Value*>> kept(c.stores.size());
  for (i64 first = 0; first < c.rows; first += width) {
    const i64 count = std::min(width, c.rows - first);
    std::vector<std::vector<Value*>> columns;
    for (op_id load : c.loads) {
      const dtype t = m_.view(load).operand_type(0).elem;
      auto* type = llvm::FixedVectorType::get(memory_type(t), lanes);
      Value* from = place(load, c.first + first, at);
      const i64 known = access_stride(m_, load, c.j);
      Value* stride = index_constant(known);
      if (known == passes::detail::unknown_stride)  // follows from extents that are not known yet
        stride = b_.CreatePtrDiff(type->getElementType(),
                                  place(load, c.first + first, b_.CreateAdd(at, index_constant(1))), from);
      std::vector<Value*> rows;
      for (i64 lane = 0; lane < width; ++lane) {
        Value* row = index_constant(lane);  // lanes that there are not read the last row once more
        if (left != nullptr && lane > 0)
          row = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, row, b_.CreateSub(left, index_constant(1)));
        Value* p = b_.CreateGEP(type->getElementType(), from, b_.CreateMul(row, stride));
        rows.push_back(count == width ? static_cast<Value*>(b_.CreateAlignedLoad(type, p, align))
                                      : b_.CreateMaskedLoad(type, p, align, mask_of(index_constant(count)),
                                                            llvm::Constant::getNullValue(type)));
      }
      columns.push_back(transpose(b_, rows));
    }
    const lane_context context{lanes, left == nullptr ? nullptr : mask_of(left)};
    const auto row = [&](Value* i, auto&& loaded) {
      lane_ = &context;
      set(c.i, {lane_value::uniform, b_.CreateAdd(i, index_constant(c.first + first))});
      set(c.j, {lane_value::linear, at, 1});
      for (op_id o : m_[m_.region(c.inner)].ops) {
        const auto load = std::find(c.loads.begin(), c.loads.end(), o);
        const auto store = std::find(c.stores.begin(), c.stores.end(), o);
        if (load != c.loads.end()) {
          Value* v = loaded(static_cast<size_t>(load - c.loads.begin()));
          set(m_.result(o), {lane_value::varying, from_memory(v, m_.view(o).operand_type(0).elem)});
        } else if (store != c.stores.end()) {
          Value* v = vector_of(get(m_.operand(o, 0)), lanes);
          kept[static_cast<size_t>(store - c.stores.begin())].push_back(to_memory(v, m_.view(o).operand_type(1).elem));
        } else if (!m_.view(o).info().traits.terminator) {
          operation(o);
        }
      }
      lane_ = nullptr;
    };
    if (!c.stores.empty() || c.ops * count <= most_unrolled) {
      for (i64 i = 0; i < count; ++i)
        row(index_constant(i), [&](size_t load) { return columns[load][static_cast<size_t>(i)]; });
      continue;
    }
    // Much to do with each row: once as code, and the rows wait in memory.
    std::vector<Value*> waiting;
    for (const std::vector<Value*>& v : columns) {
      llvm::IRBuilder<> top(&fn_->getEntryBlock(), fn_->getEntryBlock().begin());
      waiting.push_back(top.CreateAlloca(v[0]->getType(), index_constant(count), "rows"));
      for (i64 i = 0; i < count; ++i)
        b_.CreateStore(v[static_cast<size_t>(i)], b_.CreateGEP(v[0]->getType(), waiting.back(), index_constant(i)));
    }
    counted(index_constant(0), index_constant(count), 1, [&](Value* i) {
      row(i, [&](size_t load) {
        llvm::Type* type = columns[load][0]->getType();
        return b_.CreateLoad(type, b_.CreateGEP(type, waiting[load], i));
      });
    });
  }
  for (size_t s = 0; s < c.stores.size(); ++s) {
    Value* to = place(c.stores[s], c.first, at);
    const llvm::Align each(static_cast<u64>(size_of(m_.view(c.stores[s]).operand_type(1).elem)));
    for (i64 part = 0; part < c.rows; ++part) {
      Value* v = interleaved(b_, kept[s], static_cast<int>(lanes), static_cast<int>(part));
      Value* p = b_.CreateGEP(llvm::cast<llvm::FixedVectorType>(v->getType())->getElementType(), to,
                              index_constant(part * width));
      if (left == nullptr) {
        b_.CreateAlignedStore(v, p, each);
        continue;
      }
      Value* there = b_.CreateSub(b_.CreateMul(left, index_constant(c.rows)), index_constant(part * width));
      b_.CreateMaskedStore(v, p, each, mask_of(there));
    }
  }
}

bool kernel_emitter::crossed_loops(op_id op) {
  crossing c;
  if (!find_crossing(op, c)) return false;
  for (op_id o : m_[m_.region(op)].ops)
    if (m_.view(o).is<loop::literal>()) operation(o);
  Value *lo = get(m_.operand(c.inner, 0)).v, *hi = get(m_.operand(c.inner, 1)).v;
  const i64 lanes = target_.lanes(dtype::f32);
  Value* trips = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, b_.CreateSub(hi, lo), index_constant(0));
  Value* whole = b_.CreateAdd(lo, b_.CreateMul(b_.CreateSDiv(trips, index_constant(lanes)), index_constant(lanes)));
  counted(lo, whole, lanes, [&](Value* at) { crossed_block(c, at, nullptr); });
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(trips);
  if (known == nullptr) counted(whole, hi, lanes, [&](Value* at) { crossed_block(c, at, b_.CreateSub(hi, at)); });
  else if (const i64 rest = known->getSExtValue() % lanes; rest != 0) crossed_block(c, whole, index_constant(rest));
  return true;
}

}  // namespace tenon::codegen
