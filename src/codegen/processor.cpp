/// @file processor.cpp: this processor; and is a processor's name, or a list of features, one that code can be made
/// for? LLVM warns of names that it does not know, and ends the process over processors that have no 64-bit mode.
#include <llvm/ADT/StringExtras.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>

#include <tenon/compile/codegen.hpp>
#include <tenon/core/error.hpp>
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

}  // namespace

const llvm::StringMap<bool>& told_features() {
  static const llvm::StringMap<bool> told = llvm::sys::getHostCPUFeatures();
  return told;
}
std::string host_cpu() {
  static const std::string name = llvm::sys::getHostCPUName().str();
  return name;
}
std::string host_features() {
  static const std::string all = [] {
    std::vector<std::string> on;
    for (const auto& f : told_features()) on.push_back((f.second ? "+" : "-") + f.first().str());
    std::sort(on.begin(), on.end());  // a map's order is not the same on every run
    return llvm::join(on, ",");
  }();
  return all;
}

std::string host_features_beyond_name(const llvm::Target& target, const llvm::Triple& triple) {
  static const std::string few = [&] {
    const auto with = [&](const std::string& features) {
      return std::unique_ptr<llvm::MCSubtargetInfo>(target.createMCSubtargetInfo(triple, host_cpu(), features));
    };
    const std::string all = host_features();
    const auto named = with("");
    std::string differing;
    for (llvm::StringRef f : llvm::split(all, ','))
      if (!named->checkFeatures(f.str())) differing += (differing.empty() ? "" : ",") + f.str();
    return with(differing)->getFeatureBits() == with(all)->getFeatureBits() ? differing : all;
  }();
  return few;
}

void check_processor(const llvm::Target& target, const llvm::Triple& triple, const std::string& cpu,
                     const std::string& features) {
  const std::unique_ptr<llvm::MCSubtargetInfo> tables(target.createMCSubtargetInfo(triple, "", ""));
  const auto processors = tables->getAllProcessorDescriptions();
  const auto known = tables->getAllProcessorFeatures();
  if (!cpu.empty() && !lists(processors, cpu))
    throw error("target.value", "LLVM knows no processor '" + cpu + "'", {},
                near(processors, cpu, "arch is a name such as x86-64-v3, haswell or znver4"));
  for (size_t at = 0; at < features.size();) {
    const size_t end = std::min(features.find(',', at), features.size());
    const std::string one = features.substr(at, end - at);
    at = end + 1;
    if (one.empty()) continue;
    if (one[0] != '+' && one[0] != '-')
      throw error("target.value", "feature '" + one + "' is neither switched on nor off", {},
                  "write +" + one + " or -" + one);
    if (!lists(known, std::string_view(one).substr(1)))
      throw error("target.value", "LLVM knows no feature '" + one.substr(1) + "' of processors", {},
                  near(known, std::string_view(one).substr(1), "features are names such as +avx2 or -avx512f"));
  }
  const std::unique_ptr<llvm::MCSubtargetInfo> chosen(target.createMCSubtargetInfo(triple, cpu, features));
  if (!chosen->checkFeatures("+64bit") || !chosen->checkFeatures("+sse2") || chosen->checkFeatures("+soft-float"))
    throw error("target.value",
                "processor '" + (cpu.empty() ? "x86-64" : cpu) + "'" + (features.empty() ? "" : " with " + features) +
                    " cannot run the code: it needs 64-bit mode and SSE2",
                {}, "the least that will do is x86-64");
}

}  // namespace tenon::codegen
