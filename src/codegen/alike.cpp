/// @file alike.cpp: definition of alike.hpp.
#include "alike.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/Hashing.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include <tenon/core/int.hpp>

namespace tenon::codegen {
namespace {

using llvm::Instruction;

/// A number in a function. Where a table has another one in its place, code is as fast.
struct free_number {
  llvm::Use* place = nullptr;
  i64 value = 0;        ///< of a float its bits
  bool single = false;  ///< an f32, or a vector whose lanes are all that
};

/// An i64 in an address or a bound. A divisor is none, for that of a constant is a product; but the unsigned ones are
/// of prefetched shares (contract.cpp), which are known before the loops.
std::optional<i64> free_integer(const llvm::Use& use) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(use.get());
  if (number == nullptr || !number->getType()->isIntegerTy(64)) return {};
  switch (llvm::cast<Instruction>(use.getUser())->getOpcode()) {
    case Instruction::GetElementPtr:
      if (use.getOperandNo() == 0) return {};
      break;
    case Instruction::Store:
      if (use.getOperandNo() != 0) return {};
      break;
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::UDiv:
    case Instruction::ICmp:
    case Instruction::PHI: break;
    default: return {};
  }
  return number->getSExtValue();
}

/// An f32 by which something is multiplied, or which is added, unless LLVM knows something simpler for it.
std::optional<i64> free_single(const llvm::Use& use) {
  const auto* given = llvm::dyn_cast<llvm::Constant>(use.get());
  if (given == nullptr || !given->getType()->getScalarType()->isFloatTy()) return {};
  const unsigned operation = llvm::cast<Instruction>(use.getUser())->getOpcode();
  if (operation != Instruction::FAdd && operation != Instruction::FSub && operation != Instruction::FMul) return {};
  const llvm::Constant* lane = given->getType()->isVectorTy() ? given->getSplatValue() : given;
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(lane);
  if (number == nullptr) return {};
  const float value = number->getValueAPF().convertToFloat();
  if (value == 0 || std::abs(value) == 1 || std::abs(value) == 2 || !std::isfinite(value)) return {};
  return std::bit_cast<u32>(value);
}

/// A function as a sequence of words: what differs in free numbers alone has the same ones.
class outline {
 public:
  explicit outline(llvm::Function& f) {
    const auto number = [&](const llvm::Value& v) { inside_.try_emplace(&v, inside_.size()); };
    for (const llvm::Argument& a : f.args()) number(a);
    for (const llvm::BasicBlock& b : f) number(b);
    for (const Instruction& i : llvm::instructions(f)) number(i);
    for (const llvm::BasicBlock& b : f) {
      words.push_back(b.size());
      for (const Instruction& i : b) {
        instructions.push_back(&i);
        words.push_back(i.getOpcode());
        words.push_back(i.getRawSubclassOptionalData());
        words.push_back(i.getNumOperands());
        words.push_back(address(i.getType()));
        for (const llvm::Use& u : i.operands()) add(u);
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&i))
          for (const llvm::BasicBlock* from : phi->blocks()) add(from);
      }
    }
    hash = llvm::hash_combine_range(words.begin(), words.end());
    inside_.clear();
  }

  bool is_alike(const outline& other) const {
    if (words != other.words) return false;
    for (size_t i = 0; i < instructions.size(); ++i)
      if (!instructions[i]->isSameOperationAs(other.instructions[i]) || instructions[i]->hasMetadata() ||
          other.instructions[i]->hasMetadata())
        return false;
    return true;
  }

  std::vector<const Instruction*> instructions;
  std::vector<u64> words;
  std::vector<free_number> free;  ///< in their order
  size_t hash = 0;

 private:
  static u64 address(const void* p) { return reinterpret_cast<u64>(p); }  // even, and more than 2
  void add(const llvm::Value* v) {
    const auto it = inside_.find(v);
    words.push_back(it != inside_.end() ? 2 * it->second + 1 : address(v));
  }
  void add(const llvm::Use& u) {
    const auto integer = free_integer(u), single = integer ? std::nullopt : free_single(u);
    if (!integer && !single) return add(u.get());
    free.push_back({const_cast<llvm::Use*>(&u), integer ? *integer : *single, single.has_value()});
    words.push_back(single ? 2 : 0);
  }

  llvm::DenseMap<const llvm::Value*, u64> inside_;  ///< arguments, blocks and instructions, by their number
};

struct body {
  parallel_body given;  ///< of a kernel the function alone
  outline form;
  i64 number(size_t i) const { return form.free[i].value; }
  bool is_called_alike(const body& other) const {
    const auto record = [](const body& b) { return b.given.record ? b.given.record->getAllocatedType() : nullptr; };
    return record(*this) == record(other) &&
           given.function->getFunctionType() == other.given.function->getFunctionType();
  }
};

