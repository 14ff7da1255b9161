/// @file module.cpp: the entry function, LLVM's optimizer, and object files.
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

#include <tenon/artifacts/object_file.hpp>
#include <tenon/compile/codegen.hpp>
#include <tenon/core/entry_symbol.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ir/dispatch.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/entry_ports.hpp>
#include <tenon/ir/entry_steps.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/generate_code.hpp>

#include "alike.hpp"
#include "emitter.hpp"
#include "parts.hpp"
#include "processor.hpp"
#include "table.hpp"

namespace tenon::codegen {

using llvm::Value;

namespace {

std::unique_ptr<llvm::TargetMachine> make_machine(const options& o) {
  const chosen_processor p = choose_processor(o);
  llvm::TargetOptions settings;
  settings.AllowFPOpFusion = o.strict ? llvm::FPOpFusion::Strict : llvm::FPOpFusion::Standard;
  const auto level = o.optimize == 0   ? llvm::CodeGenOptLevel::None
                     : o.optimize == 1 ? llvm::CodeGenOptLevel::Less
                                       : llvm::CodeGenOptLevel::Default;
  return std::unique_ptr<llvm::TargetMachine>(
      p.target->createTargetMachine(p.triple, p.name, p.features, settings, llvm::Reloc::PIC_, std::nullopt, level));
}

/// What tells an observer of the run of each step (`tenon_runtime::step`): a comparison with null where there is none.
class step_reports {
 public:
  /// `number`: of the next step, as ir::entry_steps counts.
  step_reports(llvm::IRBuilder<>& b, llvm::Function* fn, Value* runtime, u64& number)
      : b_(b), fn_(fn), number_(number) {
    step_ = b.CreateLoad(b.getPtrTy(), b.CreateStructGEP(runtime_type(b), runtime, 6), "step");
    state_ = b.CreateLoad(b.getPtrTy(), b.CreateStructGEP(runtime_type(b), runtime, 7), "step_state");
    watched_ = b.CreateIsNotNull(step_, "watched");
  }
  template <class F>
  void around(F&& emit) {
    say(0), emit(), say(1);
    ++number_;
  }

 private:
  void say(u32 done) {
    auto* report = llvm::BasicBlock::Create(b_.getContext(), "report", fn_);
    auto* after = llvm::BasicBlock::Create(b_.getContext(), "", fn_);
    b_.CreateCondBr(watched_, report, after, llvm::MDBuilder(b_.getContext()).createBranchWeights(1, 1 << 20));
    b_.SetInsertPoint(report);
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy(), b_.getInt64Ty(), b_.getInt32Ty()}, false);
    b_.CreateCall(type, step_, {state_, b_.getInt64(number_), b_.getInt32(done)});
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }
  llvm::IRBuilder<>& b_;
  llvm::Function* fn_;
  Value *step_, *state_, *watched_;
  u64& number_;
};

/// The entry: pointers in, kernel calls in order, nothing else. Where these are many they are called by functions of
/// `most_steps` each: some of LLVM's passes cost the square of a function's blocks.
class entry_emitter {
 public:
  entry_emitter(llvm::Module& out, const ir::module& m, function_id f, const std::string& symbol,
                const llvm::DenseMap<u32, llvm::Function*>& kernels, u64& next_external)
      : out_(out), b_(out.getContext()), m_(m), f_(f), symbol_(symbol), kernels_(kernels),
        calls_external_(!ir::artifact_calls(m).empty()), next_external_(next_external) {}

  void emit(bool flush) {
    const std::span<const op_id> all = m_[m_[f_].body].ops;
    const std::vector<std::span<const op_id>> parts = parts_of(all);
    llvm::Function* const fn = begin(symbol_, llvm::Function::ExternalLinkage);
    Value* const environment = flush ? flush_denormals(b_) : nullptr;
    const auto leave = [&] {
      if (environment != nullptr) give_back(b_, environment);
      b_.CreateRetVoid();
    };
    if (parts.size() <= 1) {
      steps(all, leave);
      leave();
      return;
    }
    std::vector<llvm::Function*> called;
    for (size_t i = 0; i < parts.size(); ++i) {
      const auto at = b_.saveIP();
      llvm::Function* part = begin("tn." + symbol_ + ".part" + std::to_string(i), llvm::Function::InternalLinkage);
      part->addFnAttr(llvm::Attribute::NoInline);
      steps(parts[i], [&] { b_.CreateRetVoid(); });
      b_.CreateRetVoid();
      called.push_back(part);
      b_.restoreIP(at);
    }
    fn_ = fn;
    std::vector<Value*> arguments;
    for (llvm::Argument& a : fn_->args()) arguments.push_back(&a);
    for (llvm::Function* part : called)
      b_.CreateCall(part, arguments);  // where the run is to stop, each returns at once
    leave();
  }

