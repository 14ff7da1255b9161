/// @file emitter.cpp: functions, loops and branches.
#include "emitter.hpp"
#include "columns.hpp"

#include <llvm/IR/Intrinsics.h>

#include <tenon/ir/dims.hpp>
#include <tenon/ir/dispatch.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/generate_code.hpp>

namespace tenon::codegen {

using llvm::BasicBlock;
using llvm::Value;
using loop::scalar_fn;

void kernel_emitter::fail(op_id op, std::string message) const {
  throw unsupported_error("codegen.unsupported",
                          "kernel '" + kernel_name_ + "': " + std::string(m_.view(op).name()) + ": " + message,
                          m_.text(m_[op].location));
}

llvm::Function* kernel_emitter::emit(function_id f) {
  const ir::function& fn = m_[f];
  kernel_name_ = fn.name;
  const auto& arguments = m_[fn.body].arguments;
  std::vector<llvm::Type*> types(arguments.size() + 1, b_.getPtrTy());
  fn_ = llvm::Function::Create(llvm::FunctionType::get(b_.getVoidTy(), types, false), llvm::Function::InternalLinkage,
                               "k_" + fn.name, out_);
  fn_->addFnAttr(llvm::Attribute::NoInline);
  b_.SetInsertPoint(BasicBlock::Create(out_.getContext(), "entry", fn_));
  for (unsigned i = 0; i < arguments.size(); ++i) {
    fn_->addParamAttr(i, llvm::Attribute::NoUndef);
    set(arguments[i], {lane_value::uniform, fn_->getArg(i)});
  }
  runtime_ = fn_->getArg(static_cast<unsigned>(arguments.size()));
  bool sized = false;
  for (value_id a : arguments) sized = sized || ir::has_symbols(m_.type_of(a));
  ir::for_each_op(m_, fn.body, [&](op_id op) { sized = sized || m_.view(op).is<loop::extent>(); });
  sizes_ = sized ? load_sizes(b_, runtime_) : nullptr;
  size_values_.clear();
  region(fn.body);
  b_.CreateRetVoid();
  return fn_;
}

lane_value kernel_emitter::get(value_id v) const {
  auto it = values_.find(v.index);
  if (it == values_.end())
    throw error("codegen.internal", "kernel '" + kernel_name_ + "' uses a value that has no code");
  return it->second;
}

Value* kernel_emitter::iota(unsigned lanes, i64 stride) {
  std::vector<u64> v(lanes);
  for (unsigned i = 0; i < lanes; ++i) v[i] = static_cast<u64>(static_cast<i64>(i) * stride);
  return llvm::ConstantDataVector::get(out_.getContext(), v);
}

Value* kernel_emitter::vector_of(const lane_value& v, unsigned lanes) {
  switch (v.kind) {
    case lane_value::varying: return v.v;
    case lane_value::uniform: return b_.CreateVectorSplat(lanes, v.v);
    case lane_value::linear: break;
  }
  return b_.CreateAdd(b_.CreateVectorSplat(lanes, v.v), iota(lanes, v.stride));
}

void kernel_emitter::region(region_id r) {
  for (op_id op : m_[r].ops)
    if (!m_.view(op).info().traits.terminator) operation(op);
}

std::vector<lane_value> kernel_emitter::operands_of(op_id op) {
  std::vector<lane_value> r;
  for (value_id v : m_.operands(op)) r.push_back(get(v));
  return r;
}

void kernel_emitter::operation(op_id op) {
  const ir::op_view v = m_.view(op);
  const ir::forms form{[&](const loop::for_loop&) { for_loop(op); },
                       [&](const loop::load&) { set(v.result(), load(op)); },
                       [&](const loop::store&) { store(op); },
                       [&](const loop::scalar&) { set(v.result(), scalar(op)); },
                       [&](const loop::convert&) { set(v.result(), convert(op)); },
                       [&](const loop::branch&) { branch(op); },
                       [&](const loop::contract&) { contract(op); },
                       [&](const loop::yield&) {},  // whoever owns the region reads what it yields
                       [&](const loop::literal& l) {
                         llvm::Type* t = register_type(l.type);
                         Value* c = is_narrow_float(l.type)
                                        ? static_cast<Value*>(llvm::ConstantInt::get(
                                              t, f32_to_narrow_bits(static_cast<float>(l.real), l.type)))
                                    : is_float(l.type) ? static_cast<Value*>(llvm::ConstantFP::get(t, l.real))
                                                       : llvm::ConstantInt::get(t, static_cast<u64>(l.integer));
                         set(v.result(), {lane_value::uniform, c});
                       },
                       [&](const loop::extent& e) {
                         for (u32 s = 0; s < m_.symbol_count(); ++s)
                           if (m_.name(symbol_id(size_t{s})) == e.expression)
                             return set(v.result(), {lane_value::uniform, size_value(s)});
                         fail(op, "'" + e.expression + "' is no symbol of the module");
                       }};
  if (ir::dispatch<loop_ops, "native code", passes::generate_code>(v, form)) return;
  fail(op, "has no native form");
}

Value* kernel_emitter::size_value(u32 symbol) {
  Value*& known = size_values_[symbol];
  if (known == nullptr) {
    auto* after = llvm::cast<llvm::Instruction>(sizes_);
    llvm::IRBuilder<> top(after->getParent(), std::next(after->getIterator()));
    known = top.CreateLoad(b_.getInt64Ty(), top.CreateConstGEP1_64(b_.getInt64Ty(), sizes_, symbol), "size");
  }
  return known;
}

void kernel_emitter::for_loop(op_id op) {
  const ir::op_view v = m_.view(op);
  const auto& l = v.as<loop::for_loop>();
  Value* lo = get(v.operand(0)).v;
  Value* hi = get(v.operand(1)).v;
  const bool plain_step = l.step == 1;
  auto* first = llvm::dyn_cast<llvm::ConstantInt>(lo);
  auto* last = llvm::dyn_cast<llvm::ConstantInt>(hi);
  if (first != nullptr && last != nullptr && last->getSExtValue() > first->getSExtValue())
    ranges_[m_[v.region()].arguments[0].index] = {first->getSExtValue(), last->getSExtValue() - 1};
  if (l.kind == loop::loop_kind::parallel && !in_parallel_ && lane_ == nullptr && v.result_count() == 0 && plain_step)
    return parallel_loop(op, lo, hi);
  if (l.kind == loop::loop_kind::vector && lane_ == nullptr && plain_step && vectorizable(op))
    return vector_loop(op, lo, hi);
  if (crossed_loops(op)) return;
  serial_loop(op, lo, hi, l.step);
}

void kernel_emitter::serial_loop(op_id op, Value* lo, Value* hi, i64 step) {
  const ir::op_view v = m_.view(op);
  const region_id r = v.region();
  const auto& arguments = m_[r].arguments;
  auto* first = llvm::dyn_cast<llvm::ConstantInt>(lo);
  auto* last = llvm::dyn_cast<llvm::ConstantInt>(hi);
  if (first != nullptr && last != nullptr && last->getSExtValue() > first->getSExtValue() &&
      last->getSExtValue() <= first->getSExtValue() + step) {  // one iteration: no loop
    set(arguments[0], {lane_value::uniform, lo});
    for (unsigned i = 1; i < arguments.size(); ++i) set(arguments[i], get(v.operand(static_cast<int>(i) + 1)));
    region(r);
    const auto next = operands_of(m_.terminator(r));
    for (unsigned i = 0; i < next.size(); ++i) set(v.result(static_cast<int>(i)), next[i]);
    return;
  }
  // Carried values are vectors inside a vector loop: whether the first one is uniform says nothing about the next.
  const auto kind = lane_ != nullptr ? lane_value::varying : lane_value::uniform;
  auto held = [&](const lane_value& x) { return lane_ != nullptr ? vector_of(x, lane_->lanes) : x.v; };
  std::vector<Value*> state;
  for (unsigned i = 1; i < arguments.size(); ++i) state.push_back(held(get(v.operand(static_cast<int>(i) + 1))));
  carry(lo, hi, step, state, [&](Value* index) {
    set(arguments[0], {lane_value::uniform, index});
    for (unsigned i = 0; i < state.size(); ++i) set(arguments[i + 1], {kind, state[i]});
    region(r);
    const auto next = operands_of(m_.terminator(r));
    for (unsigned i = 0; i < state.size(); ++i) state[i] = held(next[i]);
  });
  for (unsigned i = 0; i < state.size(); ++i) set(v.result(static_cast<int>(i)), {kind, state[i]});
}

void kernel_emitter::branch(op_id op) {
  const ir::op_view v = m_.view(op);
  const lane_value c = get(v.operand(0));
  if (c.kind != lane_value::uniform) fail(op, "a branch inside of a vector loop differs between lanes");
  auto& cx = out_.getContext();
  llvm::Function* parent = b_.GetInsertBlock()->getParent();
  BasicBlock* blocks[2] = {BasicBlock::Create(cx, "then", parent), BasicBlock::Create(cx, "else", parent)};
  BasicBlock* after = BasicBlock::Create(cx, "fi", parent);
  b_.CreateCondBr(c.v, blocks[0], blocks[1]);
  std::vector<Value*> out[2];
  BasicBlock* ends[2];
  for (int i = 0; i < 2; ++i) {
    b_.SetInsertPoint(blocks[i]);
    region(v.region(i));
    if (const op_id t = m_.terminator(v.region(i)); t)
      for (const lane_value& x : operands_of(t)) out[i].push_back(lane_ != nullptr ? vector_of(x, lane_->lanes) : x.v);
    ends[i] = b_.GetInsertBlock();
    b_.CreateBr(after);
  }
  b_.SetInsertPoint(after);
  for (int i = 0; i < v.result_count(); ++i) {
    llvm::PHINode* p = b_.CreatePHI(out[0][static_cast<size_t>(i)]->getType(), 2);
    for (int s = 0; s < 2; ++s) p->addIncoming(out[s][static_cast<size_t>(i)], ends[s]);
    set(v.result(i), {lane_ != nullptr ? lane_value::varying : lane_value::uniform, p});
  }
}

std::vector<value_id> kernel_emitter::captures(op_id op) const {
  std::vector<value_id> r;
  llvm::DenseMap<u32, bool> inside, seen;
  auto visit = [&](auto& self, op_id o) -> void {
    for (value_id x : m_.operands(o))
      if (x && !inside.count(x.index) && !seen.count(x.index)) seen[x.index] = true, r.push_back(x);
    for (u32 k = 0; k < m_[o].region_count; ++k) {
      const region_id rr = m_.region(o, static_cast<int>(k));
      for (value_id a : m_[rr].arguments) inside[a.index] = true;
      for (op_id i : m_[rr].ops) self(self, i);
    }
    for (value_id x : m_.results(o)) inside[x.index] = true;
  };
  visit(visit, op);
  return r;
}

void leave_when_stopped(llvm::IRBuilder<>& b, Value* flag, llvm::function_ref<void()> leave) {
  llvm::Function* fn = b.GetInsertBlock()->getParent();
  auto* ask = BasicBlock::Create(b.getContext(), "ask", fn);
  auto* stopped = BasicBlock::Create(b.getContext(), "stopped", fn);
  auto* on = BasicBlock::Create(b.getContext(), "on", fn);
  b.CreateCondBr(b.CreateIsNull(flag), on, ask);
  b.SetInsertPoint(ask);
  llvm::LoadInst* asked = b.CreateAlignedLoad(b.getInt32Ty(), flag, llvm::Align(4));
  asked->setAtomic(llvm::AtomicOrdering::Monotonic);  // another thread writes it
  b.CreateCondBr(b.CreateIsNull(asked), on, stopped);
  b.SetInsertPoint(stopped);
  leave();
  b.SetInsertPoint(on);
}

void kernel_emitter::parallel_loop(op_id op, Value* lo, Value* hi) {
  const ir::op_view v = m_.view(op);
  auto& cx = out_.getContext();
  std::vector<value_id> captured;
  std::vector<llvm::Type*> types;
  for (value_id x : captures(op)) {
    if (llvm::isa<llvm::Constant>(get(x).v)) continue;  // constants are the same in every function
    captured.push_back(x);
    types.push_back(get(x).v->getType());
  }
  types.push_back(lo->getType());
  if (sizes_ != nullptr) types.push_back(b_.getPtrTy());
  const unsigned at_runtime = static_cast<unsigned>(types.size());
  types.push_back(b_.getPtrTy());  // where faults are said, and whether to stop
  types.push_back(b_.getPtrTy());  // the body's numbers (alike.hpp)
  auto* record = llvm::StructType::get(cx, types);
  llvm::IRBuilder<> top(&fn_->getEntryBlock(), fn_->getEntryBlock().begin());
  llvm::AllocaInst* context = top.CreateAlloca(record, nullptr, "captured");
  for (unsigned i = 0; i < captured.size(); ++i)
    b_.CreateStore(get(captured[i]).v, b_.CreateStructGEP(record, context, i));
  const unsigned n_captured = static_cast<unsigned>(captured.size());
  b_.CreateStore(lo, b_.CreateStructGEP(record, context, n_captured));
  if (sizes_ != nullptr) b_.CreateStore(sizes_, b_.CreateStructGEP(record, context, n_captured + 1));
  b_.CreateStore(runtime_, b_.CreateStructGEP(record, context, at_runtime));

  auto* body_type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy(), b_.getInt64Ty(), b_.getInt64Ty()}, false);
  auto* body = llvm::Function::Create(body_type, llvm::Function::InternalLinkage, fn_->getName() + ".body", out_);
  Value* pool = b_.CreateLoad(b_.getPtrTy(), b_.CreateStructGEP(runtime_type(b_), runtime_, 1));
  Value* parallel_for = b_.CreateLoad(b_.getPtrTy(), b_.CreateStructGEP(runtime_type(b_), runtime_, 2));
  auto* call_type = llvm::FunctionType::get(
      b_.getVoidTy(), {b_.getPtrTy(), b_.getInt64Ty(), b_.getInt64Ty(), b_.getPtrTy(), b_.getPtrTy()}, false);
  auto* call = b_.CreateCall(call_type, parallel_for,
                             {pool, b_.CreateSub(hi, lo), index_constant(v.as<loop::for_loop>().grain), body, context});
  bodies_.push_back({body, call, context});
  // Pieces were left out: what the kernel does next may read what they would have written.
  leave_when_stopped(b_, load_stop(b_, runtime_), [&] { b_.CreateRetVoid(); });

  const auto saved_point = b_.saveIP();
  const auto saved_values = values_;
  llvm::Function* saved_fn = fn_;
  Value *saved_sizes = sizes_, *saved_runtime = runtime_;
  const auto saved_size_values = size_values_;
  size_values_.clear();
  fn_ = body;
  in_parallel_ = true;
  b_.SetInsertPoint(BasicBlock::Create(cx, "entry", body));
  runtime_ = b_.CreateLoad(b_.getPtrTy(), b_.CreateStructGEP(record, body->getArg(0), at_runtime), "runtime");
  if (sizes_ != nullptr)
    sizes_ = b_.CreateLoad(b_.getPtrTy(), b_.CreateStructGEP(record, body->getArg(0), n_captured + 1), "sizes");
  for (unsigned i = 0; i < captured.size(); ++i) {
    Value* p = b_.CreateStructGEP(record, body->getArg(0), i);
    set(captured[i], {lane_value::uniform, b_.CreateLoad(types[i], p)});
  }
  Value* first =
      b_.CreateLoad(lo->getType(), b_.CreateStructGEP(record, body->getArg(0), static_cast<unsigned>(captured.size())));
  // The thread may be another one.
  Value* environment = target_.flush_denormals ? flush_denormals(b_) : nullptr;
  leave_when_stopped(b_, load_stop(b_, runtime_), [&] {
    if (environment != nullptr) give_back(b_, environment);
    b_.CreateRetVoid();
  });
  counted(b_.CreateAdd(first, body->getArg(1)), b_.CreateAdd(first, body->getArg(2)), 1, [&](Value* i) {
    set(m_[v.region()].arguments[0], {lane_value::uniform, i});
    region(v.region());
  });
  if (environment != nullptr) give_back(b_, environment);
  b_.CreateRetVoid();
  in_parallel_ = false;
  fn_ = saved_fn;
  sizes_ = saved_sizes, runtime_ = saved_runtime;
  size_values_ = saved_size_values;
  values_ = saved_values;
  b_.restoreIP(saved_point);
}

