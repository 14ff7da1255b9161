/// @file checks.cpp: accesses that are not proven to stay inside of their buffers are looked at before they are made.
///
/// One that would leave its buffer is not made: a load gives zeros, and where it was is said in the runtime's
/// `tenon_fault`, which becomes an error when the entry returns. In a vector loop it is all lanes that run, or none.
#include "emitter.hpp"

#include <llvm/IR/Intrinsics.h>

#include <tenon/core/dtype.hpp>

namespace tenon::codegen {

using llvm::Value;

std::string kernel_emitter::place_text(op_id op, const ir::type& buffer) const {
  std::string shape;
  for (ir::dim d : buffer.shape) shape += (d.is_static() ? std::to_string(d.extent()) : m_.name(d.symbol())) + "x";
  const std::string what = "kernel '" + kernel_name_ + "': " + std::string(m_.view(op).name());
  return m_.view(op).is<loop::contract>() ? what + " of its operands"
                                          : what + " of a buffer<" + shape + std::string(name_of(buffer.elem)) + ">";
}

/// void(runtime, what, dimension, index): notes the first fault of a run.
llvm::Function* kernel_emitter::out_of_bounds() {
  constexpr const char* name = "tn.out_of_bounds";
  if (llvm::Function* known = out_.getFunction(name)) return known;
  auto& cx = out_.getContext();
  llvm::IRBuilder<> b(cx);
  auto* type =
      llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getPtrTy(), b.getInt64Ty(), b.getInt64Ty()}, false);
  auto* f = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, out_);
  f->addFnAttr(llvm::Attribute::NoInline);
  f->addFnAttr(llvm::Attribute::Cold);
  auto* entry = llvm::BasicBlock::Create(cx, "entry", f);
  auto* nowhere = llvm::BasicBlock::Create(cx, "nowhere", f);
  auto* note = llvm::BasicBlock::Create(cx, "note", f);
  auto* first = llvm::BasicBlock::Create(cx, "first", f);
  auto* done = llvm::BasicBlock::Create(cx, "done", f);
  b.SetInsertPoint(entry);
  Value* fault = b.CreateLoad(b.getPtrTy(), b.CreateStructGEP(runtime_type(b), f->getArg(0), 4));
  b.CreateCondBr(b.CreateIsNull(fault), nowhere, note);
  b.SetInsertPoint(nowhere);  // a runtime that knows nothing of faults
  b.CreateCall(llvm::Intrinsic::getOrInsertDeclaration(&out_, llvm::Intrinsic::trap));
  b.CreateUnreachable();
  b.SetInsertPoint(note);
  auto* record = llvm::StructType::get(cx, {b.getPtrTy(), b.getInt64Ty(), b.getInt64Ty()});
  Value* won =
      b.CreateAtomicCmpXchg(fault, llvm::ConstantPointerNull::get(b.getPtrTy()), f->getArg(1), llvm::MaybeAlign(8),
                            llvm::AtomicOrdering::SequentiallyConsistent, llvm::AtomicOrdering::SequentiallyConsistent);
  b.CreateCondBr(b.CreateExtractValue(won, 1), first, done);
  b.SetInsertPoint(first);
  b.CreateStore(f->getArg(2), b.CreateStructGEP(record, fault, 1));
  b.CreateStore(f->getArg(3), b.CreateStructGEP(record, fault, 2));
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  return f;
}

kernel_emitter::place_test kernel_emitter::test_place(const ir::access_map& map, llvm::ArrayRef<lane_value> at,
                                                      const ir::type& buffer) {
  place_test t{b_.getTrue(), index_constant(0), index_constant(0)};
  for (size_t d = map.rows.size(); d-- > 0;) {  // what is said is the first dimension
    Value* extent = extent_limit(buffer.shape[d]);
    const lane_value x = row_index(map.rows[d], at);
    Value *inside = nullptr, *shown = x.v;
    if (x.kind == lane_value::uniform) {
      inside = b_.CreateICmpULT(x.v, extent);
    } else {
      Value* all = vector_of(x, lane_->lanes);
      Value* lanes = b_.CreateICmpULT(all, b_.CreateVectorSplat(lane_->lanes, extent));
      if (lane_->mask != nullptr) lanes = b_.CreateOr(lanes, b_.CreateNot(lane_->mask));
      inside = b_.CreateAndReduce(lanes);
      shown = b_.CreateIntMaxReduce(b_.CreateSelect(lanes, llvm::Constant::getNullValue(all->getType()), all));
    }
    t.dimension = b_.CreateSelect(inside, t.dimension, index_constant(static_cast<i64>(d)));
    t.index = b_.CreateSelect(inside, t.index, shown);
    t.inside = b_.CreateAnd(t.inside, inside);
  }
  return t;
}

/// The corners of what a contraction reads, in numbers that cannot wrap.
kernel_emitter::place_test kernel_emitter::test_contract(op_id op) {
  const ir::op_view v = m_.view(op);
  const auto& c = v.as<loop::contract>();
  llvm::Type* wide = b_.getInt128Ty();
  const auto widened = [&](Value* x) { return b_.CreateSExt(x, wide); };
  const auto number = [&](i64 x) { return widened(index_constant(x)); };
  std::vector<i64> extents = c.m;
  extents.push_back(c.n);
  extents.insert(extents.end(), c.k.begin(), c.k.end());
  Value* empty = b_.getFalse();
  std::vector<Value*> last;
  for (i64 e : extents) {
    Value* extent = contract_extent(op, e);
    empty = b_.CreateOr(empty, b_.CreateICmpSLE(extent, index_constant(0)));
    last.push_back(b_.CreateSub(widened(extent), number(1)));
  }
  place_test t{b_.getTrue(), index_constant(0), index_constant(0)};
  const size_t outer = static_cast<size_t>(v.operand_count() - 2);
  for (int side : {1, 0}) {
    const ir::access_map& map = side == 0 ? c.map_a : c.map_b;
    const ir::type& buffer = v.operand_type(side);
    for (size_t d = map.rows.size(); d-- > 0;) {
      const std::vector<i64>& row = map.rows[d];
      Value* low = number(row[0]);
      for (size_t k = 0; k < outer; ++k)
        if (row[1 + k] != 0)
          low = b_.CreateAdd(low, b_.CreateMul(widened(get(v.operand(static_cast<int>(k) + 2)).v), number(row[1 + k])));
      Value* high = low;
      for (size_t k = 0; k < last.size(); ++k) {
        const i64 by = row[1 + outer + k];
        if (by == 0) continue;
        Value*& end = by < 0 ? low : high;
        end = b_.CreateAdd(end, b_.CreateMul(last[k], number(by)));
      }
      Value* below = b_.CreateICmpSLT(low, number(0));
      Value* above = b_.CreateICmpSGE(high, widened(extent_value(buffer.shape[d])));
      Value* outside = b_.CreateAnd(b_.CreateOr(below, above), b_.CreateNot(empty));
      t.dimension = b_.CreateSelect(outside, index_constant(static_cast<i64>(d)), t.dimension);
      t.index = b_.CreateSelect(outside, b_.CreateTrunc(b_.CreateSelect(below, low, high), b_.getInt64Ty()), t.index);
      t.inside = b_.CreateAnd(t.inside, b_.CreateNot(outside));
    }
  }
  return t;
}

}  // namespace tenon::codegen
