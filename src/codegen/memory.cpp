/// @file memory.cpp: loads and stores: scalar, contiguous, masked, gathered.
#include "emitter.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Intrinsics.h>

namespace tenon::codegen {

using llvm::Value;

llvm::Type* kernel_emitter::memory_type(dtype t) {
  switch (t) {
    case dtype::f64: return b_.getDoubleTy();
    case dtype::f32: return b_.getFloatTy();
    case dtype::f16: return b_.getHalfTy();
    case dtype::bf16: return b_.getInt16Ty();
    default: return b_.getIntNTy(static_cast<unsigned>(size_of(t)) * 8);
  }
}

/// bool is one bit in a register; the 16-bit floats are held as f32, which loses nothing and rounds on store.
llvm::Type* kernel_emitter::register_type(dtype t) {
  if (t == dtype::boolean) return b_.getInt1Ty();
  if (t == dtype::f16 || t == dtype::bf16) return b_.getFloatTy();
  return memory_type(t);
}

llvm::Type* like(const Value* v, llvm::Type* scalar) {
  if (auto* t = llvm::dyn_cast<llvm::FixedVectorType>(v->getType()))
    return llvm::FixedVectorType::get(scalar, t->getNumElements());
  return scalar;
}

Value* kernel_emitter::from_memory(Value* v, dtype t) {
  if (t == dtype::boolean) return b_.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType()));
  if (t == dtype::f16 && !target_.halves) return from_half(b_.CreateBitCast(v, like(v, b_.getInt16Ty())));
  if (t == dtype::f16) return b_.CreateFPExt(v, like(v, b_.getFloatTy()));
  if (t == dtype::bf16) {
    Value* wide = b_.CreateShl(b_.CreateZExt(v, like(v, b_.getInt32Ty())), 16);
    return b_.CreateBitCast(wide, like(v, b_.getFloatTy()));
  }
  return v;
}

Value* kernel_emitter::to_memory(Value* v, dtype t) {
  if (t == dtype::boolean) return b_.CreateZExt(v, like(v, b_.getInt8Ty()));
  if (t == dtype::f16 && !target_.halves) return b_.CreateBitCast(to_half(v), like(v, b_.getHalfTy()));
  if (t == dtype::f16) return b_.CreateFPTrunc(v, like(v, b_.getHalfTy()));
  if (t == dtype::bf16) {  // round to nearest even on the bits; a NaN keeps its upper half and stays one
    llvm::Type* word = like(v, b_.getInt32Ty());
    Value* x = b_.CreateBitCast(v, word);
    Value* odd = b_.CreateAnd(b_.CreateLShr(x, 16), llvm::ConstantInt::get(word, 1));
    Value* rounded = b_.CreateAdd(x, b_.CreateAdd(odd, llvm::ConstantInt::get(word, 0x7fff)));
    Value* quiet = b_.CreateOr(x, llvm::ConstantInt::get(word, 0x400000));
    Value* bits = b_.CreateSelect(b_.CreateFCmpUNO(v, v), quiet, rounded);
    return b_.CreateTrunc(b_.CreateLShr(bits, 16), like(v, b_.getInt16Ty()));
  }
  return v;
}