bool kernel_emitter::is_combiner(scalar_fn f) {
  switch (f) {
    case scalar_fn::add:
    case scalar_fn::mul:
    case scalar_fn::min:
    case scalar_fn::max:
    case scalar_fn::bit_and:
    case scalar_fn::bit_or:
    case scalar_fn::bit_xor: return true;
    default: return false;
  }
}

bool kernel_emitter::reduction_of(op_id op, unsigned carried, scalar_fn& fn) const {
  const region_id r = m_.region(op);
  const value_id argument = m_[r].arguments[carried + 1];
  const value_id next = m_.operand(m_.terminator(r), static_cast<int>(carried));
  const op_id d = m_[next].definition;
  if (!d || m_[d].parent != r || m_.use_count(argument) != 1 || m_.use_count(next) != 1) return false;
  const auto* s = m_.view(d).get_if<loop::scalar>();
  if (s == nullptr) return false;
  if (s->fn == scalar_fn::fma) {  // fma(a, b, acc)
    fn = scalar_fn::add;
    return m_.operand(d, 2) == argument;
  }
  fn = s->fn;
  return is_combiner(fn) && (m_.operand(d, 0) == argument || m_.operand(d, 1) == argument);
}

bool kernel_emitter::vectorizable(op_id op) const {
  const ir::op_view v = m_.view(op);
  const region_id r = v.region();
  for (unsigned i = 0; i < static_cast<unsigned>(v.result_count()); ++i) {
    scalar_fn fn;
    if (!reduction_of(op, i, fn)) return false;
    if (m_.type_of(v.result(static_cast<int>(i))).elem == dtype::boolean) return false;
  }
  if (v.result_count() == 0 && !v.as<loop::for_loop>().independent) return false;
  std::vector<value_id> varying(m_[r].arguments.begin(), m_[r].arguments.end());
  return region_vectorizable(r, varying);
}

