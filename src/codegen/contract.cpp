/// @file contract.cpp: register-blocked micro-kernels for matrix products and convolutions.
///
/// A block of `rows` (of the last one or two m dimensions) times `vectors` (along n) accumulators stays in registers
/// while k runs; every step loads `vectors` vectors of b and broadcasts one element of a per row. All strides are
/// constants where extents are, so a row is a constant displacement from one pointer. (The scheme of BLIS: Van Zee and
/// van de Geijn, ACM TOMS 41(3), 2015, with the packing of a left out because its rows are read through constant
/// offsets.)
/// Where weights stand in panels, each block of rows fetches its share of the next panel into the second-level cache,
/// as the caches' own prefetching does not reach over the rows between.
#include "emitter.hpp"

#include <algorithm>

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <tenon/ops/loop/products_together.hpp>

namespace tenon::codegen {

using llvm::Value;

struct kernel_emitter::contract_plan {
  op_id op;
  ir::type a_type, b_type;
  dtype sum = dtype::f32;
  unsigned lanes = 16;
  Value *a = nullptr, *b = nullptr;           ///< base addresses with the outer indices applied
  std::vector<Value*> m, m_stride;            ///< all m dimensions, strides in a
  std::vector<Value*> k, a_stride, b_stride;  ///< k dimensions, merged where both operands are contiguous
  Value* n = nullptr;
  i64 step = 1;  ///< elements of a and b that one step of k takes for a column: 4 for products of bytes, 2 of words
  i64 outer_rows = 1, inner_rows = 1, vectors = 1;
  Value* rows = nullptr;       ///< all of them
  bool whole_columns = false;  ///< rows of b have elements for all lanes behind the last column
  i64 panel_bytes = 0;  ///< where b is a panel with its successor behind it, which blocks fetch: its size; else 0
};

struct kernel_emitter::contract_state {
  std::vector<Value*> m;  ///< first index of the block in each m dimension
  Value* n = nullptr;
};

namespace {
/// The number that a value is, or -1.
i64 number_of(const Value* v) {
  const auto* c = llvm::dyn_cast<llvm::ConstantInt>(v);
  return c != nullptr ? c->getSExtValue() : -1;
}
/// The product of extents, or 0 where one is no number.
i64 product(const std::vector<Value*>& extents) {
  i64 n = 1;
  for (const Value* v : extents) n *= std::max<i64>(number_of(v), 0);
  return n;
}
/// May the last vector of columns be read whole? Rows of b have a multiple of `lanes` columns, of which n are the
/// first.
bool has_whole_columns(i64 lanes, const loop::contract& c, const ir::type& b) {
  if (b.rank() == 0 || c.n < 0) return false;
  for (size_t d = b.rank() - 1;; --d) {
    const std::vector<i64>& row = c.map_b.rows[d];
    const size_t at_n = row.size() - c.k.size() - 1;
    if (row[at_n] == 0 && d > 0) continue;  // what stands together for a column
    for (size_t i = 0; i < row.size(); ++i)
      if (row[i] != (i == at_n ? 1 : 0)) return false;
    return b.shape[d].is_static() && b.shape[d].extent() % lanes == 0 && c.n <= b.shape[d].extent();
  }
}
bool is_number(const Value* v, i64 n) {
  const auto* c = llvm::dyn_cast<llvm::ConstantInt>(v);
  return c != nullptr && c->getSExtValue() == n;
}
}  // namespace

template <class F>
void kernel_emitter::blocked(Value* extent, i64 block, F&& each) {
  if (const i64 n = number_of(extent); n >= 0) {
    const i64 full = n / block * block;
    if (full == block) each(index_constant(0), block);
    else if (full > 0) counted(index_constant(0), index_constant(full), block, [&](Value* at) { each(at, block); });
    if (n > full) each(index_constant(full), n - full);
    return;
  }
  Value* rest = b_.CreateSRem(extent, index_constant(block));
  Value* at = b_.CreateSub(extent, rest);
  counted(index_constant(0), at, block, [&](Value* i) { each(i, block); });
  i64 power = 1;
  while (power * 2 < block) power *= 2;
  for (; block > 1 && power > 0; power /= 2) {
    // At most once for each power: the rest is smaller than twice it.
    Value* end = b_.CreateAdd(at, b_.CreateAnd(rest, index_constant(power)));
    counted(at, end, power, [&](Value* i) { each(i, power); });
    at = end;
  }
}

/// An extent that is an operand is no extent where it is negative.
Value* kernel_emitter::contract_extent(op_id op, i64 extent) {
  if (extent >= 0) return index_constant(extent);
  Value* given = get(m_.operand(op, static_cast<int>(1 - extent))).v;
  return target_.check_bounds ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, given, index_constant(0)) : given;
}

