// One wrong joint among 64 passes: the message stays short.
#include "house.hpp"

using namespace house;

struct step {
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct p0 : step {
  static constexpr tn::fixed_string name = "pass_00";
};
struct p1 : step {
  static constexpr tn::fixed_string name = "pass_01";
};
struct p2 : step {
  static constexpr tn::fixed_string name = "pass_02";
};
struct p3 : step {
  static constexpr tn::fixed_string name = "pass_03";
};
struct p4 : step {
  static constexpr tn::fixed_string name = "pass_04";
};
struct p5 : step {
  static constexpr tn::fixed_string name = "pass_05";
};
struct p6 : step {
  static constexpr tn::fixed_string name = "pass_06";
};
struct p7 : step {
  static constexpr tn::fixed_string name = "pass_07";
};
struct p8 : step {
  static constexpr tn::fixed_string name = "pass_08";
};
struct p9 : step {
  static constexpr tn::fixed_string name = "pass_09";
};
struct p10 : step {
  static constexpr tn::fixed_string name = "pass_10";
};
struct p11 : step {
  static constexpr tn::fixed_string name = "pass_11";
};
struct p12 : step {
  static constexpr tn::fixed_string name = "pass_12";
};
struct p13 : step {
  static constexpr tn::fixed_string name = "pass_13";
};
struct p14 : step {
  static constexpr tn::fixed_string name = "pass_14";
};
struct p15 : step {
  static constexpr tn::fixed_string name = "pass_15";
};
struct p16 : step {
  static constexpr tn::fixed_string name = "pass_16";
};
struct p17 : step {
  static constexpr tn::fixed_string name = "pass_17";
};
struct p18 : step {
  static constexpr tn::fixed_string name = "pass_18";
};
struct p19 : step {
  static constexpr tn::fixed_string name = "pass_19";
};
struct p20 : step {
  static constexpr tn::fixed_string name = "pass_20";
};
struct p21 : step {
  static constexpr tn::fixed_string name = "pass_21";
};
struct p22 : step {
  static constexpr tn::fixed_string name = "pass_22";
};
struct p23 : step {
  static constexpr tn::fixed_string name = "pass_23";
};
struct p24 : step {
  static constexpr tn::fixed_string name = "pass_24";
};
struct p25 : step {
  static constexpr tn::fixed_string name = "pass_25";
};
struct p26 : step {
  static constexpr tn::fixed_string name = "pass_26";
};
struct p27 : step {
  static constexpr tn::fixed_string name = "pass_27";
};
struct p28 : step {
  static constexpr tn::fixed_string name = "pass_28";
};
struct p29 : step {
  static constexpr tn::fixed_string name = "pass_29";
};
struct p30 : step {
  static constexpr tn::fixed_string name = "pass_30";
};
struct p31 : step {
  static constexpr tn::fixed_string name = "pass_31";
};
struct p32 : step {
  static constexpr tn::fixed_string name = "pass_32";
};
struct p33 : step {
  static constexpr tn::fixed_string name = "pass_33";
};
struct p34 : step {
  static constexpr tn::fixed_string name = "pass_34";
};
struct p35 : step {
  static constexpr tn::fixed_string name = "pass_35";
};
struct p36 : step {
  static constexpr tn::fixed_string name = "pass_36";
};
struct p37 : step {
  static constexpr tn::fixed_string name = "pass_37";
};
struct p38 : step {
  static constexpr tn::fixed_string name = "pass_38";
};
struct p39 : step {
  static constexpr tn::fixed_string name = "pass_39";
};
struct p40 : step {
  static constexpr tn::fixed_string name = "pass_40";
};
struct p41 : step {
  static constexpr tn::fixed_string name = "pass_41";
};
struct p42 : step {
  static constexpr tn::fixed_string name = "pass_42";
};
struct p43 : step {
  static constexpr tn::fixed_string name = "pass_43";
};
struct p44 : step {
  static constexpr tn::fixed_string name = "pass_44";
};
struct p45 : step {
  static constexpr tn::fixed_string name = "pass_45";
};
struct p46 : step {
  static constexpr tn::fixed_string name = "pass_46";
};
struct p47 : step {
  static constexpr tn::fixed_string name = "pass_47";
};
struct p48 : step {
  static constexpr tn::fixed_string name = "pass_48";
};
struct p49 : step {
  static constexpr tn::fixed_string name = "pass_49";
};
struct p50 : step {
  static constexpr tn::fixed_string name = "pass_50";
};
struct p51 : step {
  static constexpr tn::fixed_string name = "pass_51";
};
struct p52 : step {
  static constexpr tn::fixed_string name = "pass_52";
};
struct p53 : step {
  static constexpr tn::fixed_string name = "pass_53";
};
struct p54 : step {
  static constexpr tn::fixed_string name = "pass_54";
};
struct p55 : step {
  static constexpr tn::fixed_string name = "pass_55";
};
struct p56 : step {
  static constexpr tn::fixed_string name = "pass_56";
};
struct p57 : step {
  static constexpr tn::fixed_string name = "pass_57";
};
struct p58 : step {
  static constexpr tn::fixed_string name = "pass_58";
};
struct p59 : step {
  static constexpr tn::fixed_string name = "pass_59";
};
struct p60 : step {
  static constexpr tn::fixed_string name = "pass_60";
};
struct p61 : step {
  static constexpr tn::fixed_string name = "pass_61";
};
#ifdef TENON_TWIN
using order = tn::pipeline<
    lift_lambdas,
    p0,
    p1,
    p2,
    p3,
    p4,
    p5,
    p6,
    p7,
    p8,
    p9,
    p10,
    p11,
    p12,
    p13,
    p14,
    p15,
    p16,
    p17,
    p18,
    p19,
    p20,
    p21,
    p22,
    p23,
    p24,
    p25,
    p26,
    p27,
    p28,
    p29,
    p30,
    p31,
    p32,
    p33,
    p34,
    p35,
    p36,
    p37,
    p38,
    p39,
    p40,
    p41,
    p42,
    p43,
    p44,
    p45,
    p46,
    p47,
    p48,
    p49,
    p50,
    p51,
    p52,
    p53,
    p54,
    p55,
    p56,
    p57,
    p58,
    p59,
    p60,
    p61,
    infer_shapes>;
#else
// CHECK: tenon-E001: pass 'lift_lambdas' (64th) runs in phase 'front', but the module is in 'graph' from the start
using order = tn::pipeline<
    infer_shapes,
    p0,
    p1,
    p2,
    p3,
    p4,
    p5,
    p6,
    p7,
    p8,
    p9,
    p10,
    p11,
    p12,
    p13,
    p14,
    p15,
    p16,
    p17,
    p18,
    p19,
    p20,
    p21,
    p22,
    p23,
    p24,
    p25,
    p26,
    p27,
    p28,
    p29,
    p30,
    p31,
    p32,
    p33,
    p34,
    p35,
    p36,
    p37,
    p38,
    p39,
    p40,
    p41,
    p42,
    p43,
    p44,
    p45,
    p46,
    p47,
    p48,
    p49,
    p50,
    p51,
    p52,
    p53,
    p54,
    p55,
    p56,
    p57,
    p58,
    p59,
    p60,
    p61,
    lift_lambdas>;
#endif