namespace {
/// So many lanes come first that a mask is known to hold for, and it holds for no other; 0 where that is not known.
unsigned leading_lanes(Value* mask) {
  const auto* c = llvm::dyn_cast_or_null<llvm::Constant>(mask);
  if (c == nullptr) return 0;
  const auto lanes = llvm::cast<llvm::FixedVectorType>(c->getType())->getNumElements();
  unsigned count = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    const auto* bit = llvm::dyn_cast_or_null<llvm::ConstantInt>(c->getAggregateElement(i));
    if (bit == nullptr || (!bit->isZero() && count != i)) return 0;
    count += bit->isZero() ? 0 : 1;
  }
  return count;
}
/// f(first lane, lanes) for pieces of the first `count` lanes that are powers of two.
template <class F>
void leading_pieces(unsigned count, F&& f) {
  for (unsigned first = 0; first < count;) {
    const unsigned size = llvm::bit_floor(count - first);
    f(first, size);
    first += size;
  }
}
/// The first lanes of a vector, one store for each piece: without registers for masks processors need a dozen cycles
/// for a masked store (AMD's do), or have none of bytes.
void store_leading(llvm::IRBuilder<>& b, Value* vector, Value* p, llvm::Align align, unsigned count) {
  llvm::Type* elem = llvm::cast<llvm::FixedVectorType>(vector->getType())->getElementType();
  leading_pieces(count, [&](unsigned first, unsigned size) {
    llvm::SmallVector<int> from;
    for (unsigned i = 0; i < size; ++i) from.push_back(static_cast<int>(first + i));
    Value* piece = size == 1 ? b.CreateExtractElement(vector, u64{first}) : b.CreateShuffleVector(vector, from);
    b.CreateAlignedStore(piece, b.CreateConstGEP1_64(elem, p, first), align);
  });
}
/// The first lanes, and zeros.
Value* load_leading(llvm::IRBuilder<>& b, llvm::FixedVectorType* type, Value* p, llvm::Align align, unsigned count) {
  const int lanes = static_cast<int>(type->getNumElements());
  Value* all = llvm::Constant::getNullValue(type);
  leading_pieces(count, [&](unsigned first, unsigned size) {
    Value* q = b.CreateConstGEP1_64(type->getElementType(), p, first);
    if (size == 1) {
      all = b.CreateInsertElement(all, b.CreateAlignedLoad(type->getElementType(), q, align), u64{first});
      return;
    }
    Value* piece = b.CreateAlignedLoad(llvm::FixedVectorType::get(type->getElementType(), size), q, align);
    llvm::SmallVector<int> widened, from;
    for (int i = 0; i < lanes; ++i) {
      const bool here = i >= static_cast<int>(first) && i < static_cast<int>(first + size);
      widened.push_back(here ? i - static_cast<int>(first) : -1);
      from.push_back(here ? lanes + i : i);
    }
    all = b.CreateShuffleVector(all, b.CreateShuffleVector(piece, widened), from);
  });
  return all;
}
/// Elements where the mask is set, and zeros. A register at a time where registers have no masks of their own: LLVM 22
/// forgets the mask of the upper half of a vector of two registers where that is known to be off.
Value* masked_load(llvm::IRBuilder<>& b, llvm::FixedVectorType* type, Value* p, llvm::Align align, Value* mask,
                   int register_bytes) {
  const unsigned lanes = type->getNumElements(), bits = type->getScalarSizeInBits();
  const unsigned together =
      register_bytes >= 64 ? lanes : std::max(1u, static_cast<unsigned>(register_bytes) * 8 / bits);
  if (lanes <= together) return b.CreateMaskedLoad(type, p, align, mask, llvm::Constant::getNullValue(type));
  auto* part = llvm::FixedVectorType::get(type->getElementType(), together);
  llvm::SmallVector<Value*> parts;
  for (unsigned first = 0; first < lanes; first += together) {
    llvm::SmallVector<int> from;
    for (unsigned i = 0; i < together; ++i) from.push_back(static_cast<int>(first + i));
    parts.push_back(b.CreateMaskedLoad(part, b.CreateConstGEP1_64(type->getElementType(), p, first), align,
                                       b.CreateShuffleVector(mask, from), llvm::Constant::getNullValue(part)));
  }
  return llvm::concatenateVectors(b, parts);
}
}  // namespace

lane_value kernel_emitter::row_index(const std::vector<i64>& row, llvm::ArrayRef<lane_value> at) {
  Value* base = index_constant(row[0]);
  i64 stride = 0;
  Value* varying = nullptr;
  for (size_t k = 0; k < at.size(); ++k) {
    const i64 c = row[1 + k];
    if (c == 0) continue;
    const lane_value& x = at[k];
    if (x.kind == lane_value::varying) {
      Value* term = b_.CreateMul(x.v, llvm::ConstantInt::get(x.v->getType(), static_cast<u64>(c)));
      varying = varying != nullptr ? b_.CreateAdd(varying, term) : term;
    } else {
      base = b_.CreateAdd(base, b_.CreateMul(x.v, index_constant(c)));
      if (x.kind == lane_value::linear) stride += c * x.stride;
    }
  }
  if (varying != nullptr) {
    const unsigned lanes = lane_->lanes;
    Value* sum = b_.CreateAdd(b_.CreateVectorSplat(lanes, base), varying);
    if (stride != 0) sum = b_.CreateAdd(sum, iota(lanes, stride));
    return {lane_value::varying, sum};
  }
  if (stride != 0) return {lane_value::linear, base, stride};
  return {lane_value::uniform, base};
}