/// The innermost loop that each number of a function is used in, counted from 1; 0: it is used in none.
std::vector<unsigned> innermost_loops(const outline& form, llvm::Function& f) {
  const llvm::DominatorTree dominators(f);
  const llvm::LoopInfo loops(dominators);
  llvm::DenseMap<const llvm::Loop*, unsigned> known;
  std::vector<unsigned> used_in;
  for (const free_number& n : form.free) {
    const auto* user = llvm::cast<Instruction>(n.place->getUser());
    const llvm::Loop* loop = loops.getLoopFor(user->getParent());
    const bool innermost = loop != nullptr && loop->isInnermost() && !llvm::isa<llvm::PHINode>(user);
    used_in.push_back(!innermost ? 0 : known.try_emplace(loop, known.size() + 1).first->second);
  }
  return used_in;
}

/// Bodies that are alike, the first of which is left.
class shared_body {
 public:
  explicit shared_body(llvm::ArrayRef<const body*> all) : all_(all) {
    // Integers by their differences from the first body's, floats as they are.
    std::map<std::vector<i64>, size_t> known;
    for (size_t i = 0; i < all_[0]->form.free.size(); ++i) {
      const bool single = is_single(i);
      std::vector<i64> numbers{single};
      bool same = true;
      for (const body* b : all_) {
        same = same && b->number(i) == all_[0]->number(i);
        numbers.push_back(single ? b->number(i) : wrapped(b->number(i), all_[0]->number(i)));
      }
      if (same) continue;
      const auto [it, fresh] = known.try_emplace(std::move(numbers), parameters_.size());
      if (fresh) parameters_.push_back(i);
      uses_.push_back({i, it->second});
    }
  }

  /// The most numbers that differ in one innermost loop.
  size_t most_in_a_loop(const std::vector<unsigned>& loops) const {
    std::map<unsigned, std::set<size_t>> used;
    for (const use& u : uses_)
      if (loops[u.number] > 0) used[loops[u.number]].insert(u.parameter);
    size_t most = 0;
    for (const auto& [loop, parameters] : used) most = std::max(most, parameters.size());
    return most;
  }

  void make(llvm::Module& out) const {
    if (all_[0]->given.call == nullptr) return make_called(out);
    llvm::Function& kept = *all_[0]->given.function;
    for (const body* b : all_) {
      llvm::IRBuilder<> at(b->given.call);
      if (!parameters_.empty())
        at.CreateStore(table_of(out, *b), at.CreateStructGEP(record_of(*b), b->given.record, last_of(*b)));
      if (b == all_[0]) continue;
      b->given.function->replaceAllUsesWith(&kept);
      b->given.function->eraseFromParent();
    }
    if (parameters_.empty()) return;
    llvm::IRBuilder<> top(&kept.getEntryBlock(), kept.getEntryBlock().begin());
    const body& first = *all_[0];
    read_table(top, top.CreateLoad(top.getPtrTy(),
                                   top.CreateStructGEP(record_of(first), kept.getArg(0), last_of(first)), "numbers"));
  }

 private:
  struct use {
    size_t number, parameter;
  };
  /// Others know these functions by their names, so each stays, and calls what they share.
  void make_called(llvm::Module& out) const {
    llvm::Function& first = *all_[0]->given.function;
    std::vector<llvm::Type*> types(first.getFunctionType()->params());
    if (!parameters_.empty()) types.push_back(llvm::PointerType::getUnqual(out.getContext()));
    auto* const shared = llvm::Function::Create(llvm::FunctionType::get(first.getReturnType(), types, false),
                                                llvm::GlobalValue::InternalLinkage, first.getName() + ".shared", out);
    shared->addFnAttr(llvm::Attribute::NoInline);
    shared->splice(shared->begin(), &first);
    for (llvm::Argument& a : first.args()) a.replaceAllUsesWith(shared->getArg(a.getArgNo()));
    if (!parameters_.empty()) {
      llvm::IRBuilder<> top(&shared->getEntryBlock(), shared->getEntryBlock().begin());
      read_table(top, shared->getArg(shared->arg_size() - 1));
    }
    for (const body* b : all_) {
      llvm::Function& f = *b->given.function;
      const auto linkage = f.getLinkage();
      f.deleteBody();
      f.setLinkage(linkage);
      llvm::IRBuilder<> only(llvm::BasicBlock::Create(out.getContext(), "entry", &f));
      std::vector<llvm::Value*> arguments;
      for (llvm::Argument& a : f.args()) arguments.push_back(&a);
      if (!parameters_.empty()) arguments.push_back(table_of(out, *b));
      only.CreateCall(shared, arguments)->setTailCall();
      only.CreateRetVoid();
    }
  }
  bool is_single(size_t number) const { return all_[0]->form.free[number].single; }
  static i64 wrapped(i64 a, i64 b) { return static_cast<i64>(static_cast<u64>(a) - static_cast<u64>(b)); }
  static llvm::StructType* record_of(const body& b) {
    return llvm::cast<llvm::StructType>(b.given.record->getAllocatedType());
  }
  static unsigned last_of(const body& b) { return record_of(b)->getNumElements() - 1; }

