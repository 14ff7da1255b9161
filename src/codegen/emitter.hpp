/// @file emitter: turns kernels (loop nests over buffers) into LLVM IR, scalar or vector as the loops say.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <tenon/ir/bounds.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/loop/loop.hpp>

#include "alike.hpp"

namespace tenon::codegen {

/// A value during emission. Inside a vector loop an index that grows by `stride` from lane to lane is `linear`: only
/// its first lane is computed, so that addresses stay scalar.
struct lane_value {
  enum kind_t : u8 { uniform, linear, varying } kind = uniform;
  llvm::Value* v = nullptr;
  i64 stride = 0;
};

/// The lanes of the innermost vector loop that is being emitted.
struct lane_context {
  unsigned lanes = 0;
  llvm::Value* mask = nullptr;  ///< null: all lanes run
};

struct target_info {
  int vector_bytes = 64;
  int registers = 32;
  bool x86 = true;      ///< has x86-64's instructions
  bool fused = true;    ///< multiplies and adds in one rounding
  bool halves = true;   ///< converts f16, or its compilers' libraries do
  bool dot4 = false;    ///< sums products of four bytes in vectors of this size: vpdpbusd, or AArch64's usdot
  bool strict = false;  ///< no polynomials in place of libm
  bool flush_denormals = false;
  bool check_bounds = false;  ///< accesses that are not proven to stay inside are checked
  unsigned lanes(dtype t) const { return static_cast<unsigned>(vector_bytes / std::max(size_of(t), 1)); }
};

/// @p scalar, or a vector of it with as many lanes as @p v has.
llvm::Type* like(const llvm::Value* v, llvm::Type* scalar);

class kernel_emitter {
 public:
  /// Adds the bodies of its parallel loops to `bodies`.
  kernel_emitter(llvm::Module& out, const ir::module& m, const target_info& target, std::vector<parallel_body>& bodies)
      : out_(out), m_(m), target_(target), b_(out.getContext()), bodies_(bodies), bounds_(m) {}

  /// void kernel(ptr buffers..., ptr runtime)
  llvm::Function* emit(function_id f);

 private:
  using value = llvm::Value;
  // emitter.cpp: structure
  void region(region_id r);  ///< all ops but the terminator
  void operation(op_id op);
  void for_loop(op_id op);
  void serial_loop(op_id op, value* lo, value* hi, i64 step);
  void vector_loop(op_id op, value* lo, value* hi);
  void parallel_loop(op_id op, value* lo, value* hi);
  void branch(op_id op);
  /// for i in lo, lo + step, … < hi: body(i) replaces each of `state` by its next value; afterwards `state` is the
  /// last.
  template <class F>
  void carry(value* lo, value* hi, i64 step, std::vector<value*>& state, F&& body) {
    auto& cx = out_.getContext();
    llvm::BasicBlock* before = b_.GetInsertBlock();
    llvm::BasicBlock* head = llvm::BasicBlock::Create(cx, "for", before->getParent());
    llvm::BasicBlock* inside = llvm::BasicBlock::Create(cx, "do", before->getParent());
    llvm::BasicBlock* after = llvm::BasicBlock::Create(cx, "od", before->getParent());
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    llvm::PHINode* i = b_.CreatePHI(b_.getInt64Ty(), 2, "i");
    i->addIncoming(lo, before);
    depths_[i] = ++depth_;
    std::vector<llvm::PHINode*> phis;
    for (value*& s : state) {
      phis.push_back(b_.CreatePHI(s->getType(), 2));
      phis.back()->addIncoming(s, before);
      s = phis.back();
    }
    b_.CreateCondBr(b_.CreateICmpSLT(i, hi), inside, after);
    b_.SetInsertPoint(inside);
    body(i);
    --depth_;
    for (size_t k = 0; k < phis.size(); ++k) phis[k]->addIncoming(state[k], b_.GetInsertBlock());
    i->addIncoming(b_.CreateAdd(i, index_constant(step), "", false, step == 1 || !target_.check_bounds),
                   b_.GetInsertBlock());
    b_.CreateBr(head);
    b_.SetInsertPoint(after);
    for (size_t k = 0; k < phis.size(); ++k) state[k] = phis[k];
  }
  template <class F>
  void counted(value* lo, value* hi, i64 step, F&& body) {
    std::vector<value*> none;
    carry(lo, hi, step, none, body);
  }
  std::vector<lane_value> operands_of(op_id terminator);
  std::vector<value_id> captures(op_id op) const;
  bool vectorizable(op_id op) const;
  bool region_vectorizable(region_id r, std::vector<value_id>& varying) const;
  static bool is_combiner(loop::scalar_fn f);
  /// The function by which a vector loop's carried value is combined, if its use has that form.
  bool reduction_of(op_id loop, unsigned carried, loop::scalar_fn& fn) const;
  value* identity(loop::scalar_fn fn, dtype t);
  value* horizontal(loop::scalar_fn fn, dtype t, value* vector);
  value* combine(loop::scalar_fn fn, dtype t, value* a, value* b);