void kernel_emitter::contract(op_id op) {
  if (!is_checked(op)) return plain_contract(op);
  where_inside(test_contract(op), op, m_.view(op).operand_type(0), [&] { plain_contract(op); });
}

void kernel_emitter::plain_contract(op_id op) {
  if (lane_ != nullptr) fail(op, "a contraction inside of a vector loop");
  const ir::op_view v = m_.view(op);
  const auto& c = v.as<loop::contract>();
  if (c.n == 0 || std::count(c.m.begin(), c.m.end(), 0) != 0) return;  // no points at all
  contract_plan p;
  p.op = op;
  p.a_type = v.operand_type(0), p.b_type = v.operand_type(1);
  p.sum = c.accumulate;
  const auto size = [&](i64 e) { return contract_extent(op, e); };
  p.n = size(c.n);
  for (i64 e : c.m) p.m.push_back(size(e));
  p.lanes = target_.lanes(is_float(p.sum) && p.sum != dtype::f64 ? dtype::f32 : p.sum);
  while (p.lanes > 1 && c.n >= 0 && static_cast<i64>(p.lanes / 2) >= c.n) p.lanes /= 2;

  llvm::SmallVector<lane_value> outer;
  for (int i = 2; i < v.operand_count(); ++i) outer.push_back(get(v.operand(i)));
  // Linear offsets: fold the rows of each map with the buffer's strides, then split by column.
  auto fold = [&](const ir::access_map& map, const ir::type& t) {
    const auto strides = strides_of(t);
    std::vector<Value*> row(1 + outer.size() + c.m.size() + 1 + c.k.size(), index_constant(0));
    for (size_t d = 0; d < map.rows.size(); ++d)
      for (size_t i = 0; i < row.size(); ++i)
        if (map.rows[d][i] != 0)
          row[i] = b_.CreateAdd(row[i], b_.CreateMul(index_constant(map.rows[d][i]), strides[d]));
    return row;
  };
  const auto ra = fold(c.map_a, p.a_type), rb = fold(c.map_b, p.b_type);
  const size_t first_m = 1 + outer.size(), at_n = first_m + c.m.size(), first_k = at_n + 1;
  if (const i64 n = loop::products_together(c, p.a_type.elem, p.b_type.elem); is_number(rb[at_n], n)) p.step = n;
  p.whole_columns = has_whole_columns(p.lanes, c, p.b_type);
  if (!is_number(ra[at_n], 0) || (!is_number(rb[at_n], p.step) && c.n != 1 && c.n != 0))
    fail(op, "operand a must not depend on n, and b must be contiguous along n");
  auto base = [&](const std::vector<Value*>& row, int operand, const ir::type& t) {
    Value* offset = row[0];
    for (size_t i = 0; i < outer.size(); ++i)
      if (!is_number(row[1 + i], 0)) offset = b_.CreateAdd(offset, b_.CreateMul(outer[i].v, row[1 + i]));
    return b_.CreateGEP(memory_type(t.elem), get(v.operand(operand)).v, offset);
  };
  p.a = base(ra, 0, p.a_type), p.b = base(rb, 1, p.b_type);
  for (size_t i = 0; i < c.m.size(); ++i) {
    p.m_stride.push_back(ra[first_m + i]);
    if (!is_number(rb[first_m + i], 0)) fail(op, "operand b must not depend on m");
  }
  for (size_t i = 0; i + (p.step > 1 ? 1 : 0) < c.k.size(); ++i) {
    Value *ka = ra[first_k + i], *kb = rb[first_k + i];
    if (c.k[i] == 1 && c.k.size() > 1 && !(i + 1 == c.k.size() && p.k.empty())) continue;
    const auto follows = [&](Value* before, Value* stride) {
      return number_of(before) >= 0 && number_of(stride) >= 0 && number_of(before) == c.k[i] * number_of(stride);
    };
    if (!p.k.empty() && c.k[i] >= 0 && number_of(p.k.back()) >= 0 && follows(p.a_stride.back(), ka) &&
        follows(p.b_stride.back(), kb)) {
      p.k.back() = index_constant(number_of(p.k.back()) * c.k[i]), p.a_stride.back() = ka, p.b_stride.back() = kb;
    } else {
      p.k.push_back(size(c.k[i])), p.a_stride.push_back(ka), p.b_stride.push_back(kb);
    }
  }
  Value *zero = index_constant(0), *one = index_constant(1);
  if (p.k.empty()) p.k.push_back(one), p.a_stride.push_back(zero), p.b_stride.push_back(zero);
  if (p.m.empty()) p.m.push_back(one), p.m_stride.push_back(zero);

  Value *mi = p.m.back(), *mo = p.m.size() > 1 ? p.m[p.m.size() - 2] : one;
  // Without a schedule (`tile` did not run) one row and one vector at a time.
  const auto rows_within = [](i64 rows, Value* extent) {
    const i64 n = number_of(extent);
    return std::clamp<i64>(rows, 1, n > 0 ? n : std::max<i64>(rows, 1));
  };
  p.outer_rows = rows_within(c.rows, mo), p.inner_rows = rows_within(c.inner_rows, mi);
  p.vectors = std::max<i64>(c.vectors, 1);
  p.rows = one;
  for (Value* e : p.m) p.rows = b_.CreateMul(p.rows, e);
  p.panel_bytes = following_panel(p, llvm::ArrayRef(rb).slice(1, outer.size()));

  contract_state s;
  s.m.assign(p.m.size(), index_constant(0));
  auto rows = [&](i64 columns, Value* mask) {
    const size_t last = p.m.size() - 1;
    auto inner = [&](i64 outer_rows) {
      blocked(mi, p.inner_rows, [&](Value* at, i64 inner_rows) {
        s.m[last] = at;
        const i64 vectors = (columns + static_cast<i64>(p.lanes) - 1) / static_cast<i64>(p.lanes);
        contract_block(p, s, outer_rows, inner_rows, vectors, columns, mask);
      });
    };
    auto outer_dims = [&](auto& self, size_t d) -> void {
      if (p.m.size() == 1) return inner(1);
      if (d + 1 == last)
        return blocked(mo, p.outer_rows, [&](Value* at, i64 outer_rows) {
          s.m[d] = at;
          inner(outer_rows);
        });
      blocked(p.m[d], 1, [&](Value* at, i64) {
        s.m[d] = at;
        self(self, d + 1);
      });
    };
    outer_dims(outer_dims, 0);
  };
  const i64 lanes = static_cast<i64>(p.lanes), wide = p.vectors * lanes;
  if (number_of(p.n) >= 0)
    return blocked(p.n, wide, [&](Value* at, i64 columns) {
      s.n = at;
      rows(columns, nullptr);
    });
  // Columns whose number is no number: whole blocks, then one vector after the other, the last one masked.
  Value* whole = b_.CreateSub(p.n, b_.CreateSRem(p.n, index_constant(wide)));
  counted(zero, whole, wide, [&](Value* at) {
    s.n = at;
    rows(wide, nullptr);
  });
  counted(whole, p.n, lanes, [&](Value* at) {
    s.n = at;
    rows(lanes, b_.CreateICmpSLT(iota(p.lanes, 1), b_.CreateVectorSplat(p.lanes, b_.CreateSub(p.n, at))));
  });
}