 private:
  static constexpr size_t most_steps = 256;

  std::vector<std::span<const op_id>> parts_of(std::span<const op_id> all) const {
    std::vector<std::span<const op_id>> parts;
    size_t first = 0, steps = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      if (!ir::is_step(m_.view(all[i])) || ++steps < most_steps) continue;
      parts.push_back(all.subspan(first, i + 1 - first));
      first = i + 1, steps = 0;
    }
    if (first < all.size() && (steps > 0 || parts.empty())) parts.push_back(all.subspan(first));
    return parts;
  }

  /// Goes on in a new function of an entry's type.
  llvm::Function* begin(const std::string& name, llvm::Function::LinkageTypes linkage) {
    auto* ptr = b_.getPtrTy();
    fn_ = llvm::Function::Create(llvm::FunctionType::get(b_.getVoidTy(), {ptr, ptr, ptr, ptr, ptr}, false), linkage,
                                 name, out_);
    b_.SetInsertPoint(llvm::BasicBlock::Create(out_.getContext(), "entry", fn_));
    values_.clear();
    sizes_ = nullptr;
    return fn_;
  }

  void steps(std::span<const op_id> ops, llvm::function_ref<void()> leave) {
    Value* const runtime = fn_->getArg(4);
    Value* const stop = load_stop(b_, runtime);
    Value* const failed = calls_external_ ? field(runtime, 9, "failed") : nullptr;
    step_reports reports(b_, fn_, runtime, next_step_);
    for (op_id op : ops) {
      const ir::op_view v = m_.view(op);
      const ir::forms form{
          [&](const op::return_&) {},
          [&](const op::constant_buffer&) {},  // what names a buffer is found when a step asks for it: `value`
          [&](const op::slot&) {},
          [&](const op::view_buffer&) {},
          [&](const op::copy_buffer&) {
            const auto align = llvm::MaybeAlign(1);
            Value *const from = value(v.operand(0)), *const to = value(v.operand(1)),
                         *const n = bytes(v.operand_type(0));
            reports.around([&] { b_.CreateMemCpy(to, align, from, align, n); });
          },
          [&](const op::call_native& call) {
            std::vector<Value*> operands;
            for (value_id x : m_.operands(op)) operands.push_back(value(x));
            leave_when_stopped(b_, stop, leave);
            if (failed != nullptr) leave_when_stopped(b_, failed, leave);
            if (ir::called_artifact(m_, op) != nullptr)
              return reports.around([&] { call_external(operands, runtime); });
            const function_id k = m_.find_function(call.kernel.name);
            if (!k)
              throw error("codegen.symbol", "call to '" + call.kernel.name + "', which the module does not define",
                          m_.text(v.location()));
            operands.push_back(runtime);
            reports.around([&] { b_.CreateCall(kernels_.lookup(k.index), operands); });
          }};
      using entry_ops = meta::without_t<build_ops, loop_ops>;
      if (!ir::dispatch<entry_ops, "native code", passes::generate_code>(v, form))
        throw unsupported_error("codegen.unsupported", "'" + std::string(v.name()) + "' has no native form",
                                m_.text(v.location()), "run lower_builtins before code generation");
    }
  }

  Value* field(Value* runtime, unsigned i, const char* name) {
    return b_.CreateLoad(b_.getPtrTy(), b_.CreateStructGEP(runtime_type(b_), runtime, i), name);
  }
  /// Calls what an artifact became when the program was loaded: tenon_external_call of runtime/abi.hpp.
  void call_external(llvm::ArrayRef<Value*> buffers, Value* runtime) {
    auto* ptr = b_.getPtrTy();
    llvm::IRBuilder<> top(&fn_->getEntryBlock(), fn_->getEntryBlock().begin());
    Value* const list = top.CreateAlloca(ptr, top.getInt64(std::max<u64>(buffers.size(), 1)), "buffers");
    for (size_t i = 0; i < buffers.size(); ++i)
      b_.CreateStore(buffers[i], b_.CreateConstGEP1_64(ptr, list, static_cast<u64>(i)));
    Value* const table = field(runtime, 8, "external");
    Value *const run = element(table, 2 * next_external_), *const code = element(table, 2 * next_external_ + 1);
    ++next_external_;
    b_.CreateCall(llvm::FunctionType::get(b_.getVoidTy(), {ptr, ptr, ptr}, false), run, {code, list, runtime});
  }

  /// Where a buffer is, said at the first use in a function: thousands of pointers that wait for theirs would fill the
  /// stack, and cost the register allocator more than all else.
  Value* value(value_id id) {
    while (const auto definition = m_[id].definition) {
      if (!m_.view(definition).is<op::view_buffer>()) break;
      id = m_.view(definition).operand(0);
    }
    Value*& known = values_[id.index];
    if (known == nullptr) known = place_of(id);
    return known;
  }
  Value* place_of(value_id id) {
    const op_id definition = m_[id].definition;
    if (!definition) {
      const size_t i = m_[id].number, inputs = ir::input_count(m_, f_);
      return i < inputs ? element(fn_->getArg(0), i) : element(fn_->getArg(1), i - inputs);
    }
    const ir::op_view v = m_.view(definition);
    if (const auto* c = v.get_if<op::constant_buffer>()) return element(fn_->getArg(3), c->value.index);
    const i64 offset = v.as<op::slot>().offset;
    return offset >= 0
               ? b_.CreateConstGEP1_64(b_.getInt8Ty(), fn_->getArg(2), static_cast<u64>(offset))
               : b_.CreateGEP(b_.getInt8Ty(), fn_->getArg(2), size(m_.symbol_count() + static_cast<u64>(-2 - offset)));
  }
  Value* element(Value* table, size_t i) {
    return b_.CreateLoad(b_.getPtrTy(), b_.CreateConstGEP1_64(b_.getPtrTy(), table, i));
  }
  /// Of the table of this run's sizes: what the module's symbols are, then the offsets of the run-time buffers.
  Value* size(u64 i) {
    if (sizes_ == nullptr) {
      llvm::IRBuilder<> top(&fn_->getEntryBlock(), fn_->getEntryBlock().begin());
      sizes_ = load_sizes(top, fn_->getArg(4));
    }
    return b_.CreateLoad(b_.getInt64Ty(), b_.CreateConstGEP1_64(b_.getInt64Ty(), sizes_, i));
  }
  Value* bytes(const ir::type& t) {
    Value* n = b_.getInt64(static_cast<u64>(size_of(t.elem)));
    for (ir::dim d : t.shape)
      n = b_.CreateMul(
          n, d.is_static() ? static_cast<Value*>(b_.getInt64(static_cast<u64>(d.extent()))) : size(d.symbol().index));
    return n;
  }

  llvm::Module& out_;
  llvm::IRBuilder<> b_;
  const ir::module& m_;
  function_id f_;
  std::string symbol_;
  const llvm::DenseMap<u32, llvm::Function*>& kernels_;
  u64 next_step_ = 0;
  const bool calls_external_;
  u64& next_external_;  ///< of all entries: ir::artifact_calls
  // Of the function that is being written.
  llvm::Function* fn_ = nullptr;
  llvm::DenseMap<u32, Value*> values_;
  Value* sizes_ = nullptr;
};