  // memory.cpp
  // address.cpp
  struct address {
    value* place = nullptr;  ///< pointer to the element that is `ahead` before the first lane's
    i64 ahead = 0;           ///< elements
    i64 lane_stride = 0;
    value* varying = nullptr;  ///< vector of element offsets from the first lane's
  };
  address address_of(value* base, const ir::access_map& map, llvm::ArrayRef<lane_value> at, const ir::type& buffer);
  value* place_of(const ir::type& buffer, const address& a);
  /// In how many of the open loops a value is computed anew, as far as its operands say.
  unsigned depth_of(value* v);
  /// Offset in elements of each dimension of a row-major buffer: numbers where its extents are.
  std::vector<value*> strides_of(const ir::type& t);
  value* extent_value(ir::dim d);
  value* extent_limit(ir::dim d);
  value* count_value(const ir::type& t);
  /// A size of this run, by the number of its symbol: read once, where the function begins.
  value* size_value(u32 symbol);
  lane_value row_index(const std::vector<i64>& row, llvm::ArrayRef<lane_value> at);
  /// Whether a guarded access is always inside of a dimension, from the constant bounds of the loops around it.
  bool always_inside(const std::vector<i64>& row, llvm::ArrayRef<value_id> at, i64 extent) const;
  lane_value load(op_id op);
  lane_value guarded_load(op_id op);
  void store(op_id op);
  void plain_store(op_id op);
  bool store_apart(value* vector, value* p, llvm::Align align, i64 stride);
  value* load_neighbours(llvm::FixedVectorType* type, value* p, llvm::Align align, llvm::ArrayRef<i64> offsets,
                         llvm::ArrayRef<bool> reads, i64 low);
  lane_value load_at(const ir::type& buffer, const address& a, value* guard);
  value* load_pairs(llvm::FixedVectorType* type, value* p, llvm::Align align, value* mask);
  value* from_memory(value* v, dtype t);
  value* to_memory(value* v, dtype t);
  // transpose.cpp
  struct crossing;
  bool find_crossing(op_id op, crossing& c);
  void crossed_block(const crossing& c, value* at, value* left);
  /// A loop and the vector loop in it, if rows and lanes are better exchanged in registers; else nothing is emitted.
  bool crossed_loops(op_id op);
  // narrow.cpp
  value* from_narrow(value* v, dtype t);
  value* to_narrow(value* v, dtype t);
  value* from_half(value* bits);
  value* to_half(value* v);
  llvm::Type* memory_type(dtype t);
  llvm::Type* register_type(dtype t);

  // checks.cpp
  /// Is an access inside? If not, where the first dimension is that it leaves.
  struct place_test {
    value* inside = nullptr;
    value* dimension = nullptr;
    value* index = nullptr;
  };
  bool is_checked(op_id op) { return target_.check_bounds && !bounds_.proven(op); }
  place_test test_place(const ir::access_map& map, llvm::ArrayRef<lane_value> at, const ir::type& buffer);
  place_test test_contract(op_id op);
  llvm::Function* out_of_bounds();
  /// `make` emits what is done where the test holds; elsewhere the fault is said, and the block that does is returned.
  template <class F>
  llvm::BasicBlock* where_inside(const place_test& t, op_id op, const ir::type& buffer, F&& make) {
    auto& cx = out_.getContext();
    llvm::Function* parent = b_.GetInsertBlock()->getParent();
    llvm::BasicBlock* good = llvm::BasicBlock::Create(cx, "inside", parent);
    llvm::BasicBlock* bad = llvm::BasicBlock::Create(cx, "outside", parent);
    llvm::BasicBlock* after = llvm::BasicBlock::Create(cx, "checked", parent);
    b_.CreateCondBr(t.inside, good, bad);
    b_.SetInsertPoint(bad);
    b_.CreateCall(out_of_bounds(), {runtime_, b_.CreateGlobalString(place_text(op, buffer)), t.dimension, t.index});
    b_.CreateBr(after);
    b_.SetInsertPoint(good);
    make();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    return bad;
  }
  std::string place_text(op_id op, const ir::type& buffer) const;

  // scalar.cpp
  lane_value scalar(op_id op);
  lane_value convert(op_id op);
  value* function(loop::scalar_fn fn, dtype t, llvm::ArrayRef<value*> v);
  value* integer_function(loop::scalar_fn fn, dtype t, llvm::ArrayRef<value*> v);
  value* cast(value* v, dtype from, dtype to);
  value* odd_single(value* v);

  // quantized.cpp
  value* quotient(value* x, value* y);
  value* to_integers(value* v, bool nearest);
  value* rounded_to_integers(op_id convert);
  value* sum_of_bytes(op_id add);