i64 kernel_emitter::following_panel(const contract_plan& p, llvm::ArrayRef<Value*> outer_strides) const {
  if (number_of(p.n) < 1) return 0;
  const i64 rows = number_of(p.rows);
  i64 elements = number_of(p.n) * p.step;
  for (size_t d = p.k.size(); d-- > 0;) {
    if (number_of(p.k[d]) < 1 || number_of(p.b_stride[d]) != elements) return 0;
    elements *= number_of(p.k[d]);
  }
  const bool follows = llvm::any_of(outer_strides, [&](const Value* v) { return number_of(v) == elements; });
  const i64 bytes = elements * size_of(p.b_type.elem);
  // A panel of 4 KiB or that many rows work on comes by itself soon enough; so does one of a few rows, unless widening
  // its elements keeps the processor from looking far ahead.
  const i64 least = size_of(p.b_type.elem) < size_of(p.sum) && p.step == 1 ? 1 : 4;
  return follows && bytes > 4096 && (rows < 0 || (rows >= least && rows <= 1024)) ? bytes : 0;
}

Value* kernel_emitter::dot4(Value* sum, Value* a, Value* b) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(sum->getType())->getNumElements();
  if (target_.dot4 && !target_.x86 && lanes == 4) {
    auto* bytes = llvm::FixedVectorType::get(b_.getInt8Ty(), lanes * 4);
    return b_.CreateIntrinsic(llvm::Intrinsic::aarch64_neon_usdot, {sum->getType(), bytes},
                              {sum, b_.CreateBitCast(a, bytes), b_.CreateBitCast(b, bytes)});
  }
  const auto id = lanes == 16  ? llvm::Intrinsic::x86_avx512_vpdpbusd_512
                  : lanes == 8 ? llvm::Intrinsic::x86_avx512_vpdpbusd_256
                               : llvm::Intrinsic::x86_avx512_vpdpbusd_128;
  if (target_.dot4 && target_.x86 && (lanes == 16 || lanes == 8 || lanes == 4)) {
    llvm::Function* f = llvm::Intrinsic::getOrInsertDeclaration(&out_, id);
    return b_.CreateCall(f, {sum, b_.CreateBitCast(a, f->getFunctionType()->getParamType(1)),
                             b_.CreateBitCast(b, f->getFunctionType()->getParamType(2))});
  }
  // Even and odd bytes apart, as words.
  auto* words = llvm::FixedVectorType::get(b_.getInt16Ty(), lanes * 2);
  Value *x = b_.CreateBitCast(a, words), *y = b_.CreateBitCast(b, words);
  sum = dot2(sum, b_.CreateAnd(x, 0xff), b_.CreateAShr(b_.CreateShl(y, 8), 8));
  return dot2(sum, b_.CreateLShr(x, 8), b_.CreateAShr(y, 8));
}