bool kernel_emitter::always_inside(const std::vector<i64>& row, llvm::ArrayRef<value_id> at, i64 extent) const {
  i64 low = row[0], high = row[0];
  for (size_t k = 0; k < at.size(); ++k) {
    const i64 c = row[1 + k];
    if (c == 0) continue;
    const auto it = ranges_.find(at[k].index);
    if (it == ranges_.end()) return false;
    i64 from = 0, to = 0;
    if (__builtin_mul_overflow(c, c > 0 ? it->second.first : it->second.second, &from) ||
        __builtin_add_overflow(low, from, &low) ||
        __builtin_mul_overflow(c, c > 0 ? it->second.second : it->second.first, &to) ||
        __builtin_add_overflow(high, to, &high))
      return false;
  }
  return low >= 0 && high < extent;
}

Value* kernel_emitter::extent_value(ir::dim d) {
  return d.is_static() ? index_constant(d.extent()) : size_value(d.symbol().index);
}
/// An extent that an index is compared with: an expression of a module that was read may be negative.
Value* kernel_emitter::extent_limit(ir::dim d) {
  Value* extent = extent_value(d);
  return d.is_static() || !target_.check_bounds
             ? extent
             : b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, extent, index_constant(0));
}
Value* kernel_emitter::count_value(const ir::type& t) {
  Value* n = index_constant(1);
  for (ir::dim d : t.shape) n = b_.CreateMul(n, extent_value(d));
  return n;
}
/// Every other element, from two vectors of neighbours that end where the last lane reads: elements 0 to n - 1 and
/// n - 1 to 2n - 2 of n lanes.
Value* kernel_emitter::load_pairs(llvm::FixedVectorType* type, Value* p, llvm::Align align, Value* mask) {
  const int n = static_cast<int>(type->getNumElements());
  const auto neighbours = [&](int first) -> Value* {
    Value* from = b_.CreateGEP(type->getElementType(), p, index_constant(first));
    if (mask == nullptr) return b_.CreateAlignedLoad(type, from, align);
    std::vector<int> lanes;  // what lies between two elements is not read: it may be outside
    for (int i = 0; i < n; ++i) lanes.push_back((first + i) % 2 == 0 ? (first + i) / 2 : n);
    Value* read = b_.CreateShuffleVector(mask, llvm::Constant::getNullValue(mask->getType()), lanes);
    return masked_load(b_, type, from, align, read, target_.vector_bytes);
  };
  std::vector<int> even;
  for (int i = 0; i < n; ++i) even.push_back(2 * i < n ? 2 * i : n + 2 * i - (n - 1));
  return b_.CreateShuffleVector(neighbours(0), neighbours(n - 1), even);
}

namespace {
/// The elements that lanes read, where they are known: their distances from one place, those of lanes that read nothing
/// aside. No lanes: they are not known, or none reads.
struct known_lanes {
  llvm::SmallVector<i64> offsets;
  llvm::SmallVector<bool> reads;
  i64 low = 0, high = 0;
};
known_lanes lanes_known(const Value* varying, i64 lane_stride, const Value* mask, unsigned lanes) {
  known_lanes k;
  const auto* all = llvm::dyn_cast_or_null<llvm::Constant>(varying);
  const auto* read = llvm::dyn_cast_or_null<llvm::Constant>(mask);
  if (all == nullptr || (mask != nullptr && read == nullptr)) return {};
  bool any = false;
  for (unsigned i = 0; i < lanes; ++i) {
    const auto* element = llvm::dyn_cast_or_null<llvm::ConstantInt>(all->getAggregateElement(i));
    const auto* on =
        read != nullptr ? llvm::dyn_cast_or_null<llvm::ConstantInt>(read->getAggregateElement(i)) : nullptr;
    if (element == nullptr || (read != nullptr && on == nullptr)) return {};
    k.offsets.push_back(element->getSExtValue() + lane_stride * i);
    k.reads.push_back(on == nullptr || !on->isZero());
    if (!k.reads.back()) continue;
    k.low = any ? std::min(k.low, k.offsets.back()) : k.offsets.back();
    k.high = any ? std::max(k.high, k.offsets.back()) : k.offsets.back();
    any = true;
  }
  return any ? k : known_lanes{};
}
}  // namespace