  // math.cpp: single-precision functions as polynomials, anything else by libm
  value* exp(value* x);
  value* expm1(value* x);
  value* reduced_expm1(value* x, value*& n);
  value* power_of_two(value* e, llvm::Type* type);
  value* log(value* x);
  value* log1p(value* x);
  value* sine(value* x, bool cosine);
  value* tanh(value* x);
  value* erf(value* x);
  value* saturated(value* r, value* x, double from);
  value* polynomial(value* x, std::initializer_list<double> highest_first);
  value* clamped_ratio(value* x, double limit, std::initializer_list<double> p, std::initializer_list<double> q);
  value* library(const char* f32_name, const char* f64_name, dtype t, llvm::ArrayRef<value*> v);
  value* real(value* like, double v);

  // contract.cpp
  void contract(op_id op);
  void plain_contract(op_id op);
  value* contract_extent(op_id op, i64 extent);
  struct contract_plan;
  struct contract_state;
  class contract_prefetch;
  /// The size of a panel b if the next one follows it and is worth fetching ahead, else 0.
  i64 following_panel(const contract_plan& p, llvm::ArrayRef<value*> outer_strides) const;
  /// sum + the four products of bytes in each lane; a is u8, b is i8, all are vectors of i32.
  value* dot4(value* sum, value* a, value* b);
  /// sum + the two products of words in each lane; sums are vectors of i32.
  value* dot2(value* sum, value* a, value* b);
  void contract_block(const contract_plan& p, contract_state& s, i64 outer_rows, i64 inner_rows, i64 vectors,
                      i64 columns, value* mask);
  /// Full blocks in a loop, then the partial one: `each(at, count)`. An extent that is no number leaves a rest in
  /// blocks of powers of two.
  template <class F>
  void blocked(value* extent, i64 block, F&& each);

  // lanes
  value* vector_of(const lane_value& v, unsigned lanes);
  value* plain(const lane_value& v) {
    return lane_ != nullptr && v.kind != lane_value::uniform ? vector_of(v, lane_->lanes) : v.v;
  }
  lane_value get(value_id v) const;
  void set(value_id v, lane_value x) { values_[v.index] = x; }
  value* iota(unsigned lanes, i64 stride);
  value* index_constant(i64 v) { return b_.getInt64(static_cast<u64>(v)); }
  [[noreturn]] void fail(op_id op, std::string message) const;

  llvm::Module& out_;
  const ir::module& m_;
  target_info target_;
  llvm::IRBuilder<> b_;
  std::vector<parallel_body>& bodies_;
  llvm::DenseMap<u32, lane_value> values_;
  llvm::DenseMap<u32, std::pair<float, float>> reciprocals_;  ///< by the divisor's bits; zeros: it is divided by
  llvm::DenseMap<u32, std::pair<i64, i64>> ranges_;  ///< least and greatest value of indices with constant bounds
  llvm::DenseMap<value*, unsigned> depths_;          ///< what `depth_of` found
  unsigned depth_ = 0;                               ///< loops that are open
  const lane_context* lane_ = nullptr;
  llvm::Function* fn_ = nullptr;
  value* runtime_ = nullptr;
  value* sizes_ = nullptr;                   ///< the table of this run's sizes; null when the kernel has none
  llvm::DenseMap<u32, value*> size_values_;  ///< of the function that is being written
  bool in_parallel_ = false;
  std::string kernel_name_;
  ir::bounds bounds_;
};

/// `tenon_runtime`, up to what code asks of it: version, pool, parallel_for, sizes, fault, stop, step, step_state,
/// external, failed.
inline llvm::StructType* runtime_type(llvm::IRBuilder<>& b) {
  llvm::Type* p = b.getPtrTy();
  return llvm::StructType::get(b.getContext(), {b.getInt32Ty(), p, p, p, p, p, p, p, p, p});
}
/// Goes on in a new block where the run is not to stop; else `leave` ends the function. `flag` is where that is said,
/// or null.
void leave_when_stopped(llvm::IRBuilder<>& b, llvm::Value* flag, llvm::function_ref<void()> leave);
inline llvm::Value* load_stop(llvm::IRBuilder<>& b, llvm::Value* runtime) {
  return b.CreateLoad(b.getPtrTy(), b.CreateStructGEP(runtime_type(b), runtime, 5), "stop");
}
/// Has the machine a mode in which denormals are zeros?
bool can_flush_denormals(const llvm::Triple& triple);
/// From here on denormals are zeros on this thread (FTZ and DAZ of x86-64's MXCSR, where the insert point is in the
/// function's first block; FZ of AArch64's FPCR), until `give_back` is called with what this returns.
llvm::Value* flush_denormals(llvm::IRBuilder<>& b);
void give_back(llvm::IRBuilder<>& b, llvm::Value* environment);

/// Where a program's table of sizes is in `tenon_runtime`.
inline llvm::Value* load_sizes(llvm::IRBuilder<>& b, llvm::Value* runtime) {
  auto* type = runtime_type(b);
  return b.CreateLoad(b.getPtrTy(), b.CreateStructGEP(type, runtime, 3), "sizes");
}

}  // namespace tenon::codegen