  llvm::GlobalVariable* table_of(llvm::Module& out, const body& b) const {
    llvm::SmallVector<u64> numbers;
    for (size_t p : parameters_) numbers.push_back(static_cast<u64>(b.number(p)));
    auto* values = llvm::ConstantDataArray::get(out.getContext(), numbers);
    auto* table = new llvm::GlobalVariable(out, values->getType(), true, llvm::GlobalValue::PrivateLinkage, values,
                                           b.given.function->getName() + ".numbers");
    table->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return table;
  }
  void read_table(llvm::IRBuilder<>& top, llvm::Value* table) const {
    std::vector<llvm::Value*> read;
    for (size_t p = 0; p < parameters_.size(); ++p) {
      auto* const type = is_single(parameters_[p]) ? top.getFloatTy() : top.getInt64Ty();
      read.push_back(top.CreateLoad(type, top.CreateConstGEP1_64(top.getInt64Ty(), table, p), "number"));
    }
    for (const use& u : uses_) replace(*all_[0]->form.free[u.number].place, u, read[u.parameter], top);
  }
  void replace(llvm::Use& place, const use& u, llvm::Value* number, llvm::IRBuilder<>& top) const {
    if (is_single(u.number)) {
      auto* const lanes = llvm::dyn_cast<llvm::FixedVectorType>(place->getType());
      return place.set(lanes != nullptr ? top.CreateVectorSplat(lanes->getNumElements(), number) : number);
    }
    const i64 more = wrapped(all_[0]->number(u.number), all_[0]->number(parameters_[u.parameter]));
    if (more == 0) return place.set(number);
    auto* const gep = llvm::dyn_cast<llvm::GetElementPtrInst>(place.getUser());
    if (gep == nullptr || gep->getNumIndices() != 1)
      return place.set(top.CreateAdd(number, top.getInt64(static_cast<u64>(more))));
    llvm::IRBuilder<> here(gep);  // what is constant stays a displacement
    gep->setOperand(0, here.CreateGEP(gep->getSourceElementType(), gep->getPointerOperand(), number));
    place.set(here.getInt64(static_cast<u64>(more)));
  }

  llvm::ArrayRef<const body*> all_;
  std::vector<size_t> parameters_;  ///< numbers, of which others differ by a constant
  std::vector<use> uses_;
};

/// How many numbers of innermost loops may come from registers.
constexpr size_t most_innermost = 8;

void share(llvm::Module& out, llvm::ArrayRef<const body*> all) {
  if (all.size() < 2) return;
  const std::vector<unsigned> innermost = innermost_loops(all[0]->form, *all[0]->given.function);
  const shared_body one(all);
  if (one.most_in_a_loop(innermost) <= most_innermost) return one.make(out);
  // Those that agree in the numbers of their innermost loops.
  std::map<std::vector<i64>, std::vector<const body*>> agreeing;
  for (const body* b : all) {
    std::vector<i64> numbers;
    for (size_t i = 0; i < innermost.size(); ++i)
      if (innermost[i] > 0) numbers.push_back(b->number(i));
    agreeing[std::move(numbers)].push_back(b);
  }
  for (const auto& [numbers, some] : agreeing)
    if (some.size() > 1) shared_body(some).make(out);
}

}  // namespace

void share_alike(llvm::Module& out, llvm::ArrayRef<parallel_body> given, llvm::ArrayRef<llvm::Function*> kernels) {
  constexpr unsigned worth_a_call = 40;  // instructions; LLVM takes about as long for a call of its own as for ten
  std::vector<body> bodies;
  for (const parallel_body& b : given) bodies.push_back({b, outline(*b.function)});
  llvm::DenseSet<const llvm::Function*> divided;
  for (const parallel_body& b : given) divided.insert(b.call->getFunction());
  for (llvm::Function* k : kernels)
    if (!divided.contains(k) && k->getInstructionCount() >= worth_a_call) bodies.push_back({{k}, outline(*k)});
  std::unordered_multimap<size_t, size_t> by_hash;
  std::vector<std::vector<const body*>> alike;
  for (const body& b : bodies) {
    const auto [from, to] = by_hash.equal_range(b.form.hash);
    const auto same = std::find_if(from, to, [&](const auto& known) {
      const body& first = *alike[known.second].front();
      return first.is_called_alike(b) && first.form.is_alike(b.form);
    });
    if (same != to) {
      alike[same->second].push_back(&b);
      continue;
    }
    by_hash.emplace(b.form.hash, alike.size());
    alike.push_back({&b});
  }
  for (const std::vector<const body*>& some : alike) share(out, some);
}

}  // namespace tenon::codegen