/// As many neighbours as there are lanes, from the lowest element that one reads, and from them each lane's. Nothing is
/// read that no lane reads.
Value* kernel_emitter::load_neighbours(llvm::FixedVectorType* type, Value* p, llvm::Align align,
                                       llvm::ArrayRef<i64> offsets, llvm::ArrayRef<bool> reads, i64 low) {
  const int n = static_cast<int>(type->getNumElements());
  std::vector<int> from;
  llvm::SmallVector<llvm::Constant*> read(static_cast<size_t>(n), b_.getFalse());
  for (size_t i = 0; i < offsets.size(); ++i) {
    const i64 at = offsets[i] - low;
    from.push_back(reads[i] ? static_cast<int>(at) : n);
    if (reads[i]) read[static_cast<size_t>(at)] = b_.getTrue();
  }
  Value* begin = b_.CreateGEP(type->getElementType(), p, index_constant(low));
  Value* v = masked_load(b_, type, begin, align, llvm::ConstantVector::get(read), target_.vector_bytes);
  return b_.CreateShuffleVector(v, llvm::Constant::getNullValue(type), from);
}

lane_value kernel_emitter::load_at(const ir::type& buffer, const address& a, Value* guard) {
  llvm::Type* elem = memory_type(buffer.elem);
  const auto align = llvm::Align(static_cast<u64>(size_of(buffer.elem)));
  Value* p = place_of(buffer, a);
  if (a.varying == nullptr && a.lane_stride == 0 && guard == nullptr)
    return {lane_value::uniform, from_memory(b_.CreateAlignedLoad(elem, p, align), buffer.elem)};
  const unsigned lanes = lane_->lanes;
  auto* type = llvm::FixedVectorType::get(elem, lanes);
  Value* mask = lane_->mask;
  if (guard != nullptr) mask = mask != nullptr ? b_.CreateAnd(mask, guard) : guard;
  Value* v = nullptr;
  const known_lanes known = lanes_known(a.varying, a.lane_stride, mask, lanes);
  if (guard == nullptr && !known.reads.empty() && known.low == known.high) {
    p = b_.CreateGEP(elem, p, index_constant(known.low));
    return {lane_value::uniform, from_memory(b_.CreateAlignedLoad(elem, p, align), buffer.elem)};
  }
  // Masked loads are of words, where there are any.
  const bool in_pieces = target_.vector_bytes < 64 && (size_of(buffer.elem) < 4 || target_.vector_bytes < 32);
  if (const unsigned n = in_pieces ? leading_lanes(mask) : 0; n > 0 && a.varying == nullptr && a.lane_stride == 1) {
    v = load_leading(b_, type, p, align, n);
  } else if (a.varying == nullptr && a.lane_stride == 1) {
    v = mask != nullptr ? masked_load(b_, type, p, align, mask, target_.vector_bytes)
                        : b_.CreateAlignedLoad(type, p, align);
  } else if (a.varying == nullptr && a.lane_stride == 2) {
    v = load_pairs(type, p, align, mask);
  } else if (!known.reads.empty() && known.high - known.low < static_cast<i64>(lanes)) {
    v = load_neighbours(type, p, align, known.offsets, known.reads, known.low);
  } else {
    Value* offsets = a.varying != nullptr ? a.varying : iota(lanes, a.lane_stride);
    Value* pointers = b_.CreateGEP(elem, p, offsets);
    if (mask == nullptr) mask = llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(b_.getInt1Ty(), lanes));
    v = b_.CreateMaskedGather(type, pointers, align, mask, llvm::Constant::getNullValue(type));
  }
  return {lane_value::varying, from_memory(v, buffer.elem)};
}

lane_value kernel_emitter::load(op_id op) {
  const ir::op_view v = m_.view(op);
  const auto& l = v.as<loop::load>();
  if (l.guarded) return guarded_load(op);
  const ir::type& buffer = v.operand_type(0);
  llvm::SmallVector<lane_value> at;
  for (int i = 1; i < v.operand_count(); ++i) at.push_back(get(v.operand(i)));
  lane_value x;
  const auto read = [&] { x = load_at(buffer, address_of(get(v.operand(0)).v, l.map, at, buffer), nullptr); };
  if (!is_checked(op)) return read(), x;
  llvm::BasicBlock* good = nullptr;
  llvm::BasicBlock* bad =
      where_inside(test_place(l.map, at, buffer), op, buffer, [&] { read(), good = b_.GetInsertBlock(); });
  llvm::PHINode* either = b_.CreatePHI(x.v->getType(), 2);
  either->addIncoming(x.v, good);
  either->addIncoming(llvm::Constant::getNullValue(x.v->getType()), bad);
  return {x.kind, either, x.stride};
}

