/// @file near_names: members that nobody reads, and whose names are nearly those of members that mean something.
/// Long because it is made by cmake/near_names.awk from the words of cmake/near_names.txt.
#pragma once

#include <tenon/meta/near.hpp>

// clang-format off
namespace tenon::near {

struct pass_names {
  enum : unsigned short {
      need, neds, nedes, nees, require, requires_, required, after, runs_after, must_run_after, preconditions,
      depends_on, dependencies, invariants, requires_facts, required_facts, needs_facts, required_passes,
      requires_passes, prerequisites, required_properties, get_required_properties, runsin, run_in, runs_on, run_on,
      in_phase, give, provides, ensures, establishes, produces, postconditions, provides_facts, guarantees,
      postcondition, set_properties, get_set_properties, keep, preserves, preserved, preserve, PreservedAnalyses,
      preserves_facts, preserves_analyses, preserved_analyses, retains, break_, invalidates, clobbers, destroys,
      invalidated, kills, clobbered, cleared_properties, get_cleared_properties, emit, emmits, generates, introduces,
      legal_ops, dependent_dialects, creates, produced_ops, eliminate, removes, lowers, legalizes, illegal_ops,
      removed_ops, erases, handle, delete_, merge, move, leave, duplicate, dupicates, duplicats, duplciates, clones,
      copies, recompute, recomptes, rcomputes, rematerializes, reruns, option, work_on, works, matches, emit_outside,
      enclose, enclosed, change, mutates, modifies, alters, before, runs_before, must_run_before, never_after,
      not_afer, not_afetr, notafter, directly_after, makes_functions, make_functions_in, need_of_device, needs_device,
      requires_of_device, device_needs, needs_of_devices, needs_of_runtimes, needs_ofruntime, need_of_runtime,
      needs_runtime, requires_of_runtime, runtime_needs, needs_of_target, only_once, may_find_none, getAnalysisUsage,
      getDependentDialects, runOnOperation, runOnFunction, runOnModule, runOnMachineFunction, runsAfter, mustRunAfter,
      dependsOn, requiresFacts, requiredFacts, needsFacts, requiredPasses, requiresPasses, requiredProperties,
      getRequiredProperties, runsIn, runIn, runsOn, runOn, inPhase, providesFacts, setProperties, getSetProperties,
      preservesFacts, preservesAnalyses, preservedAnalyses, clearedProperties, getClearedProperties, legalOps,
      dependentDialects, producedOps, illegalOps, removedOps, worksOn, workOn, emitsOutside, emitOutside, notBetween,
      runsBefore, mustRunBefore, notAfter, neverAfter, notAfer, notAfetr, immediatelyAfter, directlyAfter,
      makesFunctionsIn, makesFunctions, makeFunctionsIn, needsOfDevice, needOfDevice, needsDevice, requiresOfDevice,
      deviceNeeds, needsOfDevices, needsOfRuntime, needsOfRuntimes, needsOfruntime, needOfRuntime, needsRuntime,
      requiresOfRuntime, runtimeNeeds, needsOfTarget, atMostOnce, onlyOnce, mayFindNothing, mayFindNone, ives, igves,
      gves, gvies, gies, gievs, givs, givse, givess, eeps, ekeps, keps, kepes, kees, keesp, keepss, reaks, rbeaks,
      beaks, beraks, brreaks, braks, braeks, breks, brekas, breas, breask, breakss, mits, meits, eits, eimts, emts,
      emtis, emis, emist, emitts, emitss, liminates, leiminates, eiminates, eilminates, elliminates, elminates,
      elmiinates, eliinates, eliimnates, elimminates, elimnates, elimniates, elimiates, elimiantes, eliminnates,
      elimintes, elimintaes, eliminaes, eliminaets, eliminattes, eliminats, eliminatse, eliminatess, andles, ahndles,
      hndles, hnadles, hadles, hadnles, hanndles, hanles, hanldes, handes, handels, handlles, handls, handlse,
      handless, eletes, edletes, dletes, dleetes, deetes, deeltes, delletes, deltes, deltees, delees, deleets,
      delettes, delets, deletse, deletess, erges, emrges, mrges, mreges, meges, megres, merrges, meres, meregs, mergs,
      mergse, mergess, oves, omves, mves, mvoes, moes, moevs, movs, movse, movess, eaves, elaves, laves, laeves, leves,
      levaes, leaes, leaevs, leavs, leavse, leavess, ptions, potions, otions, otpions, opions, opitons, opttions,
      optons, optoins, optins, optinos, optios, optiosn, optionns, optionss, orks_on, owrks_on, wrks_on, wroks_on,
      woks_on, wokrs_on, worrks_on, wors_on, worsk_on, workss_on, workson, works_n, works_no, works_o, works_onn,
      ot_between, ont_between, nt_between, nto_between, no_between, nott_between, notbetween, not_etween, not_ebtween,
      not_btween, not_bteween, not_beween, not_bewteen, not_bettween, not_beteen, not_betewen, not_betwen, not_betwene,
      not_betwee, not_betweenn, mmediately_after, mimediately_after, imediately_after, imemdiately_after,
      immdiately_after, immdeiately_after, immeiately_after, immeidately_after, immedately_after, immedaitely_after,
      immeditely_after, immeditaely_after, immediaely_after, immediaetly_after, immediatly_after, immediatley_after,
      immediatey_after, immediateyl_after, immediatel_after, immediatelyafter, immediately_fter, immediately_fater,
      immediately_ater, immediately_atfer, immediately_afer, immediately_afetr, immediately_aftr, immediately_aftre,
      immediately_afte, akes_functions_in, amkes_functions_in, mkes_functions_in, mkaes_functions_in,
      maes_functions_in, maeks_functions_in, maks_functions_in, makse_functions_in, makesfunctions_in,
      makes_unctions_in, makes_ufnctions_in, makes_fnctions_in, makes_fnuctions_in, makes_fuctions_in,
      makes_fucntions_in, makes_funtions_in, makes_funtcions_in, makes_funcions_in, makes_funcitons_in,
      makes_functons_in, makes_functoins_in, makes_functins_in, makes_functinos_in, makes_functios_in,
      makes_functiosn_in, makes_function_in, makes_functionsin, makes_functions_n, makes_functions_ni,
      makes_functions_i, eeds_of_device, eneds_of_device, neds_of_device, nedes_of_device, nees_of_device,
      neesd_of_device, needsof_device, needs_f_device, needs_fo_device, needs_o_device, needs_ofdevice, needs_of_evice,
      needs_of_edvice, needs_of_dvice, needs_of_dveice, needs_of_deice, needs_of_deivce, needs_of_devce,
      needs_of_devcie, needs_of_devie, needs_of_deviec, needs_of_devic, ersion, evrsion, vrsion, vresion, vesion,
      vesrion, verrsion, verion, verison, verssion, verson, versoin, versin, versino, versio, versionn, t_most_once,
      ta_most_once, a_most_once, att_most_once, atmost_once, at_ost_once, at_omst_once, at_mmost_once, at_mst_once,
      at_msot_once, at_mot_once, at_mots_once, at_mosst_once, at_mos_once, at_mostt_once, at_mostonce, at_most_nce,
      at_most_noce, at_most_oce, at_most_ocne, at_most_onnce, at_most_one, at_most_onec, at_most_onc, ay_find_nothing,
      amy_find_nothing, my_find_nothing, mya_find_nothing, ma_find_nothing, mayfind_nothing, may_ind_nothing,
      may_ifnd_nothing, may_fnd_nothing, may_fnid_nothing, may_fid_nothing, may_fidn_nothing, may_fin_nothing,
      may_findnothing, may_find_othing, may_find_onthing, may_find_nthing, may_find_ntohing, may_find_nohing,
      may_find_nohting, may_find_noting, may_find_notihng, may_find_nothng, may_find_nothnig, may_find_nothig,
      may_find_nothign, may_find_nothin
  };
};
struct pass {
  using names = pass_names;
  template <class Probe>
  using free = detail::types<
      decltype(Probe::need), decltype(Probe::neds), decltype(Probe::nedes), decltype(Probe::nees),
      decltype(Probe::require), decltype(Probe::requires_), decltype(Probe::required), decltype(Probe::after),
      decltype(Probe::runs_after), decltype(Probe::must_run_after), decltype(Probe::preconditions),
      decltype(Probe::depends_on), decltype(Probe::dependencies), decltype(Probe::invariants),
      decltype(Probe::requires_facts), decltype(Probe::required_facts), decltype(Probe::needs_facts),
      decltype(Probe::required_passes), decltype(Probe::requires_passes), decltype(Probe::prerequisites),
      decltype(Probe::required_properties), decltype(Probe::get_required_properties), decltype(Probe::runsin),
      decltype(Probe::run_in), decltype(Probe::runs_on), decltype(Probe::run_on), decltype(Probe::in_phase),
      decltype(Probe::give), decltype(Probe::provides), decltype(Probe::ensures), decltype(Probe::establishes),
      decltype(Probe::produces), decltype(Probe::postconditions), decltype(Probe::provides_facts),
      decltype(Probe::guarantees), decltype(Probe::postcondition), decltype(Probe::set_properties),
      decltype(Probe::get_set_properties), decltype(Probe::keep), decltype(Probe::preserves),
      decltype(Probe::preserved), decltype(Probe::preserve), decltype(Probe::PreservedAnalyses),
      decltype(Probe::preserves_facts), decltype(Probe::preserves_analyses), decltype(Probe::preserved_analyses),
      decltype(Probe::retains), decltype(Probe::break_), decltype(Probe::invalidates), decltype(Probe::clobbers),
      decltype(Probe::destroys), decltype(Probe::invalidated), decltype(Probe::kills), decltype(Probe::clobbered),
      decltype(Probe::cleared_properties), decltype(Probe::get_cleared_properties), decltype(Probe::emit),
      decltype(Probe::emmits), decltype(Probe::generates), decltype(Probe::introduces), decltype(Probe::legal_ops),
      decltype(Probe::dependent_dialects), decltype(Probe::creates), decltype(Probe::produced_ops),
      decltype(Probe::eliminate), decltype(Probe::removes), decltype(Probe::lowers), decltype(Probe::legalizes),
      decltype(Probe::illegal_ops), decltype(Probe::removed_ops), decltype(Probe::erases), decltype(Probe::handle),
      decltype(Probe::delete_), decltype(Probe::merge), decltype(Probe::move), decltype(Probe::leave),
      decltype(Probe::duplicate), decltype(Probe::dupicates), decltype(Probe::duplicats), decltype(Probe::duplciates),
      decltype(Probe::clones), decltype(Probe::copies), decltype(Probe::recompute), decltype(Probe::recomptes),
      decltype(Probe::rcomputes), decltype(Probe::rematerializes), decltype(Probe::reruns), decltype(Probe::option),
      decltype(Probe::work_on), decltype(Probe::works), decltype(Probe::matches), decltype(Probe::emit_outside),
      decltype(Probe::enclose), decltype(Probe::enclosed), decltype(Probe::change), decltype(Probe::mutates),
      decltype(Probe::modifies), decltype(Probe::alters), decltype(Probe::before), decltype(Probe::runs_before),
      decltype(Probe::must_run_before), decltype(Probe::never_after), decltype(Probe::not_afer),
      decltype(Probe::not_afetr), decltype(Probe::notafter), decltype(Probe::directly_after),
      decltype(Probe::makes_functions), decltype(Probe::make_functions_in), decltype(Probe::need_of_device),
      decltype(Probe::needs_device), decltype(Probe::requires_of_device), decltype(Probe::device_needs),
      decltype(Probe::needs_of_devices), decltype(Probe::needs_of_runtimes), decltype(Probe::needs_ofruntime),
      decltype(Probe::need_of_runtime), decltype(Probe::needs_runtime), decltype(Probe::requires_of_runtime),
      decltype(Probe::runtime_needs), decltype(Probe::needs_of_target), decltype(Probe::only_once),
      decltype(Probe::may_find_none), decltype(Probe::getAnalysisUsage), decltype(Probe::getDependentDialects),
      decltype(Probe::runOnOperation), decltype(Probe::runOnFunction), decltype(Probe::runOnModule),
      decltype(Probe::runOnMachineFunction), decltype(Probe::runsAfter), decltype(Probe::mustRunAfter),
      decltype(Probe::dependsOn), decltype(Probe::requiresFacts), decltype(Probe::requiredFacts),
      decltype(Probe::needsFacts), decltype(Probe::requiredPasses), decltype(Probe::requiresPasses),
      decltype(Probe::requiredProperties), decltype(Probe::getRequiredProperties), decltype(Probe::runsIn),
      decltype(Probe::runIn), decltype(Probe::runsOn), decltype(Probe::runOn), decltype(Probe::inPhase),
      decltype(Probe::providesFacts), decltype(Probe::setProperties), decltype(Probe::getSetProperties),
      decltype(Probe::preservesFacts), decltype(Probe::preservesAnalyses), decltype(Probe::preservedAnalyses),
      decltype(Probe::clearedProperties), decltype(Probe::getClearedProperties), decltype(Probe::legalOps),
      decltype(Probe::dependentDialects), decltype(Probe::producedOps), decltype(Probe::illegalOps),
      decltype(Probe::removedOps), decltype(Probe::worksOn), decltype(Probe::workOn), decltype(Probe::emitsOutside),
      decltype(Probe::emitOutside), decltype(Probe::notBetween), decltype(Probe::runsBefore),
      decltype(Probe::mustRunBefore), decltype(Probe::notAfter), decltype(Probe::neverAfter), decltype(Probe::notAfer),
      decltype(Probe::notAfetr), decltype(Probe::immediatelyAfter), decltype(Probe::directlyAfter),
      decltype(Probe::makesFunctionsIn), decltype(Probe::makesFunctions), decltype(Probe::makeFunctionsIn),
      decltype(Probe::needsOfDevice), decltype(Probe::needOfDevice), decltype(Probe::needsDevice),
      decltype(Probe::requiresOfDevice), decltype(Probe::deviceNeeds), decltype(Probe::needsOfDevices),
      decltype(Probe::needsOfRuntime), decltype(Probe::needsOfRuntimes), decltype(Probe::needsOfruntime),
      decltype(Probe::needOfRuntime), decltype(Probe::needsRuntime), decltype(Probe::requiresOfRuntime),
      decltype(Probe::runtimeNeeds), decltype(Probe::needsOfTarget), decltype(Probe::atMostOnce),
      decltype(Probe::onlyOnce), decltype(Probe::mayFindNothing), decltype(Probe::mayFindNone), decltype(Probe::ives),
      decltype(Probe::igves), decltype(Probe::gves), decltype(Probe::gvies), decltype(Probe::gies),
      decltype(Probe::gievs), decltype(Probe::givs), decltype(Probe::givse), decltype(Probe::givess),
      decltype(Probe::eeps), decltype(Probe::ekeps), decltype(Probe::keps), decltype(Probe::kepes),
      decltype(Probe::kees), decltype(Probe::keesp), decltype(Probe::keepss), decltype(Probe::reaks),
      decltype(Probe::rbeaks), decltype(Probe::beaks), decltype(Probe::beraks), decltype(Probe::brreaks),
      decltype(Probe::braks), decltype(Probe::braeks), decltype(Probe::breks), decltype(Probe::brekas),
      decltype(Probe::breas), decltype(Probe::breask), decltype(Probe::breakss), decltype(Probe::mits),
      decltype(Probe::meits), decltype(Probe::eits), decltype(Probe::eimts), decltype(Probe::emts),
      decltype(Probe::emtis), decltype(Probe::emis), decltype(Probe::emist), decltype(Probe::emitts),
      decltype(Probe::emitss), decltype(Probe::liminates), decltype(Probe::leiminates), decltype(Probe::eiminates),
      decltype(Probe::eilminates), decltype(Probe::elliminates), decltype(Probe::elminates),
      decltype(Probe::elmiinates), decltype(Probe::eliinates), decltype(Probe::eliimnates),
      decltype(Probe::elimminates), decltype(Probe::elimnates), decltype(Probe::elimniates),
      decltype(Probe::elimiates), decltype(Probe::elimiantes), decltype(Probe::eliminnates),
      decltype(Probe::elimintes), decltype(Probe::elimintaes), decltype(Probe::eliminaes), decltype(Probe::eliminaets),
      decltype(Probe::eliminattes), decltype(Probe::eliminats), decltype(Probe::eliminatse),
      decltype(Probe::eliminatess), decltype(Probe::andles), decltype(Probe::ahndles), decltype(Probe::hndles),
      decltype(Probe::hnadles), decltype(Probe::hadles), decltype(Probe::hadnles), decltype(Probe::hanndles),
      decltype(Probe::hanles), decltype(Probe::hanldes), decltype(Probe::handes), decltype(Probe::handels),
      decltype(Probe::handlles), decltype(Probe::handls), decltype(Probe::handlse), decltype(Probe::handless),
      decltype(Probe::eletes), decltype(Probe::edletes), decltype(Probe::dletes), decltype(Probe::dleetes),
      decltype(Probe::deetes), decltype(Probe::deeltes), decltype(Probe::delletes), decltype(Probe::deltes),
      decltype(Probe::deltees), decltype(Probe::delees), decltype(Probe::deleets), decltype(Probe::delettes),
      decltype(Probe::delets), decltype(Probe::deletse), decltype(Probe::deletess), decltype(Probe::erges),
      decltype(Probe::emrges), decltype(Probe::mrges), decltype(Probe::mreges), decltype(Probe::meges),
      decltype(Probe::megres), decltype(Probe::merrges), decltype(Probe::meres), decltype(Probe::meregs),
      decltype(Probe::mergs), decltype(Probe::mergse), decltype(Probe::mergess), decltype(Probe::oves),
      decltype(Probe::omves), decltype(Probe::mves), decltype(Probe::mvoes), decltype(Probe::moes),
      decltype(Probe::moevs), decltype(Probe::movs), decltype(Probe::movse), decltype(Probe::movess),
      decltype(Probe::eaves), decltype(Probe::elaves), decltype(Probe::laves), decltype(Probe::laeves),
      decltype(Probe::leves), decltype(Probe::levaes), decltype(Probe::leaes), decltype(Probe::leaevs),
      decltype(Probe::leavs), decltype(Probe::leavse), decltype(Probe::leavess), decltype(Probe::ptions),
      decltype(Probe::potions), decltype(Probe::otions), decltype(Probe::otpions), decltype(Probe::opions),
      decltype(Probe::opitons), decltype(Probe::opttions), decltype(Probe::optons), decltype(Probe::optoins),
      decltype(Probe::optins), decltype(Probe::optinos), decltype(Probe::optios), decltype(Probe::optiosn),
      decltype(Probe::optionns), decltype(Probe::optionss), decltype(Probe::orks_on), decltype(Probe::owrks_on),
      decltype(Probe::wrks_on), decltype(Probe::wroks_on), decltype(Probe::woks_on), decltype(Probe::wokrs_on),
      decltype(Probe::worrks_on), decltype(Probe::wors_on), decltype(Probe::worsk_on), decltype(Probe::workss_on),
      decltype(Probe::workson), decltype(Probe::works_n), decltype(Probe::works_no), decltype(Probe::works_o),
      decltype(Probe::works_onn), decltype(Probe::ot_between), decltype(Probe::ont_between),
      decltype(Probe::nt_between), decltype(Probe::nto_between), decltype(Probe::no_between),
      decltype(Probe::nott_between), decltype(Probe::notbetween), decltype(Probe::not_etween),
      decltype(Probe::not_ebtween), decltype(Probe::not_btween), decltype(Probe::not_bteween),
      decltype(Probe::not_beween), decltype(Probe::not_bewteen), decltype(Probe::not_bettween),
      decltype(Probe::not_beteen), decltype(Probe::not_betewen), decltype(Probe::not_betwen),
      decltype(Probe::not_betwene), decltype(Probe::not_betwee), decltype(Probe::not_betweenn),
      decltype(Probe::mmediately_after), decltype(Probe::mimediately_after), decltype(Probe::imediately_after),
      decltype(Probe::imemdiately_after), decltype(Probe::immdiately_after), decltype(Probe::immdeiately_after),
      decltype(Probe::immeiately_after), decltype(Probe::immeidately_after), decltype(Probe::immedately_after),
      decltype(Probe::immedaitely_after), decltype(Probe::immeditely_after), decltype(Probe::immeditaely_after),
      decltype(Probe::immediaely_after), decltype(Probe::immediaetly_after), decltype(Probe::immediatly_after),
      decltype(Probe::immediatley_after), decltype(Probe::immediatey_after), decltype(Probe::immediateyl_after),
      decltype(Probe::immediatel_after), decltype(Probe::immediatelyafter), decltype(Probe::immediately_fter),
      decltype(Probe::immediately_fater), decltype(Probe::immediately_ater), decltype(Probe::immediately_atfer),
      decltype(Probe::immediately_afer), decltype(Probe::immediately_afetr), decltype(Probe::immediately_aftr),
      decltype(Probe::immediately_aftre), decltype(Probe::immediately_afte), decltype(Probe::akes_functions_in),
      decltype(Probe::amkes_functions_in), decltype(Probe::mkes_functions_in), decltype(Probe::mkaes_functions_in),
      decltype(Probe::maes_functions_in), decltype(Probe::maeks_functions_in), decltype(Probe::maks_functions_in),
      decltype(Probe::makse_functions_in), decltype(Probe::makesfunctions_in), decltype(Probe::makes_unctions_in),
      decltype(Probe::makes_ufnctions_in), decltype(Probe::makes_fnctions_in), decltype(Probe::makes_fnuctions_in),
      decltype(Probe::makes_fuctions_in), decltype(Probe::makes_fucntions_in), decltype(Probe::makes_funtions_in),
      decltype(Probe::makes_funtcions_in), decltype(Probe::makes_funcions_in), decltype(Probe::makes_funcitons_in),
      decltype(Probe::makes_functons_in), decltype(Probe::makes_functoins_in), decltype(Probe::makes_functins_in),
      decltype(Probe::makes_functinos_in), decltype(Probe::makes_functios_in), decltype(Probe::makes_functiosn_in),
      decltype(Probe::makes_function_in), decltype(Probe::makes_functionsin), decltype(Probe::makes_functions_n),
      decltype(Probe::makes_functions_ni), decltype(Probe::makes_functions_i), decltype(Probe::eeds_of_device),
      decltype(Probe::eneds_of_device), decltype(Probe::neds_of_device), decltype(Probe::nedes_of_device),
      decltype(Probe::nees_of_device), decltype(Probe::neesd_of_device), decltype(Probe::needsof_device),
      decltype(Probe::needs_f_device), decltype(Probe::needs_fo_device), decltype(Probe::needs_o_device),
      decltype(Probe::needs_ofdevice), decltype(Probe::needs_of_evice), decltype(Probe::needs_of_edvice),
      decltype(Probe::needs_of_dvice), decltype(Probe::needs_of_dveice), decltype(Probe::needs_of_deice),
      decltype(Probe::needs_of_deivce), decltype(Probe::needs_of_devce), decltype(Probe::needs_of_devcie),
      decltype(Probe::needs_of_devie), decltype(Probe::needs_of_deviec), decltype(Probe::needs_of_devic),
      decltype(Probe::ersion), decltype(Probe::evrsion), decltype(Probe::vrsion), decltype(Probe::vresion),
      decltype(Probe::vesion), decltype(Probe::vesrion), decltype(Probe::verrsion), decltype(Probe::verion),
      decltype(Probe::verison), decltype(Probe::verssion), decltype(Probe::verson), decltype(Probe::versoin),
      decltype(Probe::versin), decltype(Probe::versino), decltype(Probe::versio), decltype(Probe::versionn),
      decltype(Probe::t_most_once), decltype(Probe::ta_most_once), decltype(Probe::a_most_once),
      decltype(Probe::att_most_once), decltype(Probe::atmost_once), decltype(Probe::at_ost_once),
      decltype(Probe::at_omst_once), decltype(Probe::at_mmost_once), decltype(Probe::at_mst_once),
      decltype(Probe::at_msot_once), decltype(Probe::at_mot_once), decltype(Probe::at_mots_once),
      decltype(Probe::at_mosst_once), decltype(Probe::at_mos_once), decltype(Probe::at_mostt_once),
      decltype(Probe::at_mostonce), decltype(Probe::at_most_nce), decltype(Probe::at_most_noce),
      decltype(Probe::at_most_oce), decltype(Probe::at_most_ocne), decltype(Probe::at_most_onnce),
      decltype(Probe::at_most_one), decltype(Probe::at_most_onec), decltype(Probe::at_most_onc),
      decltype(Probe::ay_find_nothing), decltype(Probe::amy_find_nothing), decltype(Probe::my_find_nothing),
      decltype(Probe::mya_find_nothing), decltype(Probe::ma_find_nothing), decltype(Probe::mayfind_nothing),
      decltype(Probe::may_ind_nothing), decltype(Probe::may_ifnd_nothing), decltype(Probe::may_fnd_nothing),
      decltype(Probe::may_fnid_nothing), decltype(Probe::may_fid_nothing), decltype(Probe::may_fidn_nothing),
      decltype(Probe::may_fin_nothing), decltype(Probe::may_findnothing), decltype(Probe::may_find_othing),
      decltype(Probe::may_find_onthing), decltype(Probe::may_find_nthing), decltype(Probe::may_find_ntohing),
      decltype(Probe::may_find_nohing), decltype(Probe::may_find_nohting), decltype(Probe::may_find_noting),
      decltype(Probe::may_find_notihng), decltype(Probe::may_find_nothng), decltype(Probe::may_find_nothnig),
      decltype(Probe::may_find_nothig), decltype(Probe::may_find_nothign), decltype(Probe::may_find_nothin)>;
  template <class Probe>
  static constexpr size_t found(size_t from) {
    const bool free[] = {
      requires { Probe::need; }, requires { Probe::neds; }, requires { Probe::nedes; }, requires { Probe::nees; },
      requires { Probe::require; }, requires { Probe::requires_; }, requires { Probe::required; },
      requires { Probe::after; }, requires { Probe::runs_after; }, requires { Probe::must_run_after; },
      requires { Probe::preconditions; }, requires { Probe::depends_on; }, requires { Probe::dependencies; },
      requires { Probe::invariants; }, requires { Probe::requires_facts; }, requires { Probe::required_facts; },
      requires { Probe::needs_facts; }, requires { Probe::required_passes; }, requires { Probe::requires_passes; },
      requires { Probe::prerequisites; }, requires { Probe::required_properties; },
      requires { Probe::get_required_properties; }, requires { Probe::runsin; }, requires { Probe::run_in; },
      requires { Probe::runs_on; }, requires { Probe::run_on; }, requires { Probe::in_phase; },
      requires { Probe::give; }, requires { Probe::provides; }, requires { Probe::ensures; },
      requires { Probe::establishes; }, requires { Probe::produces; }, requires { Probe::postconditions; },
      requires { Probe::provides_facts; }, requires { Probe::guarantees; }, requires { Probe::postcondition; },
      requires { Probe::set_properties; }, requires { Probe::get_set_properties; }, requires { Probe::keep; },
      requires { Probe::preserves; }, requires { Probe::preserved; }, requires { Probe::preserve; },
      requires { Probe::PreservedAnalyses; }, requires { Probe::preserves_facts; },
      requires { Probe::preserves_analyses; }, requires { Probe::preserved_analyses; }, requires { Probe::retains; },
      requires { Probe::break_; }, requires { Probe::invalidates; }, requires { Probe::clobbers; },
      requires { Probe::destroys; }, requires { Probe::invalidated; }, requires { Probe::kills; },
      requires { Probe::clobbered; }, requires { Probe::cleared_properties; },
      requires { Probe::get_cleared_properties; }, requires { Probe::emit; }, requires { Probe::emmits; },
      requires { Probe::generates; }, requires { Probe::introduces; }, requires { Probe::legal_ops; },
      requires { Probe::dependent_dialects; }, requires { Probe::creates; }, requires { Probe::produced_ops; },
      requires { Probe::eliminate; }, requires { Probe::removes; }, requires { Probe::lowers; },
      requires { Probe::legalizes; }, requires { Probe::illegal_ops; }, requires { Probe::removed_ops; },
      requires { Probe::erases; }, requires { Probe::handle; }, requires { Probe::delete_; },
      requires { Probe::merge; }, requires { Probe::move; }, requires { Probe::leave; },
      requires { Probe::duplicate; }, requires { Probe::dupicates; }, requires { Probe::duplicats; },
      requires { Probe::duplciates; }, requires { Probe::clones; }, requires { Probe::copies; },
      requires { Probe::recompute; }, requires { Probe::recomptes; }, requires { Probe::rcomputes; },
      requires { Probe::rematerializes; }, requires { Probe::reruns; }, requires { Probe::option; },
      requires { Probe::work_on; }, requires { Probe::works; }, requires { Probe::matches; },
      requires { Probe::emit_outside; }, requires { Probe::enclose; }, requires { Probe::enclosed; },
      requires { Probe::change; }, requires { Probe::mutates; }, requires { Probe::modifies; },
      requires { Probe::alters; }, requires { Probe::before; }, requires { Probe::runs_before; },
      requires { Probe::must_run_before; }, requires { Probe::never_after; }, requires { Probe::not_afer; },
      requires { Probe::not_afetr; }, requires { Probe::notafter; }, requires { Probe::directly_after; },
      requires { Probe::makes_functions; }, requires { Probe::make_functions_in; },
      requires { Probe::need_of_device; }, requires { Probe::needs_device; }, requires { Probe::requires_of_device; },
      requires { Probe::device_needs; }, requires { Probe::needs_of_devices; }, requires { Probe::needs_of_runtimes; },
      requires { Probe::needs_ofruntime; }, requires { Probe::need_of_runtime; }, requires { Probe::needs_runtime; },
      requires { Probe::requires_of_runtime; }, requires { Probe::runtime_needs; },
      requires { Probe::needs_of_target; }, requires { Probe::only_once; }, requires { Probe::may_find_none; },
      requires { Probe::getAnalysisUsage; }, requires { Probe::getDependentDialects; },
      requires { Probe::runOnOperation; }, requires { Probe::runOnFunction; }, requires { Probe::runOnModule; },
      requires { Probe::runOnMachineFunction; }, requires { Probe::runsAfter; }, requires { Probe::mustRunAfter; },
      requires { Probe::dependsOn; }, requires { Probe::requiresFacts; }, requires { Probe::requiredFacts; },
      requires { Probe::needsFacts; }, requires { Probe::requiredPasses; }, requires { Probe::requiresPasses; },
      requires { Probe::requiredProperties; }, requires { Probe::getRequiredProperties; }, requires { Probe::runsIn; },
      requires { Probe::runIn; }, requires { Probe::runsOn; }, requires { Probe::runOn; },
      requires { Probe::inPhase; }, requires { Probe::providesFacts; }, requires { Probe::setProperties; },
      requires { Probe::getSetProperties; }, requires { Probe::preservesFacts; },
      requires { Probe::preservesAnalyses; }, requires { Probe::preservedAnalyses; },
      requires { Probe::clearedProperties; }, requires { Probe::getClearedProperties; }, requires { Probe::legalOps; },
      requires { Probe::dependentDialects; }, requires { Probe::producedOps; }, requires { Probe::illegalOps; },
      requires { Probe::removedOps; }, requires { Probe::worksOn; }, requires { Probe::workOn; },
      requires { Probe::emitsOutside; }, requires { Probe::emitOutside; }, requires { Probe::notBetween; },
      requires { Probe::runsBefore; }, requires { Probe::mustRunBefore; }, requires { Probe::notAfter; },
      requires { Probe::neverAfter; }, requires { Probe::notAfer; }, requires { Probe::notAfetr; },
      requires { Probe::immediatelyAfter; }, requires { Probe::directlyAfter; }, requires { Probe::makesFunctionsIn; },
      requires { Probe::makesFunctions; }, requires { Probe::makeFunctionsIn; }, requires { Probe::needsOfDevice; },
      requires { Probe::needOfDevice; }, requires { Probe::needsDevice; }, requires { Probe::requiresOfDevice; },
      requires { Probe::deviceNeeds; }, requires { Probe::needsOfDevices; }, requires { Probe::needsOfRuntime; },
      requires { Probe::needsOfRuntimes; }, requires { Probe::needsOfruntime; }, requires { Probe::needOfRuntime; },
      requires { Probe::needsRuntime; }, requires { Probe::requiresOfRuntime; }, requires { Probe::runtimeNeeds; },
      requires { Probe::needsOfTarget; }, requires { Probe::atMostOnce; }, requires { Probe::onlyOnce; },
      requires { Probe::mayFindNothing; }, requires { Probe::mayFindNone; }, requires { Probe::ives; },
      requires { Probe::igves; }, requires { Probe::gves; }, requires { Probe::gvies; }, requires { Probe::gies; },
      requires { Probe::gievs; }, requires { Probe::givs; }, requires { Probe::givse; }, requires { Probe::givess; },
      requires { Probe::eeps; }, requires { Probe::ekeps; }, requires { Probe::keps; }, requires { Probe::kepes; },
      requires { Probe::kees; }, requires { Probe::keesp; }, requires { Probe::keepss; }, requires { Probe::reaks; },
      requires { Probe::rbeaks; }, requires { Probe::beaks; }, requires { Probe::beraks; },
      requires { Probe::brreaks; }, requires { Probe::braks; }, requires { Probe::braeks; },
      requires { Probe::breks; }, requires { Probe::brekas; }, requires { Probe::breas; }, requires { Probe::breask; },
      requires { Probe::breakss; }, requires { Probe::mits; }, requires { Probe::meits; }, requires { Probe::eits; },
      requires { Probe::eimts; }, requires { Probe::emts; }, requires { Probe::emtis; }, requires { Probe::emis; },
      requires { Probe::emist; }, requires { Probe::emitts; }, requires { Probe::emitss; },
      requires { Probe::liminates; }, requires { Probe::leiminates; }, requires { Probe::eiminates; },
      requires { Probe::eilminates; }, requires { Probe::elliminates; }, requires { Probe::elminates; },
      requires { Probe::elmiinates; }, requires { Probe::eliinates; }, requires { Probe::eliimnates; },
      requires { Probe::elimminates; }, requires { Probe::elimnates; }, requires { Probe::elimniates; },
      requires { Probe::elimiates; }, requires { Probe::elimiantes; }, requires { Probe::eliminnates; },
      requires { Probe::elimintes; }, requires { Probe::elimintaes; }, requires { Probe::eliminaes; },
      requires { Probe::eliminaets; }, requires { Probe::eliminattes; }, requires { Probe::eliminats; },
      requires { Probe::eliminatse; }, requires { Probe::eliminatess; }, requires { Probe::andles; },
      requires { Probe::ahndles; }, requires { Probe::hndles; }, requires { Probe::hnadles; },
      requires { Probe::hadles; }, requires { Probe::hadnles; }, requires { Probe::hanndles; },
      requires { Probe::hanles; }, requires { Probe::hanldes; }, requires { Probe::handes; },
      requires { Probe::handels; }, requires { Probe::handlles; }, requires { Probe::handls; },
      requires { Probe::handlse; }, requires { Probe::handless; }, requires { Probe::eletes; },
      requires { Probe::edletes; }, requires { Probe::dletes; }, requires { Probe::dleetes; },
      requires { Probe::deetes; }, requires { Probe::deeltes; }, requires { Probe::delletes; },
      requires { Probe::deltes; }, requires { Probe::deltees; }, requires { Probe::delees; },
      requires { Probe::deleets; }, requires { Probe::delettes; }, requires { Probe::delets; },
      requires { Probe::deletse; }, requires { Probe::deletess; }, requires { Probe::erges; },
      requires { Probe::emrges; }, requires { Probe::mrges; }, requires { Probe::mreges; }, requires { Probe::meges; },
      requires { Probe::megres; }, requires { Probe::merrges; }, requires { Probe::meres; },
      requires { Probe::meregs; }, requires { Probe::mergs; }, requires { Probe::mergse; },
      requires { Probe::mergess; }, requires { Probe::oves; }, requires { Probe::omves; }, requires { Probe::mves; },
      requires { Probe::mvoes; }, requires { Probe::moes; }, requires { Probe::moevs; }, requires { Probe::movs; },
      requires { Probe::movse; }, requires { Probe::movess; }, requires { Probe::eaves; }, requires { Probe::elaves; },
      requires { Probe::laves; }, requires { Probe::laeves; }, requires { Probe::leves; }, requires { Probe::levaes; },
      requires { Probe::leaes; }, requires { Probe::leaevs; }, requires { Probe::leavs; }, requires { Probe::leavse; },
      requires { Probe::leavess; }, requires { Probe::ptions; }, requires { Probe::potions; },
      requires { Probe::otions; }, requires { Probe::otpions; }, requires { Probe::opions; },
      requires { Probe::opitons; }, requires { Probe::opttions; }, requires { Probe::optons; },
      requires { Probe::optoins; }, requires { Probe::optins; }, requires { Probe::optinos; },
      requires { Probe::optios; }, requires { Probe::optiosn; }, requires { Probe::optionns; },
      requires { Probe::optionss; }, requires { Probe::orks_on; }, requires { Probe::owrks_on; },
      requires { Probe::wrks_on; }, requires { Probe::wroks_on; }, requires { Probe::woks_on; },
      requires { Probe::wokrs_on; }, requires { Probe::worrks_on; }, requires { Probe::wors_on; },
      requires { Probe::worsk_on; }, requires { Probe::workss_on; }, requires { Probe::workson; },
      requires { Probe::works_n; }, requires { Probe::works_no; }, requires { Probe::works_o; },
      requires { Probe::works_onn; }, requires { Probe::ot_between; }, requires { Probe::ont_between; },
      requires { Probe::nt_between; }, requires { Probe::nto_between; }, requires { Probe::no_between; },
      requires { Probe::nott_between; }, requires { Probe::notbetween; }, requires { Probe::not_etween; },
      requires { Probe::not_ebtween; }, requires { Probe::not_btween; }, requires { Probe::not_bteween; },
      requires { Probe::not_beween; }, requires { Probe::not_bewteen; }, requires { Probe::not_bettween; },
      requires { Probe::not_beteen; }, requires { Probe::not_betewen; }, requires { Probe::not_betwen; },
      requires { Probe::not_betwene; }, requires { Probe::not_betwee; }, requires { Probe::not_betweenn; },
      requires { Probe::mmediately_after; }, requires { Probe::mimediately_after; },
      requires { Probe::imediately_after; }, requires { Probe::imemdiately_after; },
      requires { Probe::immdiately_after; }, requires { Probe::immdeiately_after; },
      requires { Probe::immeiately_after; }, requires { Probe::immeidately_after; },
      requires { Probe::immedately_after; }, requires { Probe::immedaitely_after; },
      requires { Probe::immeditely_after; }, requires { Probe::immeditaely_after; },
      requires { Probe::immediaely_after; }, requires { Probe::immediaetly_after; },
      requires { Probe::immediatly_after; }, requires { Probe::immediatley_after; },
      requires { Probe::immediatey_after; }, requires { Probe::immediateyl_after; },
      requires { Probe::immediatel_after; }, requires { Probe::immediatelyafter; },
      requires { Probe::immediately_fter; }, requires { Probe::immediately_fater; },
      requires { Probe::immediately_ater; }, requires { Probe::immediately_atfer; },
      requires { Probe::immediately_afer; }, requires { Probe::immediately_afetr; },
      requires { Probe::immediately_aftr; }, requires { Probe::immediately_aftre; },
      requires { Probe::immediately_afte; }, requires { Probe::akes_functions_in; },
      requires { Probe::amkes_functions_in; }, requires { Probe::mkes_functions_in; },
      requires { Probe::mkaes_functions_in; }, requires { Probe::maes_functions_in; },
      requires { Probe::maeks_functions_in; }, requires { Probe::maks_functions_in; },
      requires { Probe::makse_functions_in; }, requires { Probe::makesfunctions_in; },
      requires { Probe::makes_unctions_in; }, requires { Probe::makes_ufnctions_in; },
      requires { Probe::makes_fnctions_in; }, requires { Probe::makes_fnuctions_in; },
      requires { Probe::makes_fuctions_in; }, requires { Probe::makes_fucntions_in; },
      requires { Probe::makes_funtions_in; }, requires { Probe::makes_funtcions_in; },
      requires { Probe::makes_funcions_in; }, requires { Probe::makes_funcitons_in; },
      requires { Probe::makes_functons_in; }, requires { Probe::makes_functoins_in; },
      requires { Probe::makes_functins_in; }, requires { Probe::makes_functinos_in; },
      requires { Probe::makes_functios_in; }, requires { Probe::makes_functiosn_in; },
      requires { Probe::makes_function_in; }, requires { Probe::makes_functionsin; },
      requires { Probe::makes_functions_n; }, requires { Probe::makes_functions_ni; },
      requires { Probe::makes_functions_i; }, requires { Probe::eeds_of_device; },
      requires { Probe::eneds_of_device; }, requires { Probe::neds_of_device; }, requires { Probe::nedes_of_device; },
      requires { Probe::nees_of_device; }, requires { Probe::neesd_of_device; }, requires { Probe::needsof_device; },
      requires { Probe::needs_f_device; }, requires { Probe::needs_fo_device; }, requires { Probe::needs_o_device; },
      requires { Probe::needs_ofdevice; }, requires { Probe::needs_of_evice; }, requires { Probe::needs_of_edvice; },
      requires { Probe::needs_of_dvice; }, requires { Probe::needs_of_dveice; }, requires { Probe::needs_of_deice; },
      requires { Probe::needs_of_deivce; }, requires { Probe::needs_of_devce; }, requires { Probe::needs_of_devcie; },
      requires { Probe::needs_of_devie; }, requires { Probe::needs_of_deviec; }, requires { Probe::needs_of_devic; },
      requires { Probe::ersion; }, requires { Probe::evrsion; }, requires { Probe::vrsion; },
      requires { Probe::vresion; }, requires { Probe::vesion; }, requires { Probe::vesrion; },
      requires { Probe::verrsion; }, requires { Probe::verion; }, requires { Probe::verison; },
      requires { Probe::verssion; }, requires { Probe::verson; }, requires { Probe::versoin; },
      requires { Probe::versin; }, requires { Probe::versino; }, requires { Probe::versio; },
      requires { Probe::versionn; }, requires { Probe::t_most_once; }, requires { Probe::ta_most_once; },
      requires { Probe::a_most_once; }, requires { Probe::att_most_once; }, requires { Probe::atmost_once; },
      requires { Probe::at_ost_once; }, requires { Probe::at_omst_once; }, requires { Probe::at_mmost_once; },
      requires { Probe::at_mst_once; }, requires { Probe::at_msot_once; }, requires { Probe::at_mot_once; },
      requires { Probe::at_mots_once; }, requires { Probe::at_mosst_once; }, requires { Probe::at_mos_once; },
      requires { Probe::at_mostt_once; }, requires { Probe::at_mostonce; }, requires { Probe::at_most_nce; },
      requires { Probe::at_most_noce; }, requires { Probe::at_most_oce; }, requires { Probe::at_most_ocne; },
      requires { Probe::at_most_onnce; }, requires { Probe::at_most_one; }, requires { Probe::at_most_onec; },
      requires { Probe::at_most_onc; }, requires { Probe::ay_find_nothing; }, requires { Probe::amy_find_nothing; },
      requires { Probe::my_find_nothing; }, requires { Probe::mya_find_nothing; },
      requires { Probe::ma_find_nothing; }, requires { Probe::mayfind_nothing; }, requires { Probe::may_ind_nothing; },
      requires { Probe::may_ifnd_nothing; }, requires { Probe::may_fnd_nothing; },
      requires { Probe::may_fnid_nothing; }, requires { Probe::may_fid_nothing; },
      requires { Probe::may_fidn_nothing; }, requires { Probe::may_fin_nothing; },
      requires { Probe::may_findnothing; }, requires { Probe::may_find_othing; },
      requires { Probe::may_find_onthing; }, requires { Probe::may_find_nthing; },
      requires { Probe::may_find_ntohing; }, requires { Probe::may_find_nohing; },
      requires { Probe::may_find_nohting; }, requires { Probe::may_find_noting; },
      requires { Probe::may_find_notihng; }, requires { Probe::may_find_nothng; },
      requires { Probe::may_find_nothnig; }, requires { Probe::may_find_nothig; },
      requires { Probe::may_find_nothign; }, requires { Probe::may_find_nothin; },
      false};
    return first_false(free, from);
  }
  template <class T>
  static constexpr size_t found_word() {
    const bool free[] = {
      !requires { requires member_of<T, typename T::need>; } && !requires { requires is_static<decltype(&T::need)>; },
      !requires { requires member_of<T, typename T::neds>; } && !requires { requires is_static<decltype(&T::neds)>; },
      !requires { requires member_of<T, typename T::nedes>; } && !requires { requires is_static<decltype(&T::nedes)>; },
      !requires { requires member_of<T, typename T::nees>; } && !requires { requires is_static<decltype(&T::nees)>; },
      !requires { requires member_of<T, typename T::require>; } && !requires { requires is_static<decltype(&T::require)>; },
      !requires { requires member_of<T, typename T::requires_>; } && !requires { requires is_static<decltype(&T::requires_)>; },
      !requires { requires member_of<T, typename T::required>; } && !requires { requires is_static<decltype(&T::required)>; },
      !requires { requires member_of<T, typename T::after>; } && !requires { requires is_static<decltype(&T::after)>; },
      !requires { requires member_of<T, typename T::runs_after>; } && !requires { requires is_static<decltype(&T::runs_after)>; },
      !requires { requires member_of<T, typename T::must_run_after>; } && !requires { requires is_static<decltype(&T::must_run_after)>; },
      !requires { requires member_of<T, typename T::preconditions>; } && !requires { requires is_static<decltype(&T::preconditions)>; },
      !requires { requires member_of<T, typename T::depends_on>; } && !requires { requires is_static<decltype(&T::depends_on)>; },
      !requires { requires member_of<T, typename T::dependencies>; } && !requires { requires is_static<decltype(&T::dependencies)>; },
      !requires { requires member_of<T, typename T::invariants>; } && !requires { requires is_static<decltype(&T::invariants)>; },
      !requires { requires member_of<T, typename T::requires_facts>; } && !requires { requires is_static<decltype(&T::requires_facts)>; },
      !requires { requires member_of<T, typename T::required_facts>; } && !requires { requires is_static<decltype(&T::required_facts)>; },
      !requires { requires member_of<T, typename T::needs_facts>; } && !requires { requires is_static<decltype(&T::needs_facts)>; },
      !requires { requires member_of<T, typename T::required_passes>; } && !requires { requires is_static<decltype(&T::required_passes)>; },
      !requires { requires member_of<T, typename T::requires_passes>; } && !requires { requires is_static<decltype(&T::requires_passes)>; },
      !requires { requires member_of<T, typename T::prerequisites>; } && !requires { requires is_static<decltype(&T::prerequisites)>; },
      !requires { requires member_of<T, typename T::required_properties>; } && !requires { requires is_static<decltype(&T::required_properties)>; },
      !requires { requires member_of<T, typename T::get_required_properties>; } && !requires { requires is_static<decltype(&T::get_required_properties)>; },
      !requires { requires member_of<T, typename T::runsin>; } && !requires { requires is_static<decltype(&T::runsin)>; },
      !requires { requires member_of<T, typename T::run_in>; } && !requires { requires is_static<decltype(&T::run_in)>; },
      !requires { requires member_of<T, typename T::runs_on>; } && !requires { requires is_static<decltype(&T::runs_on)>; },
      !requires { requires member_of<T, typename T::run_on>; } && !requires { requires is_static<decltype(&T::run_on)>; },
      !requires { requires member_of<T, typename T::in_phase>; } && !requires { requires is_static<decltype(&T::in_phase)>; },
      !requires { requires member_of<T, typename T::give>; } && !requires { requires is_static<decltype(&T::give)>; },
      !requires { requires member_of<T, typename T::provides>; } && !requires { requires is_static<decltype(&T::provides)>; },
      !requires { requires member_of<T, typename T::ensures>; } && !requires { requires is_static<decltype(&T::ensures)>; },
      !requires { requires member_of<T, typename T::establishes>; } && !requires { requires is_static<decltype(&T::establishes)>; },
      !requires { requires member_of<T, typename T::produces>; } && !requires { requires is_static<decltype(&T::produces)>; },
      !requires { requires member_of<T, typename T::postconditions>; } && !requires { requires is_static<decltype(&T::postconditions)>; },
      !requires { requires member_of<T, typename T::provides_facts>; } && !requires { requires is_static<decltype(&T::provides_facts)>; },
      !requires { requires member_of<T, typename T::guarantees>; } && !requires { requires is_static<decltype(&T::guarantees)>; },
      !requires { requires member_of<T, typename T::postcondition>; } && !requires { requires is_static<decltype(&T::postcondition)>; },
      !requires { requires member_of<T, typename T::set_properties>; } && !requires { requires is_static<decltype(&T::set_properties)>; },
      !requires { requires member_of<T, typename T::get_set_properties>; } && !requires { requires is_static<decltype(&T::get_set_properties)>; },
      !requires { requires member_of<T, typename T::keep>; } && !requires { requires is_static<decltype(&T::keep)>; },
      !requires { requires member_of<T, typename T::preserves>; } && !requires { requires is_static<decltype(&T::preserves)>; },
      !requires { requires member_of<T, typename T::preserved>; } && !requires { requires is_static<decltype(&T::preserved)>; },
      !requires { requires member_of<T, typename T::preserve>; } && !requires { requires is_static<decltype(&T::preserve)>; },
      !requires { requires member_of<T, typename T::PreservedAnalyses>; } && !requires { requires is_static<decltype(&T::PreservedAnalyses)>; },
      !requires { requires member_of<T, typename T::preserves_facts>; } && !requires { requires is_static<decltype(&T::preserves_facts)>; },
      !requires { requires member_of<T, typename T::preserves_analyses>; } && !requires { requires is_static<decltype(&T::preserves_analyses)>; },
      !requires { requires member_of<T, typename T::preserved_analyses>; } && !requires { requires is_static<decltype(&T::preserved_analyses)>; },
      !requires { requires member_of<T, typename T::retains>; } && !requires { requires is_static<decltype(&T::retains)>; },
      !requires { requires member_of<T, typename T::break_>; } && !requires { requires is_static<decltype(&T::break_)>; },
      !requires { requires member_of<T, typename T::invalidates>; } && !requires { requires is_static<decltype(&T::invalidates)>; },
      !requires { requires member_of<T, typename T::clobbers>; } && !requires { requires is_static<decltype(&T::clobbers)>; },
      !requires { requires member_of<T, typename T::destroys>; } && !requires { requires is_static<decltype(&T::destroys)>; },
      !requires { requires member_of<T, typename T::invalidated>; } && !requires { requires is_static<decltype(&T::invalidated)>; },
      !requires { requires member_of<T, typename T::kills>; } && !requires { requires is_static<decltype(&T::kills)>; },
      !requires { requires member_of<T, typename T::clobbered>; } && !requires { requires is_static<decltype(&T::clobbered)>; },
      !requires { requires member_of<T, typename T::cleared_properties>; } && !requires { requires is_static<decltype(&T::cleared_properties)>; },
      !requires { requires member_of<T, typename T::get_cleared_properties>; } && !requires { requires is_static<decltype(&T::get_cleared_properties)>; },
      !requires { requires member_of<T, typename T::emit>; } && !requires { requires is_static<decltype(&T::emit)>; },
      !requires { requires member_of<T, typename T::emmits>; } && !requires { requires is_static<decltype(&T::emmits)>; },
      !requires { requires member_of<T, typename T::generates>; } && !requires { requires is_static<decltype(&T::generates)>; },
      !requires { requires member_of<T, typename T::introduces>; } && !requires { requires is_static<decltype(&T::introduces)>; },
      !requires { requires member_of<T, typename T::legal_ops>; } && !requires { requires is_static<decltype(&T::legal_ops)>; },
      !requires { requires member_of<T, typename T::dependent_dialects>; } && !requires { requires is_static<decltype(&T::dependent_dialects)>; },
      !requires { requires member_of<T, typename T::creates>; } && !requires { requires is_static<decltype(&T::creates)>; },
      !requires { requires member_of<T, typename T::produced_ops>; } && !requires { requires is_static<decltype(&T::produced_ops)>; },
      !requires { requires member_of<T, typename T::eliminate>; } && !requires { requires is_static<decltype(&T::eliminate)>; },
      !requires { requires member_of<T, typename T::removes>; } && !requires { requires is_static<decltype(&T::removes)>; },
      !requires { requires member_of<T, typename T::lowers>; } && !requires { requires is_static<decltype(&T::lowers)>; },
      !requires { requires member_of<T, typename T::legalizes>; } && !requires { requires is_static<decltype(&T::legalizes)>; },
      !requires { requires member_of<T, typename T::illegal_ops>; } && !requires { requires is_static<decltype(&T::illegal_ops)>; },
      !requires { requires member_of<T, typename T::removed_ops>; } && !requires { requires is_static<decltype(&T::removed_ops)>; },
      !requires { requires member_of<T, typename T::erases>; } && !requires { requires is_static<decltype(&T::erases)>; },
      !requires { requires member_of<T, typename T::handle>; } && !requires { requires is_static<decltype(&T::handle)>; },
      !requires { requires member_of<T, typename T::delete_>; } && !requires { requires is_static<decltype(&T::delete_)>; },
      !requires { requires member_of<T, typename T::merge>; } && !requires { requires is_static<decltype(&T::merge)>; },
      !requires { requires member_of<T, typename T::move>; } && !requires { requires is_static<decltype(&T::move)>; },
      !requires { requires member_of<T, typename T::leave>; } && !requires { requires is_static<decltype(&T::leave)>; },
      !requires { requires member_of<T, typename T::duplicate>; } && !requires { requires is_static<decltype(&T::duplicate)>; },
      !requires { requires member_of<T, typename T::dupicates>; } && !requires { requires is_static<decltype(&T::dupicates)>; },
      !requires { requires member_of<T, typename T::duplicats>; } && !requires { requires is_static<decltype(&T::duplicats)>; },
      !requires { requires member_of<T, typename T::duplciates>; } && !requires { requires is_static<decltype(&T::duplciates)>; },
      !requires { requires member_of<T, typename T::clones>; } && !requires { requires is_static<decltype(&T::clones)>; },
      !requires { requires member_of<T, typename T::copies>; } && !requires { requires is_static<decltype(&T::copies)>; },
      !requires { requires member_of<T, typename T::recompute>; } && !requires { requires is_static<decltype(&T::recompute)>; },
      !requires { requires member_of<T, typename T::recomptes>; } && !requires { requires is_static<decltype(&T::recomptes)>; },
      !requires { requires member_of<T, typename T::rcomputes>; } && !requires { requires is_static<decltype(&T::rcomputes)>; },
      !requires { requires member_of<T, typename T::rematerializes>; } && !requires { requires is_static<decltype(&T::rematerializes)>; },
      !requires { requires member_of<T, typename T::reruns>; } && !requires { requires is_static<decltype(&T::reruns)>; },
      !requires { requires member_of<T, typename T::option>; } && !requires { requires is_static<decltype(&T::option)>; },
      !requires { requires member_of<T, typename T::work_on>; } && !requires { requires is_static<decltype(&T::work_on)>; },
      !requires { requires member_of<T, typename T::works>; } && !requires { requires is_static<decltype(&T::works)>; },
      !requires { requires member_of<T, typename T::matches>; } && !requires { requires is_static<decltype(&T::matches)>; },
      !requires { requires member_of<T, typename T::emit_outside>; } && !requires { requires is_static<decltype(&T::emit_outside)>; },
      !requires { requires member_of<T, typename T::enclose>; } && !requires { requires is_static<decltype(&T::enclose)>; },
      !requires { requires member_of<T, typename T::enclosed>; } && !requires { requires is_static<decltype(&T::enclosed)>; },
      !requires { requires member_of<T, typename T::change>; } && !requires { requires is_static<decltype(&T::change)>; },
      !requires { requires member_of<T, typename T::mutates>; } && !requires { requires is_static<decltype(&T::mutates)>; },
      !requires { requires member_of<T, typename T::modifies>; } && !requires { requires is_static<decltype(&T::modifies)>; },
      !requires { requires member_of<T, typename T::alters>; } && !requires { requires is_static<decltype(&T::alters)>; },
      !requires { requires member_of<T, typename T::before>; } && !requires { requires is_static<decltype(&T::before)>; },
      !requires { requires member_of<T, typename T::runs_before>; } && !requires { requires is_static<decltype(&T::runs_before)>; },
      !requires { requires member_of<T, typename T::must_run_before>; } && !requires { requires is_static<decltype(&T::must_run_before)>; },
      !requires { requires member_of<T, typename T::never_after>; } && !requires { requires is_static<decltype(&T::never_after)>; },
      !requires { requires member_of<T, typename T::not_afer>; } && !requires { requires is_static<decltype(&T::not_afer)>; },
      !requires { requires member_of<T, typename T::not_afetr>; } && !requires { requires is_static<decltype(&T::not_afetr)>; },
      !requires { requires member_of<T, typename T::notafter>; } && !requires { requires is_static<decltype(&T::notafter)>; },
      !requires { requires member_of<T, typename T::directly_after>; } && !requires { requires is_static<decltype(&T::directly_after)>; },
      !requires { requires member_of<T, typename T::makes_functions>; } && !requires { requires is_static<decltype(&T::makes_functions)>; },
      !requires { requires member_of<T, typename T::make_functions_in>; } && !requires { requires is_static<decltype(&T::make_functions_in)>; },
      !requires { requires member_of<T, typename T::need_of_device>; } && !requires { requires is_static<decltype(&T::need_of_device)>; },
      !requires { requires member_of<T, typename T::needs_device>; } && !requires { requires is_static<decltype(&T::needs_device)>; },
      !requires { requires member_of<T, typename T::requires_of_device>; } && !requires { requires is_static<decltype(&T::requires_of_device)>; },
      !requires { requires member_of<T, typename T::device_needs>; } && !requires { requires is_static<decltype(&T::device_needs)>; },
      !requires { requires member_of<T, typename T::needs_of_devices>; } && !requires { requires is_static<decltype(&T::needs_of_devices)>; },
      !requires { requires member_of<T, typename T::needs_of_runtimes>; } && !requires { requires is_static<decltype(&T::needs_of_runtimes)>; },
      !requires { requires member_of<T, typename T::needs_ofruntime>; } && !requires { requires is_static<decltype(&T::needs_ofruntime)>; },
      !requires { requires member_of<T, typename T::need_of_runtime>; } && !requires { requires is_static<decltype(&T::need_of_runtime)>; },
      !requires { requires member_of<T, typename T::needs_runtime>; } && !requires { requires is_static<decltype(&T::needs_runtime)>; },
      !requires { requires member_of<T, typename T::requires_of_runtime>; } && !requires { requires is_static<decltype(&T::requires_of_runtime)>; },
      !requires { requires member_of<T, typename T::runtime_needs>; } && !requires { requires is_static<decltype(&T::runtime_needs)>; },
      !requires { requires member_of<T, typename T::needs_of_target>; } && !requires { requires is_static<decltype(&T::needs_of_target)>; },
      !requires { requires member_of<T, typename T::only_once>; } && !requires { &T::only_once; },
      !requires { requires member_of<T, typename T::may_find_none>; } && !requires { &T::may_find_none; },
      !requires { requires member_of<T, typename T::getAnalysisUsage>; } && !requires { &T::getAnalysisUsage; },
      !requires { requires member_of<T, typename T::getDependentDialects>; } && !requires { &T::getDependentDialects; },
      !requires { requires member_of<T, typename T::runOnOperation>; } && !requires { &T::runOnOperation; },
      !requires { requires member_of<T, typename T::runOnFunction>; } && !requires { &T::runOnFunction; },
      !requires { requires member_of<T, typename T::runOnModule>; } && !requires { &T::runOnModule; },
      !requires { requires member_of<T, typename T::runOnMachineFunction>; } && !requires { &T::runOnMachineFunction; },
      false};
    return first_false(free, 0);
  }
  static constexpr size_t words = 128, count = 511;
  static constexpr const char* meanings =
      "needs:need,neds,nedes,nees,require,requires_,required,after,runs_after,must_run_after,preconditions,"
      "depends_on,dependencies,invariants,requires_facts,required_facts,needs_facts,required_passes,"
      "requires_passes,prerequisites,required_properties,get_required_properties;runs_in:runsin,run_in,runs_on,"
      "run_on,in_phase;gives:give,provides,ensures,establishes,produces,postconditions,provides_facts,"
      "guarantees,postcondition,set_properties,get_set_properties;keeps:keep,preserves,preserved,preserve,"
      "PreservedAnalyses,preserves_facts,preserves_analyses,preserved_analyses,retains;breaks:break_,"
      "invalidates,clobbers,destroys,invalidated,kills,clobbered,cleared_properties,get_cleared_properties;"
      "emits:emit,emmits,generates,introduces,legal_ops,dependent_dialects,creates,produced_ops;eliminates:"
      "eliminate,removes,lowers,legalizes,illegal_ops,removed_ops,erases;handles:handle;deletes:delete_;merges:"
      "merge;moves:move;leaves:leave;duplicates:duplicate,dupicates,duplicats,duplciates,clones,copies;"
      "recomputes:recompute,recomptes,rcomputes,rematerializes,reruns;options:option;works_on:work_on,works,"
      "matches;emits_outside:emit_outside;encloses:enclose,enclosed;changes:change,mutates,modifies,alters;"
      "not_between:before,runs_before,must_run_before;not_after:never_after,not_afer,not_afetr,notafter;"
      "immediately_after:directly_after;makes_functions_in:makes_functions,make_functions_in;needs_of_device:"
      "need_of_device,needs_device,requires_of_device,device_needs,needs_of_devices;needs_of_runtime:"
      "needs_of_runtimes,needs_ofruntime,need_of_runtime,needs_runtime,requires_of_runtime,runtime_needs,"
      "needs_of_target;at_most_once:only_once;may_find_nothing:may_find_none;run:getAnalysisUsage,"
      "getDependentDialects,runOnOperation,runOnFunction,runOnModule,runOnMachineFunction;needs:runsAfter,"
      "mustRunAfter,dependsOn,requiresFacts,requiredFacts,needsFacts,requiredPasses,requiresPasses,"
      "requiredProperties,getRequiredProperties;runs_in:runsIn,runIn,runsOn,runOn,inPhase;gives:providesFacts,"
      "setProperties,getSetProperties;keeps:preservesFacts,preservesAnalyses,preservedAnalyses;breaks:"
      "clearedProperties,getClearedProperties;emits:legalOps,dependentDialects,producedOps;eliminates:"
      "illegalOps,removedOps;works_on:worksOn,workOn;emits_outside:emitsOutside,emitOutside;not_between:"
      "notBetween,runsBefore,mustRunBefore;not_after:notAfter,neverAfter,notAfer,notAfetr;immediately_after:"
      "immediatelyAfter,directlyAfter;makes_functions_in:makesFunctionsIn,makesFunctions,makeFunctionsIn;"
      "needs_of_device:needsOfDevice,needOfDevice,needsDevice,requiresOfDevice,deviceNeeds,needsOfDevices;"
      "needs_of_runtime:needsOfRuntime,needsOfRuntimes,needsOfruntime,needOfRuntime,needsRuntime,"
      "requiresOfRuntime,runtimeNeeds,needsOfTarget;at_most_once:atMostOnce,onlyOnce;may_find_nothing:"
      "mayFindNothing,mayFindNone;gives:ives,igves,gves,gvies,gies,gievs,givs,givse,givess;keeps:eeps,ekeps,"
      "keps,kepes,kees,keesp,keepss;breaks:reaks,rbeaks,beaks,beraks,brreaks,braks,braeks,breks,brekas,breas,"
      "breask,breakss;emits:mits,meits,eits,eimts,emts,emtis,emis,emist,emitts,emitss;eliminates:liminates,"
      "leiminates,eiminates,eilminates,elliminates,elminates,elmiinates,eliinates,eliimnates,elimminates,"
      "elimnates,elimniates,elimiates,elimiantes,eliminnates,elimintes,elimintaes,eliminaes,eliminaets,"
      "eliminattes,eliminats,eliminatse,eliminatess;handles:andles,ahndles,hndles,hnadles,hadles,hadnles,"
      "hanndles,hanles,hanldes,handes,handels,handlles,handls,handlse,handless;deletes:eletes,edletes,dletes,"
      "dleetes,deetes,deeltes,delletes,deltes,deltees,delees,deleets,delettes,delets,deletse,deletess;merges:"
      "erges,emrges,mrges,mreges,meges,megres,merrges,meres,meregs,mergs,mergse,mergess;moves:oves,omves,mves,"
      "mvoes,moes,moevs,movs,movse,movess;leaves:eaves,elaves,laves,laeves,leves,levaes,leaes,leaevs,leavs,"
      "leavse,leavess;options:ptions,potions,otions,otpions,opions,opitons,opttions,optons,optoins,optins,"
      "optinos,optios,optiosn,optionns,optionss;works_on:orks_on,owrks_on,wrks_on,wroks_on,woks_on,wokrs_on,"
      "worrks_on,wors_on,worsk_on,workss_on,workson,works_n,works_no,works_o,works_onn;not_between:ot_between,"
      "ont_between,nt_between,nto_between,no_between,nott_between,notbetween,not_etween,not_ebtween,not_btween,"
      "not_bteween,not_beween,not_bewteen,not_bettween,not_beteen,not_betewen,not_betwen,not_betwene,not_betwee,"
      "not_betweenn;immediately_after:mmediately_after,mimediately_after,imediately_after,imemdiately_after,"
      "immdiately_after,immdeiately_after,immeiately_after,immeidately_after,immedately_after,immedaitely_after,"
      "immeditely_after,immeditaely_after,immediaely_after,immediaetly_after,immediatly_after,immediatley_after,"
      "immediatey_after,immediateyl_after,immediatel_after,immediatelyafter,immediately_fter,immediately_fater,"
      "immediately_ater,immediately_atfer,immediately_afer,immediately_afetr,immediately_aftr,immediately_aftre,"
      "immediately_afte;makes_functions_in:akes_functions_in,amkes_functions_in,mkes_functions_in,"
      "mkaes_functions_in,maes_functions_in,maeks_functions_in,maks_functions_in,makse_functions_in,"
      "makesfunctions_in,makes_unctions_in,makes_ufnctions_in,makes_fnctions_in,makes_fnuctions_in,"
      "makes_fuctions_in,makes_fucntions_in,makes_funtions_in,makes_funtcions_in,makes_funcions_in,"
      "makes_funcitons_in,makes_functons_in,makes_functoins_in,makes_functins_in,makes_functinos_in,"
      "makes_functios_in,makes_functiosn_in,makes_function_in,makes_functionsin,makes_functions_n,"
      "makes_functions_ni,makes_functions_i;needs_of_device:eeds_of_device,eneds_of_device,neds_of_device,"
      "nedes_of_device,nees_of_device,neesd_of_device,needsof_device,needs_f_device,needs_fo_device,"
      "needs_o_device,needs_ofdevice,needs_of_evice,needs_of_edvice,needs_of_dvice,needs_of_dveice,"
      "needs_of_deice,needs_of_deivce,needs_of_devce,needs_of_devcie,needs_of_devie,needs_of_deviec,"
      "needs_of_devic;version:ersion,evrsion,vrsion,vresion,vesion,vesrion,verrsion,verion,verison,verssion,"
      "verson,versoin,versin,versino,versio,versionn;at_most_once:t_most_once,ta_most_once,a_most_once,"
      "att_most_once,atmost_once,at_ost_once,at_omst_once,at_mmost_once,at_mst_once,at_msot_once,at_mot_once,"
      "at_mots_once,at_mosst_once,at_mos_once,at_mostt_once,at_mostonce,at_most_nce,at_most_noce,at_most_oce,"
      "at_most_ocne,at_most_onnce,at_most_one,at_most_onec,at_most_onc;may_find_nothing:ay_find_nothing,"
      "amy_find_nothing,my_find_nothing,mya_find_nothing,ma_find_nothing,mayfind_nothing,may_ind_nothing,"
      "may_ifnd_nothing,may_fnd_nothing,may_fnid_nothing,may_fid_nothing,may_fidn_nothing,may_fin_nothing,"
      "may_findnothing,may_find_othing,may_find_onthing,may_find_nthing,may_find_ntohing,may_find_nohing,"
      "may_find_nohting,may_find_noting,may_find_notihng,may_find_nothng,may_find_nothnig,may_find_nothig,"
      "may_find_nothign,may_find_nothin;";
};

struct phase_names {
  enum : unsigned short {
      legal_ops, allowed_ops, op_effect, effects, effect, side, side_phase_of, call_into, calls, early_op, begin_with,
      begins, starts_with, start_with, begins_wtih, bgeins_with, is_open, opened, verifies, check, verifier, p_effects,
      po_effects, o_effects, opeffects, op_ffects, op_fefects, op_efects, op_efefcts, op_effcts, op_effcets, op_effets,
      op_effetcs, op_effecs, op_effecst, op_effectts, op_effectss, ide_of, isde_of, sde_of, sdie_of, sie_of, sied_of,
      sid_of, sideof, side_f, side_fo, side_o, alls_into, aclls_into, clls_into, clals_into, cals_into, callls_into,
      calsl_into, callss_into, callsinto, calls_nto, calls_nito, calls_ito, calls_itno, calls_innto, calls_ino,
      calls_inot, calls_intto, calls_int, arly_ops, aerly_ops, erly_ops, eraly_ops, ealy_ops, ealry_ops, earrly_ops,
      eary_ops, earyl_ops, earlly_ops, earl_ops, earlyops, early_ps, early_pos, early_os, early_osp, early_opss
  };
};
struct phase {
  using names = phase_names;
  template <class Probe>
  static constexpr size_t found(size_t from) {
    const bool free[] = {
      requires { Probe::legal_ops; }, requires { Probe::allowed_ops; }, requires { Probe::op_effect; },
      requires { Probe::effects; }, requires { Probe::effect; }, requires { Probe::side; },
      requires { Probe::side_phase_of; }, requires { Probe::call_into; }, requires { Probe::calls; },
      requires { Probe::early_op; }, requires { Probe::begin_with; }, requires { Probe::begins; },
      requires { Probe::starts_with; }, requires { Probe::start_with; }, requires { Probe::begins_wtih; },
      requires { Probe::bgeins_with; }, requires { Probe::is_open; }, requires { Probe::opened; },
      requires { Probe::verifies; }, requires { Probe::check; }, requires { Probe::verifier; },
      requires { Probe::p_effects; }, requires { Probe::po_effects; }, requires { Probe::o_effects; },
      requires { Probe::opeffects; }, requires { Probe::op_ffects; }, requires { Probe::op_fefects; },
      requires { Probe::op_efects; }, requires { Probe::op_efefcts; }, requires { Probe::op_effcts; },
      requires { Probe::op_effcets; }, requires { Probe::op_effets; }, requires { Probe::op_effetcs; },
      requires { Probe::op_effecs; }, requires { Probe::op_effecst; }, requires { Probe::op_effectts; },
      requires { Probe::op_effectss; }, requires { Probe::ide_of; }, requires { Probe::isde_of; },
      requires { Probe::sde_of; }, requires { Probe::sdie_of; }, requires { Probe::sie_of; },
      requires { Probe::sied_of; }, requires { Probe::sid_of; }, requires { Probe::sideof; },
      requires { Probe::side_f; }, requires { Probe::side_fo; }, requires { Probe::side_o; },
      requires { Probe::alls_into; }, requires { Probe::aclls_into; }, requires { Probe::clls_into; },
      requires { Probe::clals_into; }, requires { Probe::cals_into; }, requires { Probe::callls_into; },
      requires { Probe::calsl_into; }, requires { Probe::callss_into; }, requires { Probe::callsinto; },
      requires { Probe::calls_nto; }, requires { Probe::calls_nito; }, requires { Probe::calls_ito; },
      requires { Probe::calls_itno; }, requires { Probe::calls_innto; }, requires { Probe::calls_ino; },
      requires { Probe::calls_inot; }, requires { Probe::calls_intto; }, requires { Probe::calls_int; },
      requires { Probe::arly_ops; }, requires { Probe::aerly_ops; }, requires { Probe::erly_ops; },
      requires { Probe::eraly_ops; }, requires { Probe::ealy_ops; }, requires { Probe::ealry_ops; },
      requires { Probe::earrly_ops; }, requires { Probe::eary_ops; }, requires { Probe::earyl_ops; },
      requires { Probe::earlly_ops; }, requires { Probe::earl_ops; }, requires { Probe::earlyops; },
      requires { Probe::early_ps; }, requires { Probe::early_pos; }, requires { Probe::early_os; },
      requires { Probe::early_osp; }, requires { Probe::early_opss; },
      false};
    return first_false(free, from);
  }
  template <class T>
  static constexpr size_t found_word() {
    const bool free[] = {
      !requires { requires member_of<T, typename T::legal_ops>; } && !requires { requires is_static<decltype(&T::legal_ops)>; },
      !requires { requires member_of<T, typename T::allowed_ops>; } && !requires { requires is_static<decltype(&T::allowed_ops)>; },
      !requires { requires member_of<T, typename T::op_effect>; } && !requires { requires is_static<decltype(&T::op_effect)>; },
      !requires { requires member_of<T, typename T::effects>; } && !requires { requires is_static<decltype(&T::effects)>; },
      !requires { requires member_of<T, typename T::effect>; } && !requires { requires is_static<decltype(&T::effect)>; },
      !requires { requires member_of<T, typename T::side>; } && !requires { requires is_static<decltype(&T::side)>; },
      !requires { requires member_of<T, typename T::side_phase_of>; } && !requires { requires is_static<decltype(&T::side_phase_of)>; },
      !requires { requires member_of<T, typename T::call_into>; } && !requires { requires is_static<decltype(&T::call_into)>; },
      !requires { requires member_of<T, typename T::calls>; } && !requires { requires is_static<decltype(&T::calls)>; },
      !requires { requires member_of<T, typename T::early_op>; } && !requires { requires is_static<decltype(&T::early_op)>; },
      !requires { requires member_of<T, typename T::begin_with>; } && !requires { requires is_static<decltype(&T::begin_with)>; },
      !requires { requires member_of<T, typename T::begins>; } && !requires { requires is_static<decltype(&T::begins)>; },
      !requires { requires member_of<T, typename T::starts_with>; } && !requires { requires is_static<decltype(&T::starts_with)>; },
      !requires { requires member_of<T, typename T::start_with>; } && !requires { requires is_static<decltype(&T::start_with)>; },
      !requires { requires member_of<T, typename T::begins_wtih>; } && !requires { requires is_static<decltype(&T::begins_wtih)>; },
      !requires { requires member_of<T, typename T::bgeins_with>; } && !requires { requires is_static<decltype(&T::bgeins_with)>; },
      !requires { requires member_of<T, typename T::is_open>; } && !requires { &T::is_open; },
      !requires { requires member_of<T, typename T::opened>; } && !requires { &T::opened; },
      !requires { requires member_of<T, typename T::verifies>; } && !requires { &T::verifies; },
      !requires { requires member_of<T, typename T::check>; } && !requires { &T::check; },
      !requires { requires member_of<T, typename T::verifier>; } && !requires { &T::verifier; },
      false};
    return first_false(free, 0);
  }
  static constexpr size_t words = 21, count = 83;
  static constexpr const char* meanings =
      "op_list:legal_ops,allowed_ops;op_effects:op_effect,effects,effect;side_of:side,side_phase_of;calls_into:"
      "call_into,calls;early_ops:early_op;begins_with:begin_with,begins,starts_with,start_with,begins_wtih,"
      "bgeins_with;open:is_open,opened;verify:verifies,check,verifier;op_effects:p_effects,po_effects,o_effects,"
      "opeffects,op_ffects,op_fefects,op_efects,op_efefcts,op_effcts,op_effcets,op_effets,op_effetcs,op_effecs,"
      "op_effecst,op_effectts,op_effectss;side_of:ide_of,isde_of,sde_of,sdie_of,sie_of,sied_of,sid_of,sideof,"
      "side_f,side_fo,side_o;calls_into:alls_into,aclls_into,clls_into,clals_into,cals_into,callls_into,"
      "calsl_into,callss_into,callsinto,calls_nto,calls_nito,calls_ito,calls_itno,calls_innto,calls_ino,"
      "calls_inot,calls_intto,calls_int;early_ops:arly_ops,aerly_ops,erly_ops,eraly_ops,ealy_ops,ealry_ops,"
      "earrly_ops,eary_ops,earyl_ops,earlly_ops,earl_ops,earlyops,early_ps,early_pos,early_os,early_osp,"
      "early_opss;";
};

struct fact_names {
  enum : unsigned short {
      depends_on, absent_op, absentops, absent, no_ops, abesnt_ops, absnt_ops, without_ops, illegal_ops
  };
};
struct fact {
  using names = fact_names;
  template <class Probe>
  using free = detail::types<
      decltype(Probe::depends_on), decltype(Probe::absent_op), decltype(Probe::absentops), decltype(Probe::absent),
      decltype(Probe::no_ops), decltype(Probe::abesnt_ops), decltype(Probe::absnt_ops), decltype(Probe::without_ops),
      decltype(Probe::illegal_ops)>;
  template <class Probe>
  static constexpr size_t found(size_t from) {
    const bool free[] = {
      requires { Probe::depends_on; }, requires { Probe::absent_op; }, requires { Probe::absentops; },
      requires { Probe::absent; }, requires { Probe::no_ops; }, requires { Probe::abesnt_ops; },
      requires { Probe::absnt_ops; }, requires { Probe::without_ops; }, requires { Probe::illegal_ops; },
      false};
    return first_false(free, from);
  }
  template <class T>
  static constexpr size_t found_word() {
    const bool free[] = {
      !requires { requires member_of<T, typename T::depends_on>; } && !requires { requires is_static<decltype(&T::depends_on)>; },
      !requires { requires member_of<T, typename T::absent_op>; } && !requires { requires is_static<decltype(&T::absent_op)>; },
      !requires { requires member_of<T, typename T::absentops>; } && !requires { requires is_static<decltype(&T::absentops)>; },
      !requires { requires member_of<T, typename T::absent>; } && !requires { requires is_static<decltype(&T::absent)>; },
      !requires { requires member_of<T, typename T::no_ops>; } && !requires { requires is_static<decltype(&T::no_ops)>; },
      !requires { requires member_of<T, typename T::abesnt_ops>; } && !requires { requires is_static<decltype(&T::abesnt_ops)>; },
      !requires { requires member_of<T, typename T::absnt_ops>; } && !requires { requires is_static<decltype(&T::absnt_ops)>; },
      !requires { requires member_of<T, typename T::without_ops>; } && !requires { requires is_static<decltype(&T::without_ops)>; },
      !requires { requires member_of<T, typename T::illegal_ops>; } && !requires { requires is_static<decltype(&T::illegal_ops)>; },
      false};
    return first_false(free, 0);
  }
  static constexpr size_t words = 9, count = 9;
  static constexpr const char* meanings =
      "rests_on:depends_on;absent_ops:absent_op,absentops,absent,no_ops,abesnt_ops,absnt_ops,without_ops,"
      "illegal_ops;";
};

struct proof_names {
  enum : unsigned short {
      checks, checker, check_, chek, chcek, verify, verifies, verifier
  };
};
struct proof {
  using names = proof_names;
  template <class Probe>
  using free = detail::types<
      decltype(Probe::checks), decltype(Probe::checker), decltype(Probe::check_), decltype(Probe::chek),
      decltype(Probe::chcek), decltype(Probe::verify), decltype(Probe::verifies), decltype(Probe::verifier)>;
  template <class Probe>
  static constexpr size_t found(size_t from) {
    const bool free[] = {
      requires { Probe::checks; }, requires { Probe::checker; }, requires { Probe::check_; },
      requires { Probe::chek; }, requires { Probe::chcek; }, requires { Probe::verify; },
      requires { Probe::verifies; }, requires { Probe::verifier; },
      false};
    return first_false(free, from);
  }
  template <class T>
  static constexpr size_t found_word() {
    const bool free[] = {
      !requires { requires member_of<T, typename T::checks>; } && !requires { &T::checks; },
      !requires { requires member_of<T, typename T::checker>; } && !requires { &T::checker; },
      !requires { requires member_of<T, typename T::check_>; } && !requires { &T::check_; },
      !requires { requires member_of<T, typename T::chek>; } && !requires { &T::chek; },
      !requires { requires member_of<T, typename T::chcek>; } && !requires { &T::chcek; },
      !requires { requires member_of<T, typename T::verify>; } && !requires { &T::verify; },
      !requires { requires member_of<T, typename T::verifies>; } && !requires { &T::verifies; },
      !requires { requires member_of<T, typename T::verifier>; } && !requires { &T::verifier; },
      false};
    return first_false(free, 0);
  }
  static constexpr size_t words = 8, count = 8;
  static constexpr const char* meanings =
      "check:checks,checker,check_,chek,chcek,verify,verifies,verifier;";
};

struct op_names {
  enum : unsigned short {
      region_allow, region_forbid, effect, op_effects, efects, effcts, side_effects, trait, trais, traist
  };
};
struct op {
  using names = op_names;
  template <class Probe>
  using free = detail::types<
      decltype(Probe::region_allow), decltype(Probe::region_forbid), decltype(Probe::effect),
      decltype(Probe::op_effects), decltype(Probe::efects), decltype(Probe::effcts), decltype(Probe::side_effects),
      decltype(Probe::trait), decltype(Probe::trais), decltype(Probe::traist)>;
  template <class Probe>
  static constexpr size_t found(size_t from) {
    const bool free[] = {
      requires { Probe::region_allow; }, requires { Probe::region_forbid; }, requires { Probe::effect; },
      requires { Probe::op_effects; }, requires { Probe::efects; }, requires { Probe::effcts; },
      requires { Probe::side_effects; }, requires { Probe::trait; }, requires { Probe::trais; },
      requires { Probe::traist; },
      false};
    return first_false(free, from);
  }
  template <class T>
  static constexpr size_t found_word() {
    const bool free[] = {
      !requires { requires member_of<T, typename T::region_allow>; } && !requires { requires is_static<decltype(&T::region_allow)>; },
      !requires { requires member_of<T, typename T::region_forbid>; } && !requires { requires is_static<decltype(&T::region_forbid)>; },
      !requires { requires member_of<T, typename T::effect>; } && !requires { requires is_static<decltype(&T::effect)>; },
      !requires { requires member_of<T, typename T::op_effects>; } && !requires { requires is_static<decltype(&T::op_effects)>; },
      !requires { requires member_of<T, typename T::efects>; } && !requires { requires is_static<decltype(&T::efects)>; },
      !requires { requires member_of<T, typename T::effcts>; } && !requires { requires is_static<decltype(&T::effcts)>; },
      !requires { requires member_of<T, typename T::side_effects>; } && !requires { requires is_static<decltype(&T::side_effects)>; },
      !requires { requires member_of<T, typename T::trait>; } && !requires { &T::trait; },
      !requires { requires member_of<T, typename T::trais>; } && !requires { &T::trais; },
      !requires { requires member_of<T, typename T::traist>; } && !requires { &T::traist; },
      false};
    return first_false(free, 0);
  }
  static constexpr size_t words = 10, count = 10;
  static constexpr const char* meanings =
      "region_allows:region_allow;region_forbids:region_forbid;effects:effect,op_effects,efects,effcts,"
      "side_effects;traits:trait,trais,traist;";
};

}  // namespace tenon::near
// clang-format on