/// f64 has denormals of its own, which are rarely slow because they are rarely met; and conversions of narrow floats
/// compute in those of f32.
bool needs_denormals(const ir::module& m) {
  bool found = false;
  const auto look = [&](value_id v) {
    const dtype t = m.type_of(v).elem;
    found = found || t == dtype::f64 || is_narrow_float(t);
  };
  for (function_id f : m.functions()) {
    if (m[f].kind != ir::function_kind::kernel) continue;
    for (value_id v : m[m[f].body].arguments) look(v);
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      for (value_id v : m.results(op)) look(v);
    });
  }
  return found;
}

void optimize(llvm::Module& out, llvm::TargetMachine& machine, int level) {
  if (level == 0) return;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  // The loops are already what they should be: clean up, no further unrolling or vectorizing.
  llvm::ModulePassManager passes;
  const char* pipeline =
      "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),early-cse)";
  if (llvm::Error e = builder.parsePassPipeline(passes, pipeline))
    throw error("codegen.internal", "the optimizer's pipeline: " + llvm::toString(std::move(e)));
  passes.run(out, modules);
}

/// Hands passes on, but for those of strength reduction: addresses are what they should be (address.cpp), and it would
/// take a third of the time.
class without_strength_reduction final : public llvm::legacy::PassManagerBase {
 public:
  explicit without_strength_reduction(llvm::legacy::PassManagerBase& to) : to_(to) {}
  void add(llvm::Pass* p) override {
    const llvm::PassInfo* info = llvm::Pass::lookupPassInfo(p->getPassID());
    const llvm::StringRef name = info != nullptr ? info->getPassArgument() : llvm::StringRef();
    if (name == "loop-reduce" || name == "canon-freeze") delete p;
    else to_.add(p);
  }

