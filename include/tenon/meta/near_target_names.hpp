/// @file near_target_names: members that nobody reads, and whose names are nearly those of members that mean something.
/// Long because it is made by cmake/near_names.awk from the words of cmake/near_names.txt.
#pragma once

#include <tenon/meta/near.hpp>

// clang-format off
namespace tenon::near {

#define TENON_NEAR_NAMES(M, T, V, X) \
  M(ends_in) T(end_in) T(ends) T(ends_at) M(patterns) T(pattern) M(external_code_generator) T(external_codegen) \
  M(configure) V(config) V(configures) M(ends_in) X(nds_in) X(neds_in) X(eds_in) X(edns_in) X(ennds_in) X(ens_in) \
  X(ensd_in) X(endss_in) X(endsin) X(ends_n) X(ends_ni) X(ends_i) X(ends_inn) M(patterns) X(atterns) X(aptterns) \
  X(ptterns) X(ptaterns) X(paterns) X(pattterns) X(patetrns) X(pattrns) X(pattrens) X(pattens) X(pattenrs) \
  X(patterrns) X(patters) X(pattersn) X(patternns) X(patternss) M(external_code_generator) X(xternal_code_generator) \
  X(xeternal_code_generator) X(eternal_code_generator) X(etxernal_code_generator) X(exernal_code_generator) \
  X(exetrnal_code_generator) X(extrnal_code_generator) X(extrenal_code_generator) X(extenal_code_generator) \
  X(extenral_code_generator) X(exteral_code_generator) X(exteranl_code_generator) X(externl_code_generator) \
  X(externla_code_generator) X(externa_code_generator) X(externalcode_generator) X(external_ode_generator) \
  X(external_ocde_generator) X(external_cde_generator) X(external_cdoe_generator) X(external_coe_generator) \
  X(external_coed_generator) X(external_cod_generator) X(external_codegenerator) X(external_code_enerator) \
  X(external_code_egnerator) X(external_code_gnerator) X(external_code_gneerator) X(external_code_geerator) \
  X(external_code_geenrator) X(external_code_genrator) X(external_code_genreator) X(external_code_geneator) \
  X(external_code_geneartor) X(external_code_genertor) X(external_code_genertaor) X(external_code_generaor) \
  X(external_code_generaotr) X(external_code_generatr) X(external_code_generatro) X(external_code_generato) \
  M(configure) X(onfigure) X(ocnfigure) X(cnfigure) X(cnofigure) X(cofigure) X(cofnigure) X(connfigure) X(conigure) \
  X(conifgure) X(confgure) X(confgiure) X(confiure) X(confiugre) X(configre) X(configrue) X(configue) X(configuer) \
  X(configurre) X(configur)
TENON_NEAR(target, 7, 96)
#undef TENON_NEAR_NAMES

#define TENON_NEAR_NAMES(M, T, V, X) \
  M(requires_facts) T(requires_fact) T(require_facts) T(required_facts) T(needs_facts) \
  M(needs_of_runtime) T(need_of_runtime) T(needs_runtime) T(requires_of_runtime) T(runtime_needs) \
  M(needs_of_device) T(need_of_device) T(needs_device) T(requires_of_device) T(device_needs) \
  M(code_format) T(codeformat) M(requires_facts) X(equires_facts) X(erquires_facts) X(rquires_facts) \
  X(rqeuires_facts) X(reuires_facts) X(reuqires_facts) X(reqires_facts) X(reqiures_facts) X(requres_facts) \
  X(requries_facts) X(requies_facts) X(requiers_facts) X(requirs_facts) X(requirse_facts) X(requiresfacts) \
  X(requires_acts) X(requires_afcts) X(requires_fcts) X(requires_fcats) X(requires_fats) X(requires_fatcs) \
  X(requires_facs) X(requires_facst) M(needs_of_runtime) X(eeds_of_runtime) X(eneds_of_runtime) X(neds_of_runtime) \
  X(nedes_of_runtime) X(nees_of_runtime) X(neesd_of_runtime) X(needsof_runtime) X(needs_f_runtime) \
  X(needs_fo_runtime) X(needs_o_runtime) X(needs_ofruntime) X(needs_of_untime) X(needs_of_urntime) X(needs_of_rntime) \
  X(needs_of_rnutime) X(needs_of_rutime) X(needs_of_rutnime) X(needs_of_runime) X(needs_of_runitme) \
  X(needs_of_runtme) X(needs_of_runtmie) X(needs_of_runtie) X(needs_of_runtiem) X(needs_of_runtim) \
  M(needs_of_device) X(eeds_of_device) X(eneds_of_device) X(neds_of_device) X(nedes_of_device) X(nees_of_device) \
  X(neesd_of_device) X(needsof_device) X(needs_f_device) X(needs_fo_device) X(needs_o_device) X(needs_ofdevice) \
  X(needs_of_evice) X(needs_of_edvice) X(needs_of_dvice) X(needs_of_dveice) X(needs_of_deice) X(needs_of_deivce) \
  X(needs_of_devce) X(needs_of_devcie) X(needs_of_devie) X(needs_of_deviec) X(needs_of_devic) \
  M(code_format) X(ode_format) X(ocde_format) X(cde_format) X(cdoe_format) X(coe_format) X(coed_format) X(cod_format) \
  X(code_ormat) X(code_ofrmat) X(code_frmat) X(code_fromat) X(code_fomat) X(code_fomrat) X(code_forrmat) \
  X(code_forat) X(code_foramt) X(code_formmat) X(code_formt) X(code_formta) X(code_forma) X(code_formatt)
TENON_NEAR(maker, 13, 103)
#undef TENON_NEAR_NAMES

#define TENON_NEAR_NAMES(M, T, V, X) \
  M(provides) T(provide) T(capabilities) X(rovides) X(rpovides) X(povides) X(porvides) X(prrovides) X(prvides) \
  X(prvoides) X(proides) X(proivdes) X(provdes) X(provdies) X(provies) X(provieds) X(provids) X(providse) \
  X(providess)
TENON_NEAR(device, 2, 18)
#undef TENON_NEAR_NAMES

}  // namespace tenon::near
// clang-format on
