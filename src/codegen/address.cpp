/// @file address.cpp: where the element is that a load or store means.
///
/// An address is a chain of pointers, from what the outermost loop adds to what the innermost does, and a number last:
/// each pointer is computed in the loop that it changes in, accesses that differ by a number share all of the chain,
/// and the number is an instruction's displacement. So nothing is left for LLVM's strength reduction, which would take
/// a third of the time that code generation takes (module.cpp leaves it out).
#include "emitter.hpp"

#include <algorithm>

namespace tenon::codegen {

using llvm::Value;

std::vector<Value*> kernel_emitter::strides_of(const ir::type& t) {
  std::vector<Value*> s(t.shape.size(), index_constant(1));
  for (size_t d = t.shape.size(); d-- > 1;) s[d - 1] = b_.CreateMul(s[d], extent_value(t.shape[d]));
  return s;
}

unsigned kernel_emitter::depth_of(Value* v) {
  constexpr size_t most_looked_at = 64;  // of what is computed in more steps, the innermost loop is as good an answer
  if (!llvm::isa<llvm::Instruction>(v)) return 0;
  llvm::SmallVector<Value*> open{v};
  unsigned depth = 0;
  for (size_t at = 0; at < open.size(); ++at) {
    auto* i = llvm::dyn_cast<llvm::Instruction>(open[at]);
    if (i == nullptr) continue;
    if (const auto known = depths_.find(i); known != depths_.end()) depth = std::max(depth, known->second);
    else if (llvm::isa<llvm::PHINode>(i) || i->mayReadFromMemory() || open.size() > most_looked_at)
      depth = i->getParent()->isEntryBlock() ? depth : depth_;
    else open.append(i->op_begin(), i->op_end());
  }
  return depths_[v] = depth;
}

kernel_emitter::address kernel_emitter::address_of(Value* base, const ir::access_map& map,
                                                   llvm::ArrayRef<lane_value> at, const ir::type& buffer) {
  const std::vector<Value*> strides = strides_of(buffer);
  address a;
  a.place = base;
  struct term {
    unsigned depth;  // of loops in which it is known
    size_t number;   // of the term
    Value* elements;
  };
  llvm::SmallVector<term> terms;
  const auto add = [&](Value* index, Value* factor) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(factor);
    const auto take = [&](const Value* x) {  // what is a number goes last
      const auto* c = llvm::dyn_cast<llvm::ConstantInt>(x);
      if (c == nullptr || number == nullptr) return false;
      a.ahead = static_cast<i64>(static_cast<u64>(a.ahead) + c->getZExtValue() * number->getZExtValue());
      return true;
    };
    for (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(index);
         sum != nullptr && sum->getOpcode() == llvm::Instruction::Add && take(sum->getOperand(1));
         sum = llvm::dyn_cast<llvm::BinaryOperator>(index))
      index = sum->getOperand(0);
    if (take(index)) return;
    Value* elements = number != nullptr && number->isOne() ? index : b_.CreateMul(index, factor);
    terms.push_back({depth_of(elements), terms.size(), elements});
  };
  const auto add_varying = [&](Value* v) { a.varying = a.varying != nullptr ? b_.CreateAdd(a.varying, v) : v; };
  for (size_t k = 0; k <= at.size(); ++k) {
    Value* factor = index_constant(0);
    for (size_t d = 0; d < map.rows.size(); ++d)
      if (map.rows[d][k] != 0) factor = b_.CreateAdd(factor, b_.CreateMul(strides[d], index_constant(map.rows[d][k])));
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(factor);
    if (number != nullptr && number->isZero()) continue;
    if (k == 0) {
      add(index_constant(1), factor);
      continue;
    }
    const lane_value& x = at[k - 1];
    if (x.kind == lane_value::varying) {
      add_varying(b_.CreateMul(x.v, b_.CreateVectorSplat(lane_->lanes, factor)));
      continue;
    }
    add(x.v, factor);
    if (x.kind != lane_value::linear) continue;
    if (number != nullptr) a.lane_stride += number->getSExtValue() * x.stride;
    else add_varying(b_.CreateMul(iota(lane_->lanes, x.stride), b_.CreateVectorSplat(lane_->lanes, factor)));
  }
  if (a.varying != nullptr && a.lane_stride != 0) add_varying(iota(lane_->lanes, a.lane_stride)), a.lane_stride = 0;

  std::sort(terms.begin(), terms.end(),
            [](const term& x, const term& y) { return x.depth != y.depth ? x.depth < y.depth : x.number < y.number; });
  for (size_t i = 0; i < terms.size(); ++i) {
    Value* offset = terms[i].elements;
    while (i + 1 < terms.size() && terms[i + 1].depth == terms[i].depth)
      offset = b_.CreateAdd(offset, terms[++i].elements);
    a.place = b_.CreateGEP(memory_type(buffer.elem), a.place, offset);
  }
  return a;
}

Value* kernel_emitter::place_of(const ir::type& buffer, const address& a) {
  return a.ahead == 0 ? a.place : b_.CreateGEP(memory_type(buffer.elem), a.place, index_constant(a.ahead));
}

}  // namespace tenon::codegen