 private:
  llvm::legacy::PassManagerBase& to_;
};

std::vector<char> emit(llvm::Module& out, llvm::TargetMachine& machine, llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  constexpr bool verified_before = true;
  without_strength_reduction added(passes);
  if (machine.addPassesToEmitFile(added, stream, nullptr, type, verified_before))
    throw error("codegen.target", "the target cannot emit object files");
  passes.run(out);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

/// What the emitter must know of the processor.
static target_info described(const llvm::TargetMachine& machine) {
  const llvm::MCSubtargetInfo& info = *machine.getMCSubtargetInfo();
  const llvm::Triple& triple = machine.getTargetTriple();
  const vector_unit v = vector_unit_of(triple, info);
  target_info t;
  t.vector_bytes = v.bytes, t.registers = v.registers, t.dot4 = v.dot4;
  t.x86 = triple.isX86();
  t.fused = !t.x86 || v.bytes >= 32;
  t.halves = !triple.isRISCV() || info.checkFeatures(info.checkFeatures("+v") ? "+zvfhmin" : "+zfhmin");
  return t;
}

vector_unit unit_by_llvm(const std::string& triple, const std::string& cpu, const std::string& features) {
  options o;
  o.triple = triple, o.cpu = cpu, o.features = features;
  const auto machine = make_machine(o);
  return vector_unit_of(machine->getTargetTriple(), *machine->getMCSubtargetInfo());
}

namespace {

/// Makes the code of one part: LLVM's types, values and tables are the part's own, so parts are made on any thread.
class part_maker {
 public:
  part_maker(const ir::module& m, const options& o, const target_info& target, std::span<const code_part> parts)
      : m_(m), options_(o), target_(target), parts_(parts) {}

  /// Adds what people read of it to `result`, if that is asked for.
  std::vector<char> make(size_t i, const std::vector<function_id>& entries, object_code& result) const {
    const auto machine = make_machine(options_);
    llvm::LLVMContext context;
    llvm::Module out("tenon", context);
    out.setTargetTriple(machine->getTargetTriple());
    out.setDataLayout(machine->createDataLayout());
    llvm::DenseMap<u32, llvm::Function*> kernels;
    std::vector<parallel_body> bodies;
    std::vector<llvm::Function*> made;
    for (function_id f : parts_[i].kernels) made.push_back(kernels[f.index] = kernel(out, f, bodies));
    if (!options_.keep_text) share_alike(out, bodies, made);  // people read each kernel's own numbers
    if (i == 0) {
      for (size_t other = 1; other < parts_.size(); ++other)
        for (function_id f : parts_[other].kernels) kernels[f.index] = declared(out, f);
      u64 external_calls = 0;
      for (size_t e = 0; e < entries.size(); ++e)
        entry_emitter(out, m_, entries[e], symbol_of_entry(result.entry, e), kernels, external_calls)
            .emit(target_.flush_denormals);
    }
    for (llvm::Function& f : out) {
      if (f.isDeclaration()) continue;
      if (target_.x86)
        for (const char* width : {"prefer-vector-width", "min-legal-vector-width"})
          f.addFnAttr(width, std::to_string(target_.vector_bytes * 8));
      f.addFnAttr(llvm::Attribute::NoUnwind);
      f.setUWTableKind(llvm::UWTableKind::Async);  // debuggers and profilers see who called a kernel
    }
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(out, &stream))
      throw error("codegen.internal", "the generated code is not well formed: " + problem);
    optimize(out, *machine, options_.optimize);
    if (options_.keep_text) {
      llvm::raw_string_ostream text(result.ir);
      out.print(text, nullptr);
      const auto copy = llvm::CloneModule(out);
      const auto bytes = emit(*copy, *machine, llvm::CodeGenFileType::AssemblyFile);
      result.assembly.assign(bytes.begin(), bytes.end());
    }
    return emit(out, *machine, llvm::CodeGenFileType::ObjectFile);
  }

 private:
  llvm::Function* kernel(llvm::Module& out, function_id f, std::vector<parallel_body>& bodies) const {
    target_info own = target_;
    if (const auto it = options_.kernels.find(m_[f].name); it != options_.kernels.end())
      own.strict = it->second.strict, own.check_bounds = it->second.check_bounds;
    llvm::Function* const made = kernel_emitter(out, m_, own, bodies).emit(f);
    if (parts_.size() > 1) {  // the entries' part knows it by its name, and the joined object forgets that
      made->setName(free_symbol(out, f));
      made->setLinkage(llvm::Function::ExternalLinkage);
      made->setVisibility(llvm::Function::HiddenVisibility);
    }
    return made;
  }
  llvm::Function* declared(llvm::Module& out, function_id f) const {
    auto* const pointer = llvm::PointerType::getUnqual(out.getContext());
    const std::vector<llvm::Type*> types(m_[m_[f].body].arguments.size() + 1, pointer);
    auto* const made =
        llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(out.getContext()), types, false),
                               llvm::Function::ExternalLinkage, free_symbol(out, f), out);
    made->setVisibility(llvm::Function::HiddenVisibility);
    return made;
  }
  /// A kernel's name; what has it already is no kernel, and called by its own part only.
  std::string free_symbol(llvm::Module& out, function_id f) const {
    std::string name = "k_" + m_[f].name;
    if (llvm::Function* other = out.getFunction(name)) other->setName(name + ".inner");
    return name;
  }

  const ir::module& m_;
  const options& options_;
  const target_info& target_;
  std::span<const code_part> parts_;
};

}  // namespace

