/// @file near_names: members that nobody reads, and whose names are nearly those of members that mean something.
/// Long because it is made by cmake/near_names.awk from the words of cmake/near_names.txt.
#pragma once

#include <tenon/meta/near.hpp>

// clang-format off
namespace tenon::near {

#define TENON_NEAR_NAMES(M, T, V, X) \
  M(needs) T(need) T(neds) T(nedes) T(nees) T(require) T(requires_) T(required) T(preconditions) T(depends_on) \
  T(dependencies) T(invariants) T(requires_facts) T(required_facts) T(needs_facts) T(required_passes) \
  T(requires_passes) T(prerequisites) T(required_properties) T(get_required_properties) T(assumes) T(expects) \
  T(required_analyses) T(begins_with) T(requirements) T(prereqs) T(needed) T(assumptions) M(runs_in) T(runsin) \
  T(run_in) T(runs_on) T(run_on) T(in_phase) M(gives) T(give) T(provides) T(ensures) T(establishes) T(produces) \
  T(postconditions) T(provides_facts) T(guarantees) T(postcondition) T(set_properties) T(get_set_properties) \
  T(guarantee) T(establish) M(keeps) T(keep) T(preserves) T(preserved) T(preserve) T(PreservedAnalyses) \
  T(preserves_facts) T(preserves_analyses) T(preserved_analyses) T(retains) T(preserves_all) T(preserves_cfg) \
  T(preserve_facts) T(preserved_facts) T(kept) M(breaks) T(break_) T(invalidates) T(clobbers) T(destroys) \
  T(invalidated) T(kills) T(clobbered) T(cleared_properties) T(get_cleared_properties) T(invalidate) T(breaks_facts) \
  T(invalidates_facts) M(emits) T(emit) T(emmits) T(generates) T(introduces) T(legal_ops) T(dependent_dialects) \
  T(creates) T(produced_ops) T(inserts) T(produces_ops) T(legal_dialects) T(emitted) T(output_ops) T(adds_ops) \
  T(inserted_ops) T(new_ops) M(eliminates) T(eliminate) T(removes) T(lowers) T(legalizes) T(illegal_ops) \
  T(removed_ops) T(erases) T(removes_ops) T(consumes) T(illegal_dialects) T(eliminated) T(lowered) T(deleted_ops) \
  T(elimination) T(illegal) M(handles) T(handle) M(deletes) T(delete_) T(may_delete) T(side_effects) \
  M(merges) T(merge) T(merging) T(dedups) T(combines) T(may_merge) M(moves) T(move) T(hoists) T(sinks) T(reorders) \
  T(hoist) T(may_move) M(leaves) T(leave) M(keeps_inside) T(keep_inside) T(stays_inside) T(leaves_inside) \
  T(keeps_in_region) T(stays_in_region) T(region_keeps) M(duplicates) T(duplicate) T(dupicates) T(duplicats) \
  T(duplciates) T(clones) T(copies) M(recomputes) T(recompute) T(recomptes) T(rcomputes) T(rematerializes) T(reruns) \
  M(TENON_ATTRIBUTES) T(options) T(option) T(Options) T(pass_options) M(works_on) T(work_on) T(works) T(matches) \
  T(anchors) T(anchor_ops) T(root_ops) T(input_ops) T(rewrites) T(converts) M(emits_outside) T(emit_outside) \
  M(encloses) T(enclose) T(enclosed) M(changes) T(change) T(mutates) T(modifies) T(alters) T(modifies_ops) \
  T(mutates_ops) T(modified) T(touches) M(not_between) T(not_in_between) T(between) M(not_after) T(never_after) \
  T(not_afer) T(not_afetr) T(notafter) T(before) T(runs_before) T(must_run_before) T(must_precede) T(run_before) \
  T(comes_before) T(prior_to) T(earlier_than) M(not_before) T(never_before) T(not_befor) T(notbefore) T(not_beofre) \
  T(after) T(runs_after) T(must_run_after) T(must_follow) T(run_after) T(comes_after) T(later_than) \
  M(immediately_after) T(directly_after) T(follows) T(runs_immediately_after) T(right_after) \
  M(makes_functions_in) T(make_functions_in) M(adds_functions) V(add_functions) V(add_function) V(adds_function) \
  V(makes_functions) V(make_functions) V(creates_functions) V(clones_functions) V(creates_function) \
  V(outlines_functions) M(removes_functions) V(remove_functions) V(remove_function) V(removes_function) \
  V(deletes_functions) V(erases_functions) V(drops_functions) V(deletes_function) V(erases_function) \
  M(changes_functions) V(change_functions) V(changes_function) V(changes_signatures) \
  M(needs_of_device) T(need_of_device) T(needs_device) T(requires_of_device) T(device_needs) T(needs_of_devices) \
  T(needs_capabilities) T(required_capabilities) M(needs_of_runtime) T(needs_of_runtimes) T(needs_ofruntime) \
  T(need_of_runtime) T(needs_runtime) T(requires_of_runtime) T(runtime_needs) T(needs_of_target) \
  M(at_most_once) V(only_once) V(run_once) V(runs_once) V(run_at_most_once) V(single_run) V(once) \
  M(may_find_nothing) V(may_find_none) V(may_be_empty) V(can_find_nothing) V(may_not_match) \
  M(run) V(getAnalysisUsage) V(getDependentDialects) V(runOnOperation) V(runOnFunction) V(runOnModule) \
  V(runOnMachineFunction) V(run_on_module) V(transform_module) M(needs) X(dependsOn) X(requiresFacts) \
  X(requiredFacts) X(needsFacts) X(requiredPasses) X(requiresPasses) X(requiredProperties) X(getRequiredProperties) \
  X(requiredAnalyses) X(beginsWith) M(runs_in) X(runsIn) X(runIn) X(runsOn) X(runOn) X(inPhase) \
  M(gives) X(providesFacts) X(setProperties) X(getSetProperties) M(keeps) X(preservesFacts) X(preservesAnalyses) \
  X(preservedAnalyses) X(preservesAll) X(preservesCfg) X(preserveFacts) X(preservedFacts) \
  M(breaks) X(clearedProperties) X(getClearedProperties) X(breaksFacts) X(invalidatesFacts) M(emits) X(legalOps) \
  X(dependentDialects) X(producedOps) X(producesOps) X(legalDialects) X(outputOps) X(addsOps) X(insertedOps) \
  X(newOps) M(eliminates) X(illegalOps) X(removedOps) X(removesOps) X(illegalDialects) X(deletedOps) \
  M(deletes) X(mayDelete) X(sideEffects) M(merges) X(mayMerge) M(moves) X(mayMove) M(keeps_inside) X(keepsInside) \
  X(keepInside) X(staysInside) X(leavesInside) X(keepsInRegion) X(staysInRegion) X(regionKeeps) \
  M(works_on) X(worksOn) X(workOn) X(anchorOps) X(rootOps) X(inputOps) M(emits_outside) X(emitsOutside) \
  X(emitOutside) M(changes) X(modifiesOps) X(mutatesOps) M(not_between) X(notBetween) X(notInBetween) \
  M(not_after) X(notAfter) X(neverAfter) X(notAfer) X(notAfetr) X(runsBefore) X(mustRunBefore) X(mustPrecede) \
  X(runBefore) X(comesBefore) X(priorTo) X(earlierThan) M(not_before) X(notBefore) X(neverBefore) X(notBefor) \
  X(notBeofre) X(runsAfter) X(mustRunAfter) X(mustFollow) X(runAfter) X(comesAfter) X(laterThan) \
  M(immediately_after) X(immediatelyAfter) X(directlyAfter) X(runsImmediatelyAfter) X(rightAfter) \
  M(makes_functions_in) X(makesFunctionsIn) X(makeFunctionsIn) M(adds_functions) X(addsFunctions) X(addFunctions) \
  X(addFunction) X(addsFunction) X(makesFunctions) X(makeFunctions) X(createsFunctions) X(clonesFunctions) \
  X(createsFunction) X(outlinesFunctions) M(removes_functions) X(removesFunctions) X(removeFunctions) \
  X(removeFunction) X(removesFunction) X(deletesFunctions) X(erasesFunctions) X(dropsFunctions) X(deletesFunction) \
  X(erasesFunction) M(changes_functions) X(changesFunctions) X(changeFunctions) X(changesFunction) \
  X(changesSignatures) M(needs_of_device) X(needsOfDevice) X(needOfDevice) X(needsDevice) X(requiresOfDevice) \
  X(deviceNeeds) X(needsOfDevices) X(needsCapabilities) X(requiredCapabilities) M(needs_of_runtime) X(needsOfRuntime) \
  X(needsOfRuntimes) X(needsOfruntime) X(needOfRuntime) X(needsRuntime) X(requiresOfRuntime) X(runtimeNeeds) \
  X(needsOfTarget) M(at_most_once) X(atMostOnce) X(onlyOnce) X(runOnce) X(runsOnce) X(runAtMostOnce) X(singleRun) \
  M(may_find_nothing) X(mayFindNothing) X(mayFindNone) X(mayBeEmpty) X(canFindNothing) X(mayNotMatch) \
  M(run) X(transformModule) M(gives) X(ives) X(igves) X(gves) X(gvies) X(gies) X(gievs) X(givs) X(givse) X(givess) \
  M(keeps) X(eeps) X(ekeps) X(keps) X(kepes) X(kees) X(keesp) X(keepss) M(breaks) X(reaks) X(rbeaks) X(beaks) \
  X(beraks) X(brreaks) X(braks) X(braeks) X(breks) X(brekas) X(breas) X(breask) X(breakss) M(emits) X(mits) X(meits) \
  X(eits) X(eimts) X(emts) X(emtis) X(emis) X(emist) X(emitts) X(emitss) M(eliminates) X(liminates) X(leiminates) \
  X(eiminates) X(eilminates) X(elliminates) X(elminates) X(elmiinates) X(eliinates) X(eliimnates) X(elimminates) \
  X(elimnates) X(elimniates) X(elimiates) X(elimiantes) X(eliminnates) X(elimintes) X(elimintaes) X(eliminaes) \
  X(eliminaets) X(eliminattes) X(eliminats) X(eliminatse) X(eliminatess) M(handles) X(andles) X(ahndles) X(hndles) \
  X(hnadles) X(hadles) X(hadnles) X(hanndles) X(hanles) X(hanldes) X(handes) X(handels) X(handlles) X(handls) \
  X(handlse) X(handless) M(deletes) X(eletes) X(edletes) X(dletes) X(dleetes) X(deetes) X(deeltes) X(delletes) \
  X(deltes) X(deltees) X(delees) X(deleets) X(delettes) X(delets) X(deletse) X(deletess) M(merges) X(erges) X(emrges) \
  X(mrges) X(mreges) X(meges) X(megres) X(merrges) X(meres) X(meregs) X(mergs) X(mergse) X(mergess) M(moves) X(oves) \
  X(omves) X(mves) X(mvoes) X(moes) X(moevs) X(movs) X(movse) X(movess) M(leaves) X(eaves) X(elaves) X(laves) \
  X(laeves) X(leves) X(levaes) X(leaes) X(leaevs) X(leavs) X(leavse) X(leavess) M(works_on) X(orks_on) X(owrks_on) \
  X(wrks_on) X(wroks_on) X(woks_on) X(wokrs_on) X(worrks_on) X(wors_on) X(worsk_on) X(workss_on) X(workson) \
  X(works_n) X(works_no) X(works_o) X(works_onn) M(not_between) X(ot_between) X(ont_between) X(nt_between) \
  X(nto_between) X(no_between) X(nott_between) X(notbetween) X(not_etween) X(not_ebtween) X(not_btween) \
  X(not_bteween) X(not_beween) X(not_bewteen) X(not_bettween) X(not_beteen) X(not_betewen) X(not_betwen) \
  X(not_betwene) X(not_betwee) X(not_betweenn) M(immediately_after) X(mmediately_after) X(mimediately_after) \
  X(imediately_after) X(imemdiately_after) X(immdiately_after) X(immdeiately_after) X(immeiately_after) \
  X(immeidately_after) X(immedately_after) X(immedaitely_after) X(immeditely_after) X(immeditaely_after) \
  X(immediaely_after) X(immediaetly_after) X(immediatly_after) X(immediatley_after) X(immediatey_after) \
  X(immediateyl_after) X(immediatel_after) X(immediatelyafter) X(immediately_fter) X(immediately_fater) \
  X(immediately_ater) X(immediately_atfer) X(immediately_afer) X(immediately_afetr) X(immediately_aftr) \
  X(immediately_aftre) X(immediately_afte) M(makes_functions_in) X(akes_functions_in) X(amkes_functions_in) \
  X(mkes_functions_in) X(mkaes_functions_in) X(maes_functions_in) X(maeks_functions_in) X(maks_functions_in) \
  X(makse_functions_in) X(makesfunctions_in) X(makes_unctions_in) X(makes_ufnctions_in) X(makes_fnctions_in) \
  X(makes_fnuctions_in) X(makes_fuctions_in) X(makes_fucntions_in) X(makes_funtions_in) X(makes_funtcions_in) \
  X(makes_funcions_in) X(makes_funcitons_in) X(makes_functons_in) X(makes_functoins_in) X(makes_functins_in) \
  X(makes_functinos_in) X(makes_functios_in) X(makes_functiosn_in) X(makes_function_in) X(makes_functionsin) \
  X(makes_functions_n) X(makes_functions_ni) X(makes_functions_i) M(needs_of_device) X(eeds_of_device) \
  X(eneds_of_device) X(neds_of_device) X(nedes_of_device) X(nees_of_device) X(neesd_of_device) X(needsof_device) \
  X(needs_f_device) X(needs_fo_device) X(needs_o_device) X(needs_ofdevice) X(needs_of_evice) X(needs_of_edvice) \
  X(needs_of_dvice) X(needs_of_dveice) X(needs_of_deice) X(needs_of_deivce) X(needs_of_devce) X(needs_of_devcie) \
  X(needs_of_devie) X(needs_of_deviec) X(needs_of_devic) M(version) X(ersion) X(evrsion) X(vrsion) X(vresion) \
  X(vesion) X(vesrion) X(verrsion) X(verion) X(verison) X(verssion) X(verson) X(versoin) X(versin) X(versino) \
  X(versio) X(versionn) M(at_most_once) X(t_most_once) X(ta_most_once) X(a_most_once) X(att_most_once) X(atmost_once) \
  X(at_ost_once) X(at_omst_once) X(at_mmost_once) X(at_mst_once) X(at_msot_once) X(at_mot_once) X(at_mots_once) \
  X(at_mosst_once) X(at_mos_once) X(at_mostt_once) X(at_mostonce) X(at_most_nce) X(at_most_noce) X(at_most_oce) \
  X(at_most_ocne) X(at_most_onnce) X(at_most_one) X(at_most_onec) X(at_most_onc) \
  M(may_find_nothing) X(ay_find_nothing) X(amy_find_nothing) X(my_find_nothing) X(mya_find_nothing) \
  X(ma_find_nothing) X(mayfind_nothing) X(may_ind_nothing) X(may_ifnd_nothing) X(may_fnd_nothing) X(may_fnid_nothing) \
  X(may_fid_nothing) X(may_fidn_nothing) X(may_fin_nothing) X(may_findnothing) X(may_find_othing) X(may_find_onthing) \
  X(may_find_nthing) X(may_find_ntohing) X(may_find_nohing) X(may_find_nohting) X(may_find_noting) \
  X(may_find_notihng) X(may_find_nothng) X(may_find_nothnig) X(may_find_nothig) X(may_find_nothign) \
  X(may_find_nothin)
TENON_NEAR_AT_ONCE(pass, 241, 690)
#undef TENON_NEAR_NAMES

#define TENON_NEAR_NAMES(M, T, V, X) \
  M(op_list) T(legal_ops) T(allowed_ops) T(opList) T(op_lists) T(ops_list) T(ops_allowed) T(supported_ops) \
  T(dialects) M(op_effects) T(op_effect) T(effects) T(effect) T(opEffects) T(effects_allowed) T(allowed_effects) \
  M(side_of) T(side) T(side_phase_of) T(sideOf) T(parent) T(detour) T(detour_of) T(extends) \
  M(calls_into) T(call_into) T(calls) T(callsInto) T(may_call) T(callees) T(callable) M(early_ops) T(early_op) \
  T(earlyOps) T(early) T(ahead) T(kernel_ops) M(begins_with) T(begin_with) T(begins) T(starts_with) T(start_with) \
  T(begins_wtih) T(bgeins_with) T(beginsWith) T(holds_at_start) T(initial_facts) T(invariants) T(entry_facts) \
  T(initially) T(ensures) T(assumes) T(begins_with_facts) T(starts_from) T(facts) T(requires_) T(preconditions) \
  T(given) T(properties) T(needs) T(gives) M(open) V(is_open) V(opened) V(extensible) V(extendable) \
  M(verify) V(verifies) V(check) V(verifier) V(verify_module) V(validate) V(checks) M(op_effects) X(p_effects) \
  X(po_effects) X(o_effects) X(opeffects) X(op_ffects) X(op_fefects) X(op_efects) X(op_efefcts) X(op_effcts) \
  X(op_effcets) X(op_effets) X(op_effetcs) X(op_effecs) X(op_effecst) X(op_effectts) X(op_effectss) \
  M(side_of) X(ide_of) X(isde_of) X(sde_of) X(sdie_of) X(sie_of) X(sied_of) X(sid_of) X(sideof) X(side_f) X(side_fo) \
  X(side_o) M(calls_into) X(alls_into) X(aclls_into) X(clls_into) X(clals_into) X(cals_into) X(callls_into) \
  X(calsl_into) X(callss_into) X(callsinto) X(calls_nto) X(calls_nito) X(calls_ito) X(calls_itno) X(calls_innto) \
  X(calls_ino) X(calls_inot) X(calls_intto) X(calls_int) M(early_ops) X(arly_ops) X(aerly_ops) X(erly_ops) \
  X(eraly_ops) X(ealy_ops) X(ealry_ops) X(earrly_ops) X(eary_ops) X(earyl_ops) X(earlly_ops) X(earl_ops) X(earlyops) \
  X(early_ps) X(early_pos) X(early_os) X(early_osp) X(early_opss)
TENON_NEAR_AT_ONCE(phase, 65, 127)
#undef TENON_NEAR_NAMES

#define TENON_NEAR_NAMES(M, T, V, X) \
  M(of_each) T(ofEach) T(of_every) T(for_each) T(each_op) T(of_each_op) T(of_functions) T(of_each_function) T(of_op) \
  T(of_ops) T(speaks_of) T(about) T(each) M(of_all) T(ofAll) T(of_all_ops) T(for_all) T(all_ops) T(all) \
  M(compute) V(computes) V(calculate) V(compute_value) M(rests_on) T(depends_on) T(restsOn) T(relies_on) T(based_on) \
  T(rests_upon) T(dependsOn) T(derived_from) T(follows_from) T(needs) T(requires_) M(same_as) T(sameAs) T(alias_of) \
  T(is_same_as) T(same_fact) T(equals) T(synonym) T(same) M(absent_ops) T(absent_op) T(absentops) T(absent) T(no_ops) \
  T(abesnt_ops) T(absnt_ops) T(without_ops) T(illegal_ops) T(absentOps) T(none_of) T(forbidden_ops) T(eliminated_ops)
TENON_NEAR_AT_ONCE(fact, 49, 49)
#undef TENON_NEAR_NAMES

#define TENON_NEAR_NAMES(M, T, V, X) \
  M(check) V(checks) V(checker) V(check_) V(chek) V(chcek) V(verify) V(verifies) V(verifier) V(holds) V(is_valid) \
  V(proves) V(check_all)
TENON_NEAR_AT_ONCE(proof, 12, 12)
#undef TENON_NEAR_NAMES

#define TENON_NEAR_NAMES(M, T, V, X) \
  M(region_allows) T(region_allow) T(regionAllows) T(allowed_in_region) T(allows) T(region_allowed) T(allowed_ops) \
  T(body_allows) T(allowed_ops_in_region) M(region_forbids) T(region_forbid) T(regionForbids) T(forbidden_in_region) \
  T(forbids) T(region_forbidden) T(region_disallows) T(forbids_in_region) M(region_keeps) T(region_keep) \
  T(regionKeeps) T(keeps_in_region) T(isolated) T(is_isolated) T(isolated_from_above) T(IsolatedFromAbove) T(keeps) \
  T(keeps_inside) M(effects) T(effect) T(op_effects) T(efects) T(effcts) T(side_effects) T(sideEffects) \
  T(side_effect) T(memory_effects) T(effets) T(has_effects) T(effect_list) T(sideeffects) T(effects_list) \
  T(MemoryEffects) T(hasSideEffects) T(has_side_effect) T(has_side_effects) T(no_side_effect) T(no_side_effects) \
  T(NoSideEffect) T(Pure) T(pure) T(is_pure) T(impure) T(stateful) T(is_stateful) T(TOpIsStateful) T(resources) \
  T(call_effect_kind) T(FPurity) T(convergent) M(reads) T(reads_memory) T(reads_from) T(read_operands) \
  T(operands_read) M(writes) T(writes_memory) T(writes_to) T(write_operands) T(operands_written) \
  M(traits) T(terminator) T(is_terminator) T(commutative) T(is_commutative) T(elementwise) T(regions) T(num_regions) \
  T(results) T(num_results) T(num_operands) T(op_traits) V(trait) V(trais) V(traist)
TENON_NEAR_AT_ONCE(op, 77, 77)
#undef TENON_NEAR_NAMES

// A word that is a type, said as a value: nobody reads it. Asked where what is not read would let wrong orders pass.
template <class T>
constexpr misnomer value_for_type(pass) {
  if constexpr (requires { requires is_static<decltype(&T::eliminates)>; })
    return {{"eliminates", 10}, {"using eliminates = ops<...>", 27}};
  if constexpr (requires { requires is_static<decltype(&T::deletes)>; })
    return {{"deletes", 7}, {"using deletes = effects<...>", 28}};
  if constexpr (requires { requires is_static<decltype(&T::merges)>; })
    return {{"merges", 6}, {"using merges = effects<...>", 27}};
  if constexpr (requires { requires is_static<decltype(&T::moves)>; })
    return {{"moves", 5}, {"using moves = effects<...>", 26}};
  if constexpr (requires { requires is_static<decltype(&T::duplicates)>; })
    return {{"duplicates", 10}, {"using duplicates = effects<...>", 31}};
  if constexpr (requires { requires is_static<decltype(&T::recomputes)>; })
    return {{"recomputes", 10}, {"using recomputes = effects<...>", 31}};
  if constexpr (requires { requires is_static<decltype(&T::works_on)>; })
    return {{"works_on", 8}, {"using works_on = ops<...>", 25}};
  if constexpr (requires { requires is_static<decltype(&T::changes)>; })
    return {{"changes", 7}, {"using changes = ops<...>", 24}};
  if constexpr (requires { requires is_static<decltype(&T::not_between)>; })
    return {{"not_between", 11}, {"using not_between = window<...>", 31}};
  if constexpr (requires { requires is_static<decltype(&T::not_after)>; })
    return {{"not_after", 9}, {"using not_after = ...", 21}};
  if constexpr (requires { requires is_static<decltype(&T::not_before)>; })
    return {{"not_before", 10}, {"using not_before = ...", 22}};
  if constexpr (requires { requires is_static<decltype(&T::immediately_after)>; })
    return {{"immediately_after", 17}, {"using immediately_after = ...", 29}};
  return {};
}
template <class T>
constexpr misnomer value_for_type(phase) {
  if constexpr (requires { requires is_static<decltype(&T::op_effects)>; })
    return {{"op_effects", 10}, {"using op_effects = effects<...>", 31}};
  return {};
}
template <class T>
constexpr misnomer value_for_type(fact) {
  if constexpr (requires { requires is_static<decltype(&T::of_each)>; })
    return {{"of_each", 7}, {"using of_each = ops<...>", 24}};
  if constexpr (requires { requires is_static<decltype(&T::of_all)>; })
    return {{"of_all", 6}, {"using of_all = ops<...>", 23}};
  if constexpr (requires { requires is_static<decltype(&T::rests_on)>; })
    return {{"rests_on", 8}, {"using rests_on = facts<...>", 27}};
  if constexpr (requires { requires is_static<decltype(&T::same_as)>; })
    return {{"same_as", 7}, {"using same_as = ...", 19}};
  if constexpr (requires { requires is_static<decltype(&T::absent_ops)>; })
    return {{"absent_ops", 10}, {"using absent_ops = ops<...>", 27}};
  return {};
}
template <class T>
constexpr misnomer value_for_type(op) {
  if constexpr (requires { requires is_static<decltype(&T::region_allows)>; })
    return {{"region_allows", 13}, {"using region_allows = ops<...>", 30}};
  if constexpr (requires { requires is_static<decltype(&T::region_forbids)>; })
    return {{"region_forbids", 14}, {"using region_forbids = ops<...>", 31}};
  if constexpr (requires { requires is_static<decltype(&T::region_keeps)>; })
    return {{"region_keeps", 12}, {"using region_keeps = effects<...>", 33}};
  if constexpr (requires { requires is_static<decltype(&T::effects)>; })
    return {{"effects", 7}, {"using effects = effects<...>", 28}};
  if constexpr (requires { requires is_static<decltype(&T::reads)>; })
    return {{"reads", 5}, {"using reads = operands<...>", 27}};
  if constexpr (requires { requires is_static<decltype(&T::writes)>; })
    return {{"writes", 6}, {"using writes = operands<...>", 28}};
  return {};
}
}  // namespace tenon::near
// clang-format on