bool kernel_emitter::region_vectorizable(region_id r, std::vector<value_id>& varying) const {
  auto is_varying = [&](value_id x) {
    for (value_id y : varying)
      if (x == y) return true;
    return false;
  };
  for (op_id op : m_[r].ops) {
    const ir::op_view v = m_.view(op);
    if (v.is<loop::contract>()) return false;
    bool any = false;
    for (int i = 0; i < v.operand_count(); ++i) any = any || is_varying(v.operand(i));
    if (v.is<loop::for_loop>()) {
      if (is_varying(v.operand(0)) || is_varying(v.operand(1))) return false;
      const auto& arguments = m_[v.region()].arguments;
      varying.insert(varying.end(), arguments.begin() + 1, arguments.end());
      if (!region_vectorizable(v.region(), varying)) return false;
      for (value_id x : m_.results(op)) varying.push_back(x);
    } else if (v.is<loop::branch>()) {
      if (is_varying(v.operand(0))) return false;
      if (!region_vectorizable(v.region(0), varying) || !region_vectorizable(v.region(1), varying)) return false;
      for (value_id x : m_.results(op)) varying.push_back(x);
    } else if (any) {
      for (value_id x : m_.results(op)) varying.push_back(x);
    } else if (v.is<loop::store>()) {
      return false;  // every lane would write the same element
    }
  }
  return true;
}

