/// @file contract.cpp: register-blocked micro-kernels for matrix products and convolutions.
///
/// A block of `rows` (of the last one or two m dimensions) times `vectors` (along n) accumulators stays in registers
/// while k runs; every step loads `vectors` vectors of b and broadcasts one element of a per row. All strides are
/// constants, so a row is a constant displacement from one pointer. (The scheme of BLIS: Van Zee and van de Geijn,
/// ACM TOMS 41(3), 2015, with the packing of a left out because its rows are read through constant offsets.)
#include "emitter.hpp"

#include <algorithm>

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace tenon::codegen {

using llvm::Value;

struct kernel_emitter::contract_plan {
  op_id op;
  ir::type a_type, b_type;
  dtype sum = dtype::f32;
  unsigned lanes = 16;
  Value *a = nullptr, *b = nullptr;      ///< base addresses with the outer indices applied
  std::vector<i64> m, m_stride;          ///< all m dimensions, strides in a
  std::vector<i64> k, a_stride, b_stride;  ///< k dimensions, merged where both operands are contiguous
  i64 n = 0;
  i64 step = 1;  ///< elements of a and b that one step of k takes for a column: 4 for products of bytes
  i64 outer_rows = 1, inner_rows = 1, vectors = 1;
};

struct kernel_emitter::contract_state {
  std::vector<Value*> m;  ///< first index of the block in each m dimension
  Value* n = nullptr;
};

void kernel_emitter::contract(op_id op) {
  if (lane_ != nullptr) fail(op, "a contraction inside of a vector loop");
  const ir::op_view v = m_.view(op);
  const auto& c = v.as<loop::contract>();
  if (c.n == 0 || std::count(c.m.begin(), c.m.end(), 0) != 0) return;  // no points at all
  contract_plan p;
  p.op = op;
  p.a_type = v.operand_type(0), p.b_type = v.operand_type(1);
  p.sum = c.accumulate;
  p.n = c.n, p.m = c.m;
  p.lanes = target_.lanes(is_float(p.sum) && p.sum != dtype::f64 ? dtype::f32 : p.sum);
  while (p.lanes > 1 && static_cast<i64>(p.lanes / 2) >= p.n) p.lanes /= 2;

  llvm::SmallVector<lane_value> outer;
  for (int i = 2; i < v.operand_count(); ++i) outer.push_back(get(v.operand(i)));
  // Linear offsets: fold the rows of each map with the buffer's strides, then split by column.
  auto fold = [&](const ir::access_map& map, const ir::type& t) {
    const auto strides = strides_of(t);
    std::vector<i64> row(1 + outer.size() + c.m.size() + 1 + c.k.size(), 0);
    for (size_t d = 0; d < map.rows.size(); ++d)
      for (size_t i = 0; i < row.size(); ++i) row[i] += map.rows[d][i] * strides[d];
    return row;
  };
  const auto ra = fold(c.map_a, p.a_type), rb = fold(c.map_b, p.b_type);
  const size_t first_m = 1 + outer.size(), at_n = first_m + c.m.size(), first_k = at_n + 1;
  if (c.is_dot4(p.a_type.elem, p.b_type.elem) && rb[at_n] == 4) p.step = 4;
  if (ra[at_n] != 0 || (rb[at_n] != p.step && c.n > 1)) fail(op, "operand a must not depend on n, and b must be contiguous along n");
  auto base = [&](const std::vector<i64>& row, int operand, const ir::type& t) {
    const std::vector<i64> head(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(first_m));
    return b_.CreateGEP(memory_type(t.elem), get(v.operand(operand)).v, row_index(head, outer).v);
  };
  p.a = base(ra, 0, p.a_type), p.b = base(rb, 1, p.b_type);
  for (size_t i = 0; i < c.m.size(); ++i) {
    p.m_stride.push_back(ra[first_m + i]);
    if (rb[first_m + i] != 0) fail(op, "operand b must not depend on m");
  }
  for (size_t i = 0; i + (p.step > 1 ? 1 : 0) < c.k.size(); ++i) {
    const i64 ka = ra[first_k + i], kb = rb[first_k + i];
    if (c.k[i] == 1 && c.k.size() > 1 && !(i + 1 == c.k.size() && p.k.empty())) continue;
    if (!p.k.empty() && p.a_stride.back() == c.k[i] * ka && p.b_stride.back() == c.k[i] * kb) {
      p.k.back() *= c.k[i], p.a_stride.back() = ka, p.b_stride.back() = kb;
    } else {
      p.k.push_back(c.k[i]), p.a_stride.push_back(ka), p.b_stride.push_back(kb);
    }
  }
  if (p.k.empty()) p.k.push_back(1), p.a_stride.push_back(0), p.b_stride.push_back(0);
  if (p.m.empty()) p.m.push_back(1), p.m_stride.push_back(0);

  const i64 mi = p.m.back(), mo = p.m.size() > 1 ? p.m[p.m.size() - 2] : 1;
  // Without a schedule (`tile` did not run) one row and one vector at a time.
  p.outer_rows = std::clamp<i64>(c.rows, 1, mo), p.inner_rows = std::clamp<i64>(c.inner_rows, 1, mi);
  p.vectors = std::max<i64>(c.vectors, 1);

  contract_state s;
  s.m.assign(p.m.size(), index_constant(0));
  // Full blocks in a loop, then the partial one; innermost: the last m dimension.
  auto blocked = [&](i64 extent, i64 block, auto&& each) {
    const i64 full = extent / block * block;
    if (full == block) each(index_constant(0), block);
    else if (full > 0) counted(index_constant(0), index_constant(full), block, [&](Value* at) { each(at, block); });
    if (extent > full) each(index_constant(full), extent - full);
  };
  auto rows = [&](i64 columns) {
    const size_t last = p.m.size() - 1;
    auto inner = [&](i64 outer_rows) {
      blocked(mi, p.inner_rows, [&](Value* at, i64 inner_rows) {
        s.m[last] = at;
        const i64 vectors = (columns + static_cast<i64>(p.lanes) - 1) / static_cast<i64>(p.lanes);
        contract_block(p, s, outer_rows, inner_rows, vectors, columns);
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
  blocked(p.n, p.vectors * static_cast<i64>(p.lanes), [&](Value* at, i64 columns) {
    s.n = at;
    rows(columns);
  });
}

Value* kernel_emitter::dot4(Value* sum, Value* a, Value* b) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(sum->getType())->getNumElements();
  const auto id = lanes == 16 ? llvm::Intrinsic::x86_avx512_vpdpbusd_512
                  : lanes == 8 ? llvm::Intrinsic::x86_avx512_vpdpbusd_256
                               : llvm::Intrinsic::x86_avx512_vpdpbusd_128;
  if (target_.dot4 && (lanes == 16 || lanes == 8 || lanes == 4)) {
    llvm::Function* f = llvm::Intrinsic::getOrInsertDeclaration(&out_, id);
    return b_.CreateCall(f, {sum, b_.CreateBitCast(a, f->getFunctionType()->getParamType(1)),
                             b_.CreateBitCast(b, f->getFunctionType()->getParamType(2))});
  }
  // A product of u8 and i8 fits into 16 bits: even and odd bytes are multiplied apart.
  auto* words = llvm::FixedVectorType::get(b_.getInt16Ty(), lanes * 2);
  llvm::Type* whole = sum->getType();
  Value *x = b_.CreateBitCast(a, words), *y = b_.CreateBitCast(b, words);
  Value* even = b_.CreateMul(b_.CreateAnd(x, 0xff), b_.CreateAShr(b_.CreateShl(y, 8), 8));
  Value* odd = b_.CreateMul(b_.CreateLShr(x, 8), b_.CreateAShr(y, 8));
  for (Value* pair : {b_.CreateBitCast(even, whole), b_.CreateBitCast(odd, whole)})
    sum = b_.CreateAdd(sum, b_.CreateAdd(b_.CreateAShr(b_.CreateShl(pair, 16), 16), b_.CreateAShr(pair, 16)));
  return sum;
}

void kernel_emitter::contract_block(const contract_plan& p, contract_state& s, i64 outer_rows, i64 inner_rows, i64 vectors,
                                    i64 columns) {
  llvm::Type* a_elem = memory_type(p.a_type.elem);
  llvm::Type* b_elem = memory_type(p.b_type.elem);
  const auto a_align = llvm::Align(static_cast<u64>(size_of(p.a_type.elem)));
  const auto b_align = llvm::Align(static_cast<u64>(size_of(p.b_type.elem)));
  // Four bytes are loaded as one i32.
  llvm::Type* a_loaded = p.step > 1 ? b_.getInt32Ty() : a_elem;
  auto* b_vector = llvm::FixedVectorType::get(p.step > 1 ? static_cast<llvm::Type*>(b_.getInt32Ty()) : b_elem, p.lanes);
  const i64 rows = outer_rows * inner_rows;
  const i64 lanes = static_cast<i64>(p.lanes);

  Value* a_offset = index_constant(0);
  for (size_t d = 0; d < p.m.size(); ++d) a_offset = b_.CreateAdd(a_offset, b_.CreateMul(s.m[d], index_constant(p.m_stride[d])));
  Value* a = b_.CreateGEP(a_elem, p.a, a_offset);
  Value* b = b_.CreateGEP(b_elem, p.b, p.step > 1 ? b_.CreateMul(s.n, index_constant(p.step)) : s.n);
  auto row_offset = [&](i64 r) {
    const size_t last = p.m.size() - 1;
    i64 o = r % inner_rows * p.m_stride[last];
    if (p.m.size() > 1) o += r / inner_rows * p.m_stride[last - 1];
    return o;
  };
  Value* last_mask = nullptr;
  if (columns % lanes != 0) {
    std::vector<llvm::Constant*> bits(p.lanes);
    for (i64 i = 0; i < lanes; ++i) bits[static_cast<size_t>(i)] = b_.getInt1(i < columns % lanes);
    last_mask = llvm::ConstantVector::get(bits);
  }
  std::vector<Value*> sums(static_cast<size_t>(rows * vectors),
                           llvm::Constant::getNullValue(llvm::FixedVectorType::get(register_type(p.sum), p.lanes)));

  auto step = [&](Value* ak, Value* bk, i64 unrolled, i64 a_stride, i64 b_stride) {
    for (i64 u = 0; u < unrolled; ++u) {
      std::vector<Value*> bv;
      for (i64 x = 0; x < vectors; ++x) {
        Value* q = b_.CreateGEP(b_elem, bk, index_constant(u * b_stride + x * lanes * p.step));
        Value* w = last_mask != nullptr && x == vectors - 1
                       ? static_cast<Value*>(b_.CreateMaskedLoad(b_vector, q, b_align, last_mask, llvm::Constant::getNullValue(b_vector)))
                       : b_.CreateAlignedLoad(b_vector, q, b_align);
        bv.push_back(p.step > 1 ? w : cast(from_memory(w, p.b_type.elem), p.b_type.elem, p.sum));
      }
      for (i64 r = 0; r < rows; ++r) {
        Value* q = b_.CreateGEP(a_elem, ak, index_constant(row_offset(r) + u * a_stride));
        Value* x = b_.CreateAlignedLoad(a_loaded, q, a_align);
        if (p.step == 1) x = cast(from_memory(x, p.a_type.elem), p.a_type.elem, p.sum);
        Value* wide = b_.CreateVectorSplat(p.lanes, x);
        for (i64 i = 0; i < vectors; ++i) {
          Value*& sum = sums[static_cast<size_t>(r * vectors + i)];
          Value* w = bv[static_cast<size_t>(i)];
          sum = p.step > 1 ? dot4(sum, wide, w) : function(loop::scalar_fn::fma, p.sum, {wide, w, sum});
        }
      }
    }
  };
  auto reduce = [&](auto& self, size_t d, Value* ak, Value* bk) -> void {
    const i64 extent = p.k[d], as = p.a_stride[d], bs = p.b_stride[d];
    const bool innermost = d + 1 == p.k.size();
    // Many accumulators hide the loop's own instructions by themselves; unrolling would only make more code.
    const i64 wanted = rows * vectors >= 16 ? 1 : rows * vectors >= 8 ? 2 : 4;
    const i64 unroll = innermost ? std::clamp<i64>(extent, 1, wanted) : 1;
    const i64 whole = extent / unroll * unroll;
    auto at = [&](Value* k, Value*& x, Value*& y) {
      x = b_.CreateGEP(a_elem, ak, b_.CreateMul(k, index_constant(as)));
      y = b_.CreateGEP(b_elem, bk, b_.CreateMul(k, index_constant(bs)));
    };
    auto body = [&](Value* k) {
      Value *x, *y;
      at(k, x, y);
      if (innermost) step(x, y, unroll, as, bs);
      else self(self, d + 1, x, y);
    };
    if (whole == unroll) body(index_constant(0));
    else if (whole > 0) carry(index_constant(0), index_constant(whole), unroll, sums, body);
    if (innermost && extent > whole) {
      Value *x, *y;
      at(index_constant(whole), x, y);
      step(x, y, extent - whole, as, bs);
    }
  };
  bool empty = false;
  for (i64 e : p.k) empty = empty || e == 0;
  if (!empty) reduce(reduce, 0, a, b);

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