Value* kernel_emitter::dot2(Value* sum, Value* a, Value* b) {
  llvm::Type* whole = sum->getType();
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(whole)->getNumElements();
  llvm::Intrinsic::ID pairs = llvm::Intrinsic::not_intrinsic;
  if (!target_.x86) pairs = llvm::Intrinsic::not_intrinsic;
  else if (lanes == 16 && target_.vector_bytes == 64) pairs = llvm::Intrinsic::x86_avx512_pmaddw_d_512;
  else if (lanes == 8 && target_.vector_bytes >= 32) pairs = llvm::Intrinsic::x86_avx2_pmadd_wd;
  else if (lanes == 4) pairs = llvm::Intrinsic::x86_sse2_pmadd_wd;
  if (pairs != llvm::Intrinsic::not_intrinsic) return b_.CreateAdd(sum, b_.CreateIntrinsic(pairs, {}, {a, b}));
  const auto low = [&](Value* v) { return b_.CreateAShr(b_.CreateShl(v, 16), 16); };
  Value *x = b_.CreateBitCast(a, whole), *y = b_.CreateBitCast(b, whole);
  sum = b_.CreateAdd(sum, b_.CreateMul(low(x), low(y)));
  return b_.CreateAdd(sum, b_.CreateMul(b_.CreateAShr(x, 16), b_.CreateAShr(y, 16)));
}

/// The share of the following panel that a block of rows fetches while k runs, an equal part with each step.
class kernel_emitter::contract_prefetch {
 public:
  contract_prefetch(kernel_emitter& to, const contract_plan& p, const contract_state& s, i64 rows, i64 columns)
      : to_(to) {
    if (p.panel_bytes == 0) return;
    llvm::IRBuilder<>& b = to.b_;
    const i64 depth = product(p.k), column = p.panel_bytes / number_of(p.n);
    const auto parts = [&](Value* whole, Value* of) {  // rounded up
      return b.CreateUDiv(b.CreateAdd(whole, b.CreateSub(of, to.index_constant(1))), of);
    };
    Value* of_row = parts(to.index_constant(column * columns), p.rows);
    step_ = parts(b.CreateMul(of_row, to.index_constant(rows)), to.index_constant(depth));
    Value* row = to.index_constant(0);
    for (size_t d = 0; d < p.m.size(); ++d) row = b.CreateAdd(b.CreateMul(row, p.m[d]), s.m[d]);
    Value* before = b.CreateAdd(b.CreateMul(s.n, to.index_constant(column)), b.CreateMul(row, of_row));
    first_ = b.CreateGEP(b.getInt8Ty(), p.b, b.CreateAdd(to.index_constant(p.panel_bytes), before));
  }
  /// The step of k that is the `at`-th in all, the `of_some`-th of those that are unrolled. Of a share that is no
  /// number, one line. Of one that is a part of a line the first step fetches that.
  void fetch(Value* at, i64 of_some, i64 unrolled) {
    constexpr i64 line_bytes = 64;
    if (step_ == nullptr || (of_some > 0 && number_of(step_) >= 0 && number_of(step_) * unrolled <= line_bytes)) return;
    llvm::IRBuilder<>& b = to_.b_;
    Value* from = b.CreateGEP(b.getInt8Ty(), first_, b.CreateMul(at, step_));
    constexpr u32 to_be_read = 0, second_level = 2, data = 1;  // as LLVM numbers them
    for (i64 line = 0; line < std::max<i64>(number_of(step_), 1); line += line_bytes)
      b.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.getPtrTy()},
                        {b.CreateGEP(b.getInt8Ty(), from, to_.index_constant(line)), b.getInt32(to_be_read),
                         b.getInt32(second_level), b.getInt32(data)});
  }

 private:
  kernel_emitter& to_;
  Value *first_ = nullptr, *step_ = nullptr;
};