Value* kernel_emitter::identity(scalar_fn fn, dtype t) {
  llvm::Type* type = register_type(t);
  const unsigned bits = static_cast<unsigned>(size_of(t)) * 8;
  switch (fn) {
    case scalar_fn::mul:
      return is_float(t) ? static_cast<Value*>(llvm::ConstantFP::get(type, 1.0)) : llvm::ConstantInt::get(type, 1);
    case scalar_fn::min:
      if (is_float(t)) return llvm::ConstantFP::getInfinity(type);
      return llvm::ConstantInt::get(
          type, is_unsigned_int(t) ? llvm::APInt::getMaxValue(bits) : llvm::APInt::getSignedMaxValue(bits));
    case scalar_fn::max:
      if (is_float(t)) return llvm::ConstantFP::getInfinity(type, true);
      return llvm::ConstantInt::get(
          type, is_unsigned_int(t) ? llvm::APInt::getMinValue(bits) : llvm::APInt::getSignedMinValue(bits));
    case scalar_fn::bit_and: return llvm::Constant::getAllOnesValue(type);
    case scalar_fn::add:
      if (is_float(t)) return llvm::ConstantFP::getNegativeZero(type);
      return llvm::Constant::getNullValue(type);
    default: return llvm::Constant::getNullValue(type);
  }
}

