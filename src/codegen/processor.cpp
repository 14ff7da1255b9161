/// @file processor.cpp: this processor; and is a triple, a processor's name, or a list of features, one that code can
/// be made for? LLVM warns of names that it does not know, and ends the process over processors that have no 64-bit
/// mode.
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <mutex>

#include <tenon/core/error.hpp>
#include <tenon/core/machine.hpp>
#include <tenon/core/nearest.hpp>

#include "processor.hpp"

namespace tenon::codegen {
namespace {

template <class Table>
bool lists(const Table& table, std::string_view name) {
  for (const auto& row : table)
    if (row.Key == name) return true;
  return false;
}
/// A hint that names what is near, or says what the names look like: the whole list is long.
template <class Table>
std::string near(const Table& table, std::string_view name, const char* otherwise) {
  std::vector<std::string> known;
  for (const auto& row : table) known.emplace_back(row.Key);
  const std::string s = nearest(name, known);
  return s.rfind("did you", 0) == 0 ? s : otherwise;
}

/// The back end of a triple; what others take would be paid for by each process that makes code. All names at once:
/// somebody may look into LLVM's list of them meanwhile.
void initialize(const llvm::Triple& triple) {
  static std::mutex guard;
  static llvm::StringSet<> ready;
  const llvm::StringRef wanted = llvm::Triple::getArchTypePrefix(triple.getArch());  // "x86", of X86
  const std::lock_guard lock(guard);
  if (ready.empty()) llvm::InitializeAllTargetInfos();
  if (!ready.insert(wanted).second) return;
  const auto is_wanted = [&](llvm::StringRef back_end) { return back_end.equals_insensitive(wanted); };
#define LLVM_TARGET(name) \
  if (is_wanted(#name)) LLVMInitialize##name##Target(), LLVMInitialize##name##TargetMC();
#include <llvm/Config/Targets.def>
#define LLVM_ASM_PRINTER(name) \
  if (is_wanted(#name)) LLVMInitialize##name##AsmPrinter();
#include <llvm/Config/AsmPrinters.def>
}

const llvm::Triple& this_triple() {
  static const llvm::Triple triple(llvm::sys::getProcessTriple());
  return triple;
}
const llvm::Target* target_for(const llvm::Triple& triple) {
  initialize(triple);
  std::string message;
  return llvm::TargetRegistry::lookupTarget(triple, message);
}
/// The machines that there is code for, as far as this LLVM knows them.
std::string machines_here() {
  std::string all;
  for (const machine_info& m : machines())
    if (target_for(llvm::Triple(std::string(m.architecture))) != nullptr)
      all += (all.empty() ? "" : ", ") + std::string(m.architecture);
  return all;
}

/// What is said, in LLVM's form: all four parts.
llvm::Triple triple_said(const std::string& said) {
  if (said.empty()) return this_triple();
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    throw error("target.triple", "there is no code for '" + said + "': " + why, {}, hint);
  };
  constexpr const char* form = "a triple is such as aarch64-linux-gnu or riscv64-linux-gnu";
  const llvm::Triple triple(llvm::Triple::normalize(said));
  if (machine_of_triple(llvm::Triple::getArchTypeName(triple.getArch()).str()) == nullptr)
    refuse("its architecture is none of " + machines_here(), form);
  if (triple.isX32() || triple.getEnvironment() == llvm::Triple::GNUILP32) refuse("its pointers have 32 bits", form);
  if (!triple.isOSBinFormatELF()) refuse("its objects are no ELF files", "name a system that has ELF, such as linux");
  llvm::SmallVector<llvm::StringRef, 5> parts;
  llvm::StringRef(said).split(parts, '-');
  const bool says_none =
      llvm::any_of(parts, [](llvm::StringRef p) { return p == "none" || p == "unknown" || p == "elf"; });
  if (triple.getOS() == llvm::Triple::UnknownOS && !says_none)
    refuse("it names no system that is known", std::string(form) + ", or " +
                                                   llvm::Triple::getArchTypeName(triple.getArch()).str() +
                                                   "-none-elf where there is none");
  return triple;
}

/// What every processor of a kind has, and code counts upon.
struct least_processor {
  const char *name, *features;
};
least_processor least_of(const llvm::Triple& triple) {
  if (triple.isX86()) return {"x86-64", ""};
  if (triple.isRISCV()) return {"generic-rv64", "+m,+a,+f,+d,+c"};  // RV64GC, as Linux distributions ask
  return {"generic", ""};
}

/// A machine that has a processor of this name.
std::string machine_with(const std::string& cpu) {
  for (const machine_info& m : machines()) {
    const llvm::Triple triple(std::string(m.architecture) + "-unknown-linux-gnu");
    const llvm::Target* target = target_for(triple);
    if (target == nullptr) continue;
    const std::unique_ptr<llvm::MCSubtargetInfo> tables(target->createMCSubtargetInfo(triple, "", ""));
    if (lists(tables->getAllProcessorDescriptions(), cpu)) return std::string(m.architecture);
  }
  return {};
}

}  // namespace

const llvm::StringMap<bool>& told_features() {
  static const llvm::StringMap<bool> told = llvm::sys::getHostCPUFeatures();
  return told;
}
std::string told_triple() { return this_triple().str(); }
std::string told_name() {
  static const std::string name = llvm::sys::getHostCPUName().str();
  return name;
}
std::string told_feature_list() {
  static const std::string all = [] {
    std::vector<std::string> on;
    for (const auto& f : told_features()) on.push_back((f.second ? "+" : "-") + f.first().str());
    std::sort(on.begin(), on.end());  // a map's order is not the same on every run
    return llvm::join(on, ",");
  }();
  return all;
}

/// Those of `told_feature_list` that `told_name` does not say: LLVM looks at each in all of its tables, for every
/// function.
static std::string host_features_beyond_name(const llvm::Target& target, const llvm::Triple& triple) {
  static const std::string few = [&] {
    const auto with = [&](const std::string& features) {
      return std::unique_ptr<llvm::MCSubtargetInfo>(target.createMCSubtargetInfo(triple, told_name(), features));
    };
    const std::string all = told_feature_list();
    const auto named = with("");
    std::string differing;
    for (llvm::StringRef f : llvm::split(all, ','))
      if (!named->checkFeatures(f.str())) differing += (differing.empty() ? "" : ",") + f.str();
    return with(differing)->getFeatureBits() == with(all)->getFeatureBits() ? differing : all;
  }();
  return few;
}

/// What the code that is made of any module relies on.
static void require_least(const llvm::Triple& triple, const llvm::MCSubtargetInfo& chosen, const std::string& what) {
  const auto refuse = [&](const char* needs, const char* least) {
    throw usage_error("target.value", "processor " + what + " cannot run the code: it needs " + needs, {},
                      std::string("the least that will do is ") + least);
  };
  if (triple.isX86()) {
    if (!chosen.checkFeatures("+64bit") || !chosen.checkFeatures("+sse2") || chosen.checkFeatures("+soft-float"))
      refuse("64-bit mode and SSE2", "x86-64");
  } else if (triple.isRISCV()) {
    if (!chosen.checkFeatures("+64bit") || !chosen.checkFeatures("+m") || !chosen.checkFeatures("+d"))
      refuse("64 bits, multiplication and floats in registers",
             "generic-rv64 with features +m,+a,+f,+d,+c, which is what a triple without arch means");
  } else if (!chosen.checkFeatures("+fp-armv8") || !chosen.checkFeatures("+neon")) {
    refuse("floats and NEON", "generic");
  }
}

static void check_processor(const llvm::Target& target, const llvm::Triple& triple, const std::string& cpu,
                            const std::string& features) {
  const std::unique_ptr<llvm::MCSubtargetInfo> tables(target.createMCSubtargetInfo(triple, "", ""));
  const auto processors = tables->getAllProcessorDescriptions();
  const auto known = tables->getAllProcessorFeatures();
  const std::string machine = llvm::Triple::getArchTypeName(triple.getArch()).str();
  if (!cpu.empty() && !lists(processors, cpu)) {
    const std::string other = machine_with(cpu);
    throw usage_error("target.value", "LLVM knows no processor '" + cpu + "' of " + machine, {},
                      !other.empty() ? "it is one of " + other + ": say the triple too, such as " + other + "-linux-gnu"
                      : triple.isX86()
                          ? near(processors, cpu, "arch is a name such as x86-64-v3, haswell or znver4")
                          : near(processors, cpu, "arch is a name such as cortex-a72, neoverse-n1 or sifive-u74"));
  }
  for (size_t at = 0; at < features.size();) {
    const size_t end = std::min(features.find(',', at), features.size());
    const std::string one = features.substr(at, end - at);
    at = end + 1;
    if (one.empty()) continue;
    if (one[0] != '+' && one[0] != '-')
      throw usage_error("target.value", "feature '" + one + "' is neither switched on nor off", {},
                        "write +" + one + " or -" + one);
    if (!lists(known, std::string_view(one).substr(1)))
      throw usage_error(
          "target.value", "LLVM knows no feature '" + one.substr(1) + "' of processors", {},
          near(known, std::string_view(one).substr(1), "features are names such as +avx2, -avx512f or +i8mm"));
  }
  const std::unique_ptr<llvm::MCSubtargetInfo> chosen(target.createMCSubtargetInfo(triple, cpu, features));
  require_least(
      triple, *chosen,
      "'" + (cpu.empty() ? least_of(triple).name : cpu) + "'" + (features.empty() ? "" : " with " + features));
}

chosen_processor choose_processor(const options& o) {
  chosen_processor p;
  p.triple = triple_said(o.triple);
  p.target = target_for(p.triple);
  if (p.target == nullptr)
    throw error("target.triple",
                "this LLVM makes no code for " + llvm::Triple::getArchTypeName(p.triple.getArch()).str(), {},
                "it does for " + machines_here() + ": use an LLVM that was built with the other's back end");
  const auto joined = [](const std::string& a, const std::string& b) {
    return a.empty() || b.empty() ? a + b : a + "," + b;
  };
  if (!o.cpu.empty()) {
    p.name = o.cpu, p.features = o.features;
  } else if (!o.triple.empty()) {
    p.name = least_of(p.triple).name, p.features = joined(least_of(p.triple).features, o.features);
  } else {
    // A processor's name promises more than a virtual one may have; what is asked for comes last, and holds.
    p.name = told_name(), p.features = joined(host_features_beyond_name(*p.target, p.triple), o.features);
  }
  const bool is_this_processor = o.triple.empty() && o.cpu.empty();
  if (!is_this_processor || !o.features.empty())
    check_processor(*p.target, p.triple, p.name, is_this_processor ? o.features : p.features);
  return p;
}

std::string features_of(const llvm::Triple& triple, const llvm::MCSubtargetInfo& info, const std::string& given) {
  std::vector<std::string> all;
  if (triple.getArch() != this_triple().getArch()) {
    for (const llvm::SubtargetFeatureKV& f : info.getAllProcessorFeatures())
      if (info.checkFeatures(std::string("+") + f.Key)) all.push_back(std::string("+") + f.Key);
    for (llvm::StringRef one : llvm::split(given, ','))  // what the processor's name would bring back
      if (one.starts_with("-")) all.push_back(one.str());
  } else {
    const auto& told = told_features();
    for (const auto& f : told) all.push_back((info.checkFeatures("+" + f.first().str()) ? "+" : "-") + f.first().str());
    for (llvm::StringRef one : llvm::split(given, ','))  // what no processor tells, such as +prefer-256-bit
      if (!one.empty() && !told.contains(one.drop_front())) all.push_back(one.str());
  }
  std::sort(all.begin(), all.end());
  return llvm::join(all, ",");
}

vector_unit vector_unit_of(const llvm::Triple& triple, const llvm::MCSubtargetInfo& info) {
  if (triple.isX86()) {
    const bool avx512 = info.checkFeatures("+avx512vnni,+avx512vl"), avx = info.checkFeatures("+avxvnni");
    if (info.checkFeatures("+avx512f,+avx512vl,+avx512bw,+avx512dq")) return {64, 32, avx512};
    return {info.checkFeatures("+avx2,+fma") ? 32 : 16, 16, avx512 || avx};
  }
  if (triple.isRISCV()) {
    if (!info.checkFeatures("+v")) return {16, 8};  // 32 scalar ones, four of which are a vector
    return {info.checkFeatures("+zvl512b") ? 64 : info.checkFeatures("+zvl256b") ? 32 : 16, 32};
  }
  return {16, 32, info.checkFeatures("+i8mm")};  // NEON
}

}  // namespace tenon::codegen
