/// @file near_target_names: members that nobody reads, and whose names are nearly those of members that mean something.
/// Long because it is made by cmake/near_names.awk from the words of cmake/near_names.txt.
#pragma once

#include <tenon/meta/near.hpp>

// clang-format off
namespace tenon::near {

struct target_names {
  enum : unsigned short {
    end_in, ends, ends_at, pattern, external_codegen, config, configures, nds_in, neds_in, eds_in, edns_in, ennds_in,
    ens_in, ensd_in, endss_in, endsin, ends_n, ends_ni, ends_i, ends_inn, atterns, aptterns, ptterns, ptaterns, paterns,
    pattterns, patetrns, pattrns, pattrens, pattens, pattenrs, patterrns, patters, pattersn, patternns, patternss,
    xternal_code_generator, xeternal_code_generator, eternal_code_generator, etxernal_code_generator,
    exernal_code_generator, exetrnal_code_generator, extrnal_code_generator, extrenal_code_generator,
    extenal_code_generator, extenral_code_generator, exteral_code_generator, exteranl_code_generator,
    externl_code_generator, externla_code_generator, externa_code_generator, externalcode_generator,
    external_ode_generator, external_ocde_generator, external_cde_generator, external_cdoe_generator,
    external_coe_generator, external_coed_generator, external_cod_generator, external_codegenerator,
    external_code_enerator, external_code_egnerator, external_code_gnerator, external_code_gneerator,
    external_code_geerator, external_code_geenrator, external_code_genrator, external_code_genreator,
    external_code_geneator, external_code_geneartor, external_code_genertor, external_code_genertaor,
    external_code_generaor, external_code_generaotr, external_code_generatr, external_code_generatro,
    external_code_generato, onfigure, ocnfigure, cnfigure, cnofigure, cofigure, cofnigure, connfigure, conigure,
    conifgure, confgure, confgiure, confiure, confiugre, configre, configrue, configue, configuer, configurre, configur,
  };
};
struct target {
  using names = target_names;
  template <class Probe>
  static constexpr bool free = requires {
    Probe::end_in; Probe::ends; Probe::ends_at; Probe::pattern; Probe::external_codegen; Probe::config;
    Probe::configures; Probe::nds_in; Probe::neds_in; Probe::eds_in; Probe::edns_in; Probe::ennds_in; Probe::ens_in;
    Probe::ensd_in; Probe::endss_in; Probe::endsin; Probe::ends_n; Probe::ends_ni; Probe::ends_i; Probe::ends_inn;
    Probe::atterns; Probe::aptterns; Probe::ptterns; Probe::ptaterns; Probe::paterns; Probe::pattterns; Probe::patetrns;
    Probe::pattrns; Probe::pattrens; Probe::pattens; Probe::pattenrs; Probe::patterrns; Probe::patters; Probe::pattersn;
    Probe::patternns; Probe::patternss; Probe::xternal_code_generator; Probe::xeternal_code_generator;
    Probe::eternal_code_generator; Probe::etxernal_code_generator; Probe::exernal_code_generator;
    Probe::exetrnal_code_generator; Probe::extrnal_code_generator; Probe::extrenal_code_generator;
    Probe::extenal_code_generator; Probe::extenral_code_generator; Probe::exteral_code_generator;
    Probe::exteranl_code_generator; Probe::externl_code_generator; Probe::externla_code_generator;
    Probe::externa_code_generator; Probe::externalcode_generator; Probe::external_ode_generator;
    Probe::external_ocde_generator; Probe::external_cde_generator; Probe::external_cdoe_generator;
    Probe::external_coe_generator; Probe::external_coed_generator; Probe::external_cod_generator;
    Probe::external_codegenerator; Probe::external_code_enerator; Probe::external_code_egnerator;
    Probe::external_code_gnerator; Probe::external_code_gneerator; Probe::external_code_geerator;
    Probe::external_code_geenrator; Probe::external_code_genrator; Probe::external_code_genreator;
    Probe::external_code_geneator; Probe::external_code_geneartor; Probe::external_code_genertor;
    Probe::external_code_genertaor; Probe::external_code_generaor; Probe::external_code_generaotr;
    Probe::external_code_generatr; Probe::external_code_generatro; Probe::external_code_generato; Probe::onfigure;
    Probe::ocnfigure; Probe::cnfigure; Probe::cnofigure; Probe::cofigure; Probe::cofnigure; Probe::connfigure;
    Probe::conigure; Probe::conifgure; Probe::confgure; Probe::confgiure; Probe::confiure; Probe::confiugre;
    Probe::configre; Probe::configrue; Probe::configue; Probe::configuer; Probe::configurre; Probe::configur;
  };
  template <class T>
  static constexpr size_t found_word() {
    const bool said[] = {
        requires { requires member_of<T, typename T::end_in>; } || requires { *&T::end_in; },
        requires { requires member_of<T, typename T::ends>; } || requires { *&T::ends; },
        requires { requires member_of<T, typename T::ends_at>; } || requires { *&T::ends_at; },
        requires { requires member_of<T, typename T::pattern>; } || requires { *&T::pattern; },
        requires { requires member_of<T, typename T::external_codegen>; } || requires { *&T::external_codegen; },
        requires { requires member_of<T, typename T::config>; } || requires { &T::config; },
        requires { requires member_of<T, typename T::configures>; } || requires { &T::configures; }, true};
    return first_true(said);
  }
  template <class Probe>
  static constexpr size_t found_slip() {
    const bool free[] = {
        requires { Probe::nds_in; }, requires { Probe::neds_in; }, requires { Probe::eds_in; },
        requires { Probe::edns_in; }, requires { Probe::ennds_in; }, requires { Probe::ens_in; },
        requires { Probe::ensd_in; }, requires { Probe::endss_in; }, requires { Probe::endsin; },
        requires { Probe::ends_n; }, requires { Probe::ends_ni; }, requires { Probe::ends_i; },
        requires { Probe::ends_inn; }, requires { Probe::atterns; }, requires { Probe::aptterns; },
        requires { Probe::ptterns; }, requires { Probe::ptaterns; }, requires { Probe::paterns; },
        requires { Probe::pattterns; }, requires { Probe::patetrns; }, requires { Probe::pattrns; },
        requires { Probe::pattrens; }, requires { Probe::pattens; }, requires { Probe::pattenrs; },
        requires { Probe::patterrns; }, requires { Probe::patters; }, requires { Probe::pattersn; },
        requires { Probe::patternns; }, requires { Probe::patternss; }, requires { Probe::xternal_code_generator; },
        requires { Probe::xeternal_code_generator; }, requires { Probe::eternal_code_generator; },
        requires { Probe::etxernal_code_generator; }, requires { Probe::exernal_code_generator; },
        requires { Probe::exetrnal_code_generator; }, requires { Probe::extrnal_code_generator; },
        requires { Probe::extrenal_code_generator; }, requires { Probe::extenal_code_generator; },
        requires { Probe::extenral_code_generator; }, requires { Probe::exteral_code_generator; },
        requires { Probe::exteranl_code_generator; }, requires { Probe::externl_code_generator; },
        requires { Probe::externla_code_generator; }, requires { Probe::externa_code_generator; },
        requires { Probe::externalcode_generator; }, requires { Probe::external_ode_generator; },
        requires { Probe::external_ocde_generator; }, requires { Probe::external_cde_generator; },
        requires { Probe::external_cdoe_generator; }, requires { Probe::external_coe_generator; },
        requires { Probe::external_coed_generator; }, requires { Probe::external_cod_generator; },
        requires { Probe::external_codegenerator; }, requires { Probe::external_code_enerator; },
        requires { Probe::external_code_egnerator; }, requires { Probe::external_code_gnerator; },
        requires { Probe::external_code_gneerator; }, requires { Probe::external_code_geerator; },
        requires { Probe::external_code_geenrator; }, requires { Probe::external_code_genrator; },
        requires { Probe::external_code_genreator; }, requires { Probe::external_code_geneator; },
        requires { Probe::external_code_geneartor; }, requires { Probe::external_code_genertor; },
        requires { Probe::external_code_genertaor; }, requires { Probe::external_code_generaor; },
        requires { Probe::external_code_generaotr; }, requires { Probe::external_code_generatr; },
        requires { Probe::external_code_generatro; }, requires { Probe::external_code_generato; },
        requires { Probe::onfigure; }, requires { Probe::ocnfigure; }, requires { Probe::cnfigure; },
        requires { Probe::cnofigure; }, requires { Probe::cofigure; }, requires { Probe::cofnigure; },
        requires { Probe::connfigure; }, requires { Probe::conigure; }, requires { Probe::conifgure; },
        requires { Probe::confgure; }, requires { Probe::confgiure; }, requires { Probe::confiure; },
        requires { Probe::confiugre; }, requires { Probe::configre; }, requires { Probe::configrue; },
        requires { Probe::configue; }, requires { Probe::configuer; }, requires { Probe::configurre; },
        requires { Probe::configur; }, false};
    return words + first_false(free);
  }
  static constexpr size_t words = 7, count = 96;
  static constexpr const char* meanings =
      ";ends_in:end_in," "ends," "ends_at," ";patterns:pattern," ";external_code_generator:external_codegen,"
      ";configure:config," "configures," ";ends_in:nds_in," "neds_in," "eds_in," "edns_in," "ennds_in," "ens_in,"
      "ensd_in," "endss_in," "endsin," "ends_n," "ends_ni," "ends_i," "ends_inn," ";patterns:atterns," "aptterns,"
      "ptterns," "ptaterns," "paterns," "pattterns," "patetrns," "pattrns," "pattrens," "pattens," "pattenrs,"
      "patterrns," "patters," "pattersn," "patternns," "patternss," ";external_code_generator:xternal_code_generator,"
      "xeternal_code_generator," "eternal_code_generator," "etxernal_code_generator," "exernal_code_generator,"
      "exetrnal_code_generator," "extrnal_code_generator," "extrenal_code_generator," "extenal_code_generator,"
      "extenral_code_generator," "exteral_code_generator," "exteranl_code_generator," "externl_code_generator,"
      "externla_code_generator," "externa_code_generator," "externalcode_generator," "external_ode_generator,"
      "external_ocde_generator," "external_cde_generator," "external_cdoe_generator," "external_coe_generator,"
      "external_coed_generator," "external_cod_generator," "external_codegenerator," "external_code_enerator,"
      "external_code_egnerator," "external_code_gnerator," "external_code_gneerator," "external_code_geerator,"
      "external_code_geenrator," "external_code_genrator," "external_code_genreator," "external_code_geneator,"
      "external_code_geneartor," "external_code_genertor," "external_code_genertaor," "external_code_generaor,"
      "external_code_generaotr," "external_code_generatr," "external_code_generatro," "external_code_generato,"
      ";configure:onfigure," "ocnfigure," "cnfigure," "cnofigure," "cofigure," "cofnigure," "connfigure," "conigure,"
      "conifgure," "confgure," "confgiure," "confiure," "confiugre," "configre," "configrue," "configue," "configuer,"
      "configurre," "configur,";
};

struct maker_names {
  enum : unsigned short {
    requires_fact, require_facts, required_facts, needs_facts, need_of_runtime, needs_runtime, requires_of_runtime,
    runtime_needs, need_of_device, needs_device, requires_of_device, device_needs, codeformat, equires_facts,
    erquires_facts, rquires_facts, rqeuires_facts, reuires_facts, reuqires_facts, reqires_facts, reqiures_facts,
    requres_facts, requries_facts, requies_facts, requiers_facts, requirs_facts, requirse_facts, requiresfacts,
    requires_acts, requires_afcts, requires_fcts, requires_fcats, requires_fats, requires_fatcs, requires_facs,
    requires_facst, eeds_of_runtime, eneds_of_runtime, neds_of_runtime, nedes_of_runtime, nees_of_runtime,
    neesd_of_runtime, needsof_runtime, needs_f_runtime, needs_fo_runtime, needs_o_runtime, needs_ofruntime,
    needs_of_untime, needs_of_urntime, needs_of_rntime, needs_of_rnutime, needs_of_rutime, needs_of_rutnime,
    needs_of_runime, needs_of_runitme, needs_of_runtme, needs_of_runtmie, needs_of_runtie, needs_of_runtiem,
    needs_of_runtim, eeds_of_device, eneds_of_device, neds_of_device, nedes_of_device, nees_of_device, neesd_of_device,
    needsof_device, needs_f_device, needs_fo_device, needs_o_device, needs_ofdevice, needs_of_evice, needs_of_edvice,
    needs_of_dvice, needs_of_dveice, needs_of_deice, needs_of_deivce, needs_of_devce, needs_of_devcie, needs_of_devie,
    needs_of_deviec, needs_of_devic, ode_format, ocde_format, cde_format, cdoe_format, coe_format, coed_format,
    cod_format, code_ormat, code_ofrmat, code_frmat, code_fromat, code_fomat, code_fomrat, code_forrmat, code_forat,
    code_foramt, code_formmat, code_formt, code_formta, code_forma, code_formatt,
  };
};
struct maker {
  using names = maker_names;
  template <class Probe>
  static constexpr bool free = requires {
    Probe::requires_fact; Probe::require_facts; Probe::required_facts; Probe::needs_facts; Probe::need_of_runtime;
    Probe::needs_runtime; Probe::requires_of_runtime; Probe::runtime_needs; Probe::need_of_device; Probe::needs_device;
    Probe::requires_of_device; Probe::device_needs; Probe::codeformat; Probe::equires_facts; Probe::erquires_facts;
    Probe::rquires_facts; Probe::rqeuires_facts; Probe::reuires_facts; Probe::reuqires_facts; Probe::reqires_facts;
    Probe::reqiures_facts; Probe::requres_facts; Probe::requries_facts; Probe::requies_facts; Probe::requiers_facts;
    Probe::requirs_facts; Probe::requirse_facts; Probe::requiresfacts; Probe::requires_acts; Probe::requires_afcts;
    Probe::requires_fcts; Probe::requires_fcats; Probe::requires_fats; Probe::requires_fatcs; Probe::requires_facs;
    Probe::requires_facst; Probe::eeds_of_runtime; Probe::eneds_of_runtime; Probe::neds_of_runtime;
    Probe::nedes_of_runtime; Probe::nees_of_runtime; Probe::neesd_of_runtime; Probe::needsof_runtime;
    Probe::needs_f_runtime; Probe::needs_fo_runtime; Probe::needs_o_runtime; Probe::needs_ofruntime;
    Probe::needs_of_untime; Probe::needs_of_urntime; Probe::needs_of_rntime; Probe::needs_of_rnutime;
    Probe::needs_of_rutime; Probe::needs_of_rutnime; Probe::needs_of_runime; Probe::needs_of_runitme;
    Probe::needs_of_runtme; Probe::needs_of_runtmie; Probe::needs_of_runtie; Probe::needs_of_runtiem;
    Probe::needs_of_runtim; Probe::eeds_of_device; Probe::eneds_of_device; Probe::neds_of_device;
    Probe::nedes_of_device; Probe::nees_of_device; Probe::neesd_of_device; Probe::needsof_device; Probe::needs_f_device;
    Probe::needs_fo_device; Probe::needs_o_device; Probe::needs_ofdevice; Probe::needs_of_evice; Probe::needs_of_edvice;
    Probe::needs_of_dvice; Probe::needs_of_dveice; Probe::needs_of_deice; Probe::needs_of_deivce; Probe::needs_of_devce;
    Probe::needs_of_devcie; Probe::needs_of_devie; Probe::needs_of_deviec; Probe::needs_of_devic; Probe::ode_format;
    Probe::ocde_format; Probe::cde_format; Probe::cdoe_format; Probe::coe_format; Probe::coed_format; Probe::cod_format;
    Probe::code_ormat; Probe::code_ofrmat; Probe::code_frmat; Probe::code_fromat; Probe::code_fomat; Probe::code_fomrat;
    Probe::code_forrmat; Probe::code_forat; Probe::code_foramt; Probe::code_formmat; Probe::code_formt;
    Probe::code_formta; Probe::code_forma; Probe::code_formatt;
  };
  template <class T>
  static constexpr size_t found_word() {
    const bool said[] = {
        requires { requires member_of<T, typename T::requires_fact>; } || requires { *&T::requires_fact; },
        requires { requires member_of<T, typename T::require_facts>; } || requires { *&T::require_facts; },
        requires { requires member_of<T, typename T::required_facts>; } || requires { *&T::required_facts; },
        requires { requires member_of<T, typename T::needs_facts>; } || requires { *&T::needs_facts; },
        requires { requires member_of<T, typename T::need_of_runtime>; } || requires { *&T::need_of_runtime; },
        requires { requires member_of<T, typename T::needs_runtime>; } || requires { *&T::needs_runtime; },
        requires { requires member_of<T, typename T::requires_of_runtime>; } || requires { *&T::requires_of_runtime; },
        requires { requires member_of<T, typename T::runtime_needs>; } || requires { *&T::runtime_needs; },
        requires { requires member_of<T, typename T::need_of_device>; } || requires { *&T::need_of_device; },
        requires { requires member_of<T, typename T::needs_device>; } || requires { *&T::needs_device; },
        requires { requires member_of<T, typename T::requires_of_device>; } || requires { *&T::requires_of_device; },
        requires { requires member_of<T, typename T::device_needs>; } || requires { *&T::device_needs; },
        requires { requires member_of<T, typename T::codeformat>; } || requires { *&T::codeformat; }, true};
    return first_true(said);
  }
  template <class Probe>
  static constexpr size_t found_slip() {
    const bool free[] = {
        requires { Probe::equires_facts; }, requires { Probe::erquires_facts; }, requires { Probe::rquires_facts; },
        requires { Probe::rqeuires_facts; }, requires { Probe::reuires_facts; }, requires { Probe::reuqires_facts; },
        requires { Probe::reqires_facts; }, requires { Probe::reqiures_facts; }, requires { Probe::requres_facts; },
        requires { Probe::requries_facts; }, requires { Probe::requies_facts; }, requires { Probe::requiers_facts; },
        requires { Probe::requirs_facts; }, requires { Probe::requirse_facts; }, requires { Probe::requiresfacts; },
        requires { Probe::requires_acts; }, requires { Probe::requires_afcts; }, requires { Probe::requires_fcts; },
        requires { Probe::requires_fcats; }, requires { Probe::requires_fats; }, requires { Probe::requires_fatcs; },
        requires { Probe::requires_facs; }, requires { Probe::requires_facst; }, requires { Probe::eeds_of_runtime; },
        requires { Probe::eneds_of_runtime; }, requires { Probe::neds_of_runtime; },
        requires { Probe::nedes_of_runtime; }, requires { Probe::nees_of_runtime; },
        requires { Probe::neesd_of_runtime; }, requires { Probe::needsof_runtime; },
        requires { Probe::needs_f_runtime; }, requires { Probe::needs_fo_runtime; },
        requires { Probe::needs_o_runtime; }, requires { Probe::needs_ofruntime; },
        requires { Probe::needs_of_untime; }, requires { Probe::needs_of_urntime; },
        requires { Probe::needs_of_rntime; }, requires { Probe::needs_of_rnutime; },
        requires { Probe::needs_of_rutime; }, requires { Probe::needs_of_rutnime; },
        requires { Probe::needs_of_runime; }, requires { Probe::needs_of_runitme; },
        requires { Probe::needs_of_runtme; }, requires { Probe::needs_of_runtmie; },
        requires { Probe::needs_of_runtie; }, requires { Probe::needs_of_runtiem; },
        requires { Probe::needs_of_runtim; }, requires { Probe::eeds_of_device; }, requires { Probe::eneds_of_device; },
        requires { Probe::neds_of_device; }, requires { Probe::nedes_of_device; }, requires { Probe::nees_of_device; },
        requires { Probe::neesd_of_device; }, requires { Probe::needsof_device; }, requires { Probe::needs_f_device; },
        requires { Probe::needs_fo_device; }, requires { Probe::needs_o_device; }, requires { Probe::needs_ofdevice; },
        requires { Probe::needs_of_evice; }, requires { Probe::needs_of_edvice; }, requires { Probe::needs_of_dvice; },
        requires { Probe::needs_of_dveice; }, requires { Probe::needs_of_deice; }, requires { Probe::needs_of_deivce; },
        requires { Probe::needs_of_devce; }, requires { Probe::needs_of_devcie; }, requires { Probe::needs_of_devie; },
        requires { Probe::needs_of_deviec; }, requires { Probe::needs_of_devic; }, requires { Probe::ode_format; },
        requires { Probe::ocde_format; }, requires { Probe::cde_format; }, requires { Probe::cdoe_format; },
        requires { Probe::coe_format; }, requires { Probe::coed_format; }, requires { Probe::cod_format; },
        requires { Probe::code_ormat; }, requires { Probe::code_ofrmat; }, requires { Probe::code_frmat; },
        requires { Probe::code_fromat; }, requires { Probe::code_fomat; }, requires { Probe::code_fomrat; },
        requires { Probe::code_forrmat; }, requires { Probe::code_forat; }, requires { Probe::code_foramt; },
        requires { Probe::code_formmat; }, requires { Probe::code_formt; }, requires { Probe::code_formta; },
        requires { Probe::code_forma; }, requires { Probe::code_formatt; }, false};
    return words + first_false(free);
  }
  static constexpr size_t words = 13, count = 103;
  static constexpr const char* meanings =
      ";requires_facts:requires_fact," "require_facts," "required_facts," "needs_facts,"
      ";needs_of_runtime:need_of_runtime," "needs_runtime," "requires_of_runtime," "runtime_needs,"
      ";needs_of_device:need_of_device," "needs_device," "requires_of_device," "device_needs,"
      ";code_format:codeformat," ";requires_facts:equires_facts," "erquires_facts," "rquires_facts," "rqeuires_facts,"
      "reuires_facts," "reuqires_facts," "reqires_facts," "reqiures_facts," "requres_facts," "requries_facts,"
      "requies_facts," "requiers_facts," "requirs_facts," "requirse_facts," "requiresfacts," "requires_acts,"
      "requires_afcts," "requires_fcts," "requires_fcats," "requires_fats," "requires_fatcs," "requires_facs,"
      "requires_facst," ";needs_of_runtime:eeds_of_runtime," "eneds_of_runtime," "neds_of_runtime," "nedes_of_runtime,"
      "nees_of_runtime," "neesd_of_runtime," "needsof_runtime," "needs_f_runtime," "needs_fo_runtime,"
      "needs_o_runtime," "needs_ofruntime," "needs_of_untime," "needs_of_urntime," "needs_of_rntime,"
      "needs_of_rnutime," "needs_of_rutime," "needs_of_rutnime," "needs_of_runime," "needs_of_runitme,"
      "needs_of_runtme," "needs_of_runtmie," "needs_of_runtie," "needs_of_runtiem," "needs_of_runtim,"
      ";needs_of_device:eeds_of_device," "eneds_of_device," "neds_of_device," "nedes_of_device," "nees_of_device,"
      "neesd_of_device," "needsof_device," "needs_f_device," "needs_fo_device," "needs_o_device," "needs_ofdevice,"
      "needs_of_evice," "needs_of_edvice," "needs_of_dvice," "needs_of_dveice," "needs_of_deice," "needs_of_deivce,"
      "needs_of_devce," "needs_of_devcie," "needs_of_devie," "needs_of_deviec," "needs_of_devic,"
      ";code_format:ode_format," "ocde_format," "cde_format," "cdoe_format," "coe_format," "coed_format," "cod_format,"
      "code_ormat," "code_ofrmat," "code_frmat," "code_fromat," "code_fomat," "code_fomrat," "code_forrmat,"
      "code_forat," "code_foramt," "code_formmat," "code_formt," "code_formta," "code_forma," "code_formatt,";
};

struct device_names {
  enum : unsigned short {
    provide, capabilities, rovides, rpovides, povides, porvides, prrovides, prvides, prvoides, proides, proivdes,
    provdes, provdies, provies, provieds, provids, providse, providess,
  };
};
struct device {
  using names = device_names;
  template <class Probe>
  static constexpr bool free = requires {
    Probe::provide; Probe::capabilities; Probe::rovides; Probe::rpovides; Probe::povides; Probe::porvides;
    Probe::prrovides; Probe::prvides; Probe::prvoides; Probe::proides; Probe::proivdes; Probe::provdes; Probe::provdies;
    Probe::provies; Probe::provieds; Probe::provids; Probe::providse; Probe::providess;
  };
  template <class T>
  static constexpr size_t found_word() {
    const bool said[] = {
        requires { requires member_of<T, typename T::provide>; } || requires { *&T::provide; },
        requires { requires member_of<T, typename T::capabilities>; } || requires { *&T::capabilities; }, true};
    return first_true(said);
  }
  template <class Probe>
  static constexpr size_t found_slip() {
    const bool free[] = {
        requires { Probe::rovides; }, requires { Probe::rpovides; }, requires { Probe::povides; },
        requires { Probe::porvides; }, requires { Probe::prrovides; }, requires { Probe::prvides; },
        requires { Probe::prvoides; }, requires { Probe::proides; }, requires { Probe::proivdes; },
        requires { Probe::provdes; }, requires { Probe::provdies; }, requires { Probe::provies; },
        requires { Probe::provieds; }, requires { Probe::provids; }, requires { Probe::providse; },
        requires { Probe::providess; }, false};
    return words + first_false(free);
  }
  static constexpr size_t words = 2, count = 18;
  static constexpr const char* meanings =
      ";provides:provide," "capabilities," "rovides," "rpovides," "povides," "porvides," "prrovides," "prvides,"
      "prvoides," "proides," "proivdes," "provdes," "provdies," "provies," "provieds," "provids," "providse,"
      "providess,";
};

}  // namespace tenon::near
// clang-format on