Value* kernel_emitter::combine(scalar_fn fn, dtype t, Value* a, Value* b) { return function(fn, t, {a, b}); }

Value* kernel_emitter::horizontal(scalar_fn fn, dtype t, Value* vector) {
  auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  for (unsigned n = type->getNumElements(); n > 1; n /= 2) {
    std::vector<int> low(n / 2), high(n / 2);
    for (unsigned i = 0; i < n / 2; ++i) low[i] = static_cast<int>(i), high[i] = static_cast<int>(i + n / 2);
    vector = combine(fn, t, b_.CreateShuffleVector(vector, low), b_.CreateShuffleVector(vector, high));
  }
  return b_.CreateExtractElement(vector, u64{0});
}

void kernel_emitter::vector_loop(op_id op, Value* lo, Value* hi) {
  const ir::op_view v = m_.view(op);
  const region_id r = v.region();
  const auto& arguments = m_[r].arguments;
  const unsigned n_carried = static_cast<unsigned>(v.result_count());
  unsigned lanes = static_cast<unsigned>(v.as<loop::for_loop>().lanes);
  const bool any_lanes = lanes == 0;
  if (any_lanes) lanes = target_.lanes(dtype::f32);

  auto* first = llvm::dyn_cast<llvm::ConstantInt>(lo);
  auto* last = llvm::dyn_cast<llvm::ConstantInt>(hi);
  i64 trips = -1;
  if (first != nullptr && last != nullptr) {
    trips = std::max<i64>(last->getSExtValue() - first->getSExtValue(), 0);
    if (any_lanes) lanes *= columns_together(m_, op, trips, lanes);
    while (lanes > 4 && static_cast<i64>(lanes / 2) >= trips) lanes /= 2;
  }
  std::vector<scalar_fn> fns(n_carried);
  std::vector<dtype> types(n_carried);
  for (unsigned i = 0; i < n_carried; ++i) {
    reduction_of(op, i, fns[i]);
    types[i] = m_.type_of(v.result(static_cast<int>(i))).elem;
  }
  // A reduction keeps several accumulators, so that one addition need not wait for the one before; but sixteen
  // registers do not hold several where much is done with each element.
  bool takes_long = false;
  ir::for_each_op(m_, r, [&](op_id o) {
    const auto* s = m_.view(o).get_if<loop::scalar>();
    takes_long = takes_long || (s != nullptr && !is_cheap(s->fn));
  });
  const bool one_by_one = takes_long && target_.registers < 32;
  const unsigned copies = n_carried > 0 && !one_by_one && (trips < 0 || trips >= static_cast<i64>(lanes) * 8) ? 4 : 1;
  Value* block = index_constant(lanes * copies);
  Value* given = trips >= 0 ? static_cast<Value*>(index_constant(trips))
                            : b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, b_.CreateSub(hi, lo), index_constant(0));
  Value* whole = b_.CreateAdd(lo, b_.CreateMul(b_.CreateSDiv(given, block), block));

  std::vector<Value*> sums(n_carried * copies);
  for (unsigned i = 0; i < n_carried; ++i)
    for (unsigned c = 0; c < copies; ++c)
      sums[i * copies + c] = b_.CreateVectorSplat(lanes, identity(fns[i], types[i]));

  const lane_context* outer = lane_;
  auto body = [&](Value* at, Value* mask, unsigned copy) {
    lane_context context{lanes, mask};
    lane_ = &context;
    set(arguments[0], {lane_value::linear, at, 1});
    for (unsigned i = 0; i < n_carried; ++i) set(arguments[i + 1], {lane_value::varying, sums[i * copies + copy]});
    region(r);
    const auto next = operands_of(m_.terminator(r));
    for (unsigned i = 0; i < n_carried; ++i) {
      Value* x = vector_of(next[i], lanes);
      sums[i * copies + copy] = mask != nullptr ? b_.CreateSelect(mask, x, sums[i * copies + copy]) : x;
    }
    lane_ = outer;
  };
  // Where the only iteration takes quotients of the index, each lane's follows from lo. Other loops stay loops, for
  // those of other extents may be alike (alike.hpp).
  bool takes_quotients = false;
  ir::for_each_op(m_, r, [&](op_id o) {
    const auto* s = m_.view(o).get_if<loop::scalar>();
    takes_quotients =
        takes_quotients || (s != nullptr && s->fn == scalar_fn::floor_div && m_.operand(o, 0) == arguments[0]);
  });
  if (takes_quotients && trips == static_cast<i64>(lanes) && copies == 1) body(lo, nullptr, 0);
  else if (trips < 0 || trips >= static_cast<i64>(lanes * copies))
    carry(lo, whole, static_cast<i64>(lanes * copies), sums, [&](Value* i) {
      for (unsigned c = 0; c < copies; ++c)
        body(c == 0 ? i : b_.CreateNSWAdd(i, index_constant(c * lanes)), nullptr, c);
    });
  else whole = lo;
  if (trips < 0 || trips % static_cast<i64>(lanes * copies) != 0) {
    auto tail = [&](Value* i) {
      Value* left = b_.CreateSub(hi, i);
      Value* mask = b_.CreateICmpSLT(iota(lanes, 1), b_.CreateVectorSplat(lanes, left));
      body(i, mask, 0);
    };
    if (trips >= 0 && trips % static_cast<i64>(lanes * copies) <= static_cast<i64>(lanes)) tail(whole);
    else carry(whole, hi, static_cast<i64>(lanes), sums, tail);
  }
  for (unsigned i = 0; i < n_carried; ++i) {
    Value* s = sums[i * copies];
    for (unsigned c = 1; c < copies; ++c) s = combine(fns[i], types[i], s, sums[i * copies + c]);
    s = horizontal(fns[i], types[i], s);
    s = combine(fns[i], types[i], get(v.operand(static_cast<int>(i) + 2)).v, s);
    set(v.result(static_cast<int>(i)), {lane_value::uniform, s});
  }
}

}  // namespace tenon::codegen
