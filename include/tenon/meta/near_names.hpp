/// @file near_names: members that nobody reads, and whose names are nearly those of members that mean something.
/// Long because it is made by cmake/near_names.awk from the words of cmake/near_names.txt.
#pragma once

#include <tenon/meta/near.hpp>

// clang-format off
namespace tenon::near {

struct pass_names {
  enum : unsigned short {
    need, neds, nedes, nees, require, requires_, required, preconditions, depends_on, dependencies, invariants,
    requires_facts, required_facts, needs_facts, required_passes, requires_passes, prerequisites, required_properties,
    get_required_properties, assumes, expects, required_analyses, begins_with, requirements, prereqs, needed,
    assumptions, runsin, run_in, runs_on, run_on, in_phase, give, provides, ensures, establishes, produces,
    postconditions, provides_facts, guarantees, postcondition, set_properties, get_set_properties, guarantee, establish,
    keep, preserves, preserved, preserve, PreservedAnalyses, preserves_facts, preserves_analyses, preserved_analyses,
    retains, preserves_all, preserves_cfg, preserve_facts, preserved_facts, kept, break_, invalidates, clobbers,
    destroys, invalidated, kills, clobbered, cleared_properties, get_cleared_properties, invalidate, breaks_facts,
    invalidates_facts, emit, emmits, generates, introduces, legal_ops, dependent_dialects, creates, produced_ops,
    inserts, produces_ops, legal_dialects, emitted, output_ops, adds_ops, inserted_ops, new_ops, eliminate, removes,
    lowers, legalizes, illegal_ops, removed_ops, erases, removes_ops, consumes, illegal_dialects, eliminated, lowered,
    deleted_ops, elimination, illegal, handle, delete_, may_delete, side_effects, merge, merging, dedups, combines,
    may_merge, move, hoists, sinks, reorders, hoist, may_move, leave, keep_inside, stays_inside, leaves_inside,
    keeps_in_region, stays_in_region, region_keeps, duplicate, dupicates, duplicats, duplciates, clones, copies,
    recompute, recomptes, rcomputes, rematerializes, reruns, options, option, Options, pass_options, work_on, works,
    matches, anchors, anchor_ops, root_ops, input_ops, rewrites, converts, emit_outside, enclose, enclosed, change,
    mutates, modifies, alters, modifies_ops, mutates_ops, modified, touches, look_through, looks_thru, sees_through,
    follows_aliases, alias_ops, known_aliases, not_in_between, between, never_after, not_afer, not_afetr, notafter,
    before, runs_before, must_run_before, must_precede, run_before, comes_before, prior_to, earlier_than, never_before,
    not_befor, notbefore, not_beofre, after, runs_after, must_run_after, must_follow, run_after, comes_after,
    later_than, directly_after, follows, runs_immediately_after, right_after, make_functions_in, add_functions,
    add_function, adds_function, makes_functions, make_functions, creates_functions, clones_functions, creates_function,
    outlines_functions, remove_functions, remove_function, removes_function, deletes_functions, erases_functions,
    drops_functions, deletes_function, erases_function, change_functions, changes_function, changes_signatures,
    need_of_device, needs_device, requires_of_device, device_needs, needs_of_devices, needs_capabilities,
    required_capabilities, needs_of_runtimes, needs_ofruntime, need_of_runtime, needs_runtime, requires_of_runtime,
    runtime_needs, needs_of_target, only_once, run_once, runs_once, run_at_most_once, single_run, once, may_find_none,
    may_be_empty, can_find_nothing, may_not_match, getAnalysisUsage, getDependentDialects, runOnOperation,
    runOnFunction, runOnModule, runOnMachineFunction, run_on_module, transform_module, dependsOn, requiresFacts,
    requiredFacts, needsFacts, requiredPasses, requiresPasses, requiredProperties, getRequiredProperties,
    requiredAnalyses, beginsWith, runsIn, runIn, runsOn, runOn, inPhase, providesFacts, setProperties, getSetProperties,
    preservesFacts, preservesAnalyses, preservedAnalyses, preservesAll, preservesCfg, preserveFacts, preservedFacts,
    clearedProperties, getClearedProperties, breaksFacts, invalidatesFacts, legalOps, dependentDialects, producedOps,
    producesOps, legalDialects, outputOps, addsOps, insertedOps, newOps, illegalOps, removedOps, removesOps,
    illegalDialects, deletedOps, mayDelete, sideEffects, mayMerge, mayMove, keepsInside, keepInside, staysInside,
    leavesInside, keepsInRegion, staysInRegion, regionKeeps, worksOn, workOn, anchorOps, rootOps, inputOps,
    emitsOutside, emitOutside, modifiesOps, mutatesOps, looksThrough, lookThrough, looksThru, seesThrough,
    followsAliases, aliasOps, knownAliases, notBetween, notInBetween, notAfter, neverAfter, notAfer, notAfetr,
    runsBefore, mustRunBefore, mustPrecede, runBefore, comesBefore, priorTo, earlierThan, notBefore, neverBefore,
    notBefor, notBeofre, runsAfter, mustRunAfter, mustFollow, runAfter, comesAfter, laterThan, immediatelyAfter,
    directlyAfter, runsImmediatelyAfter, rightAfter, makesFunctionsIn, makeFunctionsIn, addsFunctions, addFunctions,
    addFunction, addsFunction, makesFunctions, makeFunctions, createsFunctions, clonesFunctions, createsFunction,
    outlinesFunctions, removesFunctions, removeFunctions, removeFunction, removesFunction, deletesFunctions,
    erasesFunctions, dropsFunctions, deletesFunction, erasesFunction, changesFunctions, changeFunctions,
    changesFunction, changesSignatures, needsOfDevice, needOfDevice, needsDevice, requiresOfDevice, deviceNeeds,
    needsOfDevices, needsCapabilities, requiredCapabilities, needsOfRuntime, needsOfRuntimes, needsOfruntime,
    needOfRuntime, needsRuntime, requiresOfRuntime, runtimeNeeds, needsOfTarget, atMostOnce, onlyOnce, runOnce,
    runsOnce, runAtMostOnce, singleRun, mayFindNothing, mayFindNone, mayBeEmpty, canFindNothing, mayNotMatch,
    transformModule, ives, igves, gves, gvies, gies, gievs, givs, givse, givess, eeps, ekeps, keps, kepes, kees, keesp,
    keepss, reaks, rbeaks, beaks, beraks, brreaks, braks, braeks, breks, brekas, breas, breask, breakss, mits, meits,
    eits, eimts, emts, emtis, emis, emist, emitts, emitss, liminates, leiminates, eiminates, eilminates, elliminates,
    elminates, elmiinates, eliinates, eliimnates, elimminates, elimnates, elimniates, elimiates, elimiantes,
    eliminnates, elimintes, elimintaes, eliminaes, eliminaets, eliminattes, eliminats, eliminatse, eliminatess, andles,
    ahndles, hndles, hnadles, hadles, hadnles, hanndles, hanles, hanldes, handes, handels, handlles, handls, handlse,
    handless, eletes, edletes, dletes, dleetes, deetes, deeltes, delletes, deltes, deltees, delees, deleets, delettes,
    delets, deletse, deletess, erges, emrges, mrges, mreges, meges, megres, merrges, meres, meregs, mergs, mergse,
    mergess, oves, omves, mves, mvoes, moes, moevs, movs, movse, movess, eaves, elaves, laves, laeves, leves, levaes,
    leaes, leaevs, leavs, leavse, leavess, eeps_inside, ekeps_inside, kkeeps_inside, jeeps_inside, leeps_inside,
    keps_inside, keeeps_inside, kweps_inside, kreps_inside, kepes_inside, kewps_inside, kerps_inside, kees_inside,
    keesp_inside, keepps_inside, keeos_inside, keepss_inside, keepa_inside, keepd_inside, keepsinside, keeps__inside,
    keeps_nside, keeps_niside, keeps_iinside, keeps_unside, keeps_onside, keeps_iside, keeps_isnide, keeps_innside,
    keeps_ibside, keeps_imside, keeps_inide, keeps_inisde, keeps_insside, keeps_inaide, keeps_indide, keeps_insde,
    keeps_insdie, keeps_insiide, keeps_insude, keeps_insode, keeps_insie, keeps_insied, keeps_insidde, keeps_insise,
    keeps_insife, keeps_insid, keeps_insidee, keeps_insidw, keeps_insidr, orks_on, owrks_on, wrks_on, wroks_on, woks_on,
    wokrs_on, worrks_on, wors_on, worsk_on, workss_on, workson, works_n, works_no, works_o, works_onn, mits_outside,
    meits_outside, eemits_outside, wmits_outside, rmits_outside, eits_outside, eimts_outside, emmits_outside,
    enits_outside, emts_outside, emtis_outside, emiits_outside, emuts_outside, emots_outside, emis_outside,
    emist_outside, emitts_outside, emirs_outside, emiys_outside, emitss_outside, emita_outside, emitd_outside,
    emitsoutside, emits__outside, emits_utside, emits_uotside, emits_ooutside, emits_iutside, emits_putside,
    emits_otside, emits_otuside, emits_ouutside, emits_oytside, emits_oitside, emits_ouside, emits_oustide,
    emits_outtside, emits_ourside, emits_ouyside, emits_outide, emits_outisde, emits_outsside, emits_outaide,
    emits_outdide, emits_outsde, emits_outsdie, emits_outsiide, emits_outsude, emits_outsode, emits_outsie,
    emits_outsied, emits_outsidde, emits_outsise, emits_outsife, emits_outsid, emits_outsidee, emits_outsidw,
    emits_outsidr, ncloses, necloses, eencloses, wncloses, rncloses, ecloses, ecnloses, enncloses, ebcloses, emcloses,
    enloses, enlcoses, enccloses, enxloses, envloses, encoses, encolses, enclloses, enckoses, enclses, enclsoes,
    enclooses, enclises, enclpses, encloes, encloess, enclosses, encloaes, enclodes, encloss, enclosse, enclosees,
    enclosws, enclosrs, enclosess, enclosea, hanges, hcanges, cchanges, xhanges, vhanges, canges, cahnges, chhanges,
    cganges, cjanges, chnges, chnages, chaanges, chsnges, chages, chagnes, channges, chabges, chamges, chanes, chanegs,
    changges, chanfes, chanhes, changs, changse, changees, changws, changrs, changess, changea, changed, ooks_through,
    oloks_through, llooks_through, kooks_through, loks_through, loooks_through, lioks_through, lpoks_through,
    lokos_through, loiks_through, lopks_through, loos_through, loosk_through, lookks_through, loojs_through,
    lools_through, lookss_through, looka_through, lookd_through, looksthrough, looks__through, looks_hrough,
    looks_htrough, looks_tthrough, looks_rhrough, looks_yhrough, looks_trough, looks_trhough, looks_thhrough,
    looks_tgrough, looks_tjrough, looks_though, looks_thorugh, looks_thrrough, looks_theough, looks_thtough,
    looks_thrugh, looks_thruogh, looks_throough, looks_thriugh, looks_thrpugh, looks_throgh, looks_throguh,
    looks_throuugh, looks_throygh, looks_throigh, looks_throuh, looks_throuhg, looks_througgh, looks_throufh,
    looks_throuhh, looks_throug, looks_throughh, looks_througg, looks_througj, ot_between, ont_between, nt_between,
    nto_between, no_between, nott_between, notbetween, not_etween, not_ebtween, not_btween, not_bteween, not_beween,
    not_bewteen, not_bettween, not_beteen, not_betewen, not_betwen, not_betwene, not_betwee, not_betweenn,
    mmediately_after, mimediately_after, imediately_after, imemdiately_after, immdiately_after, immdeiately_after,
    immeiately_after, immeidately_after, immedately_after, immedaitely_after, immeditely_after, immeditaely_after,
    immediaely_after, immediaetly_after, immediatly_after, immediatley_after, immediatey_after, immediateyl_after,
    immediatel_after, immediatelyafter, immediately_fter, immediately_fater, immediately_ater, immediately_atfer,
    immediately_afer, immediately_afetr, immediately_aftr, immediately_aftre, immediately_afte, akes_functions_in,
    amkes_functions_in, mkes_functions_in, mkaes_functions_in, maes_functions_in, maeks_functions_in, maks_functions_in,
    makse_functions_in, makesfunctions_in, makes_unctions_in, makes_ufnctions_in, makes_fnctions_in, makes_fnuctions_in,
    makes_fuctions_in, makes_fucntions_in, makes_funtions_in, makes_funtcions_in, makes_funcions_in, makes_funcitons_in,
    makes_functons_in, makes_functoins_in, makes_functins_in, makes_functinos_in, makes_functios_in, makes_functiosn_in,
    makes_function_in, makes_functionsin, makes_functions_n, makes_functions_ni, makes_functions_i, eeds_of_device,
    eneds_of_device, neds_of_device, nedes_of_device, nees_of_device, neesd_of_device, needsof_device, needs_f_device,
    needs_fo_device, needs_o_device, needs_ofdevice, needs_of_evice, needs_of_edvice, needs_of_dvice, needs_of_dveice,
    needs_of_deice, needs_of_deivce, needs_of_devce, needs_of_devcie, needs_of_devie, needs_of_deviec, needs_of_devic,
    ersion, evrsion, vrsion, vresion, vesion, vesrion, verrsion, verion, verison, verssion, verson, versoin, versin,
    versino, versio, versionn, t_most_once, ta_most_once, a_most_once, att_most_once, atmost_once, at_ost_once,
    at_omst_once, at_mmost_once, at_mst_once, at_msot_once, at_mot_once, at_mots_once, at_mosst_once, at_mos_once,
    at_mostt_once, at_mostonce, at_most_nce, at_most_noce, at_most_oce, at_most_ocne, at_most_onnce, at_most_one,
    at_most_onec, at_most_onc, ay_find_nothing, amy_find_nothing, my_find_nothing, mya_find_nothing, ma_find_nothing,
    mayfind_nothing, may_ind_nothing, may_ifnd_nothing, may_fnd_nothing, may_fnid_nothing, may_fid_nothing,
    may_fidn_nothing, may_fin_nothing, may_findnothing, may_find_othing, may_find_onthing, may_find_nthing,
    may_find_ntohing, may_find_nohing, may_find_nohting, may_find_noting, may_find_notihng, may_find_nothng,
    may_find_nothnig, may_find_nothig, may_find_nothign, may_find_nothin,
  };
};
struct pass {
  using names = pass_names;
  template <class Probe>
  static constexpr bool free = requires {
    Probe::need; Probe::neds; Probe::nedes; Probe::nees; Probe::require; Probe::requires_; Probe::required;
    Probe::preconditions; Probe::depends_on; Probe::dependencies; Probe::invariants; Probe::requires_facts;
    Probe::required_facts; Probe::needs_facts; Probe::required_passes; Probe::requires_passes; Probe::prerequisites;
    Probe::required_properties; Probe::get_required_properties; Probe::assumes; Probe::expects;
    Probe::required_analyses; Probe::begins_with; Probe::requirements; Probe::prereqs; Probe::needed;
    Probe::assumptions; Probe::runsin; Probe::run_in; Probe::runs_on; Probe::run_on; Probe::in_phase; Probe::give;
    Probe::provides; Probe::ensures; Probe::establishes; Probe::produces; Probe::postconditions; Probe::provides_facts;
    Probe::guarantees; Probe::postcondition; Probe::set_properties; Probe::get_set_properties; Probe::guarantee;
    Probe::establish; Probe::keep; Probe::preserves; Probe::preserved; Probe::preserve; Probe::PreservedAnalyses;
    Probe::preserves_facts; Probe::preserves_analyses; Probe::preserved_analyses; Probe::retains; Probe::preserves_all;
    Probe::preserves_cfg; Probe::preserve_facts; Probe::preserved_facts; Probe::kept; Probe::break_; Probe::invalidates;
    Probe::clobbers; Probe::destroys; Probe::invalidated; Probe::kills; Probe::clobbered; Probe::cleared_properties;
    Probe::get_cleared_properties; Probe::invalidate; Probe::breaks_facts; Probe::invalidates_facts; Probe::emit;
    Probe::emmits; Probe::generates; Probe::introduces; Probe::legal_ops; Probe::dependent_dialects; Probe::creates;
    Probe::produced_ops; Probe::inserts; Probe::produces_ops; Probe::legal_dialects; Probe::emitted; Probe::output_ops;
    Probe::adds_ops; Probe::inserted_ops; Probe::new_ops; Probe::eliminate; Probe::removes; Probe::lowers;
    Probe::legalizes; Probe::illegal_ops; Probe::removed_ops; Probe::erases; Probe::removes_ops; Probe::consumes;
    Probe::illegal_dialects; Probe::eliminated; Probe::lowered; Probe::deleted_ops; Probe::elimination; Probe::illegal;
    Probe::handle; Probe::delete_; Probe::may_delete; Probe::side_effects; Probe::merge; Probe::merging; Probe::dedups;
    Probe::combines; Probe::may_merge; Probe::move; Probe::hoists; Probe::sinks; Probe::reorders; Probe::hoist;
    Probe::may_move; Probe::leave; Probe::keep_inside; Probe::stays_inside; Probe::leaves_inside;
    Probe::keeps_in_region; Probe::stays_in_region; Probe::region_keeps; Probe::duplicate; Probe::dupicates;
    Probe::duplicats; Probe::duplciates; Probe::clones; Probe::copies; Probe::recompute; Probe::recomptes;
    Probe::rcomputes; Probe::rematerializes; Probe::reruns; Probe::options; Probe::option; Probe::Options;
    Probe::pass_options; Probe::work_on; Probe::works; Probe::matches; Probe::anchors; Probe::anchor_ops;
    Probe::root_ops; Probe::input_ops; Probe::rewrites; Probe::converts; Probe::emit_outside; Probe::enclose;
    Probe::enclosed; Probe::change; Probe::mutates; Probe::modifies; Probe::alters; Probe::modifies_ops;
    Probe::mutates_ops; Probe::modified; Probe::touches; Probe::look_through; Probe::looks_thru; Probe::sees_through;
    Probe::follows_aliases; Probe::alias_ops; Probe::known_aliases; Probe::not_in_between; Probe::between;
    Probe::never_after; Probe::not_afer; Probe::not_afetr; Probe::notafter; Probe::before; Probe::runs_before;
    Probe::must_run_before; Probe::must_precede; Probe::run_before; Probe::comes_before; Probe::prior_to;
    Probe::earlier_than; Probe::never_before; Probe::not_befor; Probe::notbefore; Probe::not_beofre; Probe::after;
    Probe::runs_after; Probe::must_run_after; Probe::must_follow; Probe::run_after; Probe::comes_after;
    Probe::later_than; Probe::directly_after; Probe::follows; Probe::runs_immediately_after; Probe::right_after;
    Probe::make_functions_in; Probe::add_functions; Probe::add_function; Probe::adds_function; Probe::makes_functions;
    Probe::make_functions; Probe::creates_functions; Probe::clones_functions; Probe::creates_function;
    Probe::outlines_functions; Probe::remove_functions; Probe::remove_function; Probe::removes_function;
    Probe::deletes_functions; Probe::erases_functions; Probe::drops_functions; Probe::deletes_function;
    Probe::erases_function; Probe::change_functions; Probe::changes_function; Probe::changes_signatures;
    Probe::need_of_device; Probe::needs_device; Probe::requires_of_device; Probe::device_needs; Probe::needs_of_devices;
    Probe::needs_capabilities; Probe::required_capabilities; Probe::needs_of_runtimes; Probe::needs_ofruntime;
    Probe::need_of_runtime; Probe::needs_runtime; Probe::requires_of_runtime; Probe::runtime_needs;
    Probe::needs_of_target; Probe::only_once; Probe::run_once; Probe::runs_once; Probe::run_at_most_once;
    Probe::single_run; Probe::once; Probe::may_find_none; Probe::may_be_empty; Probe::can_find_nothing;
    Probe::may_not_match; Probe::getAnalysisUsage; Probe::getDependentDialects; Probe::runOnOperation;
    Probe::runOnFunction; Probe::runOnModule; Probe::runOnMachineFunction; Probe::run_on_module;
    Probe::transform_module; Probe::dependsOn; Probe::requiresFacts; Probe::requiredFacts; Probe::needsFacts;
    Probe::requiredPasses; Probe::requiresPasses; Probe::requiredProperties; Probe::getRequiredProperties;
    Probe::requiredAnalyses; Probe::beginsWith; Probe::runsIn; Probe::runIn; Probe::runsOn; Probe::runOn;
    Probe::inPhase; Probe::providesFacts; Probe::setProperties; Probe::getSetProperties; Probe::preservesFacts;
    Probe::preservesAnalyses; Probe::preservedAnalyses; Probe::preservesAll; Probe::preservesCfg; Probe::preserveFacts;
    Probe::preservedFacts; Probe::clearedProperties; Probe::getClearedProperties; Probe::breaksFacts;
    Probe::invalidatesFacts; Probe::legalOps; Probe::dependentDialects; Probe::producedOps; Probe::producesOps;
    Probe::legalDialects; Probe::outputOps; Probe::addsOps; Probe::insertedOps; Probe::newOps; Probe::illegalOps;
    Probe::removedOps; Probe::removesOps; Probe::illegalDialects; Probe::deletedOps; Probe::mayDelete;
    Probe::sideEffects; Probe::mayMerge; Probe::mayMove; Probe::keepsInside; Probe::keepInside; Probe::staysInside;
    Probe::leavesInside; Probe::keepsInRegion; Probe::staysInRegion; Probe::regionKeeps; Probe::worksOn; Probe::workOn;
    Probe::anchorOps; Probe::rootOps; Probe::inputOps; Probe::emitsOutside; Probe::emitOutside; Probe::modifiesOps;
    Probe::mutatesOps; Probe::looksThrough; Probe::lookThrough; Probe::looksThru; Probe::seesThrough;
    Probe::followsAliases; Probe::aliasOps; Probe::knownAliases; Probe::notBetween; Probe::notInBetween;
    Probe::notAfter; Probe::neverAfter; Probe::notAfer; Probe::notAfetr; Probe::runsBefore; Probe::mustRunBefore;
    Probe::mustPrecede; Probe::runBefore; Probe::comesBefore; Probe::priorTo; Probe::earlierThan; Probe::notBefore;
    Probe::neverBefore; Probe::notBefor; Probe::notBeofre; Probe::runsAfter; Probe::mustRunAfter; Probe::mustFollow;
    Probe::runAfter; Probe::comesAfter; Probe::laterThan; Probe::immediatelyAfter; Probe::directlyAfter;
    Probe::runsImmediatelyAfter; Probe::rightAfter; Probe::makesFunctionsIn; Probe::makeFunctionsIn;
    Probe::addsFunctions; Probe::addFunctions; Probe::addFunction; Probe::addsFunction; Probe::makesFunctions;
    Probe::makeFunctions; Probe::createsFunctions; Probe::clonesFunctions; Probe::createsFunction;
    Probe::outlinesFunctions; Probe::removesFunctions; Probe::removeFunctions; Probe::removeFunction;
    Probe::removesFunction; Probe::deletesFunctions; Probe::erasesFunctions; Probe::dropsFunctions;
    Probe::deletesFunction; Probe::erasesFunction; Probe::changesFunctions; Probe::changeFunctions;
    Probe::changesFunction; Probe::changesSignatures; Probe::needsOfDevice; Probe::needOfDevice; Probe::needsDevice;
    Probe::requiresOfDevice; Probe::deviceNeeds; Probe::needsOfDevices; Probe::needsCapabilities;
    Probe::requiredCapabilities; Probe::needsOfRuntime; Probe::needsOfRuntimes; Probe::needsOfruntime;
    Probe::needOfRuntime; Probe::needsRuntime; Probe::requiresOfRuntime; Probe::runtimeNeeds; Probe::needsOfTarget;
    Probe::atMostOnce; Probe::onlyOnce; Probe::runOnce; Probe::runsOnce; Probe::runAtMostOnce; Probe::singleRun;
    Probe::mayFindNothing; Probe::mayFindNone; Probe::mayBeEmpty; Probe::canFindNothing; Probe::mayNotMatch;
    Probe::transformModule; Probe::ives; Probe::igves; Probe::gves; Probe::gvies; Probe::gies; Probe::gievs;
    Probe::givs; Probe::givse; Probe::givess; Probe::eeps; Probe::ekeps; Probe::keps; Probe::kepes; Probe::kees;
    Probe::keesp; Probe::keepss; Probe::reaks; Probe::rbeaks; Probe::beaks; Probe::beraks; Probe::brreaks; Probe::braks;
    Probe::braeks; Probe::breks; Probe::brekas; Probe::breas; Probe::breask; Probe::breakss; Probe::mits; Probe::meits;
    Probe::eits; Probe::eimts; Probe::emts; Probe::emtis; Probe::emis; Probe::emist; Probe::emitts; Probe::emitss;
    Probe::liminates; Probe::leiminates; Probe::eiminates; Probe::eilminates; Probe::elliminates; Probe::elminates;
    Probe::elmiinates; Probe::eliinates; Probe::eliimnates; Probe::elimminates; Probe::elimnates; Probe::elimniates;
    Probe::elimiates; Probe::elimiantes; Probe::eliminnates; Probe::elimintes; Probe::elimintaes; Probe::eliminaes;
    Probe::eliminaets; Probe::eliminattes; Probe::eliminats; Probe::eliminatse; Probe::eliminatess; Probe::andles;
    Probe::ahndles; Probe::hndles; Probe::hnadles; Probe::hadles; Probe::hadnles; Probe::hanndles; Probe::hanles;
    Probe::hanldes; Probe::handes; Probe::handels; Probe::handlles; Probe::handls; Probe::handlse; Probe::handless;
    Probe::eletes; Probe::edletes; Probe::dletes; Probe::dleetes; Probe::deetes; Probe::deeltes; Probe::delletes;
    Probe::deltes; Probe::deltees; Probe::delees; Probe::deleets; Probe::delettes; Probe::delets; Probe::deletse;
    Probe::deletess; Probe::erges; Probe::emrges; Probe::mrges; Probe::mreges; Probe::meges; Probe::megres;
    Probe::merrges; Probe::meres; Probe::meregs; Probe::mergs; Probe::mergse; Probe::mergess; Probe::oves; Probe::omves;
    Probe::mves; Probe::mvoes; Probe::moes; Probe::moevs; Probe::movs; Probe::movse; Probe::movess; Probe::eaves;
    Probe::elaves; Probe::laves; Probe::laeves; Probe::leves; Probe::levaes; Probe::leaes; Probe::leaevs; Probe::leavs;
    Probe::leavse; Probe::leavess; Probe::eeps_inside; Probe::ekeps_inside; Probe::kkeeps_inside; Probe::jeeps_inside;
    Probe::leeps_inside; Probe::keps_inside; Probe::keeeps_inside; Probe::kweps_inside; Probe::kreps_inside;
    Probe::kepes_inside; Probe::kewps_inside; Probe::kerps_inside; Probe::kees_inside; Probe::keesp_inside;
    Probe::keepps_inside; Probe::keeos_inside; Probe::keepss_inside; Probe::keepa_inside; Probe::keepd_inside;
    Probe::keepsinside; Probe::keeps__inside; Probe::keeps_nside; Probe::keeps_niside; Probe::keeps_iinside;
    Probe::keeps_unside; Probe::keeps_onside; Probe::keeps_iside; Probe::keeps_isnide; Probe::keeps_innside;
    Probe::keeps_ibside; Probe::keeps_imside; Probe::keeps_inide; Probe::keeps_inisde; Probe::keeps_insside;
    Probe::keeps_inaide; Probe::keeps_indide; Probe::keeps_insde; Probe::keeps_insdie; Probe::keeps_insiide;
    Probe::keeps_insude; Probe::keeps_insode; Probe::keeps_insie; Probe::keeps_insied; Probe::keeps_insidde;
    Probe::keeps_insise; Probe::keeps_insife; Probe::keeps_insid; Probe::keeps_insidee; Probe::keeps_insidw;
    Probe::keeps_insidr; Probe::orks_on; Probe::owrks_on; Probe::wrks_on; Probe::wroks_on; Probe::woks_on;
    Probe::wokrs_on; Probe::worrks_on; Probe::wors_on; Probe::worsk_on; Probe::workss_on; Probe::workson;
    Probe::works_n; Probe::works_no; Probe::works_o; Probe::works_onn; Probe::mits_outside; Probe::meits_outside;
    Probe::eemits_outside; Probe::wmits_outside; Probe::rmits_outside; Probe::eits_outside; Probe::eimts_outside;
    Probe::emmits_outside; Probe::enits_outside; Probe::emts_outside; Probe::emtis_outside; Probe::emiits_outside;
    Probe::emuts_outside; Probe::emots_outside; Probe::emis_outside; Probe::emist_outside; Probe::emitts_outside;
    Probe::emirs_outside; Probe::emiys_outside; Probe::emitss_outside; Probe::emita_outside; Probe::emitd_outside;
    Probe::emitsoutside; Probe::emits__outside; Probe::emits_utside; Probe::emits_uotside; Probe::emits_ooutside;
    Probe::emits_iutside; Probe::emits_putside; Probe::emits_otside; Probe::emits_otuside; Probe::emits_ouutside;
    Probe::emits_oytside; Probe::emits_oitside; Probe::emits_ouside; Probe::emits_oustide; Probe::emits_outtside;
    Probe::emits_ourside; Probe::emits_ouyside; Probe::emits_outide; Probe::emits_outisde; Probe::emits_outsside;
    Probe::emits_outaide; Probe::emits_outdide; Probe::emits_outsde; Probe::emits_outsdie; Probe::emits_outsiide;
    Probe::emits_outsude; Probe::emits_outsode; Probe::emits_outsie; Probe::emits_outsied; Probe::emits_outsidde;
    Probe::emits_outsise; Probe::emits_outsife; Probe::emits_outsid; Probe::emits_outsidee; Probe::emits_outsidw;
    Probe::emits_outsidr; Probe::ncloses; Probe::necloses; Probe::eencloses; Probe::wncloses; Probe::rncloses;
    Probe::ecloses; Probe::ecnloses; Probe::enncloses; Probe::ebcloses; Probe::emcloses; Probe::enloses;
    Probe::enlcoses; Probe::enccloses; Probe::enxloses; Probe::envloses; Probe::encoses; Probe::encolses;
    Probe::enclloses; Probe::enckoses; Probe::enclses; Probe::enclsoes; Probe::enclooses; Probe::enclises;
    Probe::enclpses; Probe::encloes; Probe::encloess; Probe::enclosses; Probe::encloaes; Probe::enclodes;
    Probe::encloss; Probe::enclosse; Probe::enclosees; Probe::enclosws; Probe::enclosrs; Probe::enclosess;
    Probe::enclosea; Probe::hanges; Probe::hcanges; Probe::cchanges; Probe::xhanges; Probe::vhanges; Probe::canges;
    Probe::cahnges; Probe::chhanges; Probe::cganges; Probe::cjanges; Probe::chnges; Probe::chnages; Probe::chaanges;
    Probe::chsnges; Probe::chages; Probe::chagnes; Probe::channges; Probe::chabges; Probe::chamges; Probe::chanes;
    Probe::chanegs; Probe::changges; Probe::chanfes; Probe::chanhes; Probe::changs; Probe::changse; Probe::changees;
    Probe::changws; Probe::changrs; Probe::changess; Probe::changea; Probe::changed; Probe::ooks_through;
    Probe::oloks_through; Probe::llooks_through; Probe::kooks_through; Probe::loks_through; Probe::loooks_through;
    Probe::lioks_through; Probe::lpoks_through; Probe::lokos_through; Probe::loiks_through; Probe::lopks_through;
    Probe::loos_through; Probe::loosk_through; Probe::lookks_through; Probe::loojs_through; Probe::lools_through;
    Probe::lookss_through; Probe::looka_through; Probe::lookd_through; Probe::looksthrough; Probe::looks__through;
    Probe::looks_hrough; Probe::looks_htrough; Probe::looks_tthrough; Probe::looks_rhrough; Probe::looks_yhrough;
    Probe::looks_trough; Probe::looks_trhough; Probe::looks_thhrough; Probe::looks_tgrough; Probe::looks_tjrough;
    Probe::looks_though; Probe::looks_thorugh; Probe::looks_thrrough; Probe::looks_theough; Probe::looks_thtough;
    Probe::looks_thrugh; Probe::looks_thruogh; Probe::looks_throough; Probe::looks_thriugh; Probe::looks_thrpugh;
    Probe::looks_throgh; Probe::looks_throguh; Probe::looks_throuugh; Probe::looks_throygh; Probe::looks_throigh;
    Probe::looks_throuh; Probe::looks_throuhg; Probe::looks_througgh; Probe::looks_throufh; Probe::looks_throuhh;
    Probe::looks_throug; Probe::looks_throughh; Probe::looks_througg; Probe::looks_througj; Probe::ot_between;
    Probe::ont_between; Probe::nt_between; Probe::nto_between; Probe::no_between; Probe::nott_between;
    Probe::notbetween; Probe::not_etween; Probe::not_ebtween; Probe::not_btween; Probe::not_bteween; Probe::not_beween;
    Probe::not_bewteen; Probe::not_bettween; Probe::not_beteen; Probe::not_betewen; Probe::not_betwen;
    Probe::not_betwene; Probe::not_betwee; Probe::not_betweenn; Probe::mmediately_after; Probe::mimediately_after;
    Probe::imediately_after; Probe::imemdiately_after; Probe::immdiately_after; Probe::immdeiately_after;
    Probe::immeiately_after; Probe::immeidately_after; Probe::immedately_after; Probe::immedaitely_after;
    Probe::immeditely_after; Probe::immeditaely_after; Probe::immediaely_after; Probe::immediaetly_after;
    Probe::immediatly_after; Probe::immediatley_after; Probe::immediatey_after; Probe::immediateyl_after;
    Probe::immediatel_after; Probe::immediatelyafter; Probe::immediately_fter; Probe::immediately_fater;
    Probe::immediately_ater; Probe::immediately_atfer; Probe::immediately_afer; Probe::immediately_afetr;
    Probe::immediately_aftr; Probe::immediately_aftre; Probe::immediately_afte; Probe::akes_functions_in;
    Probe::amkes_functions_in; Probe::mkes_functions_in; Probe::mkaes_functions_in; Probe::maes_functions_in;
    Probe::maeks_functions_in; Probe::maks_functions_in; Probe::makse_functions_in; Probe::makesfunctions_in;
    Probe::makes_unctions_in; Probe::makes_ufnctions_in; Probe::makes_fnctions_in; Probe::makes_fnuctions_in;
    Probe::makes_fuctions_in; Probe::makes_fucntions_in; Probe::makes_funtions_in; Probe::makes_funtcions_in;
    Probe::makes_funcions_in; Probe::makes_funcitons_in; Probe::makes_functons_in; Probe::makes_functoins_in;
    Probe::makes_functins_in; Probe::makes_functinos_in; Probe::makes_functios_in; Probe::makes_functiosn_in;
    Probe::makes_function_in; Probe::makes_functionsin; Probe::makes_functions_n; Probe::makes_functions_ni;
    Probe::makes_functions_i; Probe::eeds_of_device; Probe::eneds_of_device; Probe::neds_of_device;
    Probe::nedes_of_device; Probe::nees_of_device; Probe::neesd_of_device; Probe::needsof_device; Probe::needs_f_device;
    Probe::needs_fo_device; Probe::needs_o_device; Probe::needs_ofdevice; Probe::needs_of_evice; Probe::needs_of_edvice;
    Probe::needs_of_dvice; Probe::needs_of_dveice; Probe::needs_of_deice; Probe::needs_of_deivce; Probe::needs_of_devce;
    Probe::needs_of_devcie; Probe::needs_of_devie; Probe::needs_of_deviec; Probe::needs_of_devic; Probe::ersion;
    Probe::evrsion; Probe::vrsion; Probe::vresion; Probe::vesion; Probe::vesrion; Probe::verrsion; Probe::verion;
    Probe::verison; Probe::verssion; Probe::verson; Probe::versoin; Probe::versin; Probe::versino; Probe::versio;
    Probe::versionn; Probe::t_most_once; Probe::ta_most_once; Probe::a_most_once; Probe::att_most_once;
    Probe::atmost_once; Probe::at_ost_once; Probe::at_omst_once; Probe::at_mmost_once; Probe::at_mst_once;
    Probe::at_msot_once; Probe::at_mot_once; Probe::at_mots_once; Probe::at_mosst_once; Probe::at_mos_once;
    Probe::at_mostt_once; Probe::at_mostonce; Probe::at_most_nce; Probe::at_most_noce; Probe::at_most_oce;
    Probe::at_most_ocne; Probe::at_most_onnce; Probe::at_most_one; Probe::at_most_onec; Probe::at_most_onc;
    Probe::ay_find_nothing; Probe::amy_find_nothing; Probe::my_find_nothing; Probe::mya_find_nothing;
    Probe::ma_find_nothing; Probe::mayfind_nothing; Probe::may_ind_nothing; Probe::may_ifnd_nothing;
    Probe::may_fnd_nothing; Probe::may_fnid_nothing; Probe::may_fid_nothing; Probe::may_fidn_nothing;
    Probe::may_fin_nothing; Probe::may_findnothing; Probe::may_find_othing; Probe::may_find_onthing;
    Probe::may_find_nthing; Probe::may_find_ntohing; Probe::may_find_nohing; Probe::may_find_nohting;
    Probe::may_find_noting; Probe::may_find_notihng; Probe::may_find_nothng; Probe::may_find_nothnig;
    Probe::may_find_nothig; Probe::may_find_nothign; Probe::may_find_nothin;
  };
  template <class T>
  static constexpr size_t found_word() {
    const bool said[] = {
        requires { requires member_of<T, typename T::need>; } || requires { *&T::need; },
        requires { requires member_of<T, typename T::neds>; } || requires { *&T::neds; },
        requires { requires member_of<T, typename T::nedes>; } || requires { *&T::nedes; },
        requires { requires member_of<T, typename T::nees>; } || requires { *&T::nees; },
        requires { requires member_of<T, typename T::require>; } || requires { *&T::require; },
        requires { requires member_of<T, typename T::requires_>; } || requires { *&T::requires_; },
        requires { requires member_of<T, typename T::required>; } || requires { *&T::required; },
        requires { requires member_of<T, typename T::preconditions>; } || requires { *&T::preconditions; },
        requires { requires member_of<T, typename T::depends_on>; } || requires { *&T::depends_on; },
        requires { requires member_of<T, typename T::dependencies>; } || requires { *&T::dependencies; },
        requires { requires member_of<T, typename T::invariants>; } || requires { *&T::invariants; },
        requires { requires member_of<T, typename T::requires_facts>; } || requires { *&T::requires_facts; },
        requires { requires member_of<T, typename T::required_facts>; } || requires { *&T::required_facts; },
        requires { requires member_of<T, typename T::needs_facts>; } || requires { *&T::needs_facts; },
        requires { requires member_of<T, typename T::required_passes>; } || requires { *&T::required_passes; },
        requires { requires member_of<T, typename T::requires_passes>; } || requires { *&T::requires_passes; },
        requires { requires member_of<T, typename T::prerequisites>; } || requires { *&T::prerequisites; },
        requires { requires member_of<T, typename T::required_properties>; } || requires { *&T::required_properties; },
        requires { requires member_of<T, typename T::get_required_properties>; } ||
        requires { *&T::get_required_properties; }, requires { requires member_of<T, typename T::assumes>; } ||
        requires { *&T::assumes; }, requires { requires member_of<T, typename T::expects>; } ||
        requires { *&T::expects; }, requires { requires member_of<T, typename T::required_analyses>; } ||
        requires { *&T::required_analyses; }, requires { requires member_of<T, typename T::begins_with>; } ||
        requires { *&T::begins_with; }, requires { requires member_of<T, typename T::requirements>; } ||
        requires { *&T::requirements; }, requires { requires member_of<T, typename T::prereqs>; } ||
        requires { *&T::prereqs; }, requires { requires member_of<T, typename T::needed>; } ||
        requires { *&T::needed; }, requires { requires member_of<T, typename T::assumptions>; } ||
        requires { *&T::assumptions; }, requires { requires member_of<T, typename T::runsin>; } ||
        requires { *&T::runsin; }, requires { requires member_of<T, typename T::run_in>; } || requires { *&T::run_in; },
        requires { requires member_of<T, typename T::runs_on>; } || requires { *&T::runs_on; },
        requires { requires member_of<T, typename T::run_on>; } || requires { *&T::run_on; },
        requires { requires member_of<T, typename T::in_phase>; } || requires { *&T::in_phase; },
        requires { requires member_of<T, typename T::give>; } || requires { *&T::give; },
        requires { requires member_of<T, typename T::provides>; } || requires { *&T::provides; },
        requires { requires member_of<T, typename T::ensures>; } || requires { *&T::ensures; },
        requires { requires member_of<T, typename T::establishes>; } || requires { *&T::establishes; },
        requires { requires member_of<T, typename T::produces>; } || requires { *&T::produces; },
        requires { requires member_of<T, typename T::postconditions>; } || requires { *&T::postconditions; },
        requires { requires member_of<T, typename T::provides_facts>; } || requires { *&T::provides_facts; },
        requires { requires member_of<T, typename T::guarantees>; } || requires { *&T::guarantees; },
        requires { requires member_of<T, typename T::postcondition>; } || requires { *&T::postcondition; },
        requires { requires member_of<T, typename T::set_properties>; } || requires { *&T::set_properties; },
        requires { requires member_of<T, typename T::get_set_properties>; } || requires { *&T::get_set_properties; },
        requires { requires member_of<T, typename T::guarantee>; } || requires { *&T::guarantee; },
        requires { requires member_of<T, typename T::establish>; } || requires { *&T::establish; },
        requires { requires member_of<T, typename T::keep>; } || requires { *&T::keep; },
        requires { requires member_of<T, typename T::preserves>; } || requires { *&T::preserves; },
        requires { requires member_of<T, typename T::preserved>; } || requires { *&T::preserved; },
        requires { requires member_of<T, typename T::preserve>; } || requires { *&T::preserve; },
        requires { requires member_of<T, typename T::PreservedAnalyses>; } || requires { *&T::PreservedAnalyses; },
        requires { requires member_of<T, typename T::preserves_facts>; } || requires { *&T::preserves_facts; },
        requires { requires member_of<T, typename T::preserves_analyses>; } || requires { *&T::preserves_analyses; },
        requires { requires member_of<T, typename T::preserved_analyses>; } || requires { *&T::preserved_analyses; },
        requires { requires member_of<T, typename T::retains>; } || requires { *&T::retains; },
        requires { requires member_of<T, typename T::preserves_all>; } || requires { *&T::preserves_all; },
        requires { requires member_of<T, typename T::preserves_cfg>; } || requires { *&T::preserves_cfg; },
        requires { requires member_of<T, typename T::preserve_facts>; } || requires { *&T::preserve_facts; },
        requires { requires member_of<T, typename T::preserved_facts>; } || requires { *&T::preserved_facts; },
        requires { requires member_of<T, typename T::kept>; } || requires { *&T::kept; },
        requires { requires member_of<T, typename T::break_>; } || requires { *&T::break_; },
        requires { requires member_of<T, typename T::invalidates>; } || requires { *&T::invalidates; },
        requires { requires member_of<T, typename T::clobbers>; } || requires { *&T::clobbers; },
        requires { requires member_of<T, typename T::destroys>; } || requires { *&T::destroys; },
        requires { requires member_of<T, typename T::invalidated>; } || requires { *&T::invalidated; },
        requires { requires member_of<T, typename T::kills>; } || requires { *&T::kills; },
        requires { requires member_of<T, typename T::clobbered>; } || requires { *&T::clobbered; },
        requires { requires member_of<T, typename T::cleared_properties>; } || requires { *&T::cleared_properties; },
        requires { requires member_of<T, typename T::get_cleared_properties>; } ||
        requires { *&T::get_cleared_properties; }, requires { requires member_of<T, typename T::invalidate>; } ||
        requires { *&T::invalidate; }, requires { requires member_of<T, typename T::breaks_facts>; } ||
        requires { *&T::breaks_facts; }, requires { requires member_of<T, typename T::invalidates_facts>; } ||
        requires { *&T::invalidates_facts; }, requires { requires member_of<T, typename T::emit>; } ||
        requires { *&T::emit; }, requires { requires member_of<T, typename T::emmits>; } || requires { *&T::emmits; },
        requires { requires member_of<T, typename T::generates>; } || requires { *&T::generates; },
        requires { requires member_of<T, typename T::introduces>; } || requires { *&T::introduces; },
        requires { requires member_of<T, typename T::legal_ops>; } || requires { *&T::legal_ops; },
        requires { requires member_of<T, typename T::dependent_dialects>; } || requires { *&T::dependent_dialects; },
        requires { requires member_of<T, typename T::creates>; } || requires { *&T::creates; },
        requires { requires member_of<T, typename T::produced_ops>; } || requires { *&T::produced_ops; },
        requires { requires member_of<T, typename T::inserts>; } || requires { *&T::inserts; },
        requires { requires member_of<T, typename T::produces_ops>; } || requires { *&T::produces_ops; },
        requires { requires member_of<T, typename T::legal_dialects>; } || requires { *&T::legal_dialects; },
        requires { requires member_of<T, typename T::emitted>; } || requires { *&T::emitted; },
        requires { requires member_of<T, typename T::output_ops>; } || requires { *&T::output_ops; },
        requires { requires member_of<T, typename T::adds_ops>; } || requires { *&T::adds_ops; },
        requires { requires member_of<T, typename T::inserted_ops>; } || requires { *&T::inserted_ops; },
        requires { requires member_of<T, typename T::new_ops>; } || requires { *&T::new_ops; },
        requires { requires member_of<T, typename T::eliminate>; } || requires { *&T::eliminate; },
        requires { requires member_of<T, typename T::removes>; } || requires { *&T::removes; },
        requires { requires member_of<T, typename T::lowers>; } || requires { *&T::lowers; },
        requires { requires member_of<T, typename T::legalizes>; } || requires { *&T::legalizes; },
        requires { requires member_of<T, typename T::illegal_ops>; } || requires { *&T::illegal_ops; },
        requires { requires member_of<T, typename T::removed_ops>; } || requires { *&T::removed_ops; },
        requires { requires member_of<T, typename T::erases>; } || requires { *&T::erases; },
        requires { requires member_of<T, typename T::removes_ops>; } || requires { *&T::removes_ops; },
        requires { requires member_of<T, typename T::consumes>; } || requires { *&T::consumes; },
        requires { requires member_of<T, typename T::illegal_dialects>; } || requires { *&T::illegal_dialects; },
        requires { requires member_of<T, typename T::eliminated>; } || requires { *&T::eliminated; },
        requires { requires member_of<T, typename T::lowered>; } || requires { *&T::lowered; },
        requires { requires member_of<T, typename T::deleted_ops>; } || requires { *&T::deleted_ops; },
        requires { requires member_of<T, typename T::elimination>; } || requires { *&T::elimination; },
        requires { requires member_of<T, typename T::illegal>; } || requires { *&T::illegal; },
        requires { requires member_of<T, typename T::handle>; } || requires { *&T::handle; },
        requires { requires member_of<T, typename T::delete_>; } || requires { *&T::delete_; },
        requires { requires member_of<T, typename T::may_delete>; } || requires { *&T::may_delete; },
        requires { requires member_of<T, typename T::side_effects>; } || requires { *&T::side_effects; },
        requires { requires member_of<T, typename T::merge>; } || requires { *&T::merge; },
        requires { requires member_of<T, typename T::merging>; } || requires { *&T::merging; },
        requires { requires member_of<T, typename T::dedups>; } || requires { *&T::dedups; },
        requires { requires member_of<T, typename T::combines>; } || requires { *&T::combines; },
        requires { requires member_of<T, typename T::may_merge>; } || requires { *&T::may_merge; },
        requires { requires member_of<T, typename T::move>; } || requires { *&T::move; },
        requires { requires member_of<T, typename T::hoists>; } || requires { *&T::hoists; },
        requires { requires member_of<T, typename T::sinks>; } || requires { *&T::sinks; },
        requires { requires member_of<T, typename T::reorders>; } || requires { *&T::reorders; },
        requires { requires member_of<T, typename T::hoist>; } || requires { *&T::hoist; },
        requires { requires member_of<T, typename T::may_move>; } || requires { *&T::may_move; },
        requires { requires member_of<T, typename T::leave>; } || requires { *&T::leave; },
        requires { requires member_of<T, typename T::keep_inside>; } || requires { *&T::keep_inside; },
        requires { requires member_of<T, typename T::stays_inside>; } || requires { *&T::stays_inside; },
        requires { requires member_of<T, typename T::leaves_inside>; } || requires { *&T::leaves_inside; },
        requires { requires member_of<T, typename T::keeps_in_region>; } || requires { *&T::keeps_in_region; },
        requires { requires member_of<T, typename T::stays_in_region>; } || requires { *&T::stays_in_region; },
        requires { requires member_of<T, typename T::region_keeps>; } || requires { *&T::region_keeps; },
        requires { requires member_of<T, typename T::duplicate>; } || requires { *&T::duplicate; },
        requires { requires member_of<T, typename T::dupicates>; } || requires { *&T::dupicates; },
        requires { requires member_of<T, typename T::duplicats>; } || requires { *&T::duplicats; },
        requires { requires member_of<T, typename T::duplciates>; } || requires { *&T::duplciates; },
        requires { requires member_of<T, typename T::clones>; } || requires { *&T::clones; },
        requires { requires member_of<T, typename T::copies>; } || requires { *&T::copies; },
        requires { requires member_of<T, typename T::recompute>; } || requires { *&T::recompute; },
        requires { requires member_of<T, typename T::recomptes>; } || requires { *&T::recomptes; },
        requires { requires member_of<T, typename T::rcomputes>; } || requires { *&T::rcomputes; },
        requires { requires member_of<T, typename T::rematerializes>; } || requires { *&T::rematerializes; },
        requires { requires member_of<T, typename T::reruns>; } || requires { *&T::reruns; },
        requires { requires member_of<T, typename T::options>; } || requires { *&T::options; },
        requires { requires member_of<T, typename T::option>; } || requires { *&T::option; },
        requires { requires member_of<T, typename T::Options>; } || requires { *&T::Options; },
        requires { requires member_of<T, typename T::pass_options>; } || requires { *&T::pass_options; },
        requires { requires member_of<T, typename T::work_on>; } || requires { *&T::work_on; },
        requires { requires member_of<T, typename T::works>; } || requires { *&T::works; },
        requires { requires member_of<T, typename T::matches>; } || requires { *&T::matches; },
        requires { requires member_of<T, typename T::anchors>; } || requires { *&T::anchors; },
        requires { requires member_of<T, typename T::anchor_ops>; } || requires { *&T::anchor_ops; },
        requires { requires member_of<T, typename T::root_ops>; } || requires { *&T::root_ops; },
        requires { requires member_of<T, typename T::input_ops>; } || requires { *&T::input_ops; },
        requires { requires member_of<T, typename T::rewrites>; } || requires { *&T::rewrites; },
        requires { requires member_of<T, typename T::converts>; } || requires { *&T::converts; },
        requires { requires member_of<T, typename T::emit_outside>; } || requires { *&T::emit_outside; },
        requires { requires member_of<T, typename T::enclose>; } || requires { *&T::enclose; },
        requires { requires member_of<T, typename T::enclosed>; } || requires { *&T::enclosed; },
        requires { requires member_of<T, typename T::change>; } || requires { *&T::change; },
        requires { requires member_of<T, typename T::mutates>; } || requires { *&T::mutates; },
        requires { requires member_of<T, typename T::modifies>; } || requires { *&T::modifies; },
        requires { requires member_of<T, typename T::alters>; } || requires { *&T::alters; },
        requires { requires member_of<T, typename T::modifies_ops>; } || requires { *&T::modifies_ops; },
        requires { requires member_of<T, typename T::mutates_ops>; } || requires { *&T::mutates_ops; },
        requires { requires member_of<T, typename T::modified>; } || requires { *&T::modified; },
        requires { requires member_of<T, typename T::touches>; } || requires { *&T::touches; },
        requires { requires member_of<T, typename T::look_through>; } || requires { *&T::look_through; },
        requires { requires member_of<T, typename T::looks_thru>; } || requires { *&T::looks_thru; },
        requires { requires member_of<T, typename T::sees_through>; } || requires { *&T::sees_through; },
        requires { requires member_of<T, typename T::follows_aliases>; } || requires { *&T::follows_aliases; },
        requires { requires member_of<T, typename T::alias_ops>; } || requires { *&T::alias_ops; },
        requires { requires member_of<T, typename T::known_aliases>; } || requires { *&T::known_aliases; },
        requires { requires member_of<T, typename T::not_in_between>; } || requires { *&T::not_in_between; },
        requires { requires member_of<T, typename T::between>; } || requires { *&T::between; },
        requires { requires member_of<T, typename T::never_after>; } || requires { *&T::never_after; },
        requires { requires member_of<T, typename T::not_afer>; } || requires { *&T::not_afer; },
        requires { requires member_of<T, typename T::not_afetr>; } || requires { *&T::not_afetr; },
        requires { requires member_of<T, typename T::notafter>; } || requires { *&T::notafter; },
        requires { requires member_of<T, typename T::before>; } || requires { *&T::before; },
        requires { requires member_of<T, typename T::runs_before>; } || requires { *&T::runs_before; },
        requires { requires member_of<T, typename T::must_run_before>; } || requires { *&T::must_run_before; },
        requires { requires member_of<T, typename T::must_precede>; } || requires { *&T::must_precede; },
        requires { requires member_of<T, typename T::run_before>; } || requires { *&T::run_before; },
        requires { requires member_of<T, typename T::comes_before>; } || requires { *&T::comes_before; },
        requires { requires member_of<T, typename T::prior_to>; } || requires { *&T::prior_to; },
        requires { requires member_of<T, typename T::earlier_than>; } || requires { *&T::earlier_than; },
        requires { requires member_of<T, typename T::never_before>; } || requires { *&T::never_before; },
        requires { requires member_of<T, typename T::not_befor>; } || requires { *&T::not_befor; },
        requires { requires member_of<T, typename T::notbefore>; } || requires { *&T::notbefore; },
        requires { requires member_of<T, typename T::not_beofre>; } || requires { *&T::not_beofre; },
        requires { requires member_of<T, typename T::after>; } || requires { *&T::after; },
        requires { requires member_of<T, typename T::runs_after>; } || requires { *&T::runs_after; },
        requires { requires member_of<T, typename T::must_run_after>; } || requires { *&T::must_run_after; },
        requires { requires member_of<T, typename T::must_follow>; } || requires { *&T::must_follow; },
        requires { requires member_of<T, typename T::run_after>; } || requires { *&T::run_after; },
        requires { requires member_of<T, typename T::comes_after>; } || requires { *&T::comes_after; },
        requires { requires member_of<T, typename T::later_than>; } || requires { *&T::later_than; },
        requires { requires member_of<T, typename T::directly_after>; } || requires { *&T::directly_after; },
        requires { requires member_of<T, typename T::follows>; } || requires { *&T::follows; },
        requires { requires member_of<T, typename T::runs_immediately_after>; } ||
        requires { *&T::runs_immediately_after; }, requires { requires member_of<T, typename T::right_after>; } ||
        requires { *&T::right_after; }, requires { requires member_of<T, typename T::make_functions_in>; } ||
        requires { *&T::make_functions_in; }, requires { requires member_of<T, typename T::add_functions>; } ||
        requires { &T::add_functions; }, requires { requires member_of<T, typename T::add_function>; } ||
        requires { &T::add_function; }, requires { requires member_of<T, typename T::adds_function>; } ||
        requires { &T::adds_function; }, requires { requires member_of<T, typename T::makes_functions>; } ||
        requires { &T::makes_functions; }, requires { requires member_of<T, typename T::make_functions>; } ||
        requires { &T::make_functions; }, requires { requires member_of<T, typename T::creates_functions>; } ||
        requires { &T::creates_functions; }, requires { requires member_of<T, typename T::clones_functions>; } ||
        requires { &T::clones_functions; }, requires { requires member_of<T, typename T::creates_function>; } ||
        requires { &T::creates_function; }, requires { requires member_of<T, typename T::outlines_functions>; } ||
        requires { &T::outlines_functions; }, requires { requires member_of<T, typename T::remove_functions>; } ||
        requires { &T::remove_functions; }, requires { requires member_of<T, typename T::remove_function>; } ||
        requires { &T::remove_function; }, requires { requires member_of<T, typename T::removes_function>; } ||
        requires { &T::removes_function; }, requires { requires member_of<T, typename T::deletes_functions>; } ||
        requires { &T::deletes_functions; }, requires { requires member_of<T, typename T::erases_functions>; } ||
        requires { &T::erases_functions; }, requires { requires member_of<T, typename T::drops_functions>; } ||
        requires { &T::drops_functions; }, requires { requires member_of<T, typename T::deletes_function>; } ||
        requires { &T::deletes_function; }, requires { requires member_of<T, typename T::erases_function>; } ||
        requires { &T::erases_function; }, requires { requires member_of<T, typename T::change_functions>; } ||
        requires { &T::change_functions; }, requires { requires member_of<T, typename T::changes_function>; } ||
        requires { &T::changes_function; }, requires { requires member_of<T, typename T::changes_signatures>; } ||
        requires { &T::changes_signatures; }, requires { requires member_of<T, typename T::need_of_device>; } ||
        requires { *&T::need_of_device; }, requires { requires member_of<T, typename T::needs_device>; } ||
        requires { *&T::needs_device; }, requires { requires member_of<T, typename T::requires_of_device>; } ||
        requires { *&T::requires_of_device; }, requires { requires member_of<T, typename T::device_needs>; } ||
        requires { *&T::device_needs; }, requires { requires member_of<T, typename T::needs_of_devices>; } ||
        requires { *&T::needs_of_devices; }, requires { requires member_of<T, typename T::needs_capabilities>; } ||
        requires { *&T::needs_capabilities; }, requires { requires member_of<T, typename T::required_capabilities>; } ||
        requires { *&T::required_capabilities; }, requires { requires member_of<T, typename T::needs_of_runtimes>; } ||
        requires { *&T::needs_of_runtimes; }, requires { requires member_of<T, typename T::needs_ofruntime>; } ||
        requires { *&T::needs_ofruntime; }, requires { requires member_of<T, typename T::need_of_runtime>; } ||
        requires { *&T::need_of_runtime; }, requires { requires member_of<T, typename T::needs_runtime>; } ||
        requires { *&T::needs_runtime; }, requires { requires member_of<T, typename T::requires_of_runtime>; } ||
        requires { *&T::requires_of_runtime; }, requires { requires member_of<T, typename T::runtime_needs>; } ||
        requires { *&T::runtime_needs; }, requires { requires member_of<T, typename T::needs_of_target>; } ||
        requires { *&T::needs_of_target; }, requires { requires member_of<T, typename T::only_once>; } ||
        requires { &T::only_once; }, requires { requires member_of<T, typename T::run_once>; } ||
        requires { &T::run_once; }, requires { requires member_of<T, typename T::runs_once>; } ||
        requires { &T::runs_once; }, requires { requires member_of<T, typename T::run_at_most_once>; } ||
        requires { &T::run_at_most_once; }, requires { requires member_of<T, typename T::single_run>; } ||
        requires { &T::single_run; }, requires { requires member_of<T, typename T::once>; } || requires { &T::once; },
        requires { requires member_of<T, typename T::may_find_none>; } || requires { &T::may_find_none; },
        requires { requires member_of<T, typename T::may_be_empty>; } || requires { &T::may_be_empty; },
        requires { requires member_of<T, typename T::can_find_nothing>; } || requires { &T::can_find_nothing; },
        requires { requires member_of<T, typename T::may_not_match>; } || requires { &T::may_not_match; },
        requires { requires member_of<T, typename T::getAnalysisUsage>; } || requires { &T::getAnalysisUsage; },
        requires { requires member_of<T, typename T::getDependentDialects>; } || requires { &T::getDependentDialects; },
        requires { requires member_of<T, typename T::runOnOperation>; } || requires { &T::runOnOperation; },
        requires { requires member_of<T, typename T::runOnFunction>; } || requires { &T::runOnFunction; },
        requires { requires member_of<T, typename T::runOnModule>; } || requires { &T::runOnModule; },
        requires { requires member_of<T, typename T::runOnMachineFunction>; } || requires { &T::runOnMachineFunction; },
        requires { requires member_of<T, typename T::run_on_module>; } || requires { &T::run_on_module; },
        requires { requires member_of<T, typename T::transform_module>; } || requires { &T::transform_module; }, true};
    return first_true(said);
  }
  template <class Probe>
  static constexpr size_t found_slip() {
    const bool free[] = {
        requires { Probe::dependsOn; }, requires { Probe::requiresFacts; }, requires { Probe::requiredFacts; },
        requires { Probe::needsFacts; }, requires { Probe::requiredPasses; }, requires { Probe::requiresPasses; },
        requires { Probe::requiredProperties; }, requires { Probe::getRequiredProperties; },
        requires { Probe::requiredAnalyses; }, requires { Probe::beginsWith; }, requires { Probe::runsIn; },
        requires { Probe::runIn; }, requires { Probe::runsOn; }, requires { Probe::runOn; },
        requires { Probe::inPhase; }, requires { Probe::providesFacts; }, requires { Probe::setProperties; },
        requires { Probe::getSetProperties; }, requires { Probe::preservesFacts; },
        requires { Probe::preservesAnalyses; }, requires { Probe::preservedAnalyses; },
        requires { Probe::preservesAll; }, requires { Probe::preservesCfg; }, requires { Probe::preserveFacts; },
        requires { Probe::preservedFacts; }, requires { Probe::clearedProperties; },
        requires { Probe::getClearedProperties; }, requires { Probe::breaksFacts; },
        requires { Probe::invalidatesFacts; }, requires { Probe::legalOps; }, requires { Probe::dependentDialects; },
        requires { Probe::producedOps; }, requires { Probe::producesOps; }, requires { Probe::legalDialects; },
        requires { Probe::outputOps; }, requires { Probe::addsOps; }, requires { Probe::insertedOps; },
        requires { Probe::newOps; }, requires { Probe::illegalOps; }, requires { Probe::removedOps; },
        requires { Probe::removesOps; }, requires { Probe::illegalDialects; }, requires { Probe::deletedOps; },
        requires { Probe::mayDelete; }, requires { Probe::sideEffects; }, requires { Probe::mayMerge; },
        requires { Probe::mayMove; }, requires { Probe::keepsInside; }, requires { Probe::keepInside; },
        requires { Probe::staysInside; }, requires { Probe::leavesInside; }, requires { Probe::keepsInRegion; },
        requires { Probe::staysInRegion; }, requires { Probe::regionKeeps; }, requires { Probe::worksOn; },
        requires { Probe::workOn; }, requires { Probe::anchorOps; }, requires { Probe::rootOps; },
        requires { Probe::inputOps; }, requires { Probe::emitsOutside; }, requires { Probe::emitOutside; },
        requires { Probe::modifiesOps; }, requires { Probe::mutatesOps; }, requires { Probe::looksThrough; },
        requires { Probe::lookThrough; }, requires { Probe::looksThru; }, requires { Probe::seesThrough; },
        requires { Probe::followsAliases; }, requires { Probe::aliasOps; }, requires { Probe::knownAliases; },
        requires { Probe::notBetween; }, requires { Probe::notInBetween; }, requires { Probe::notAfter; },
        requires { Probe::neverAfter; }, requires { Probe::notAfer; }, requires { Probe::notAfetr; },
        requires { Probe::runsBefore; }, requires { Probe::mustRunBefore; }, requires { Probe::mustPrecede; },
        requires { Probe::runBefore; }, requires { Probe::comesBefore; }, requires { Probe::priorTo; },
        requires { Probe::earlierThan; }, requires { Probe::notBefore; }, requires { Probe::neverBefore; },
        requires { Probe::notBefor; }, requires { Probe::notBeofre; }, requires { Probe::runsAfter; },
        requires { Probe::mustRunAfter; }, requires { Probe::mustFollow; }, requires { Probe::runAfter; },
        requires { Probe::comesAfter; }, requires { Probe::laterThan; }, requires { Probe::immediatelyAfter; },
        requires { Probe::directlyAfter; }, requires { Probe::runsImmediatelyAfter; }, requires { Probe::rightAfter; },
        requires { Probe::makesFunctionsIn; }, requires { Probe::makeFunctionsIn; }, requires { Probe::addsFunctions; },
        requires { Probe::addFunctions; }, requires { Probe::addFunction; }, requires { Probe::addsFunction; },
        requires { Probe::makesFunctions; }, requires { Probe::makeFunctions; }, requires { Probe::createsFunctions; },
        requires { Probe::clonesFunctions; }, requires { Probe::createsFunction; },
        requires { Probe::outlinesFunctions; }, requires { Probe::removesFunctions; },
        requires { Probe::removeFunctions; }, requires { Probe::removeFunction; }, requires { Probe::removesFunction; },
        requires { Probe::deletesFunctions; }, requires { Probe::erasesFunctions; },
        requires { Probe::dropsFunctions; }, requires { Probe::deletesFunction; }, requires { Probe::erasesFunction; },
        requires { Probe::changesFunctions; }, requires { Probe::changeFunctions; },
        requires { Probe::changesFunction; }, requires { Probe::changesSignatures; },
        requires { Probe::needsOfDevice; }, requires { Probe::needOfDevice; }, requires { Probe::needsDevice; },
        requires { Probe::requiresOfDevice; }, requires { Probe::deviceNeeds; }, requires { Probe::needsOfDevices; },
        requires { Probe::needsCapabilities; }, requires { Probe::requiredCapabilities; },
        requires { Probe::needsOfRuntime; }, requires { Probe::needsOfRuntimes; }, requires { Probe::needsOfruntime; },
        requires { Probe::needOfRuntime; }, requires { Probe::needsRuntime; }, requires { Probe::requiresOfRuntime; },
        requires { Probe::runtimeNeeds; }, requires { Probe::needsOfTarget; }, requires { Probe::atMostOnce; },
        requires { Probe::onlyOnce; }, requires { Probe::runOnce; }, requires { Probe::runsOnce; },
        requires { Probe::runAtMostOnce; }, requires { Probe::singleRun; }, requires { Probe::mayFindNothing; },
        requires { Probe::mayFindNone; }, requires { Probe::mayBeEmpty; }, requires { Probe::canFindNothing; },
        requires { Probe::mayNotMatch; }, requires { Probe::transformModule; }, requires { Probe::ives; },
        requires { Probe::igves; }, requires { Probe::gves; }, requires { Probe::gvies; }, requires { Probe::gies; },
        requires { Probe::gievs; }, requires { Probe::givs; }, requires { Probe::givse; }, requires { Probe::givess; },
        requires { Probe::eeps; }, requires { Probe::ekeps; }, requires { Probe::keps; }, requires { Probe::kepes; },
        requires { Probe::kees; }, requires { Probe::keesp; }, requires { Probe::keepss; }, requires { Probe::reaks; },
        requires { Probe::rbeaks; }, requires { Probe::beaks; }, requires { Probe::beraks; },
        requires { Probe::brreaks; }, requires { Probe::braks; }, requires { Probe::braeks; },
        requires { Probe::breks; }, requires { Probe::brekas; }, requires { Probe::breas; },
        requires { Probe::breask; }, requires { Probe::breakss; }, requires { Probe::mits; },
        requires { Probe::meits; }, requires { Probe::eits; }, requires { Probe::eimts; }, requires { Probe::emts; },
        requires { Probe::emtis; }, requires { Probe::emis; }, requires { Probe::emist; }, requires { Probe::emitts; },
        requires { Probe::emitss; }, requires { Probe::liminates; }, requires { Probe::leiminates; },
        requires { Probe::eiminates; }, requires { Probe::eilminates; }, requires { Probe::elliminates; },
        requires { Probe::elminates; }, requires { Probe::elmiinates; }, requires { Probe::eliinates; },
        requires { Probe::eliimnates; }, requires { Probe::elimminates; }, requires { Probe::elimnates; },
        requires { Probe::elimniates; }, requires { Probe::elimiates; }, requires { Probe::elimiantes; },
        requires { Probe::eliminnates; }, requires { Probe::elimintes; }, requires { Probe::elimintaes; },
        requires { Probe::eliminaes; }, requires { Probe::eliminaets; }, requires { Probe::eliminattes; },
        requires { Probe::eliminats; }, requires { Probe::eliminatse; }, requires { Probe::eliminatess; },
        requires { Probe::andles; }, requires { Probe::ahndles; }, requires { Probe::hndles; },
        requires { Probe::hnadles; }, requires { Probe::hadles; }, requires { Probe::hadnles; },
        requires { Probe::hanndles; }, requires { Probe::hanles; }, requires { Probe::hanldes; },
        requires { Probe::handes; }, requires { Probe::handels; }, requires { Probe::handlles; },
        requires { Probe::handls; }, requires { Probe::handlse; }, requires { Probe::handless; },
        requires { Probe::eletes; }, requires { Probe::edletes; }, requires { Probe::dletes; },
        requires { Probe::dleetes; }, requires { Probe::deetes; }, requires { Probe::deeltes; },
        requires { Probe::delletes; }, requires { Probe::deltes; }, requires { Probe::deltees; },
        requires { Probe::delees; }, requires { Probe::deleets; }, requires { Probe::delettes; },
        requires { Probe::delets; }, requires { Probe::deletse; }, requires { Probe::deletess; },
        requires { Probe::erges; }, requires { Probe::emrges; }, requires { Probe::mrges; },
        requires { Probe::mreges; }, requires { Probe::meges; }, requires { Probe::megres; },
        requires { Probe::merrges; }, requires { Probe::meres; }, requires { Probe::meregs; },
        requires { Probe::mergs; }, requires { Probe::mergse; }, requires { Probe::mergess; },
        requires { Probe::oves; }, requires { Probe::omves; }, requires { Probe::mves; }, requires { Probe::mvoes; },
        requires { Probe::moes; }, requires { Probe::moevs; }, requires { Probe::movs; }, requires { Probe::movse; },
        requires { Probe::movess; }, requires { Probe::eaves; }, requires { Probe::elaves; },
        requires { Probe::laves; }, requires { Probe::laeves; }, requires { Probe::leves; },
        requires { Probe::levaes; }, requires { Probe::leaes; }, requires { Probe::leaevs; },
        requires { Probe::leavs; }, requires { Probe::leavse; }, requires { Probe::leavess; },
        requires { Probe::eeps_inside; }, requires { Probe::ekeps_inside; }, requires { Probe::kkeeps_inside; },
        requires { Probe::jeeps_inside; }, requires { Probe::leeps_inside; }, requires { Probe::keps_inside; },
        requires { Probe::keeeps_inside; }, requires { Probe::kweps_inside; }, requires { Probe::kreps_inside; },
        requires { Probe::kepes_inside; }, requires { Probe::kewps_inside; }, requires { Probe::kerps_inside; },
        requires { Probe::kees_inside; }, requires { Probe::keesp_inside; }, requires { Probe::keepps_inside; },
        requires { Probe::keeos_inside; }, requires { Probe::keepss_inside; }, requires { Probe::keepa_inside; },
        requires { Probe::keepd_inside; }, requires { Probe::keepsinside; }, requires { Probe::keeps__inside; },
        requires { Probe::keeps_nside; }, requires { Probe::keeps_niside; }, requires { Probe::keeps_iinside; },
        requires { Probe::keeps_unside; }, requires { Probe::keeps_onside; }, requires { Probe::keeps_iside; },
        requires { Probe::keeps_isnide; }, requires { Probe::keeps_innside; }, requires { Probe::keeps_ibside; },
        requires { Probe::keeps_imside; }, requires { Probe::keeps_inide; }, requires { Probe::keeps_inisde; },
        requires { Probe::keeps_insside; }, requires { Probe::keeps_inaide; }, requires { Probe::keeps_indide; },
        requires { Probe::keeps_insde; }, requires { Probe::keeps_insdie; }, requires { Probe::keeps_insiide; },
        requires { Probe::keeps_insude; }, requires { Probe::keeps_insode; }, requires { Probe::keeps_insie; },
        requires { Probe::keeps_insied; }, requires { Probe::keeps_insidde; }, requires { Probe::keeps_insise; },
        requires { Probe::keeps_insife; }, requires { Probe::keeps_insid; }, requires { Probe::keeps_insidee; },
        requires { Probe::keeps_insidw; }, requires { Probe::keeps_insidr; }, requires { Probe::orks_on; },
        requires { Probe::owrks_on; }, requires { Probe::wrks_on; }, requires { Probe::wroks_on; },
        requires { Probe::woks_on; }, requires { Probe::wokrs_on; }, requires { Probe::worrks_on; },
        requires { Probe::wors_on; }, requires { Probe::worsk_on; }, requires { Probe::workss_on; },
        requires { Probe::workson; }, requires { Probe::works_n; }, requires { Probe::works_no; },
        requires { Probe::works_o; }, requires { Probe::works_onn; }, requires { Probe::mits_outside; },
        requires { Probe::meits_outside; }, requires { Probe::eemits_outside; }, requires { Probe::wmits_outside; },
        requires { Probe::rmits_outside; }, requires { Probe::eits_outside; }, requires { Probe::eimts_outside; },
        requires { Probe::emmits_outside; }, requires { Probe::enits_outside; }, requires { Probe::emts_outside; },
        requires { Probe::emtis_outside; }, requires { Probe::emiits_outside; }, requires { Probe::emuts_outside; },
        requires { Probe::emots_outside; }, requires { Probe::emis_outside; }, requires { Probe::emist_outside; },
        requires { Probe::emitts_outside; }, requires { Probe::emirs_outside; }, requires { Probe::emiys_outside; },
        requires { Probe::emitss_outside; }, requires { Probe::emita_outside; }, requires { Probe::emitd_outside; },
        requires { Probe::emitsoutside; }, requires { Probe::emits__outside; }, requires { Probe::emits_utside; },
        requires { Probe::emits_uotside; }, requires { Probe::emits_ooutside; }, requires { Probe::emits_iutside; },
        requires { Probe::emits_putside; }, requires { Probe::emits_otside; }, requires { Probe::emits_otuside; },
        requires { Probe::emits_ouutside; }, requires { Probe::emits_oytside; }, requires { Probe::emits_oitside; },
        requires { Probe::emits_ouside; }, requires { Probe::emits_oustide; }, requires { Probe::emits_outtside; },
        requires { Probe::emits_ourside; }, requires { Probe::emits_ouyside; }, requires { Probe::emits_outide; },
        requires { Probe::emits_outisde; }, requires { Probe::emits_outsside; }, requires { Probe::emits_outaide; },
        requires { Probe::emits_outdide; }, requires { Probe::emits_outsde; }, requires { Probe::emits_outsdie; },
        requires { Probe::emits_outsiide; }, requires { Probe::emits_outsude; }, requires { Probe::emits_outsode; },
        requires { Probe::emits_outsie; }, requires { Probe::emits_outsied; }, requires { Probe::emits_outsidde; },
        requires { Probe::emits_outsise; }, requires { Probe::emits_outsife; }, requires { Probe::emits_outsid; },
        requires { Probe::emits_outsidee; }, requires { Probe::emits_outsidw; }, requires { Probe::emits_outsidr; },
        requires { Probe::ncloses; }, requires { Probe::necloses; }, requires { Probe::eencloses; },
        requires { Probe::wncloses; }, requires { Probe::rncloses; }, requires { Probe::ecloses; },
        requires { Probe::ecnloses; }, requires { Probe::enncloses; }, requires { Probe::ebcloses; },
        requires { Probe::emcloses; }, requires { Probe::enloses; }, requires { Probe::enlcoses; },
        requires { Probe::enccloses; }, requires { Probe::enxloses; }, requires { Probe::envloses; },
        requires { Probe::encoses; }, requires { Probe::encolses; }, requires { Probe::enclloses; },
        requires { Probe::enckoses; }, requires { Probe::enclses; }, requires { Probe::enclsoes; },
        requires { Probe::enclooses; }, requires { Probe::enclises; }, requires { Probe::enclpses; },
        requires { Probe::encloes; }, requires { Probe::encloess; }, requires { Probe::enclosses; },
        requires { Probe::encloaes; }, requires { Probe::enclodes; }, requires { Probe::encloss; },
        requires { Probe::enclosse; }, requires { Probe::enclosees; }, requires { Probe::enclosws; },
        requires { Probe::enclosrs; }, requires { Probe::enclosess; }, requires { Probe::enclosea; },
        requires { Probe::hanges; }, requires { Probe::hcanges; }, requires { Probe::cchanges; },
        requires { Probe::xhanges; }, requires { Probe::vhanges; }, requires { Probe::canges; },
        requires { Probe::cahnges; }, requires { Probe::chhanges; }, requires { Probe::cganges; },
        requires { Probe::cjanges; }, requires { Probe::chnges; }, requires { Probe::chnages; },
        requires { Probe::chaanges; }, requires { Probe::chsnges; }, requires { Probe::chages; },
        requires { Probe::chagnes; }, requires { Probe::channges; }, requires { Probe::chabges; },
        requires { Probe::chamges; }, requires { Probe::chanes; }, requires { Probe::chanegs; },
        requires { Probe::changges; }, requires { Probe::chanfes; }, requires { Probe::chanhes; },
        requires { Probe::changs; }, requires { Probe::changse; }, requires { Probe::changees; },
        requires { Probe::changws; }, requires { Probe::changrs; }, requires { Probe::changess; },
        requires { Probe::changea; }, requires { Probe::changed; }, requires { Probe::ooks_through; },
        requires { Probe::oloks_through; }, requires { Probe::llooks_through; }, requires { Probe::kooks_through; },
        requires { Probe::loks_through; }, requires { Probe::loooks_through; }, requires { Probe::lioks_through; },
        requires { Probe::lpoks_through; }, requires { Probe::lokos_through; }, requires { Probe::loiks_through; },
        requires { Probe::lopks_through; }, requires { Probe::loos_through; }, requires { Probe::loosk_through; },
        requires { Probe::lookks_through; }, requires { Probe::loojs_through; }, requires { Probe::lools_through; },
        requires { Probe::lookss_through; }, requires { Probe::looka_through; }, requires { Probe::lookd_through; },
        requires { Probe::looksthrough; }, requires { Probe::looks__through; }, requires { Probe::looks_hrough; },
        requires { Probe::looks_htrough; }, requires { Probe::looks_tthrough; }, requires { Probe::looks_rhrough; },
        requires { Probe::looks_yhrough; }, requires { Probe::looks_trough; }, requires { Probe::looks_trhough; },
        requires { Probe::looks_thhrough; }, requires { Probe::looks_tgrough; }, requires { Probe::looks_tjrough; },
        requires { Probe::looks_though; }, requires { Probe::looks_thorugh; }, requires { Probe::looks_thrrough; },
        requires { Probe::looks_theough; }, requires { Probe::looks_thtough; }, requires { Probe::looks_thrugh; },
        requires { Probe::looks_thruogh; }, requires { Probe::looks_throough; }, requires { Probe::looks_thriugh; },
        requires { Probe::looks_thrpugh; }, requires { Probe::looks_throgh; }, requires { Probe::looks_throguh; },
        requires { Probe::looks_throuugh; }, requires { Probe::looks_throygh; }, requires { Probe::looks_throigh; },
        requires { Probe::looks_throuh; }, requires { Probe::looks_throuhg; }, requires { Probe::looks_througgh; },
        requires { Probe::looks_throufh; }, requires { Probe::looks_throuhh; }, requires { Probe::looks_throug; },
        requires { Probe::looks_throughh; }, requires { Probe::looks_througg; }, requires { Probe::looks_througj; },
        requires { Probe::ot_between; }, requires { Probe::ont_between; }, requires { Probe::nt_between; },
        requires { Probe::nto_between; }, requires { Probe::no_between; }, requires { Probe::nott_between; },
        requires { Probe::notbetween; }, requires { Probe::not_etween; }, requires { Probe::not_ebtween; },
        requires { Probe::not_btween; }, requires { Probe::not_bteween; }, requires { Probe::not_beween; },
        requires { Probe::not_bewteen; }, requires { Probe::not_bettween; }, requires { Probe::not_beteen; },
        requires { Probe::not_betewen; }, requires { Probe::not_betwen; }, requires { Probe::not_betwene; },
        requires { Probe::not_betwee; }, requires { Probe::not_betweenn; }, requires { Probe::mmediately_after; },
        requires { Probe::mimediately_after; }, requires { Probe::imediately_after; },
        requires { Probe::imemdiately_after; }, requires { Probe::immdiately_after; },
        requires { Probe::immdeiately_after; }, requires { Probe::immeiately_after; },
        requires { Probe::immeidately_after; }, requires { Probe::immedately_after; },
        requires { Probe::immedaitely_after; }, requires { Probe::immeditely_after; },
        requires { Probe::immeditaely_after; }, requires { Probe::immediaely_after; },
        requires { Probe::immediaetly_after; }, requires { Probe::immediatly_after; },
        requires { Probe::immediatley_after; }, requires { Probe::immediatey_after; },
        requires { Probe::immediateyl_after; }, requires { Probe::immediatel_after; },
        requires { Probe::immediatelyafter; }, requires { Probe::immediately_fter; },
        requires { Probe::immediately_fater; }, requires { Probe::immediately_ater; },
        requires { Probe::immediately_atfer; }, requires { Probe::immediately_afer; },
        requires { Probe::immediately_afetr; }, requires { Probe::immediately_aftr; },
        requires { Probe::immediately_aftre; }, requires { Probe::immediately_afte; },
        requires { Probe::akes_functions_in; }, requires { Probe::amkes_functions_in; },
        requires { Probe::mkes_functions_in; }, requires { Probe::mkaes_functions_in; },
        requires { Probe::maes_functions_in; }, requires { Probe::maeks_functions_in; },
        requires { Probe::maks_functions_in; }, requires { Probe::makse_functions_in; },
        requires { Probe::makesfunctions_in; }, requires { Probe::makes_unctions_in; },
        requires { Probe::makes_ufnctions_in; }, requires { Probe::makes_fnctions_in; },
        requires { Probe::makes_fnuctions_in; }, requires { Probe::makes_fuctions_in; },
        requires { Probe::makes_fucntions_in; }, requires { Probe::makes_funtions_in; },
        requires { Probe::makes_funtcions_in; }, requires { Probe::makes_funcions_in; },
        requires { Probe::makes_funcitons_in; }, requires { Probe::makes_functons_in; },
        requires { Probe::makes_functoins_in; }, requires { Probe::makes_functins_in; },
        requires { Probe::makes_functinos_in; }, requires { Probe::makes_functios_in; },
        requires { Probe::makes_functiosn_in; }, requires { Probe::makes_function_in; },
        requires { Probe::makes_functionsin; }, requires { Probe::makes_functions_n; },
        requires { Probe::makes_functions_ni; }, requires { Probe::makes_functions_i; },
        requires { Probe::eeds_of_device; }, requires { Probe::eneds_of_device; }, requires { Probe::neds_of_device; },
        requires { Probe::nedes_of_device; }, requires { Probe::nees_of_device; }, requires { Probe::neesd_of_device; },
        requires { Probe::needsof_device; }, requires { Probe::needs_f_device; }, requires { Probe::needs_fo_device; },
        requires { Probe::needs_o_device; }, requires { Probe::needs_ofdevice; }, requires { Probe::needs_of_evice; },
        requires { Probe::needs_of_edvice; }, requires { Probe::needs_of_dvice; }, requires { Probe::needs_of_dveice; },
        requires { Probe::needs_of_deice; }, requires { Probe::needs_of_deivce; }, requires { Probe::needs_of_devce; },
        requires { Probe::needs_of_devcie; }, requires { Probe::needs_of_devie; }, requires { Probe::needs_of_deviec; },
        requires { Probe::needs_of_devic; }, requires { Probe::ersion; }, requires { Probe::evrsion; },
        requires { Probe::vrsion; }, requires { Probe::vresion; }, requires { Probe::vesion; },
        requires { Probe::vesrion; }, requires { Probe::verrsion; }, requires { Probe::verion; },
        requires { Probe::verison; }, requires { Probe::verssion; }, requires { Probe::verson; },
        requires { Probe::versoin; }, requires { Probe::versin; }, requires { Probe::versino; },
        requires { Probe::versio; }, requires { Probe::versionn; }, requires { Probe::t_most_once; },
        requires { Probe::ta_most_once; }, requires { Probe::a_most_once; }, requires { Probe::att_most_once; },
        requires { Probe::atmost_once; }, requires { Probe::at_ost_once; }, requires { Probe::at_omst_once; },
        requires { Probe::at_mmost_once; }, requires { Probe::at_mst_once; }, requires { Probe::at_msot_once; },
        requires { Probe::at_mot_once; }, requires { Probe::at_mots_once; }, requires { Probe::at_mosst_once; },
        requires { Probe::at_mos_once; }, requires { Probe::at_mostt_once; }, requires { Probe::at_mostonce; },
        requires { Probe::at_most_nce; }, requires { Probe::at_most_noce; }, requires { Probe::at_most_oce; },
        requires { Probe::at_most_ocne; }, requires { Probe::at_most_onnce; }, requires { Probe::at_most_one; },
        requires { Probe::at_most_onec; }, requires { Probe::at_most_onc; }, requires { Probe::ay_find_nothing; },
        requires { Probe::amy_find_nothing; }, requires { Probe::my_find_nothing; },
        requires { Probe::mya_find_nothing; }, requires { Probe::ma_find_nothing; },
        requires { Probe::mayfind_nothing; }, requires { Probe::may_ind_nothing; },
        requires { Probe::may_ifnd_nothing; }, requires { Probe::may_fnd_nothing; },
        requires { Probe::may_fnid_nothing; }, requires { Probe::may_fid_nothing; },
        requires { Probe::may_fidn_nothing; }, requires { Probe::may_fin_nothing; },
        requires { Probe::may_findnothing; }, requires { Probe::may_find_othing; },
        requires { Probe::may_find_onthing; }, requires { Probe::may_find_nthing; },
        requires { Probe::may_find_ntohing; }, requires { Probe::may_find_nohing; },
        requires { Probe::may_find_nohting; }, requires { Probe::may_find_noting; },
        requires { Probe::may_find_notihng; }, requires { Probe::may_find_nothng; },
        requires { Probe::may_find_nothnig; }, requires { Probe::may_find_nothig; },
        requires { Probe::may_find_nothign; }, requires { Probe::may_find_nothin; }, false};
    return words + first_false(free);
  }
  static constexpr size_t words = 247, count = 934;
  static constexpr const char* meanings =
      ";needs:need," "neds," "nedes," "nees," "require," "requires_," "required," "preconditions," "depends_on,"
      "dependencies," "invariants," "requires_facts," "required_facts," "needs_facts," "required_passes,"
      "requires_passes," "prerequisites," "required_properties," "get_required_properties," "assumes," "expects,"
      "required_analyses," "begins_with," "requirements," "prereqs," "needed," "assumptions," ";runs_in:runsin,"
      "run_in," "runs_on," "run_on," "in_phase," ";gives:give," "provides," "ensures," "establishes," "produces,"
      "postconditions," "provides_facts," "guarantees," "postcondition," "set_properties," "get_set_properties,"
      "guarantee," "establish," ";keeps:keep," "preserves," "preserved," "preserve," "PreservedAnalyses,"
      "preserves_facts," "preserves_analyses," "preserved_analyses," "retains," "preserves_all," "preserves_cfg,"
      "preserve_facts," "preserved_facts," "kept," ";breaks:break_," "invalidates," "clobbers," "destroys,"
      "invalidated," "kills," "clobbered," "cleared_properties," "get_cleared_properties," "invalidate," "breaks_facts,"
      "invalidates_facts," ";emits:emit," "emmits," "generates," "introduces," "legal_ops," "dependent_dialects,"
      "creates," "produced_ops," "inserts," "produces_ops," "legal_dialects," "emitted," "output_ops," "adds_ops,"
      "inserted_ops," "new_ops," ";eliminates:eliminate," "removes," "lowers," "legalizes," "illegal_ops,"
      "removed_ops," "erases," "removes_ops," "consumes," "illegal_dialects," "eliminated," "lowered," "deleted_ops,"
      "elimination," "illegal," ";handles:handle," ";deletes:delete_," "may_delete," "side_effects," ";merges:merge,"
      "merging," "dedups," "combines," "may_merge," ";moves:move," "hoists," "sinks," "reorders," "hoist," "may_move,"
      ";leaves:leave," ";keeps_inside:keep_inside," "stays_inside," "leaves_inside," "keeps_in_region,"
      "stays_in_region," "region_keeps," ";duplicates:duplicate," "dupicates," "duplicats," "duplciates," "clones,"
      "copies," ";recomputes:recompute," "recomptes," "rcomputes," "rematerializes," "reruns,"
      ";TENON_ATTRIBUTES:options," "option," "Options," "pass_options," ";works_on:work_on," "works," "matches,"
      "anchors," "anchor_ops," "root_ops," "input_ops," "rewrites," "converts," ";emits_outside:emit_outside,"
      ";encloses:enclose," "enclosed," ";changes:change," "mutates," "modifies," "alters," "modifies_ops,"
      "mutates_ops," "modified," "touches," ";looks_through:look_through," "looks_thru," "sees_through,"
      "follows_aliases," "alias_ops," "known_aliases," ";not_between:not_in_between," "between,"
      ";not_after:never_after," "not_afer," "not_afetr," "notafter," "before," "runs_before," "must_run_before,"
      "must_precede," "run_before," "comes_before," "prior_to," "earlier_than," ";not_before:never_before," "not_befor,"
      "notbefore," "not_beofre," "after," "runs_after," "must_run_after," "must_follow," "run_after," "comes_after,"
      "later_than," ";immediately_after:directly_after," "follows," "runs_immediately_after," "right_after,"
      ";makes_functions_in:make_functions_in," ";adds_functions:add_functions," "add_function," "adds_function,"
      "makes_functions," "make_functions," "creates_functions," "clones_functions," "creates_function,"
      "outlines_functions," ";removes_functions:remove_functions," "remove_function," "removes_function,"
      "deletes_functions," "erases_functions," "drops_functions," "deletes_function," "erases_function,"
      ";changes_functions:change_functions," "changes_function," "changes_signatures,"
      ";needs_of_device:need_of_device," "needs_device," "requires_of_device," "device_needs," "needs_of_devices,"
      "needs_capabilities," "required_capabilities," ";needs_of_runtime:needs_of_runtimes," "needs_ofruntime,"
      "need_of_runtime," "needs_runtime," "requires_of_runtime," "runtime_needs," "needs_of_target,"
      ";at_most_once:only_once," "run_once," "runs_once," "run_at_most_once," "single_run," "once,"
      ";may_find_nothing:may_find_none," "may_be_empty," "can_find_nothing," "may_not_match," ";run:getAnalysisUsage,"
      "getDependentDialects," "runOnOperation," "runOnFunction," "runOnModule," "runOnMachineFunction," "run_on_module,"
      "transform_module," ";needs:dependsOn," "requiresFacts," "requiredFacts," "needsFacts," "requiredPasses,"
      "requiresPasses," "requiredProperties," "getRequiredProperties," "requiredAnalyses," "beginsWith,"
      ";runs_in:runsIn," "runIn," "runsOn," "runOn," "inPhase," ";gives:providesFacts," "setProperties,"
      "getSetProperties," ";keeps:preservesFacts," "preservesAnalyses," "preservedAnalyses," "preservesAll,"
      "preservesCfg," "preserveFacts," "preservedFacts," ";breaks:clearedProperties," "getClearedProperties,"
      "breaksFacts," "invalidatesFacts," ";emits:legalOps," "dependentDialects," "producedOps," "producesOps,"
      "legalDialects," "outputOps," "addsOps," "insertedOps," "newOps," ";eliminates:illegalOps," "removedOps,"
      "removesOps," "illegalDialects," "deletedOps," ";deletes:mayDelete," "sideEffects," ";merges:mayMerge,"
      ";moves:mayMove," ";keeps_inside:keepsInside," "keepInside," "staysInside," "leavesInside," "keepsInRegion,"
      "staysInRegion," "regionKeeps," ";works_on:worksOn," "workOn," "anchorOps," "rootOps," "inputOps,"
      ";emits_outside:emitsOutside," "emitOutside," ";changes:modifiesOps," "mutatesOps," ";looks_through:looksThrough,"
      "lookThrough," "looksThru," "seesThrough," "followsAliases," "aliasOps," "knownAliases,"
      ";not_between:notBetween," "notInBetween," ";not_after:notAfter," "neverAfter," "notAfer," "notAfetr,"
      "runsBefore," "mustRunBefore," "mustPrecede," "runBefore," "comesBefore," "priorTo," "earlierThan,"
      ";not_before:notBefore," "neverBefore," "notBefor," "notBeofre," "runsAfter," "mustRunAfter," "mustFollow,"
      "runAfter," "comesAfter," "laterThan," ";immediately_after:immediatelyAfter," "directlyAfter,"
      "runsImmediatelyAfter," "rightAfter," ";makes_functions_in:makesFunctionsIn," "makeFunctionsIn,"
      ";adds_functions:addsFunctions," "addFunctions," "addFunction," "addsFunction," "makesFunctions," "makeFunctions,"
      "createsFunctions," "clonesFunctions," "createsFunction," "outlinesFunctions,"
      ";removes_functions:removesFunctions," "removeFunctions," "removeFunction," "removesFunction," "deletesFunctions,"
      "erasesFunctions," "dropsFunctions," "deletesFunction," "erasesFunction," ";changes_functions:changesFunctions,"
      "changeFunctions," "changesFunction," "changesSignatures," ";needs_of_device:needsOfDevice," "needOfDevice,"
      "needsDevice," "requiresOfDevice," "deviceNeeds," "needsOfDevices," "needsCapabilities," "requiredCapabilities,"
      ";needs_of_runtime:needsOfRuntime," "needsOfRuntimes," "needsOfruntime," "needOfRuntime," "needsRuntime,"
      "requiresOfRuntime," "runtimeNeeds," "needsOfTarget," ";at_most_once:atMostOnce," "onlyOnce," "runOnce,"
      "runsOnce," "runAtMostOnce," "singleRun," ";may_find_nothing:mayFindNothing," "mayFindNone," "mayBeEmpty,"
      "canFindNothing," "mayNotMatch," ";run:transformModule," ";gives:ives," "igves," "gves," "gvies," "gies," "gievs,"
      "givs," "givse," "givess," ";keeps:eeps," "ekeps," "keps," "kepes," "kees," "keesp," "keepss," ";breaks:reaks,"
      "rbeaks," "beaks," "beraks," "brreaks," "braks," "braeks," "breks," "brekas," "breas," "breask," "breakss,"
      ";emits:mits," "meits," "eits," "eimts," "emts," "emtis," "emis," "emist," "emitts," "emitss,"
      ";eliminates:liminates," "leiminates," "eiminates," "eilminates," "elliminates," "elminates," "elmiinates,"
      "eliinates," "eliimnates," "elimminates," "elimnates," "elimniates," "elimiates," "elimiantes," "eliminnates,"
      "elimintes," "elimintaes," "eliminaes," "eliminaets," "eliminattes," "eliminats," "eliminatse," "eliminatess,"
      ";handles:andles," "ahndles," "hndles," "hnadles," "hadles," "hadnles," "hanndles," "hanles," "hanldes," "handes,"
      "handels," "handlles," "handls," "handlse," "handless," ";deletes:eletes," "edletes," "dletes," "dleetes,"
      "deetes," "deeltes," "delletes," "deltes," "deltees," "delees," "deleets," "delettes," "delets," "deletse,"
      "deletess," ";merges:erges," "emrges," "mrges," "mreges," "meges," "megres," "merrges," "meres," "meregs,"
      "mergs," "mergse," "mergess," ";moves:oves," "omves," "mves," "mvoes," "moes," "moevs," "movs," "movse," "movess,"
      ";leaves:eaves," "elaves," "laves," "laeves," "leves," "levaes," "leaes," "leaevs," "leavs," "leavse," "leavess,"
      ";keeps_inside:eeps_inside," "ekeps_inside," "kkeeps_inside," "jeeps_inside," "leeps_inside," "keps_inside,"
      "keeeps_inside," "kweps_inside," "kreps_inside," "kepes_inside," "kewps_inside," "kerps_inside," "kees_inside,"
      "keesp_inside," "keepps_inside," "keeos_inside," "keepss_inside," "keepa_inside," "keepd_inside," "keepsinside,"
      "keeps__inside," "keeps_nside," "keeps_niside," "keeps_iinside," "keeps_unside," "keeps_onside," "keeps_iside,"
      "keeps_isnide," "keeps_innside," "keeps_ibside," "keeps_imside," "keeps_inide," "keeps_inisde," "keeps_insside,"
      "keeps_inaide," "keeps_indide," "keeps_insde," "keeps_insdie," "keeps_insiide," "keeps_insude," "keeps_insode,"
      "keeps_insie," "keeps_insied," "keeps_insidde," "keeps_insise," "keeps_insife," "keeps_insid," "keeps_insidee,"
      "keeps_insidw," "keeps_insidr," ";works_on:orks_on," "owrks_on," "wrks_on," "wroks_on," "woks_on," "wokrs_on,"
      "worrks_on," "wors_on," "worsk_on," "workss_on," "workson," "works_n," "works_no," "works_o," "works_onn,"
      ";emits_outside:mits_outside," "meits_outside," "eemits_outside," "wmits_outside," "rmits_outside,"
      "eits_outside," "eimts_outside," "emmits_outside," "enits_outside," "emts_outside," "emtis_outside,"
      "emiits_outside," "emuts_outside," "emots_outside," "emis_outside," "emist_outside," "emitts_outside,"
      "emirs_outside," "emiys_outside," "emitss_outside," "emita_outside," "emitd_outside," "emitsoutside,"
      "emits__outside," "emits_utside," "emits_uotside," "emits_ooutside," "emits_iutside," "emits_putside,"
      "emits_otside," "emits_otuside," "emits_ouutside," "emits_oytside," "emits_oitside," "emits_ouside,"
      "emits_oustide," "emits_outtside," "emits_ourside," "emits_ouyside," "emits_outide," "emits_outisde,"
      "emits_outsside," "emits_outaide," "emits_outdide," "emits_outsde," "emits_outsdie," "emits_outsiide,"
      "emits_outsude," "emits_outsode," "emits_outsie," "emits_outsied," "emits_outsidde," "emits_outsise,"
      "emits_outsife," "emits_outsid," "emits_outsidee," "emits_outsidw," "emits_outsidr," ";encloses:ncloses,"
      "necloses," "eencloses," "wncloses," "rncloses," "ecloses," "ecnloses," "enncloses," "ebcloses," "emcloses,"
      "enloses," "enlcoses," "enccloses," "enxloses," "envloses," "encoses," "encolses," "enclloses," "enckoses,"
      "enclses," "enclsoes," "enclooses," "enclises," "enclpses," "encloes," "encloess," "enclosses," "encloaes,"
      "enclodes," "encloss," "enclosse," "enclosees," "enclosws," "enclosrs," "enclosess," "enclosea,"
      ";changes:hanges," "hcanges," "cchanges," "xhanges," "vhanges," "canges," "cahnges," "chhanges," "cganges,"
      "cjanges," "chnges," "chnages," "chaanges," "chsnges," "chages," "chagnes," "channges," "chabges," "chamges,"
      "chanes," "chanegs," "changges," "chanfes," "chanhes," "changs," "changse," "changees," "changws," "changrs,"
      "changess," "changea," "changed," ";looks_through:ooks_through," "oloks_through," "llooks_through,"
      "kooks_through," "loks_through," "loooks_through," "lioks_through," "lpoks_through," "lokos_through,"
      "loiks_through," "lopks_through," "loos_through," "loosk_through," "lookks_through," "loojs_through,"
      "lools_through," "lookss_through," "looka_through," "lookd_through," "looksthrough," "looks__through,"
      "looks_hrough," "looks_htrough," "looks_tthrough," "looks_rhrough," "looks_yhrough," "looks_trough,"
      "looks_trhough," "looks_thhrough," "looks_tgrough," "looks_tjrough," "looks_though," "looks_thorugh,"
      "looks_thrrough," "looks_theough," "looks_thtough," "looks_thrugh," "looks_thruogh," "looks_throough,"
      "looks_thriugh," "looks_thrpugh," "looks_throgh," "looks_throguh," "looks_throuugh," "looks_throygh,"
      "looks_throigh," "looks_throuh," "looks_throuhg," "looks_througgh," "looks_throufh," "looks_throuhh,"
      "looks_throug," "looks_throughh," "looks_througg," "looks_througj," ";not_between:ot_between," "ont_between,"
      "nt_between," "nto_between," "no_between," "nott_between," "notbetween," "not_etween," "not_ebtween,"
      "not_btween," "not_bteween," "not_beween," "not_bewteen," "not_bettween," "not_beteen," "not_betewen,"
      "not_betwen," "not_betwene," "not_betwee," "not_betweenn," ";immediately_after:mmediately_after,"
      "mimediately_after," "imediately_after," "imemdiately_after," "immdiately_after," "immdeiately_after,"
      "immeiately_after," "immeidately_after," "immedately_after," "immedaitely_after," "immeditely_after,"
      "immeditaely_after," "immediaely_after," "immediaetly_after," "immediatly_after," "immediatley_after,"
      "immediatey_after," "immediateyl_after," "immediatel_after," "immediatelyafter," "immediately_fter,"
      "immediately_fater," "immediately_ater," "immediately_atfer," "immediately_afer," "immediately_afetr,"
      "immediately_aftr," "immediately_aftre," "immediately_afte," ";makes_functions_in:akes_functions_in,"
      "amkes_functions_in," "mkes_functions_in," "mkaes_functions_in," "maes_functions_in," "maeks_functions_in,"
      "maks_functions_in," "makse_functions_in," "makesfunctions_in," "makes_unctions_in," "makes_ufnctions_in,"
      "makes_fnctions_in," "makes_fnuctions_in," "makes_fuctions_in," "makes_fucntions_in," "makes_funtions_in,"
      "makes_funtcions_in," "makes_funcions_in," "makes_funcitons_in," "makes_functons_in," "makes_functoins_in,"
      "makes_functins_in," "makes_functinos_in," "makes_functios_in," "makes_functiosn_in," "makes_function_in,"
      "makes_functionsin," "makes_functions_n," "makes_functions_ni," "makes_functions_i,"
      ";needs_of_device:eeds_of_device," "eneds_of_device," "neds_of_device," "nedes_of_device," "nees_of_device,"
      "neesd_of_device," "needsof_device," "needs_f_device," "needs_fo_device," "needs_o_device," "needs_ofdevice,"
      "needs_of_evice," "needs_of_edvice," "needs_of_dvice," "needs_of_dveice," "needs_of_deice," "needs_of_deivce,"
      "needs_of_devce," "needs_of_devcie," "needs_of_devie," "needs_of_deviec," "needs_of_devic," ";version:ersion,"
      "evrsion," "vrsion," "vresion," "vesion," "vesrion," "verrsion," "verion," "verison," "verssion," "verson,"
      "versoin," "versin," "versino," "versio," "versionn," ";at_most_once:t_most_once," "ta_most_once," "a_most_once,"
      "att_most_once," "atmost_once," "at_ost_once," "at_omst_once," "at_mmost_once," "at_mst_once," "at_msot_once,"
      "at_mot_once," "at_mots_once," "at_mosst_once," "at_mos_once," "at_mostt_once," "at_mostonce," "at_most_nce,"
      "at_most_noce," "at_most_oce," "at_most_ocne," "at_most_onnce," "at_most_one," "at_most_onec," "at_most_onc,"
      ";may_find_nothing:ay_find_nothing," "amy_find_nothing," "my_find_nothing," "mya_find_nothing," "ma_find_nothing,"
      "mayfind_nothing," "may_ind_nothing," "may_ifnd_nothing," "may_fnd_nothing," "may_fnid_nothing,"
      "may_fid_nothing," "may_fidn_nothing," "may_fin_nothing," "may_findnothing," "may_find_othing,"
      "may_find_onthing," "may_find_nthing," "may_find_ntohing," "may_find_nohing," "may_find_nohting,"
      "may_find_noting," "may_find_notihng," "may_find_nothng," "may_find_nothnig," "may_find_nothig,"
      "may_find_nothign," "may_find_nothin,";
};

struct phase_names {
  enum : unsigned short {
    legal_ops, allowed_ops, opList, op_lists, ops_list, ops_allowed, supported_ops, dialects, op_effect, effects,
    effect, opEffects, effects_allowed, allowed_effects, side, side_phase_of, sideOf, parent, detour, detour_of,
    extends, call_into, calls, callsInto, may_call, callees, callable, early_op, earlyOps, early, ahead, kernel_ops,
    begin_with, begins, starts_with, start_with, begins_wtih, bgeins_with, beginsWith, holds_at_start, initial_facts,
    invariants, entry_facts, initially, ensures, assumes, begins_with_facts, starts_from, facts, requires_,
    preconditions, given, properties, needs, gives, is_open, opened, extensible, extendable, verifies, check, verifier,
    verify_module, validate, checks, p_effects, po_effects, o_effects, opeffects, op_ffects, op_fefects, op_efects,
    op_efefcts, op_effcts, op_effcets, op_effets, op_effetcs, op_effecs, op_effecst, op_effectts, op_effectss, ide_of,
    isde_of, sde_of, sdie_of, sie_of, sied_of, sid_of, sideof, side_f, side_fo, side_o, alls_into, aclls_into,
    clls_into, clals_into, cals_into, callls_into, calsl_into, callss_into, callsinto, calls_nto, calls_nito, calls_ito,
    calls_itno, calls_innto, calls_ino, calls_inot, calls_intto, calls_int, arly_ops, aerly_ops, erly_ops, eraly_ops,
    ealy_ops, ealry_ops, earrly_ops, eary_ops, earyl_ops, earlly_ops, earl_ops, earlyops, early_ps, early_pos, early_os,
    early_osp, early_opss,
  };
};
struct phase {
  using names = phase_names;
  template <class Probe>
  static constexpr bool free = requires {
    Probe::legal_ops; Probe::allowed_ops; Probe::opList; Probe::op_lists; Probe::ops_list; Probe::ops_allowed;
    Probe::supported_ops; Probe::dialects; Probe::op_effect; Probe::effects; Probe::effect; Probe::opEffects;
    Probe::effects_allowed; Probe::allowed_effects; Probe::side; Probe::side_phase_of; Probe::sideOf; Probe::parent;
    Probe::detour; Probe::detour_of; Probe::extends; Probe::call_into; Probe::calls; Probe::callsInto; Probe::may_call;
    Probe::callees; Probe::callable; Probe::early_op; Probe::earlyOps; Probe::early; Probe::ahead; Probe::kernel_ops;
    Probe::begin_with; Probe::begins; Probe::starts_with; Probe::start_with; Probe::begins_wtih; Probe::bgeins_with;
    Probe::beginsWith; Probe::holds_at_start; Probe::initial_facts; Probe::invariants; Probe::entry_facts;
    Probe::initially; Probe::ensures; Probe::assumes; Probe::begins_with_facts; Probe::starts_from; Probe::facts;
    Probe::requires_; Probe::preconditions; Probe::given; Probe::properties; Probe::needs; Probe::gives; Probe::is_open;
    Probe::opened; Probe::extensible; Probe::extendable; Probe::verifies; Probe::check; Probe::verifier;
    Probe::verify_module; Probe::validate; Probe::checks; Probe::p_effects; Probe::po_effects; Probe::o_effects;
    Probe::opeffects; Probe::op_ffects; Probe::op_fefects; Probe::op_efects; Probe::op_efefcts; Probe::op_effcts;
    Probe::op_effcets; Probe::op_effets; Probe::op_effetcs; Probe::op_effecs; Probe::op_effecst; Probe::op_effectts;
    Probe::op_effectss; Probe::ide_of; Probe::isde_of; Probe::sde_of; Probe::sdie_of; Probe::sie_of; Probe::sied_of;
    Probe::sid_of; Probe::sideof; Probe::side_f; Probe::side_fo; Probe::side_o; Probe::alls_into; Probe::aclls_into;
    Probe::clls_into; Probe::clals_into; Probe::cals_into; Probe::callls_into; Probe::calsl_into; Probe::callss_into;
    Probe::callsinto; Probe::calls_nto; Probe::calls_nito; Probe::calls_ito; Probe::calls_itno; Probe::calls_innto;
    Probe::calls_ino; Probe::calls_inot; Probe::calls_intto; Probe::calls_int; Probe::arly_ops; Probe::aerly_ops;
    Probe::erly_ops; Probe::eraly_ops; Probe::ealy_ops; Probe::ealry_ops; Probe::earrly_ops; Probe::eary_ops;
    Probe::earyl_ops; Probe::earlly_ops; Probe::earl_ops; Probe::earlyops; Probe::early_ps; Probe::early_pos;
    Probe::early_os; Probe::early_osp; Probe::early_opss;
  };
  template <class T>
  static constexpr size_t found_word() {
    const bool said[] = {
        requires { requires member_of<T, typename T::legal_ops>; } || requires { *&T::legal_ops; },
        requires { requires member_of<T, typename T::allowed_ops>; } || requires { *&T::allowed_ops; },
        requires { requires member_of<T, typename T::opList>; } || requires { *&T::opList; },
        requires { requires member_of<T, typename T::op_lists>; } || requires { *&T::op_lists; },
        requires { requires member_of<T, typename T::ops_list>; } || requires { *&T::ops_list; },
        requires { requires member_of<T, typename T::ops_allowed>; } || requires { *&T::ops_allowed; },
        requires { requires member_of<T, typename T::supported_ops>; } || requires { *&T::supported_ops; },
        requires { requires member_of<T, typename T::dialects>; } || requires { *&T::dialects; },
        requires { requires member_of<T, typename T::op_effect>; } || requires { *&T::op_effect; },
        requires { requires member_of<T, typename T::effects>; } || requires { *&T::effects; },
        requires { requires member_of<T, typename T::effect>; } || requires { *&T::effect; },
        requires { requires member_of<T, typename T::opEffects>; } || requires { *&T::opEffects; },
        requires { requires member_of<T, typename T::effects_allowed>; } || requires { *&T::effects_allowed; },
        requires { requires member_of<T, typename T::allowed_effects>; } || requires { *&T::allowed_effects; },
        requires { requires member_of<T, typename T::side>; } || requires { *&T::side; },
        requires { requires member_of<T, typename T::side_phase_of>; } || requires { *&T::side_phase_of; },
        requires { requires member_of<T, typename T::sideOf>; } || requires { *&T::sideOf; },
        requires { requires member_of<T, typename T::parent>; } || requires { *&T::parent; },
        requires { requires member_of<T, typename T::detour>; } || requires { *&T::detour; },
        requires { requires member_of<T, typename T::detour_of>; } || requires { *&T::detour_of; },
        requires { requires member_of<T, typename T::extends>; } || requires { *&T::extends; },
        requires { requires member_of<T, typename T::call_into>; } || requires { *&T::call_into; },
        requires { requires member_of<T, typename T::calls>; } || requires { *&T::calls; },
        requires { requires member_of<T, typename T::callsInto>; } || requires { *&T::callsInto; },
        requires { requires member_of<T, typename T::may_call>; } || requires { *&T::may_call; },
        requires { requires member_of<T, typename T::callees>; } || requires { *&T::callees; },
        requires { requires member_of<T, typename T::callable>; } || requires { *&T::callable; },
        requires { requires member_of<T, typename T::early_op>; } || requires { *&T::early_op; },
        requires { requires member_of<T, typename T::earlyOps>; } || requires { *&T::earlyOps; },
        requires { requires member_of<T, typename T::early>; } || requires { *&T::early; },
        requires { requires member_of<T, typename T::ahead>; } || requires { *&T::ahead; },
        requires { requires member_of<T, typename T::kernel_ops>; } || requires { *&T::kernel_ops; },
        requires { requires member_of<T, typename T::begin_with>; } || requires { *&T::begin_with; },
        requires { requires member_of<T, typename T::begins>; } || requires { *&T::begins; },
        requires { requires member_of<T, typename T::starts_with>; } || requires { *&T::starts_with; },
        requires { requires member_of<T, typename T::start_with>; } || requires { *&T::start_with; },
        requires { requires member_of<T, typename T::begins_wtih>; } || requires { *&T::begins_wtih; },
        requires { requires member_of<T, typename T::bgeins_with>; } || requires { *&T::bgeins_with; },
        requires { requires member_of<T, typename T::beginsWith>; } || requires { *&T::beginsWith; },
        requires { requires member_of<T, typename T::holds_at_start>; } || requires { *&T::holds_at_start; },
        requires { requires member_of<T, typename T::initial_facts>; } || requires { *&T::initial_facts; },
        requires { requires member_of<T, typename T::invariants>; } || requires { *&T::invariants; },
        requires { requires member_of<T, typename T::entry_facts>; } || requires { *&T::entry_facts; },
        requires { requires member_of<T, typename T::initially>; } || requires { *&T::initially; },
        requires { requires member_of<T, typename T::ensures>; } || requires { *&T::ensures; },
        requires { requires member_of<T, typename T::assumes>; } || requires { *&T::assumes; },
        requires { requires member_of<T, typename T::begins_with_facts>; } || requires { *&T::begins_with_facts; },
        requires { requires member_of<T, typename T::starts_from>; } || requires { *&T::starts_from; },
        requires { requires member_of<T, typename T::facts>; } || requires { *&T::facts; },
        requires { requires member_of<T, typename T::requires_>; } || requires { *&T::requires_; },
        requires { requires member_of<T, typename T::preconditions>; } || requires { *&T::preconditions; },
        requires { requires member_of<T, typename T::given>; } || requires { *&T::given; },
        requires { requires member_of<T, typename T::properties>; } || requires { *&T::properties; },
        requires { requires member_of<T, typename T::needs>; } || requires { *&T::needs; },
        requires { requires member_of<T, typename T::gives>; } || requires { *&T::gives; },
        requires { requires member_of<T, typename T::is_open>; } || requires { &T::is_open; },
        requires { requires member_of<T, typename T::opened>; } || requires { &T::opened; },
        requires { requires member_of<T, typename T::extensible>; } || requires { &T::extensible; },
        requires { requires member_of<T, typename T::extendable>; } || requires { &T::extendable; },
        requires { requires member_of<T, typename T::verifies>; } || requires { &T::verifies; },
        requires { requires member_of<T, typename T::check>; } || requires { &T::check; },
        requires { requires member_of<T, typename T::verifier>; } || requires { &T::verifier; },
        requires { requires member_of<T, typename T::verify_module>; } || requires { &T::verify_module; },
        requires { requires member_of<T, typename T::validate>; } || requires { &T::validate; },
        requires { requires member_of<T, typename T::checks>; } || requires { &T::checks; }, true};
    return first_true(said);
  }
  template <class Probe>
  static constexpr size_t found_slip() {
    const bool free[] = {
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
        requires { Probe::early_osp; }, requires { Probe::early_opss; }, false};
    return words + first_false(free);
  }
  static constexpr size_t words = 65, count = 127;
  static constexpr const char* meanings =
      ";op_list:legal_ops," "allowed_ops," "opList," "op_lists," "ops_list," "ops_allowed," "supported_ops," "dialects,"
      ";op_effects:op_effect," "effects," "effect," "opEffects," "effects_allowed," "allowed_effects," ";side_of:side,"
      "side_phase_of," "sideOf," "parent," "detour," "detour_of," "extends," ";calls_into:call_into," "calls,"
      "callsInto," "may_call," "callees," "callable," ";early_ops:early_op," "earlyOps," "early," "ahead," "kernel_ops,"
      ";begins_with:begin_with," "begins," "starts_with," "start_with," "begins_wtih," "bgeins_with," "beginsWith,"
      "holds_at_start," "initial_facts," "invariants," "entry_facts," "initially," "ensures," "assumes,"
      "begins_with_facts," "starts_from," "facts," "requires_," "preconditions," "given," "properties," "needs,"
      "gives," ";open:is_open," "opened," "extensible," "extendable," ";verify:verifies," "check," "verifier,"
      "verify_module," "validate," "checks," ";op_effects:p_effects," "po_effects," "o_effects," "opeffects,"
      "op_ffects," "op_fefects," "op_efects," "op_efefcts," "op_effcts," "op_effcets," "op_effets," "op_effetcs,"
      "op_effecs," "op_effecst," "op_effectts," "op_effectss," ";side_of:ide_of," "isde_of," "sde_of," "sdie_of,"
      "sie_of," "sied_of," "sid_of," "sideof," "side_f," "side_fo," "side_o," ";calls_into:alls_into," "aclls_into,"
      "clls_into," "clals_into," "cals_into," "callls_into," "calsl_into," "callss_into," "callsinto," "calls_nto,"
      "calls_nito," "calls_ito," "calls_itno," "calls_innto," "calls_ino," "calls_inot," "calls_intto," "calls_int,"
      ";early_ops:arly_ops," "aerly_ops," "erly_ops," "eraly_ops," "ealy_ops," "ealry_ops," "earrly_ops," "eary_ops,"
      "earyl_ops," "earlly_ops," "earl_ops," "earlyops," "early_ps," "early_pos," "early_os," "early_osp,"
      "early_opss,";
};

struct fact_names {
  enum : unsigned short {
    ofEach, of_every, for_each, each_op, of_each_op, of_functions, of_each_function, of_op, of_ops, speaks_of, about,
    each, ofAll, of_all_ops, for_all, all_ops, all, computes, calculate, compute_value, depends_on, restsOn, relies_on,
    based_on, rests_upon, dependsOn, derived_from, follows_from, needs, requires_, sameAs, alias_of, is_same_as,
    same_fact, equals, synonym, same, absent_op, absentops, absent, no_ops, abesnt_ops, absnt_ops, without_ops,
    illegal_ops, absentOps, none_of, forbidden_ops, eliminated_ops,
  };
};
struct fact {
  using names = fact_names;
  template <class Probe>
  static constexpr bool free = requires {
    Probe::ofEach; Probe::of_every; Probe::for_each; Probe::each_op; Probe::of_each_op; Probe::of_functions;
    Probe::of_each_function; Probe::of_op; Probe::of_ops; Probe::speaks_of; Probe::about; Probe::each; Probe::ofAll;
    Probe::of_all_ops; Probe::for_all; Probe::all_ops; Probe::all; Probe::computes; Probe::calculate;
    Probe::compute_value; Probe::depends_on; Probe::restsOn; Probe::relies_on; Probe::based_on; Probe::rests_upon;
    Probe::dependsOn; Probe::derived_from; Probe::follows_from; Probe::needs; Probe::requires_; Probe::sameAs;
    Probe::alias_of; Probe::is_same_as; Probe::same_fact; Probe::equals; Probe::synonym; Probe::same; Probe::absent_op;
    Probe::absentops; Probe::absent; Probe::no_ops; Probe::abesnt_ops; Probe::absnt_ops; Probe::without_ops;
    Probe::illegal_ops; Probe::absentOps; Probe::none_of; Probe::forbidden_ops; Probe::eliminated_ops;
  };
  template <class T>
  static constexpr size_t found_word() {
    const bool said[] = {
        requires { requires member_of<T, typename T::ofEach>; } || requires { *&T::ofEach; },
        requires { requires member_of<T, typename T::of_every>; } || requires { *&T::of_every; },
        requires { requires member_of<T, typename T::for_each>; } || requires { *&T::for_each; },
        requires { requires member_of<T, typename T::each_op>; } || requires { *&T::each_op; },
        requires { requires member_of<T, typename T::of_each_op>; } || requires { *&T::of_each_op; },
        requires { requires member_of<T, typename T::of_functions>; } || requires { *&T::of_functions; },
        requires { requires member_of<T, typename T::of_each_function>; } || requires { *&T::of_each_function; },
        requires { requires member_of<T, typename T::of_op>; } || requires { *&T::of_op; },
        requires { requires member_of<T, typename T::of_ops>; } || requires { *&T::of_ops; },
        requires { requires member_of<T, typename T::speaks_of>; } || requires { *&T::speaks_of; },
        requires { requires member_of<T, typename T::about>; } || requires { *&T::about; },
        requires { requires member_of<T, typename T::each>; } || requires { *&T::each; },
        requires { requires member_of<T, typename T::ofAll>; } || requires { *&T::ofAll; },
        requires { requires member_of<T, typename T::of_all_ops>; } || requires { *&T::of_all_ops; },
        requires { requires member_of<T, typename T::for_all>; } || requires { *&T::for_all; },
        requires { requires member_of<T, typename T::all_ops>; } || requires { *&T::all_ops; },
        requires { requires member_of<T, typename T::all>; } || requires { *&T::all; },
        requires { requires member_of<T, typename T::computes>; } || requires { &T::computes; },
        requires { requires member_of<T, typename T::calculate>; } || requires { &T::calculate; },
        requires { requires member_of<T, typename T::compute_value>; } || requires { &T::compute_value; },
        requires { requires member_of<T, typename T::depends_on>; } || requires { *&T::depends_on; },
        requires { requires member_of<T, typename T::restsOn>; } || requires { *&T::restsOn; },
        requires { requires member_of<T, typename T::relies_on>; } || requires { *&T::relies_on; },
        requires { requires member_of<T, typename T::based_on>; } || requires { *&T::based_on; },
        requires { requires member_of<T, typename T::rests_upon>; } || requires { *&T::rests_upon; },
        requires { requires member_of<T, typename T::dependsOn>; } || requires { *&T::dependsOn; },
        requires { requires member_of<T, typename T::derived_from>; } || requires { *&T::derived_from; },
        requires { requires member_of<T, typename T::follows_from>; } || requires { *&T::follows_from; },
        requires { requires member_of<T, typename T::needs>; } || requires { *&T::needs; },
        requires { requires member_of<T, typename T::requires_>; } || requires { *&T::requires_; },
        requires { requires member_of<T, typename T::sameAs>; } || requires { *&T::sameAs; },
        requires { requires member_of<T, typename T::alias_of>; } || requires { *&T::alias_of; },
        requires { requires member_of<T, typename T::is_same_as>; } || requires { *&T::is_same_as; },
        requires { requires member_of<T, typename T::same_fact>; } || requires { *&T::same_fact; },
        requires { requires member_of<T, typename T::equals>; } || requires { *&T::equals; },
        requires { requires member_of<T, typename T::synonym>; } || requires { *&T::synonym; },
        requires { requires member_of<T, typename T::same>; } || requires { *&T::same; },
        requires { requires member_of<T, typename T::absent_op>; } || requires { *&T::absent_op; },
        requires { requires member_of<T, typename T::absentops>; } || requires { *&T::absentops; },
        requires { requires member_of<T, typename T::absent>; } || requires { *&T::absent; },
        requires { requires member_of<T, typename T::no_ops>; } || requires { *&T::no_ops; },
        requires { requires member_of<T, typename T::abesnt_ops>; } || requires { *&T::abesnt_ops; },
        requires { requires member_of<T, typename T::absnt_ops>; } || requires { *&T::absnt_ops; },
        requires { requires member_of<T, typename T::without_ops>; } || requires { *&T::without_ops; },
        requires { requires member_of<T, typename T::illegal_ops>; } || requires { *&T::illegal_ops; },
        requires { requires member_of<T, typename T::absentOps>; } || requires { *&T::absentOps; },
        requires { requires member_of<T, typename T::none_of>; } || requires { *&T::none_of; },
        requires { requires member_of<T, typename T::forbidden_ops>; } || requires { *&T::forbidden_ops; },
        requires { requires member_of<T, typename T::eliminated_ops>; } || requires { *&T::eliminated_ops; }, true};
    return first_true(said);
  }
  template <class Probe>
  static constexpr size_t found_slip() {
    const bool free[] = {
        false};
    return words + first_false(free);
  }
  static constexpr size_t words = 49, count = 49;
  static constexpr const char* meanings =
      ";of_each:ofEach," "of_every," "for_each," "each_op," "of_each_op," "of_functions," "of_each_function," "of_op,"
      "of_ops," "speaks_of," "about," "each," ";of_all:ofAll," "of_all_ops," "for_all," "all_ops," "all,"
      ";compute:computes," "calculate," "compute_value," ";rests_on:depends_on," "restsOn," "relies_on," "based_on,"
      "rests_upon," "dependsOn," "derived_from," "follows_from," "needs," "requires_," ";same_as:sameAs," "alias_of,"
      "is_same_as," "same_fact," "equals," "synonym," "same," ";absent_ops:absent_op," "absentops," "absent," "no_ops,"
      "abesnt_ops," "absnt_ops," "without_ops," "illegal_ops," "absentOps," "none_of," "forbidden_ops,"
      "eliminated_ops,";
};

struct proof_names {
  enum : unsigned short {
    checks, checker, check_, chek, chcek, verify, verifies, verifier, holds, is_valid, proves, check_all,
  };
};
struct proof {
  using names = proof_names;
  template <class Probe>
  static constexpr bool free = requires {
    Probe::checks; Probe::checker; Probe::check_; Probe::chek; Probe::chcek; Probe::verify; Probe::verifies;
    Probe::verifier; Probe::holds; Probe::is_valid; Probe::proves; Probe::check_all;
  };
  template <class T>
  static constexpr size_t found_word() {
    const bool said[] = {
        requires { requires member_of<T, typename T::checks>; } || requires { &T::checks; },
        requires { requires member_of<T, typename T::checker>; } || requires { &T::checker; },
        requires { requires member_of<T, typename T::check_>; } || requires { &T::check_; },
        requires { requires member_of<T, typename T::chek>; } || requires { &T::chek; },
        requires { requires member_of<T, typename T::chcek>; } || requires { &T::chcek; },
        requires { requires member_of<T, typename T::verify>; } || requires { &T::verify; },
        requires { requires member_of<T, typename T::verifies>; } || requires { &T::verifies; },
        requires { requires member_of<T, typename T::verifier>; } || requires { &T::verifier; },
        requires { requires member_of<T, typename T::holds>; } || requires { &T::holds; },
        requires { requires member_of<T, typename T::is_valid>; } || requires { &T::is_valid; },
        requires { requires member_of<T, typename T::proves>; } || requires { &T::proves; },
        requires { requires member_of<T, typename T::check_all>; } || requires { &T::check_all; }, true};
    return first_true(said);
  }
  template <class Probe>
  static constexpr size_t found_slip() {
    const bool free[] = {
        false};
    return words + first_false(free);
  }
  static constexpr size_t words = 12, count = 12;
  static constexpr const char* meanings =
      ";check:checks," "checker," "check_," "chek," "chcek," "verify," "verifies," "verifier," "holds," "is_valid,"
      "proves," "check_all,";
};

struct op_names {
  enum : unsigned short {
    region_allow, regionAllows, allowed_in_region, allows, region_allowed, allowed_ops, body_allows,
    allowed_ops_in_region, region_forbid, regionForbids, forbidden_in_region, forbids, region_forbidden,
    region_disallows, forbids_in_region, region_keep, regionKeeps, keeps_in_region, isolated, is_isolated,
    isolated_from_above, IsolatedFromAbove, keeps, keeps_inside, effect, op_effects, efects, effcts, side_effects,
    sideEffects, side_effect, memory_effects, effets, has_effects, effect_list, sideeffects, effects_list,
    MemoryEffects, hasSideEffects, has_side_effect, has_side_effects, no_side_effect, no_side_effects, NoSideEffect,
    Pure, pure, is_pure, impure, stateful, is_stateful, TOpIsStateful, resources, call_effect_kind, FPurity, convergent,
    reads_memory, reads_from, read_operands, operands_read, writes_memory, writes_to, write_operands, operands_written,
    alias, aliased, aliases_of, aliases_operands, operands_aliased, may_alias, shares, shares_memory, terminator,
    is_terminator, commutative, is_commutative, elementwise, regions, num_regions, results, num_results, num_operands,
    op_traits, trait, trais, traist,
  };
};
struct op {
  using names = op_names;
  template <class Probe>
  static constexpr bool free = requires {
    Probe::region_allow; Probe::regionAllows; Probe::allowed_in_region; Probe::allows; Probe::region_allowed;
    Probe::allowed_ops; Probe::body_allows; Probe::allowed_ops_in_region; Probe::region_forbid; Probe::regionForbids;
    Probe::forbidden_in_region; Probe::forbids; Probe::region_forbidden; Probe::region_disallows;
    Probe::forbids_in_region; Probe::region_keep; Probe::regionKeeps; Probe::keeps_in_region; Probe::isolated;
    Probe::is_isolated; Probe::isolated_from_above; Probe::IsolatedFromAbove; Probe::keeps; Probe::keeps_inside;
    Probe::effect; Probe::op_effects; Probe::efects; Probe::effcts; Probe::side_effects; Probe::sideEffects;
    Probe::side_effect; Probe::memory_effects; Probe::effets; Probe::has_effects; Probe::effect_list;
    Probe::sideeffects; Probe::effects_list; Probe::MemoryEffects; Probe::hasSideEffects; Probe::has_side_effect;
    Probe::has_side_effects; Probe::no_side_effect; Probe::no_side_effects; Probe::NoSideEffect; Probe::Pure;
    Probe::pure; Probe::is_pure; Probe::impure; Probe::stateful; Probe::is_stateful; Probe::TOpIsStateful;
    Probe::resources; Probe::call_effect_kind; Probe::FPurity; Probe::convergent; Probe::reads_memory;
    Probe::reads_from; Probe::read_operands; Probe::operands_read; Probe::writes_memory; Probe::writes_to;
    Probe::write_operands; Probe::operands_written; Probe::alias; Probe::aliased; Probe::aliases_of;
    Probe::aliases_operands; Probe::operands_aliased; Probe::may_alias; Probe::shares; Probe::shares_memory;
    Probe::terminator; Probe::is_terminator; Probe::commutative; Probe::is_commutative; Probe::elementwise;
    Probe::regions; Probe::num_regions; Probe::results; Probe::num_results; Probe::num_operands; Probe::op_traits;
    Probe::trait; Probe::trais; Probe::traist;
  };
  template <class T>
  static constexpr size_t found_word() {
    const bool said[] = {
        requires { requires member_of<T, typename T::region_allow>; } || requires { *&T::region_allow; },
        requires { requires member_of<T, typename T::regionAllows>; } || requires { *&T::regionAllows; },
        requires { requires member_of<T, typename T::allowed_in_region>; } || requires { *&T::allowed_in_region; },
        requires { requires member_of<T, typename T::allows>; } || requires { *&T::allows; },
        requires { requires member_of<T, typename T::region_allowed>; } || requires { *&T::region_allowed; },
        requires { requires member_of<T, typename T::allowed_ops>; } || requires { *&T::allowed_ops; },
        requires { requires member_of<T, typename T::body_allows>; } || requires { *&T::body_allows; },
        requires { requires member_of<T, typename T::allowed_ops_in_region>; } ||
        requires { *&T::allowed_ops_in_region; }, requires { requires member_of<T, typename T::region_forbid>; } ||
        requires { *&T::region_forbid; }, requires { requires member_of<T, typename T::regionForbids>; } ||
        requires { *&T::regionForbids; }, requires { requires member_of<T, typename T::forbidden_in_region>; } ||
        requires { *&T::forbidden_in_region; }, requires { requires member_of<T, typename T::forbids>; } ||
        requires { *&T::forbids; }, requires { requires member_of<T, typename T::region_forbidden>; } ||
        requires { *&T::region_forbidden; }, requires { requires member_of<T, typename T::region_disallows>; } ||
        requires { *&T::region_disallows; }, requires { requires member_of<T, typename T::forbids_in_region>; } ||
        requires { *&T::forbids_in_region; }, requires { requires member_of<T, typename T::region_keep>; } ||
        requires { *&T::region_keep; }, requires { requires member_of<T, typename T::regionKeeps>; } ||
        requires { *&T::regionKeeps; }, requires { requires member_of<T, typename T::keeps_in_region>; } ||
        requires { *&T::keeps_in_region; }, requires { requires member_of<T, typename T::isolated>; } ||
        requires { *&T::isolated; }, requires { requires member_of<T, typename T::is_isolated>; } ||
        requires { *&T::is_isolated; }, requires { requires member_of<T, typename T::isolated_from_above>; } ||
        requires { *&T::isolated_from_above; }, requires { requires member_of<T, typename T::IsolatedFromAbove>; } ||
        requires { *&T::IsolatedFromAbove; }, requires { requires member_of<T, typename T::keeps>; } ||
        requires { *&T::keeps; }, requires { requires member_of<T, typename T::keeps_inside>; } ||
        requires { *&T::keeps_inside; }, requires { requires member_of<T, typename T::effect>; } ||
        requires { *&T::effect; }, requires { requires member_of<T, typename T::op_effects>; } ||
        requires { *&T::op_effects; }, requires { requires member_of<T, typename T::efects>; } ||
        requires { *&T::efects; }, requires { requires member_of<T, typename T::effcts>; } || requires { *&T::effcts; },
        requires { requires member_of<T, typename T::side_effects>; } || requires { *&T::side_effects; },
        requires { requires member_of<T, typename T::sideEffects>; } || requires { *&T::sideEffects; },
        requires { requires member_of<T, typename T::side_effect>; } || requires { *&T::side_effect; },
        requires { requires member_of<T, typename T::memory_effects>; } || requires { *&T::memory_effects; },
        requires { requires member_of<T, typename T::effets>; } || requires { *&T::effets; },
        requires { requires member_of<T, typename T::has_effects>; } || requires { *&T::has_effects; },
        requires { requires member_of<T, typename T::effect_list>; } || requires { *&T::effect_list; },
        requires { requires member_of<T, typename T::sideeffects>; } || requires { *&T::sideeffects; },
        requires { requires member_of<T, typename T::effects_list>; } || requires { *&T::effects_list; },
        requires { requires member_of<T, typename T::MemoryEffects>; } || requires { *&T::MemoryEffects; },
        requires { requires member_of<T, typename T::hasSideEffects>; } || requires { *&T::hasSideEffects; },
        requires { requires member_of<T, typename T::has_side_effect>; } || requires { *&T::has_side_effect; },
        requires { requires member_of<T, typename T::has_side_effects>; } || requires { *&T::has_side_effects; },
        requires { requires member_of<T, typename T::no_side_effect>; } || requires { *&T::no_side_effect; },
        requires { requires member_of<T, typename T::no_side_effects>; } || requires { *&T::no_side_effects; },
        requires { requires member_of<T, typename T::NoSideEffect>; } || requires { *&T::NoSideEffect; },
        requires { requires member_of<T, typename T::Pure>; } || requires { *&T::Pure; },
        requires { requires member_of<T, typename T::pure>; } || requires { *&T::pure; },
        requires { requires member_of<T, typename T::is_pure>; } || requires { *&T::is_pure; },
        requires { requires member_of<T, typename T::impure>; } || requires { *&T::impure; },
        requires { requires member_of<T, typename T::stateful>; } || requires { *&T::stateful; },
        requires { requires member_of<T, typename T::is_stateful>; } || requires { *&T::is_stateful; },
        requires { requires member_of<T, typename T::TOpIsStateful>; } || requires { *&T::TOpIsStateful; },
        requires { requires member_of<T, typename T::resources>; } || requires { *&T::resources; },
        requires { requires member_of<T, typename T::call_effect_kind>; } || requires { *&T::call_effect_kind; },
        requires { requires member_of<T, typename T::FPurity>; } || requires { *&T::FPurity; },
        requires { requires member_of<T, typename T::convergent>; } || requires { *&T::convergent; },
        requires { requires member_of<T, typename T::reads_memory>; } || requires { *&T::reads_memory; },
        requires { requires member_of<T, typename T::reads_from>; } || requires { *&T::reads_from; },
        requires { requires member_of<T, typename T::read_operands>; } || requires { *&T::read_operands; },
        requires { requires member_of<T, typename T::operands_read>; } || requires { *&T::operands_read; },
        requires { requires member_of<T, typename T::writes_memory>; } || requires { *&T::writes_memory; },
        requires { requires member_of<T, typename T::writes_to>; } || requires { *&T::writes_to; },
        requires { requires member_of<T, typename T::write_operands>; } || requires { *&T::write_operands; },
        requires { requires member_of<T, typename T::operands_written>; } || requires { *&T::operands_written; },
        requires { requires member_of<T, typename T::alias>; } || requires { *&T::alias; },
        requires { requires member_of<T, typename T::aliased>; } || requires { *&T::aliased; },
        requires { requires member_of<T, typename T::aliases_of>; } || requires { *&T::aliases_of; },
        requires { requires member_of<T, typename T::aliases_operands>; } || requires { *&T::aliases_operands; },
        requires { requires member_of<T, typename T::operands_aliased>; } || requires { *&T::operands_aliased; },
        requires { requires member_of<T, typename T::may_alias>; } || requires { *&T::may_alias; },
        requires { requires member_of<T, typename T::shares>; } || requires { *&T::shares; },
        requires { requires member_of<T, typename T::shares_memory>; } || requires { *&T::shares_memory; },
        requires { requires member_of<T, typename T::terminator>; } || requires { *&T::terminator; },
        requires { requires member_of<T, typename T::is_terminator>; } || requires { *&T::is_terminator; },
        requires { requires member_of<T, typename T::commutative>; } || requires { *&T::commutative; },
        requires { requires member_of<T, typename T::is_commutative>; } || requires { *&T::is_commutative; },
        requires { requires member_of<T, typename T::elementwise>; } || requires { *&T::elementwise; },
        requires { requires member_of<T, typename T::regions>; } || requires { *&T::regions; },
        requires { requires member_of<T, typename T::num_regions>; } || requires { *&T::num_regions; },
        requires { requires member_of<T, typename T::results>; } || requires { *&T::results; },
        requires { requires member_of<T, typename T::num_results>; } || requires { *&T::num_results; },
        requires { requires member_of<T, typename T::num_operands>; } || requires { *&T::num_operands; },
        requires { requires member_of<T, typename T::op_traits>; } || requires { *&T::op_traits; },
        requires { requires member_of<T, typename T::trait>; } || requires { &T::trait; },
        requires { requires member_of<T, typename T::trais>; } || requires { &T::trais; },
        requires { requires member_of<T, typename T::traist>; } || requires { &T::traist; }, true};
    return first_true(said);
  }
  template <class Probe>
  static constexpr size_t found_slip() {
    const bool free[] = {
        false};
    return words + first_false(free);
  }
  static constexpr size_t words = 85, count = 85;
  static constexpr const char* meanings =
      ";region_allows:region_allow," "regionAllows," "allowed_in_region," "allows," "region_allowed," "allowed_ops,"
      "body_allows," "allowed_ops_in_region," ";region_forbids:region_forbid," "regionForbids," "forbidden_in_region,"
      "forbids," "region_forbidden," "region_disallows," "forbids_in_region," ";region_keeps:region_keep,"
      "regionKeeps," "keeps_in_region," "isolated," "is_isolated," "isolated_from_above," "IsolatedFromAbove," "keeps,"
      "keeps_inside," ";effects:effect," "op_effects," "efects," "effcts," "side_effects," "sideEffects," "side_effect,"
      "memory_effects," "effets," "has_effects," "effect_list," "sideeffects," "effects_list," "MemoryEffects,"
      "hasSideEffects," "has_side_effect," "has_side_effects," "no_side_effect," "no_side_effects," "NoSideEffect,"
      "Pure," "pure," "is_pure," "impure," "stateful," "is_stateful," "TOpIsStateful," "resources," "call_effect_kind,"
      "FPurity," "convergent," ";reads:reads_memory," "reads_from," "read_operands," "operands_read,"
      ";writes:writes_memory," "writes_to," "write_operands," "operands_written," ";aliases:alias," "aliased,"
      "aliases_of," "aliases_operands," "operands_aliased," "may_alias," "shares," "shares_memory,"
      ";traits:terminator," "is_terminator," "commutative," "is_commutative," "elementwise," "regions," "num_regions,"
      "results," "num_results," "num_operands," "op_traits," "trait," "trais," "traist,";
};

// A word that is a type, said as a value: nobody reads it. Asked where what is not read would let wrong orders pass.
template <class T>
constexpr misnomer value_for_type(pass) {
  if constexpr (requires { *&T::eliminates; })
    return {{"eliminates", 10}, {"using eliminates = ops<...>", 27}};
  if constexpr (requires { *&T::deletes; })
    return {{"deletes", 7}, {"using deletes = effects<...>", 28}};
  if constexpr (requires { *&T::merges; })
    return {{"merges", 6}, {"using merges = effects<...>", 27}};
  if constexpr (requires { *&T::moves; })
    return {{"moves", 5}, {"using moves = effects<...>", 26}};
  if constexpr (requires { *&T::duplicates; })
    return {{"duplicates", 10}, {"using duplicates = effects<...>", 31}};
  if constexpr (requires { *&T::recomputes; })
    return {{"recomputes", 10}, {"using recomputes = effects<...>", 31}};
  if constexpr (requires { *&T::works_on; })
    return {{"works_on", 8}, {"using works_on = ops<...>", 25}};
  if constexpr (requires { *&T::changes; })
    return {{"changes", 7}, {"using changes = ops<...>", 24}};
  if constexpr (requires { *&T::looks_through; })
    return {{"looks_through", 13}, {"using looks_through = ops<...>", 30}};
  if constexpr (requires { *&T::not_between; })
    return {{"not_between", 11}, {"using not_between = interval<...>", 33}};
  if constexpr (requires { *&T::not_after; })
    return {{"not_after", 9}, {"using not_after = ...", 21}};
  if constexpr (requires { *&T::not_before; })
    return {{"not_before", 10}, {"using not_before = ...", 22}};
  if constexpr (requires { *&T::immediately_after; })
    return {{"immediately_after", 17}, {"using immediately_after = ...", 29}};
  return {};
}
template <class T>
constexpr misnomer value_for_type(phase) {
  if constexpr (requires { *&T::op_effects; })
    return {{"op_effects", 10}, {"using op_effects = effects<...>", 31}};
  return {};
}
template <class T>
constexpr misnomer value_for_type(fact) {
  if constexpr (requires { *&T::of_each; })
    return {{"of_each", 7}, {"using of_each = ops<...>", 24}};
  if constexpr (requires { *&T::of_all; })
    return {{"of_all", 6}, {"using of_all = ops<...>", 23}};
  if constexpr (requires { *&T::rests_on; })
    return {{"rests_on", 8}, {"using rests_on = facts<...>", 27}};
  if constexpr (requires { *&T::same_as; })
    return {{"same_as", 7}, {"using same_as = ...", 19}};
  if constexpr (requires { *&T::absent_ops; })
    return {{"absent_ops", 10}, {"using absent_ops = ops<...>", 27}};
  return {};
}
template <class T>
constexpr misnomer value_for_type(op) {
  if constexpr (requires { *&T::region_allows; })
    return {{"region_allows", 13}, {"using region_allows = ops<...>", 30}};
  if constexpr (requires { *&T::region_forbids; })
    return {{"region_forbids", 14}, {"using region_forbids = ops<...>", 31}};
  if constexpr (requires { *&T::region_keeps; })
    return {{"region_keeps", 12}, {"using region_keeps = effects<...>", 33}};
  if constexpr (requires { *&T::effects; })
    return {{"effects", 7}, {"using effects = effects<...>", 28}};
  if constexpr (requires { *&T::reads; })
    return {{"reads", 5}, {"using reads = operands<...>", 27}};
  if constexpr (requires { *&T::writes; })
    return {{"writes", 6}, {"using writes = operands<...>", 28}};
  if constexpr (requires { *&T::aliases; })
    return {{"aliases", 7}, {"using aliases = operands<...>", 29}};
  return {};
}
}  // namespace tenon::near
// clang-format on