/// Inside in every dimension, else the fill value. Nothing outside of the buffer is touched.
lane_value kernel_emitter::guarded_load(op_id op) {
  const ir::op_view v = m_.view(op);
  const auto& l = v.as<loop::load>();
  const ir::type& buffer = v.operand_type(0);
  const int last = v.operand_count() - 1;
  llvm::SmallVector<lane_value> at;
  llvm::SmallVector<value_id> indices;
  for (int i = 1; i < last; ++i) at.push_back(get(v.operand(i))), indices.push_back(v.operand(i));
  Value* base = get(v.operand(0)).v;
  const lane_value fill = get(v.operand(last));
  Value* uniform_guard = b_.getTrue();
  Value* lane_guard = nullptr;
  for (size_t d = 0; d < l.map.rows.size(); ++d) {
    const ir::dim dim = buffer.shape[d];
    if (dim.is_static() && always_inside(l.map.rows[d], indices, dim.extent())) continue;
    Value* extent = extent_limit(dim);
    const lane_value x = row_index(l.map.rows[d], at);
    if (x.kind == lane_value::uniform) {
      uniform_guard = b_.CreateAnd(uniform_guard, b_.CreateICmpULT(x.v, extent));
    } else {
      Value* all = vector_of(x, lane_->lanes);
      Value* in = b_.CreateICmpULT(all, b_.CreateVectorSplat(lane_->lanes, extent));
      lane_guard = lane_guard != nullptr ? b_.CreateAnd(lane_guard, in) : in;
    }
  }
  address a = address_of(base, l.map, at, buffer);
  // Where the guard does not hold, the first element is the place.
  const auto ask_elsewhere = [&] { a.place = b_.CreateSelect(uniform_guard, place_of(buffer, a), base), a.ahead = 0; };
  if (lane_guard == nullptr && a.varying == nullptr && a.lane_stride == 0) {
    // A buffer of symbolic extents has storage even when it has no elements (programs see to it).
    if (buffer.is_static() && buffer.count() == 0) return fill;
    ask_elsewhere();
    const lane_value x = load_at(buffer, a, nullptr);
    if (fill.kind == lane_value::uniform) return {lane_value::uniform, b_.CreateSelect(uniform_guard, x.v, fill.v)};
    return {lane_value::varying,
            b_.CreateSelect(uniform_guard, vector_of(x, lane_->lanes), vector_of(fill, lane_->lanes))};
  }
  if (lane_guard == nullptr && buffer.is_static() && buffer.count() > 0 && a.varying == nullptr) {
    // One answer for all lanes: read from a place that exists, and choose afterwards.
    if (a.lane_stride == 1 && lane_->mask == nullptr && buffer.count() >= static_cast<i64>(lane_->lanes)) {
      ask_elsewhere();
      const lane_value x = load_at(buffer, a, nullptr);
      return {lane_value::varying, b_.CreateSelect(uniform_guard, x.v, vector_of(fill, lane_->lanes))};
    }
  }
  // A load whose lanes are all off touches nothing, but costs hundreds of cycles where its address is in no page: the
  // processor takes the fault, and takes it back. Rows outside of the buffer ask at its first element.
  if (a.varying == nullptr) ask_elsewhere();
  Value* guard = b_.CreateVectorSplat(lane_->lanes, uniform_guard);
  if (lane_guard != nullptr) guard = b_.CreateAnd(guard, lane_guard);
  const auto chosen = [&] {
    const lane_value x = load_at(buffer, a, guard);
    return b_.CreateSelect(guard, x.v, vector_of(fill, lane_->lanes));
  };
  // Where no masked load is of such elements, it goes lane by lane: only at a border.
  const bool by_lanes = target_.x86 && target_.vector_bytes < 64 && size_of(buffer.elem) < 4;
  if (!by_lanes || a.varying != nullptr || a.lane_stride != 1 || lane_->mask != nullptr)
    return {lane_value::varying, chosen()};
  llvm::Function* parent = b_.GetInsertBlock()->getParent();
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(out_.getContext(), name, parent); };
  llvm::BasicBlock *whole = block("whole"), *border = block("border"), *after = block("read");
  b_.CreateCondBr(b_.CreateAndReduce(guard), whole, border);
  b_.SetInsertPoint(whole);
  Value* all = load_at(buffer, a, nullptr).v;
  whole = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(border);
  Value* some = chosen();
  border = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  llvm::PHINode* read = b_.CreatePHI(all->getType(), 2);
  read->addIncoming(all, whole), read->addIncoming(some, border);
  return {lane_value::varying, read};
}