void kernel_emitter::contract_block(const contract_plan& p, contract_state& s, i64 outer_rows, i64 inner_rows,
                                    i64 vectors, i64 columns, Value* mask) {
  llvm::Type* a_elem = memory_type(p.a_type.elem);
  llvm::Type* b_elem = memory_type(p.b_type.elem);
  const auto a_align = llvm::Align(static_cast<u64>(size_of(p.a_type.elem)));
  const auto b_align = llvm::Align(static_cast<u64>(size_of(p.b_type.elem)));
  // Neighbours along k are loaded as one integer: 4 bytes of both, or 2 words of a and 2 bytes or words of b.
  llvm::Type* a_loaded = p.step > 1 ? b_.getInt32Ty() : a_elem;
  auto* b_vector = llvm::FixedVectorType::get(
      p.step > 1 ? b_.getIntNTy(static_cast<unsigned>(p.step * size_of(p.b_type.elem)) * 8) : b_elem, p.lanes);
  auto* words = llvm::FixedVectorType::get(b_.getInt16Ty(), p.lanes * 2);
  const auto as_words = [&](Value* v) {
    return b_.CreateSExt(b_.CreateBitCast(v, llvm::FixedVectorType::get(b_elem, p.lanes * 2)), words);
  };
  const i64 rows = outer_rows * inner_rows;
  const i64 lanes = static_cast<i64>(p.lanes);

  Value* a = p.a;  // each dimension's loop is inside of the one before
  for (size_t d = 0; d < p.m.size(); ++d) a = b_.CreateGEP(a_elem, a, b_.CreateMul(s.m[d], p.m_stride[d]));
  Value* b = b_.CreateGEP(b_elem, p.b, p.step > 1 ? b_.CreateMul(s.n, index_constant(p.step)) : s.n);
  std::vector<Value*> row_offsets;
  for (i64 r = 0; r < rows; ++r) {
    const size_t last = p.m.size() - 1;
    Value* o = b_.CreateMul(index_constant(r % inner_rows), p.m_stride[last]);
    if (p.m.size() > 1) o = b_.CreateAdd(o, b_.CreateMul(index_constant(r / inner_rows), p.m_stride[last - 1]));
    row_offsets.push_back(o);
  }
  Value* last_mask = mask;
  if (columns % lanes != 0) {
    std::vector<llvm::Constant*> bits(p.lanes);
    for (i64 i = 0; i < lanes; ++i) bits[static_cast<size_t>(i)] = b_.getInt1(i < columns % lanes);
    last_mask = llvm::ConstantVector::get(bits);
  }
  Value* read_mask = p.whole_columns && mask == nullptr ? nullptr : last_mask;
  std::vector<Value*> sums(static_cast<size_t>(rows * vectors),
                           llvm::Constant::getNullValue(llvm::FixedVectorType::get(register_type(p.sum), p.lanes)));

  contract_prefetch following(*this, p, s, rows, columns);
  auto step = [&](Value* ak, Value* bk, Value* at, i64 unrolled, Value* a_stride, Value* b_stride) {
    for (i64 u = 0; u < unrolled; ++u) {
      following.fetch(b_.CreateAdd(at, index_constant(u)), u, unrolled);
      std::vector<Value*> bv;
      for (i64 x = 0; x < vectors; ++x) {
        Value* q = b_.CreateGEP(
            b_elem, bk, b_.CreateAdd(b_.CreateMul(index_constant(u), b_stride), index_constant(x * lanes * p.step)));
        Value* w = read_mask != nullptr && x == vectors - 1
                       ? static_cast<Value*>(b_.CreateMaskedLoad(b_vector, q, b_align, read_mask,
                                                                 llvm::Constant::getNullValue(b_vector)))
                       : b_.CreateAlignedLoad(b_vector, q, b_align);
        bv.push_back(p.step == 4   ? w
                     : p.step == 2 ? as_words(w)
                                   : cast(from_memory(w, p.b_type.elem), p.b_type.elem, p.sum));
      }
      for (i64 r = 0; r < rows; ++r) {
        Value* q = b_.CreateGEP(
            a_elem, ak, b_.CreateAdd(row_offsets[static_cast<size_t>(r)], b_.CreateMul(index_constant(u), a_stride)));
        Value* x = b_.CreateAlignedLoad(a_loaded, q, a_align);
        if (p.step == 1) x = cast(from_memory(x, p.a_type.elem), p.a_type.elem, p.sum);
        Value* wide = b_.CreateVectorSplat(p.lanes, x);
        if (p.step == 2) wide = b_.CreateBitCast(wide, words);
        for (i64 i = 0; i < vectors; ++i) {
          Value*& sum = sums[static_cast<size_t>(r * vectors + i)];
          Value* w = bv[static_cast<size_t>(i)];
          sum = p.step == 4   ? dot4(sum, wide, w)
                : p.step == 2 ? dot2(sum, wide, w)
                              : function(loop::scalar_fn::fma, p.sum, {wide, w, sum});
        }
      }
    }
  };
  auto reduce = [&](auto& self, size_t d, Value* ak, Value* bk, Value* before) -> void {
    Value *extent = p.k[d], *as = p.a_stride[d], *bs = p.b_stride[d];
    const i64 known = number_of(extent);
    const bool innermost = d + 1 == p.k.size();
    // Many accumulators hide the loop's own instructions by themselves; unrolling would only make more code.
    const i64 wanted = rows * vectors >= 16 ? 1 : rows * vectors >= 8 ? 2 : 4;
    const i64 unroll = !innermost ? 1 : known >= 0 ? std::clamp<i64>(known, 1, wanted) : wanted;
    auto body = [&](Value* k, i64 steps) {
      Value* x = b_.CreateGEP(a_elem, ak, b_.CreateMul(k, as));
      Value* y = b_.CreateGEP(b_elem, bk, b_.CreateMul(k, bs));
      Value* at = b_.CreateAdd(b_.CreateMul(before, extent), k);
      if (innermost) step(x, y, at, steps, as, bs);
      else self(self, d + 1, x, y, at);
    };
    if (known < 0) {
      Value* whole = b_.CreateSub(extent, b_.CreateSRem(extent, index_constant(unroll)));
      carry(index_constant(0), whole, unroll, sums, [&](Value* k) { body(k, unroll); });
      if (unroll > 1) carry(whole, extent, 1, sums, [&](Value* k) { body(k, 1); });
      return;
    }
    const i64 whole = known / unroll * unroll;
    if (whole == unroll) body(index_constant(0), unroll);
    else if (whole > 0)
      carry(index_constant(0), index_constant(whole), unroll, sums, [&](Value* k) { body(k, unroll); });
    if (innermost && known > whole) body(index_constant(whole), known - whole);
  };
  bool empty = false;
  for (Value* e : p.k) empty = empty || is_number(e, 0);
  if (!empty) reduce(reduce, 0, a, b, index_constant(0));

  // The epilogue sees one vector of sums at a time.
  const region_id region_of = m_.region(p.op);
  const auto& arguments = m_[region_of].arguments;
  const size_t m_count = m_.view(p.op).as<loop::contract>().m.size();
  for (i64 r = 0; r < rows; ++r)
    for (i64 x = 0; x < vectors; ++x) {
      const lane_context context{p.lanes, x == vectors - 1 ? last_mask : nullptr};
      lane_ = &context;
      set(arguments[0], {lane_value::varying, sums[static_cast<size_t>(r * vectors + x)]});
      for (size_t d = 0; d < m_count; ++d) {
        i64 shift = 0;
        if (d + 1 == p.m.size()) shift = r % inner_rows;
        else if (d + 2 == p.m.size()) shift = r / inner_rows;
        set(arguments[1 + d], {lane_value::uniform, b_.CreateAdd(s.m[d], index_constant(shift))});
      }
      set(arguments[1 + m_count], {lane_value::linear, b_.CreateAdd(s.n, index_constant(x * lanes)), 1});
      region(region_of);
      lane_ = nullptr;
    }
}

}  // namespace tenon::codegen