object_code emit_by_llvm(const ir::module& m, const options& o, const progress_reader& reader) {
  object_code result;
  target_info target;
  {
    const auto machine = make_machine(o);
    target = described(*machine);
    target.strict = o.strict;
    target.check_bounds = o.check_bounds;
    target.flush_denormals =
        o.flush_denormals && can_flush_denormals(machine->getTargetTriple()) && !needs_denormals(m);
    result.triple = machine->getTargetTriple().str();
    result.cpu = machine->getTargetCPU().str();
    result.features = features_of(machine->getTargetTriple(), *machine->getMCSubtargetInfo(), o.features);
  }
  const std::vector<function_id> entries = ir::entries_of(m);
  if (entries.empty())
    throw error("codegen.entry", "the module has no entry function", {}, "mark one graph function as entry");
  const std::vector<code_part> parts = parts_of(m, o.keep_text ? 1 : most_parts);  // people read one piece
  const part_maker maker(m, o, target, parts);
  std::vector<std::vector<char>> objects(parts.size());
  part_progress progress(m, parts, reader);
  for_each_part(parts, [&](size_t i) {
    progress.begins(i);
    objects[i] = maker.make(i, entries, result);
    progress.ends(i);
  });
  if (objects.size() == 1) {
    result.bytes = std::move(objects[0]);
    return result;
  }
  std::vector<std::string> kept;
  for (size_t e = 0; e < entries.size(); ++e) kept.push_back(symbol_of_entry(result.entry, e));
  const std::vector<std::span<const char>> views(objects.begin(), objects.end());
  const std::string joined = joined_objects(views, kept);
  result.bytes.assign(joined.begin(), joined.end());
  return result;
}

}  // namespace tenon::codegen