void kernel_emitter::store(op_id op) {
  if (!is_checked(op)) return plain_store(op);
  const ir::op_view v = m_.view(op);
  llvm::SmallVector<lane_value> at;
  for (int i = 2; i < v.operand_count(); ++i) at.push_back(get(v.operand(i)));
  const ir::type& buffer = v.operand_type(1);
  where_inside(test_place(v.as<loop::store>().map, at, buffer), op, buffer, [&] { plain_store(op); });
}

/// Bytes and halves of words a few elements apart, as one register whose other elements are not stored: no processor
/// scatters them.
bool kernel_emitter::store_apart(Value* vector, Value* p, llvm::Align align, i64 stride) {
  const auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  const int n = static_cast<int>(type->getNumElements()), size = static_cast<int>(type->getScalarSizeInBits() / 8);
  if (target_.vector_bytes != 64 || size < 1 || size > 2 || stride < 2 || stride * n * size > 64) return false;
  std::vector<int> from;
  for (int i = 0; i < n * static_cast<int>(stride); ++i)
    from.push_back(i % static_cast<int>(stride) == 0 ? i / static_cast<int>(stride) : n);
  Value* lanes = lane_->mask;
  if (lanes == nullptr)
    lanes = llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(b_.getInt1Ty(), static_cast<unsigned>(n)));
  const auto apart = [&](Value* v) {
    return b_.CreateShuffleVector(v, llvm::Constant::getNullValue(v->getType()), from);
  };
  b_.CreateMaskedStore(apart(vector), p, align, apart(lanes));
  return true;
}

void kernel_emitter::plain_store(op_id op) {
  const ir::op_view v = m_.view(op);
  const ir::type& buffer = v.operand_type(1);
  llvm::SmallVector<lane_value> at;
  for (int i = 2; i < v.operand_count(); ++i) at.push_back(get(v.operand(i)));
  const address a = address_of(get(v.operand(1)).v, v.as<loop::store>().map, at, buffer);
  llvm::Type* elem = memory_type(buffer.elem);
  const auto align = llvm::Align(static_cast<u64>(size_of(buffer.elem)));
  Value* p = place_of(buffer, a);
  const lane_value x = get(v.operand(0));
  if (lane_ == nullptr) {
    b_.CreateAlignedStore(to_memory(x.v, buffer.elem), p, align);
    return;
  }
  const unsigned lanes = lane_->lanes;
  Value* vector = to_memory(vector_of(x, lanes), buffer.elem);
  // LLVM 22 makes a narrowing store of one lane as wide as it was before the narrowing, over what comes next.
  if (const unsigned n = leading_lanes(lane_->mask);
      n > 0 && (n == 1 || target_.vector_bytes < 64) && a.varying == nullptr && a.lane_stride == 1)
    return store_leading(b_, vector, p, align, n);
  if (a.varying == nullptr && a.lane_stride == 1) {
    if (lane_->mask != nullptr) b_.CreateMaskedStore(vector, p, align, lane_->mask);
    else b_.CreateAlignedStore(vector, p, align);
    return;
  }
  if (a.varying == nullptr && store_apart(vector, p, align, a.lane_stride)) return;
  Value* offsets = a.varying != nullptr ? a.varying : iota(lanes, a.lane_stride);
  Value* mask = lane_->mask;
  if (mask == nullptr) mask = llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(b_.getInt1Ty(), lanes));
  b_.CreateMaskedScatter(vector, b_.CreateGEP(elem, p, offsets), align, mask);
}

}  // namespace tenon::codegen
