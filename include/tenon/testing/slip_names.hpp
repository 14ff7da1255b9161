/// @file slip_names: all names at edit distance 1 of those that mean something. See spelling.hpp.
/// Long because it is made by cmake/slip_names.awk from the words of cmake/near_names.txt.
#pragma once

// clang-format off
#define TENON_LETTERS_any(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) \
  X(B##r##E) X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_LETTERS_a(X, B, E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) X(B##h##E) \
  X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_a(X, B, E) TENON_LETTERS_a(X, B, a##E) TENON_LETTERS_a(X, B, E) X(B##E)
#define TENON_LETTERS_b(X, B, E) X(B##a##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) X(B##h##E) \
  X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_b(X, B, E) TENON_LETTERS_b(X, B, b##E) TENON_LETTERS_b(X, B, E) X(B##E)
#define TENON_LETTERS_c(X, B, E) X(B##a##E) X(B##b##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) X(B##h##E) \
  X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_c(X, B, E) TENON_LETTERS_c(X, B, c##E) TENON_LETTERS_c(X, B, E) X(B##E)
#define TENON_LETTERS_d(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##e##E) X(B##f##E) X(B##g##E) X(B##h##E) \
  X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_d(X, B, E) TENON_LETTERS_d(X, B, d##E) TENON_LETTERS_d(X, B, E) X(B##E)
#define TENON_LETTERS_e(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##f##E) X(B##g##E) X(B##h##E) \
  X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_e(X, B, E) TENON_LETTERS_e(X, B, e##E) TENON_LETTERS_e(X, B, E) X(B##E)
#define TENON_LETTERS_f(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##g##E) X(B##h##E) \
  X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_f(X, B, E) TENON_LETTERS_f(X, B, f##E) TENON_LETTERS_f(X, B, E) X(B##E)
#define TENON_LETTERS_g(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##h##E) \
  X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_g(X, B, E) TENON_LETTERS_g(X, B, g##E) TENON_LETTERS_g(X, B, E) X(B##E)
#define TENON_LETTERS_h(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_h(X, B, E) TENON_LETTERS_h(X, B, h##E) TENON_LETTERS_h(X, B, E) X(B##E)
#define TENON_LETTERS_i(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_i(X, B, E) TENON_LETTERS_i(X, B, i##E) TENON_LETTERS_i(X, B, E) X(B##E)
#define TENON_LETTERS_j(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_j(X, B, E) TENON_LETTERS_j(X, B, j##E) TENON_LETTERS_j(X, B, E) X(B##E)
#define TENON_LETTERS_k(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_k(X, B, E) TENON_LETTERS_k(X, B, k##E) TENON_LETTERS_k(X, B, E) X(B##E)
#define TENON_LETTERS_l(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_l(X, B, E) TENON_LETTERS_l(X, B, l##E) TENON_LETTERS_l(X, B, E) X(B##E)
#define TENON_LETTERS_m(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_m(X, B, E) TENON_LETTERS_m(X, B, m##E) TENON_LETTERS_m(X, B, E) X(B##E)
#define TENON_LETTERS_n(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##o##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_n(X, B, E) TENON_LETTERS_n(X, B, n##E) TENON_LETTERS_n(X, B, E) X(B##E)
#define TENON_LETTERS_o(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##p##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_o(X, B, E) TENON_LETTERS_o(X, B, o##E) TENON_LETTERS_o(X, B, E) X(B##E)
#define TENON_LETTERS_p(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##q##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_p(X, B, E) TENON_LETTERS_p(X, B, p##E) TENON_LETTERS_p(X, B, E) X(B##E)
#define TENON_LETTERS_q(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##r##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_q(X, B, E) TENON_LETTERS_q(X, B, q##E) TENON_LETTERS_q(X, B, E) X(B##E)
#define TENON_LETTERS_r(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) \
  X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_r(X, B, E) TENON_LETTERS_r(X, B, r##E) TENON_LETTERS_r(X, B, E) X(B##E)
#define TENON_LETTERS_s(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) \
  X(B##r##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_s(X, B, E) TENON_LETTERS_s(X, B, s##E) TENON_LETTERS_s(X, B, E) X(B##E)
#define TENON_LETTERS_t(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) \
  X(B##r##E) X(B##s##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_t(X, B, E) TENON_LETTERS_t(X, B, t##E) TENON_LETTERS_t(X, B, E) X(B##E)
#define TENON_LETTERS_u(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) \
  X(B##r##E) X(B##s##E) X(B##t##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_u(X, B, E) TENON_LETTERS_u(X, B, u##E) TENON_LETTERS_u(X, B, E) X(B##E)
#define TENON_LETTERS_v(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) \
  X(B##r##E) X(B##s##E) X(B##t##E) X(B##u##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_v(X, B, E) TENON_LETTERS_v(X, B, v##E) TENON_LETTERS_v(X, B, E) X(B##E)
#define TENON_LETTERS_w(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) \
  X(B##r##E) X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##x##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_w(X, B, E) TENON_LETTERS_w(X, B, w##E) TENON_LETTERS_w(X, B, E) X(B##E)
#define TENON_LETTERS_x(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) \
  X(B##r##E) X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##y##E) X(B##z##E) X(B##_##E)
#define TENON_AT_x(X, B, E) TENON_LETTERS_x(X, B, x##E) TENON_LETTERS_x(X, B, E) X(B##E)
#define TENON_LETTERS_y(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) \
  X(B##r##E) X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##z##E) X(B##_##E)
#define TENON_AT_y(X, B, E) TENON_LETTERS_y(X, B, y##E) TENON_LETTERS_y(X, B, E) X(B##E)
#define TENON_LETTERS_z(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) \
  X(B##r##E) X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##_##E)
#define TENON_AT_z(X, B, E) TENON_LETTERS_z(X, B, z##E) TENON_LETTERS_z(X, B, E) X(B##E)
#define TENON_LETTERS__(X, B, E) X(B##a##E) X(B##b##E) X(B##c##E) X(B##d##E) X(B##e##E) X(B##f##E) X(B##g##E) \
  X(B##h##E) X(B##i##E) X(B##j##E) X(B##k##E) X(B##l##E) X(B##m##E) X(B##n##E) X(B##o##E) X(B##p##E) X(B##q##E) \
  X(B##r##E) X(B##s##E) X(B##t##E) X(B##u##E) X(B##v##E) X(B##w##E) X(B##x##E) X(B##y##E) X(B##z##E)
#define TENON_AT__(X, B, E) TENON_LETTERS__(X, B, _##E) TENON_LETTERS__(X, B, E) X(B##E)
#define TENON_SLIPS_pass_needs(X) TENON_AT_n(X, , eeds) X(eneds) TENON_AT_e(X, n, eds) TENON_LETTERS_e(X, ne, eds) \
  TENON_LETTERS_e(X, ne, ds) X(nedes) TENON_AT_d(X, nee, s) X(neesd) TENON_AT_s(X, need, ) \
  TENON_LETTERS_any(X, needs, )
#define TENON_SLIPS_pass_runs_in(X) TENON_AT_r(X, , uns_in) X(urns_in) TENON_AT_u(X, r, ns_in) X(rnus_in) \
  TENON_AT_n(X, ru, s_in) X(rusn_in) TENON_AT_s(X, run, _in) X(run_sin) TENON_AT__(X, runs, in) X(runsi_n) \
  TENON_AT_i(X, runs_, n) X(runs_ni) TENON_AT_n(X, runs_i, ) TENON_LETTERS_any(X, runs_in, )
#define TENON_SLIPS_pass_gives(X) TENON_AT_g(X, , ives) X(igves) TENON_AT_i(X, g, ves) X(gvies) TENON_AT_v(X, gi, es) \
  X(gievs) TENON_AT_e(X, giv, s) X(givse) TENON_AT_s(X, give, ) TENON_LETTERS_any(X, gives, )
#define TENON_SLIPS_pass_keeps(X) TENON_AT_k(X, , eeps) X(ekeps) TENON_AT_e(X, k, eps) TENON_LETTERS_e(X, ke, eps) \
  TENON_LETTERS_e(X, ke, ps) X(kepes) TENON_AT_p(X, kee, s) X(keesp) TENON_AT_s(X, keep, ) \
  TENON_LETTERS_any(X, keeps, )
#define TENON_SLIPS_pass_breaks(X) TENON_AT_b(X, , reaks) X(rbeaks) TENON_AT_r(X, b, eaks) X(beraks) \
  TENON_AT_e(X, br, aks) X(braeks) TENON_AT_a(X, bre, ks) X(brekas) TENON_AT_k(X, brea, s) X(breask) \
  TENON_LETTERS_s(X, break, s) TENON_LETTERS_s(X, break, ) TENON_LETTERS_any(X, breaks, )
#define TENON_SLIPS_pass_emits(X) TENON_AT_e(X, , mits) X(meits) TENON_AT_m(X, e, its) X(eimts) TENON_AT_i(X, em, ts) \
  X(emtis) TENON_AT_t(X, emi, s) X(emist) TENON_AT_s(X, emit, ) TENON_LETTERS_any(X, emits, )
#define TENON_SLIPS_pass_eliminates(X) TENON_AT_e(X, , liminates) X(leiminates) TENON_AT_l(X, e, iminates) \
  X(eilminates) TENON_AT_i(X, el, minates) X(elmiinates) TENON_AT_m(X, eli, inates) X(eliimnates) \
  TENON_AT_i(X, elim, nates) X(elimniates) TENON_AT_n(X, elimi, ates) X(elimiantes) TENON_AT_a(X, elimin, tes) \
  X(elimintaes) TENON_AT_t(X, elimina, es) X(eliminaets) TENON_AT_e(X, eliminat, s) X(eliminatse) \
  TENON_AT_s(X, eliminate, ) TENON_LETTERS_any(X, eliminates, )
#define TENON_SLIPS_pass_handles(X) TENON_AT_h(X, , andles) X(ahndles) TENON_AT_a(X, h, ndles) X(hnadles) \
  TENON_AT_n(X, ha, dles) X(hadnles) TENON_AT_d(X, han, les) X(hanldes) TENON_AT_l(X, hand, es) X(handels) \
  TENON_AT_e(X, handl, s) X(handlse) TENON_AT_s(X, handle, ) TENON_LETTERS_any(X, handles, )
#define TENON_SLIPS_pass_deletes(X) TENON_AT_d(X, , eletes) X(edletes) TENON_AT_e(X, d, letes) X(dleetes) \
  TENON_AT_l(X, de, etes) X(deeltes) TENON_AT_e(X, del, tes) X(deltees) TENON_AT_t(X, dele, es) X(deleets) \
  TENON_AT_e(X, delet, s) X(deletse) TENON_LETTERS_s(X, delete, s) TENON_LETTERS_s(X, delete, ) \
  TENON_LETTERS_any(X, deletes, )
#define TENON_SLIPS_pass_merges(X) TENON_AT_m(X, , erges) X(emrges) TENON_AT_e(X, m, rges) X(mreges) \
  TENON_AT_r(X, me, ges) X(megres) TENON_AT_g(X, mer, es) X(meregs) TENON_AT_e(X, merg, s) X(mergse) \
  TENON_AT_s(X, merge, ) TENON_LETTERS_any(X, merges, )
#define TENON_SLIPS_pass_moves(X) TENON_AT_m(X, , oves) X(omves) TENON_AT_o(X, m, ves) X(mvoes) TENON_AT_v(X, mo, es) \
  X(moevs) TENON_AT_e(X, mov, s) X(movse) TENON_AT_s(X, move, ) TENON_LETTERS_any(X, moves, )
#define TENON_SLIPS_pass_leaves(X) TENON_AT_l(X, , eaves) X(elaves) TENON_AT_e(X, l, aves) X(laeves) \
  TENON_AT_a(X, le, ves) X(levaes) TENON_AT_v(X, lea, es) X(leaevs) TENON_AT_e(X, leav, s) X(leavse) \
  TENON_AT_s(X, leave, ) TENON_LETTERS_any(X, leaves, )
#define TENON_SLIPS_pass_keeps_inside(X) TENON_AT_k(X, , eeps_inside) X(ekeps_inside) TENON_AT_e(X, k, eps_inside) \
  TENON_LETTERS_e(X, ke, eps_inside) TENON_LETTERS_e(X, ke, ps_inside) X(kepes_inside) TENON_AT_p(X, kee, s_inside) \
  X(keesp_inside) TENON_AT_s(X, keep, _inside) X(keep_sinside) TENON_AT__(X, keeps, inside) X(keepsi_nside) \
  TENON_AT_i(X, keeps_, nside) X(keeps_niside) TENON_AT_n(X, keeps_i, side) X(keeps_isnide) \
  TENON_AT_s(X, keeps_in, ide) X(keeps_inisde) TENON_AT_i(X, keeps_ins, de) X(keeps_insdie) \
  TENON_AT_d(X, keeps_insi, e) X(keeps_insied) TENON_AT_e(X, keeps_insid, ) TENON_LETTERS_any(X, keeps_inside, )
#define TENON_SLIPS_pass_duplicates(X) TENON_AT_d(X, , uplicates) X(udplicates) TENON_AT_u(X, d, plicates) \
  X(dpulicates) TENON_AT_p(X, du, licates) X(dulpicates) TENON_AT_l(X, dup, icates) X(dupilcates) \
  TENON_AT_i(X, dupl, cates) X(duplciates) TENON_AT_c(X, dupli, ates) X(dupliactes) TENON_AT_a(X, duplic, tes) \
  X(duplictaes) TENON_AT_t(X, duplica, es) X(duplicaets) TENON_AT_e(X, duplicat, s) X(duplicatse) \
  TENON_AT_s(X, duplicate, ) TENON_LETTERS_any(X, duplicates, )
#define TENON_SLIPS_pass_recomputes(X) TENON_AT_r(X, , ecomputes) X(ercomputes) TENON_AT_e(X, r, computes) \
  X(rceomputes) TENON_AT_c(X, re, omputes) X(reocmputes) TENON_AT_o(X, rec, mputes) X(recmoputes) \
  TENON_AT_m(X, reco, putes) X(recopmutes) TENON_AT_p(X, recom, utes) X(recomuptes) TENON_AT_u(X, recomp, tes) \
  X(recomptues) TENON_AT_t(X, recompu, es) X(recompuets) TENON_AT_e(X, recomput, s) X(recomputse) \
  TENON_AT_s(X, recompute, ) TENON_LETTERS_any(X, recomputes, )
#define TENON_SLIPS_pass_works_on(X) TENON_AT_w(X, , orks_on) X(owrks_on) TENON_AT_o(X, w, rks_on) X(wroks_on) \
  TENON_AT_r(X, wo, ks_on) X(wokrs_on) TENON_AT_k(X, wor, s_on) X(worsk_on) TENON_AT_s(X, work, _on) X(work_son) \
  TENON_AT__(X, works, on) X(workso_n) TENON_AT_o(X, works_, n) X(works_no) TENON_AT_n(X, works_o, ) \
  TENON_LETTERS_any(X, works_on, )
#define TENON_SLIPS_pass_emits_outside(X) TENON_AT_e(X, , mits_outside) X(meits_outside) TENON_AT_m(X, e, its_outside) \
  X(eimts_outside) TENON_AT_i(X, em, ts_outside) X(emtis_outside) TENON_AT_t(X, emi, s_outside) X(emist_outside) \
  TENON_AT_s(X, emit, _outside) X(emit_soutside) TENON_AT__(X, emits, outside) X(emitso_utside) \
  TENON_AT_o(X, emits_, utside) X(emits_uotside) TENON_AT_u(X, emits_o, tside) X(emits_otuside) \
  TENON_AT_t(X, emits_ou, side) X(emits_oustide) TENON_AT_s(X, emits_out, ide) X(emits_outisde) \
  TENON_AT_i(X, emits_outs, de) X(emits_outsdie) TENON_AT_d(X, emits_outsi, e) X(emits_outsied) \
  TENON_AT_e(X, emits_outsid, ) TENON_LETTERS_any(X, emits_outside, )
#define TENON_SLIPS_pass_encloses(X) TENON_AT_e(X, , ncloses) X(necloses) TENON_AT_n(X, e, closes) X(ecnloses) \
  TENON_AT_c(X, en, loses) X(enlcoses) TENON_AT_l(X, enc, oses) X(encolses) TENON_AT_o(X, encl, ses) X(enclsoes) \
  TENON_AT_s(X, enclo, es) X(encloess) TENON_AT_e(X, enclos, s) X(enclosse) TENON_AT_s(X, enclose, ) \
  TENON_LETTERS_any(X, encloses, )
#define TENON_SLIPS_pass_changes(X) TENON_AT_c(X, , hanges) X(hcanges) TENON_AT_h(X, c, anges) X(cahnges) \
  TENON_AT_a(X, ch, nges) X(chnages) TENON_AT_n(X, cha, ges) X(chagnes) TENON_AT_g(X, chan, es) X(chanegs) \
  TENON_AT_e(X, chang, s) X(changse) TENON_AT_s(X, change, ) TENON_LETTERS_any(X, changes, )
#define TENON_SLIPS_pass_looks_through(X) TENON_AT_l(X, , ooks_through) X(oloks_through) TENON_AT_o(X, l, oks_through) \
  TENON_LETTERS_o(X, lo, oks_through) TENON_LETTERS_o(X, lo, ks_through) X(lokos_through) \
  TENON_AT_k(X, loo, s_through) X(loosk_through) TENON_AT_s(X, look, _through) X(look_sthrough) \
  TENON_AT__(X, looks, through) X(lookst_hrough) TENON_AT_t(X, looks_, hrough) X(looks_htrough) \
  TENON_AT_h(X, looks_t, rough) X(looks_trhough) TENON_AT_r(X, looks_th, ough) X(looks_thorugh) \
  TENON_AT_o(X, looks_thr, ugh) X(looks_thruogh) TENON_AT_u(X, looks_thro, gh) X(looks_throguh) \
  TENON_AT_g(X, looks_throu, h) X(looks_throuhg) TENON_AT_h(X, looks_throug, ) TENON_LETTERS_any(X, looks_through, )
#define TENON_SLIPS_pass_not_between(X) TENON_AT_n(X, , ot_between) X(ont_between) TENON_AT_o(X, n, t_between) \
  X(nto_between) TENON_AT_t(X, no, _between) X(no_tbetween) TENON_AT__(X, not, between) X(notb_etween) \
  TENON_AT_b(X, not_, etween) X(not_ebtween) TENON_AT_e(X, not_b, tween) X(not_bteween) TENON_AT_t(X, not_be, ween) \
  X(not_bewteen) TENON_AT_w(X, not_bet, een) X(not_betewen) TENON_AT_e(X, not_betw, en) \
  TENON_LETTERS_e(X, not_betwe, en) TENON_LETTERS_e(X, not_betwe, n) X(not_betwene) TENON_AT_n(X, not_betwee, ) \
  TENON_LETTERS_any(X, not_between, )
#define TENON_SLIPS_pass_not_after(X) TENON_AT_n(X, , ot_after) X(ont_after) TENON_AT_o(X, n, t_after) X(nto_after) \
  TENON_AT_t(X, no, _after) X(no_tafter) TENON_AT__(X, not, after) X(nota_fter) TENON_AT_a(X, not_, fter) X(not_fater) \
  TENON_AT_f(X, not_a, ter) X(not_atfer) TENON_AT_t(X, not_af, er) X(not_afetr) TENON_AT_e(X, not_aft, r) X(not_aftre) \
  TENON_AT_r(X, not_afte, ) TENON_LETTERS_any(X, not_after, )
#define TENON_SLIPS_pass_not_before(X) TENON_AT_n(X, , ot_before) X(ont_before) TENON_AT_o(X, n, t_before) \
  X(nto_before) TENON_AT_t(X, no, _before) X(no_tbefore) TENON_AT__(X, not, before) X(notb_efore) \
  TENON_AT_b(X, not_, efore) X(not_ebfore) TENON_AT_e(X, not_b, fore) X(not_bfeore) TENON_AT_f(X, not_be, ore) \
  X(not_beofre) TENON_AT_o(X, not_bef, re) X(not_befroe) TENON_AT_r(X, not_befo, e) X(not_befoer) \
  TENON_AT_e(X, not_befor, ) TENON_LETTERS_any(X, not_before, )
#define TENON_SLIPS_pass_immediately_after(X) TENON_AT_i(X, , mmediately_after) X(mimediately_after) \
  TENON_AT_m(X, i, mediately_after) TENON_LETTERS_m(X, im, mediately_after) TENON_LETTERS_m(X, im, ediately_after) \
  X(imemdiately_after) TENON_AT_e(X, imm, diately_after) X(immdeiately_after) TENON_AT_d(X, imme, iately_after) \
  X(immeidately_after) TENON_AT_i(X, immed, ately_after) X(immedaitely_after) TENON_AT_a(X, immedi, tely_after) \
  X(immeditaely_after) TENON_AT_t(X, immedia, ely_after) X(immediaetly_after) TENON_AT_e(X, immediat, ly_after) \
  X(immediatley_after) TENON_AT_l(X, immediate, y_after) X(immediateyl_after) TENON_AT_y(X, immediatel, _after) \
  X(immediatel_yafter) TENON_AT__(X, immediately, after) X(immediatelya_fter) TENON_AT_a(X, immediately_, fter) \
  X(immediately_fater) TENON_AT_f(X, immediately_a, ter) X(immediately_atfer) TENON_AT_t(X, immediately_af, er) \
  X(immediately_afetr) TENON_AT_e(X, immediately_aft, r) X(immediately_aftre) TENON_AT_r(X, immediately_afte, ) \
  TENON_LETTERS_any(X, immediately_after, )
#define TENON_SLIPS_pass_makes_functions_in(X) TENON_AT_m(X, , akes_functions_in) X(amkes_functions_in) \
  TENON_AT_a(X, m, kes_functions_in) X(mkaes_functions_in) TENON_AT_k(X, ma, es_functions_in) X(maeks_functions_in) \
  TENON_AT_e(X, mak, s_functions_in) X(makse_functions_in) TENON_AT_s(X, make, _functions_in) X(make_sfunctions_in) \
  TENON_AT__(X, makes, functions_in) X(makesf_unctions_in) TENON_AT_f(X, makes_, unctions_in) X(makes_ufnctions_in) \
  TENON_AT_u(X, makes_f, nctions_in) X(makes_fnuctions_in) TENON_AT_n(X, makes_fu, ctions_in) X(makes_fucntions_in) \
  TENON_AT_c(X, makes_fun, tions_in) X(makes_funtcions_in) TENON_AT_t(X, makes_func, ions_in) X(makes_funcitons_in) \
  TENON_AT_i(X, makes_funct, ons_in) X(makes_functoins_in) TENON_AT_o(X, makes_functi, ns_in) X(makes_functinos_in) \
  TENON_AT_n(X, makes_functio, s_in) X(makes_functiosn_in) TENON_AT_s(X, makes_function, _in) X(makes_function_sin) \
  TENON_AT__(X, makes_functions, in) X(makes_functionsi_n) TENON_AT_i(X, makes_functions_, n) X(makes_functions_ni) \
  TENON_AT_n(X, makes_functions_i, ) TENON_LETTERS_any(X, makes_functions_in, )
#define TENON_SLIPS_pass_adds_functions(X) TENON_AT_a(X, , dds_functions) X(dads_functions) \
  TENON_AT_d(X, a, ds_functions) TENON_LETTERS_d(X, ad, ds_functions) TENON_LETTERS_d(X, ad, s_functions) \
  X(adsd_functions) TENON_AT_s(X, add, _functions) X(add_sfunctions) TENON_AT__(X, adds, functions) X(addsf_unctions) \
  TENON_AT_f(X, adds_, unctions) X(adds_ufnctions) TENON_AT_u(X, adds_f, nctions) X(adds_fnuctions) \
  TENON_AT_n(X, adds_fu, ctions) X(adds_fucntions) TENON_AT_c(X, adds_fun, tions) X(adds_funtcions) \
  TENON_AT_t(X, adds_func, ions) X(adds_funcitons) TENON_AT_i(X, adds_funct, ons) X(adds_functoins) \
  TENON_AT_o(X, adds_functi, ns) X(adds_functinos) TENON_AT_n(X, adds_functio, s) X(adds_functiosn) \
  TENON_AT_s(X, adds_function, ) TENON_LETTERS_any(X, adds_functions, )
#define TENON_SLIPS_pass_removes_functions(X) TENON_AT_r(X, , emoves_functions) X(ermoves_functions) \
  TENON_AT_e(X, r, moves_functions) X(rmeoves_functions) TENON_AT_m(X, re, oves_functions) X(reomves_functions) \
  TENON_AT_o(X, rem, ves_functions) X(remvoes_functions) TENON_AT_v(X, remo, es_functions) X(remoevs_functions) \
  TENON_AT_e(X, remov, s_functions) X(removse_functions) TENON_AT_s(X, remove, _functions) X(remove_sfunctions) \
  TENON_AT__(X, removes, functions) X(removesf_unctions) TENON_AT_f(X, removes_, unctions) X(removes_ufnctions) \
  TENON_AT_u(X, removes_f, nctions) X(removes_fnuctions) TENON_AT_n(X, removes_fu, ctions) X(removes_fucntions) \
  TENON_AT_c(X, removes_fun, tions) X(removes_funtcions) TENON_AT_t(X, removes_func, ions) X(removes_funcitons) \
  TENON_AT_i(X, removes_funct, ons) X(removes_functoins) TENON_AT_o(X, removes_functi, ns) X(removes_functinos) \
  TENON_AT_n(X, removes_functio, s) X(removes_functiosn) TENON_AT_s(X, removes_function, ) \
  TENON_LETTERS_any(X, removes_functions, )
#define TENON_SLIPS_pass_changes_functions(X) TENON_AT_c(X, , hanges_functions) X(hcanges_functions) \
  TENON_AT_h(X, c, anges_functions) X(cahnges_functions) TENON_AT_a(X, ch, nges_functions) X(chnages_functions) \
  TENON_AT_n(X, cha, ges_functions) X(chagnes_functions) TENON_AT_g(X, chan, es_functions) X(chanegs_functions) \
  TENON_AT_e(X, chang, s_functions) X(changse_functions) TENON_AT_s(X, change, _functions) X(change_sfunctions) \
  TENON_AT__(X, changes, functions) X(changesf_unctions) TENON_AT_f(X, changes_, unctions) X(changes_ufnctions) \
  TENON_AT_u(X, changes_f, nctions) X(changes_fnuctions) TENON_AT_n(X, changes_fu, ctions) X(changes_fucntions) \
  TENON_AT_c(X, changes_fun, tions) X(changes_funtcions) TENON_AT_t(X, changes_func, ions) X(changes_funcitons) \
  TENON_AT_i(X, changes_funct, ons) X(changes_functoins) TENON_AT_o(X, changes_functi, ns) X(changes_functinos) \
  TENON_AT_n(X, changes_functio, s) X(changes_functiosn) TENON_AT_s(X, changes_function, ) \
  TENON_LETTERS_any(X, changes_functions, )
#define TENON_SLIPS_pass_needs_of_device(X) TENON_AT_n(X, , eeds_of_device) X(eneds_of_device) \
  TENON_AT_e(X, n, eds_of_device) TENON_LETTERS_e(X, ne, eds_of_device) TENON_LETTERS_e(X, ne, ds_of_device) \
  X(nedes_of_device) TENON_AT_d(X, nee, s_of_device) X(neesd_of_device) TENON_AT_s(X, need, _of_device) \
  X(need_sof_device) TENON_AT__(X, needs, of_device) X(needso_f_device) TENON_AT_o(X, needs_, f_device) \
  X(needs_fo_device) TENON_AT_f(X, needs_o, _device) X(needs_o_fdevice) TENON_AT__(X, needs_of, device) \
  X(needs_ofd_evice) TENON_AT_d(X, needs_of_, evice) X(needs_of_edvice) TENON_AT_e(X, needs_of_d, vice) \
  X(needs_of_dveice) TENON_AT_v(X, needs_of_de, ice) X(needs_of_deivce) TENON_AT_i(X, needs_of_dev, ce) \
  X(needs_of_devcie) TENON_AT_c(X, needs_of_devi, e) X(needs_of_deviec) TENON_AT_e(X, needs_of_devic, ) \
  TENON_LETTERS_any(X, needs_of_device, )
#define TENON_SLIPS_pass_needs_of_runtime(X) TENON_AT_n(X, , eeds_of_runtime) X(eneds_of_runtime) \
  TENON_AT_e(X, n, eds_of_runtime) TENON_LETTERS_e(X, ne, eds_of_runtime) TENON_LETTERS_e(X, ne, ds_of_runtime) \
  X(nedes_of_runtime) TENON_AT_d(X, nee, s_of_runtime) X(neesd_of_runtime) TENON_AT_s(X, need, _of_runtime) \
  X(need_sof_runtime) TENON_AT__(X, needs, of_runtime) X(needso_f_runtime) TENON_AT_o(X, needs_, f_runtime) \
  X(needs_fo_runtime) TENON_AT_f(X, needs_o, _runtime) X(needs_o_fruntime) TENON_AT__(X, needs_of, runtime) \
  X(needs_ofr_untime) TENON_AT_r(X, needs_of_, untime) X(needs_of_urntime) TENON_AT_u(X, needs_of_r, ntime) \
  X(needs_of_rnutime) TENON_AT_n(X, needs_of_ru, time) X(needs_of_rutnime) TENON_AT_t(X, needs_of_run, ime) \
  X(needs_of_runitme) TENON_AT_i(X, needs_of_runt, me) X(needs_of_runtmie) TENON_AT_m(X, needs_of_runti, e) \
  X(needs_of_runtiem) TENON_AT_e(X, needs_of_runtim, ) TENON_LETTERS_any(X, needs_of_runtime, )
#define TENON_SLIPS_pass_version(X) TENON_AT_v(X, , ersion) X(evrsion) TENON_AT_e(X, v, rsion) X(vresion) \
  TENON_AT_r(X, ve, sion) X(vesrion) TENON_AT_s(X, ver, ion) X(verison) TENON_AT_i(X, vers, on) X(versoin) \
  TENON_AT_o(X, versi, n) X(versino) TENON_AT_n(X, versio, ) TENON_LETTERS_any(X, version, )
#define TENON_SLIPS_pass_at_most_once(X) TENON_AT_a(X, , t_most_once) X(ta_most_once) TENON_AT_t(X, a, _most_once) \
  X(a_tmost_once) TENON_AT__(X, at, most_once) X(atm_ost_once) TENON_AT_m(X, at_, ost_once) X(at_omst_once) \
  TENON_AT_o(X, at_m, st_once) X(at_msot_once) TENON_AT_s(X, at_mo, t_once) X(at_mots_once) \
  TENON_AT_t(X, at_mos, _once) X(at_mos_tonce) TENON_AT__(X, at_most, once) X(at_mosto_nce) \
  TENON_AT_o(X, at_most_, nce) X(at_most_noce) TENON_AT_n(X, at_most_o, ce) X(at_most_ocne) \
  TENON_AT_c(X, at_most_on, e) X(at_most_onec) TENON_AT_e(X, at_most_onc, ) TENON_LETTERS_any(X, at_most_once, )
#define TENON_SLIPS_pass_may_find_nothing(X) TENON_AT_m(X, , ay_find_nothing) X(amy_find_nothing) \
  TENON_AT_a(X, m, y_find_nothing) X(mya_find_nothing) TENON_AT_y(X, ma, _find_nothing) X(ma_yfind_nothing) \
  TENON_AT__(X, may, find_nothing) X(mayf_ind_nothing) TENON_AT_f(X, may_, ind_nothing) X(may_ifnd_nothing) \
  TENON_AT_i(X, may_f, nd_nothing) X(may_fnid_nothing) TENON_AT_n(X, may_fi, d_nothing) X(may_fidn_nothing) \
  TENON_AT_d(X, may_fin, _nothing) X(may_fin_dnothing) TENON_AT__(X, may_find, nothing) X(may_findn_othing) \
  TENON_AT_n(X, may_find_, othing) X(may_find_onthing) TENON_AT_o(X, may_find_n, thing) X(may_find_ntohing) \
  TENON_AT_t(X, may_find_no, hing) X(may_find_nohting) TENON_AT_h(X, may_find_not, ing) X(may_find_notihng) \
  TENON_AT_i(X, may_find_noth, ng) X(may_find_nothnig) TENON_AT_n(X, may_find_nothi, g) X(may_find_nothign) \
  TENON_AT_g(X, may_find_nothin, ) TENON_LETTERS_any(X, may_find_nothing, )
#define TENON_SLIPS_phase_op_list(X) TENON_AT_o(X, , p_list) X(po_list) TENON_AT_p(X, o, _list) X(o_plist) \
  TENON_AT__(X, op, list) X(opl_ist) TENON_AT_l(X, op_, ist) X(op_ilst) TENON_AT_i(X, op_l, st) X(op_lsit) \
  TENON_AT_s(X, op_li, t) X(op_lits) TENON_AT_t(X, op_lis, ) TENON_LETTERS_any(X, op_list, )
#define TENON_SLIPS_phase_op_effects(X) TENON_AT_o(X, , p_effects) X(po_effects) TENON_AT_p(X, o, _effects) \
  X(o_peffects) TENON_AT__(X, op, effects) X(ope_ffects) TENON_AT_e(X, op_, ffects) X(op_fefects) \
  TENON_AT_f(X, op_e, fects) TENON_LETTERS_f(X, op_ef, fects) TENON_LETTERS_f(X, op_ef, ects) X(op_efefcts) \
  TENON_AT_e(X, op_eff, cts) X(op_effcets) TENON_AT_c(X, op_effe, ts) X(op_effetcs) TENON_AT_t(X, op_effec, s) \
  X(op_effecst) TENON_AT_s(X, op_effect, ) TENON_LETTERS_any(X, op_effects, )
#define TENON_SLIPS_phase_side_of(X) TENON_AT_s(X, , ide_of) X(isde_of) TENON_AT_i(X, s, de_of) X(sdie_of) \
  TENON_AT_d(X, si, e_of) X(sied_of) TENON_AT_e(X, sid, _of) X(sid_eof) TENON_AT__(X, side, of) X(sideo_f) \
  TENON_AT_o(X, side_, f) X(side_fo) TENON_AT_f(X, side_o, ) TENON_LETTERS_any(X, side_of, )
#define TENON_SLIPS_phase_calls_into(X) TENON_AT_c(X, , alls_into) X(aclls_into) TENON_AT_a(X, c, lls_into) \
  X(clals_into) TENON_AT_l(X, ca, ls_into) TENON_LETTERS_l(X, cal, ls_into) TENON_LETTERS_l(X, cal, s_into) \
  X(calsl_into) TENON_AT_s(X, call, _into) X(call_sinto) TENON_AT__(X, calls, into) X(callsi_nto) \
  TENON_AT_i(X, calls_, nto) X(calls_nito) TENON_AT_n(X, calls_i, to) X(calls_itno) TENON_AT_t(X, calls_in, o) \
  X(calls_inot) TENON_AT_o(X, calls_int, ) TENON_LETTERS_any(X, calls_into, )
#define TENON_SLIPS_phase_early_ops(X) TENON_AT_e(X, , arly_ops) X(aerly_ops) TENON_AT_a(X, e, rly_ops) X(eraly_ops) \
  TENON_AT_r(X, ea, ly_ops) X(ealry_ops) TENON_AT_l(X, ear, y_ops) X(earyl_ops) TENON_AT_y(X, earl, _ops) X(earl_yops) \
  TENON_AT__(X, early, ops) X(earlyo_ps) TENON_AT_o(X, early_, ps) X(early_pos) TENON_AT_p(X, early_o, s) X(early_osp) \
  TENON_AT_s(X, early_op, ) TENON_LETTERS_any(X, early_ops, )
#define TENON_SLIPS_phase_begins_with(X) TENON_AT_b(X, , egins_with) X(ebgins_with) TENON_AT_e(X, b, gins_with) \
  X(bgeins_with) TENON_AT_g(X, be, ins_with) X(beigns_with) TENON_AT_i(X, beg, ns_with) X(begnis_with) \
  TENON_AT_n(X, begi, s_with) X(begisn_with) TENON_AT_s(X, begin, _with) X(begin_swith) TENON_AT__(X, begins, with) \
  X(beginsw_ith) TENON_AT_w(X, begins_, ith) X(begins_iwth) TENON_AT_i(X, begins_w, th) X(begins_wtih) \
  TENON_AT_t(X, begins_wi, h) X(begins_wiht) TENON_AT_h(X, begins_wit, ) TENON_LETTERS_any(X, begins_with, )
#define TENON_SLIPS_phase_open(X) TENON_AT_o(X, , pen) X(poen) TENON_AT_p(X, o, en) X(oepn) TENON_AT_e(X, op, n) \
  X(opne) TENON_AT_n(X, ope, ) TENON_LETTERS_any(X, open, )
#define TENON_SLIPS_phase_verify(X) TENON_AT_v(X, , erify) X(evrify) TENON_AT_e(X, v, rify) X(vreify) \
  TENON_AT_r(X, ve, ify) X(veirfy) TENON_AT_i(X, ver, fy) X(verfiy) TENON_AT_f(X, veri, y) X(veriyf) \
  TENON_AT_y(X, verif, ) TENON_LETTERS_any(X, verify, )
#define TENON_SLIPS_fact_of_each(X) TENON_AT_o(X, , f_each) X(fo_each) TENON_AT_f(X, o, _each) X(o_feach) \
  TENON_AT__(X, of, each) X(ofe_ach) TENON_AT_e(X, of_, ach) X(of_aech) TENON_AT_a(X, of_e, ch) X(of_ecah) \
  TENON_AT_c(X, of_ea, h) X(of_eahc) TENON_AT_h(X, of_eac, ) TENON_LETTERS_any(X, of_each, )
#define TENON_SLIPS_fact_of_all(X) TENON_AT_o(X, , f_all) X(fo_all) TENON_AT_f(X, o, _all) X(o_fall) \
  TENON_AT__(X, of, all) X(ofa_ll) TENON_AT_a(X, of_, ll) X(of_lal) TENON_AT_l(X, of_a, l) \
  TENON_LETTERS_l(X, of_al, l) TENON_LETTERS_l(X, of_al, ) TENON_LETTERS_any(X, of_all, )
#define TENON_SLIPS_fact_compute(X) TENON_AT_c(X, , ompute) X(ocmpute) TENON_AT_o(X, c, mpute) X(cmopute) \
  TENON_AT_m(X, co, pute) X(copmute) TENON_AT_p(X, com, ute) X(comupte) TENON_AT_u(X, comp, te) X(comptue) \
  TENON_AT_t(X, compu, e) X(compuet) TENON_AT_e(X, comput, ) TENON_LETTERS_any(X, compute, )
#define TENON_SLIPS_fact_rests_on(X) TENON_AT_r(X, , ests_on) X(ersts_on) TENON_AT_e(X, r, sts_on) X(rsets_on) \
  TENON_AT_s(X, re, ts_on) X(retss_on) TENON_AT_t(X, res, s_on) X(resst_on) TENON_AT_s(X, rest, _on) X(rest_son) \
  TENON_AT__(X, rests, on) X(restso_n) TENON_AT_o(X, rests_, n) X(rests_no) TENON_AT_n(X, rests_o, ) \
  TENON_LETTERS_any(X, rests_on, )
#define TENON_SLIPS_fact_same_as(X) TENON_AT_s(X, , ame_as) X(asme_as) TENON_AT_a(X, s, me_as) X(smae_as) \
  TENON_AT_m(X, sa, e_as) X(saem_as) TENON_AT_e(X, sam, _as) X(sam_eas) TENON_AT__(X, same, as) X(samea_s) \
  TENON_AT_a(X, same_, s) X(same_sa) TENON_AT_s(X, same_a, ) TENON_LETTERS_any(X, same_as, )
#define TENON_SLIPS_fact_absent_ops(X) TENON_AT_a(X, , bsent_ops) X(basent_ops) TENON_AT_b(X, a, sent_ops) \
  X(asbent_ops) TENON_AT_s(X, ab, ent_ops) X(abesnt_ops) TENON_AT_e(X, abs, nt_ops) X(absnet_ops) \
  TENON_AT_n(X, abse, t_ops) X(absetn_ops) TENON_AT_t(X, absen, _ops) X(absen_tops) TENON_AT__(X, absent, ops) \
  X(absento_ps) TENON_AT_o(X, absent_, ps) X(absent_pos) TENON_AT_p(X, absent_o, s) X(absent_osp) \
  TENON_AT_s(X, absent_op, ) TENON_LETTERS_any(X, absent_ops, )
#define TENON_SLIPS_proof_check(X) TENON_AT_c(X, , heck) X(hceck) TENON_AT_h(X, c, eck) X(cehck) TENON_AT_e(X, ch, ck) \
  X(chcek) TENON_AT_c(X, che, k) X(chekc) TENON_AT_k(X, chec, ) TENON_LETTERS_any(X, check, )
#define TENON_SLIPS_op_region_allows(X) TENON_AT_r(X, , egion_allows) X(ergion_allows) TENON_AT_e(X, r, gion_allows) \
  X(rgeion_allows) TENON_AT_g(X, re, ion_allows) X(reigon_allows) TENON_AT_i(X, reg, on_allows) X(regoin_allows) \
  TENON_AT_o(X, regi, n_allows) X(regino_allows) TENON_AT_n(X, regio, _allows) X(regio_nallows) \
  TENON_AT__(X, region, allows) X(regiona_llows) TENON_AT_a(X, region_, llows) X(region_lalows) \
  TENON_AT_l(X, region_a, lows) TENON_LETTERS_l(X, region_al, lows) TENON_LETTERS_l(X, region_al, ows) \
  X(region_alolws) TENON_AT_o(X, region_all, ws) X(region_allwos) TENON_AT_w(X, region_allo, s) X(region_allosw) \
  TENON_AT_s(X, region_allow, ) TENON_LETTERS_any(X, region_allows, )
#define TENON_SLIPS_op_region_forbids(X) TENON_AT_r(X, , egion_forbids) X(ergion_forbids) \
  TENON_AT_e(X, r, gion_forbids) X(rgeion_forbids) TENON_AT_g(X, re, ion_forbids) X(reigon_forbids) \
  TENON_AT_i(X, reg, on_forbids) X(regoin_forbids) TENON_AT_o(X, regi, n_forbids) X(regino_forbids) \
  TENON_AT_n(X, regio, _forbids) X(regio_nforbids) TENON_AT__(X, region, forbids) X(regionf_orbids) \
  TENON_AT_f(X, region_, orbids) X(region_ofrbids) TENON_AT_o(X, region_f, rbids) X(region_frobids) \
  TENON_AT_r(X, region_fo, bids) X(region_fobrids) TENON_AT_b(X, region_for, ids) X(region_foribds) \
  TENON_AT_i(X, region_forb, ds) X(region_forbdis) TENON_AT_d(X, region_forbi, s) X(region_forbisd) \
  TENON_AT_s(X, region_forbid, ) TENON_LETTERS_any(X, region_forbids, )
#define TENON_SLIPS_op_region_keeps(X) TENON_AT_r(X, , egion_keeps) X(ergion_keeps) TENON_AT_e(X, r, gion_keeps) \
  X(rgeion_keeps) TENON_AT_g(X, re, ion_keeps) X(reigon_keeps) TENON_AT_i(X, reg, on_keeps) X(regoin_keeps) \
  TENON_AT_o(X, regi, n_keeps) X(regino_keeps) TENON_AT_n(X, regio, _keeps) X(regio_nkeeps) \
  TENON_AT__(X, region, keeps) X(regionk_eeps) TENON_AT_k(X, region_, eeps) X(region_ekeps) \
  TENON_AT_e(X, region_k, eps) TENON_LETTERS_e(X, region_ke, eps) TENON_LETTERS_e(X, region_ke, ps) X(region_kepes) \
  TENON_AT_p(X, region_kee, s) X(region_keesp) TENON_AT_s(X, region_keep, ) TENON_LETTERS_any(X, region_keeps, )
#define TENON_SLIPS_op_effects(X) TENON_AT_e(X, , ffects) X(fefects) TENON_AT_f(X, e, fects) \
  TENON_LETTERS_f(X, ef, fects) TENON_LETTERS_f(X, ef, ects) X(efefcts) TENON_AT_e(X, eff, cts) X(effcets) \
  TENON_AT_c(X, effe, ts) X(effetcs) TENON_AT_t(X, effec, s) X(effecst) TENON_AT_s(X, effect, ) \
  TENON_LETTERS_any(X, effects, )
#define TENON_SLIPS_op_reads(X) TENON_AT_r(X, , eads) X(erads) TENON_AT_e(X, r, ads) X(raeds) TENON_AT_a(X, re, ds) \
  X(redas) TENON_AT_d(X, rea, s) X(reasd) TENON_AT_s(X, read, ) TENON_LETTERS_any(X, reads, )
#define TENON_SLIPS_op_writes(X) TENON_AT_w(X, , rites) X(rwites) TENON_AT_r(X, w, ites) X(wirtes) \
  TENON_AT_i(X, wr, tes) X(wrties) TENON_AT_t(X, wri, es) X(wriets) TENON_AT_e(X, writ, s) X(writse) \
  TENON_AT_s(X, write, ) TENON_LETTERS_any(X, writes, )
#define TENON_SLIPS_op_aliases(X) TENON_AT_a(X, , liases) X(laiases) TENON_AT_l(X, a, iases) X(ailases) \
  TENON_AT_i(X, al, ases) X(alaises) TENON_AT_a(X, ali, ses) X(alisaes) TENON_AT_s(X, alia, es) X(aliaess) \
  TENON_AT_e(X, alias, s) X(aliasse) TENON_AT_s(X, aliase, ) TENON_LETTERS_any(X, aliases, )
#define TENON_SLIPS_op_traits(X) TENON_AT_t(X, , raits) X(rtaits) TENON_AT_r(X, t, aits) X(tarits) \
  TENON_AT_a(X, tr, its) X(triats) TENON_AT_i(X, tra, ts) X(tratis) TENON_AT_t(X, trai, s) X(traist) \
  TENON_AT_s(X, trait, ) TENON_LETTERS_any(X, traits, )
#define TENON_SLIPS_target_ends_in(X) TENON_AT_e(X, , nds_in) X(neds_in) TENON_AT_n(X, e, ds_in) X(edns_in) \
  TENON_AT_d(X, en, s_in) X(ensd_in) TENON_AT_s(X, end, _in) X(end_sin) TENON_AT__(X, ends, in) X(endsi_n) \
  TENON_AT_i(X, ends_, n) X(ends_ni) TENON_AT_n(X, ends_i, ) TENON_LETTERS_any(X, ends_in, )
#define TENON_SLIPS_target_patterns(X) TENON_AT_p(X, , atterns) X(aptterns) TENON_AT_a(X, p, tterns) X(ptaterns) \
  TENON_AT_t(X, pa, terns) TENON_LETTERS_t(X, pat, terns) TENON_LETTERS_t(X, pat, erns) X(patetrns) \
  TENON_AT_e(X, patt, rns) X(pattrens) TENON_AT_r(X, patte, ns) X(pattenrs) TENON_AT_n(X, patter, s) X(pattersn) \
  TENON_AT_s(X, pattern, ) TENON_LETTERS_any(X, patterns, )
#define TENON_SLIPS_target_external_code_generator(X) TENON_AT_e(X, , xternal_code_generator) \
  X(xeternal_code_generator) TENON_AT_x(X, e, ternal_code_generator) X(etxernal_code_generator) \
  TENON_AT_t(X, ex, ernal_code_generator) X(exetrnal_code_generator) TENON_AT_e(X, ext, rnal_code_generator) \
  X(extrenal_code_generator) TENON_AT_r(X, exte, nal_code_generator) X(extenral_code_generator) \
  TENON_AT_n(X, exter, al_code_generator) X(exteranl_code_generator) TENON_AT_a(X, extern, l_code_generator) \
  X(externla_code_generator) TENON_AT_l(X, externa, _code_generator) X(externa_lcode_generator) \
  TENON_AT__(X, external, code_generator) X(externalc_ode_generator) TENON_AT_c(X, external_, ode_generator) \
  X(external_ocde_generator) TENON_AT_o(X, external_c, de_generator) X(external_cdoe_generator) \
  TENON_AT_d(X, external_co, e_generator) X(external_coed_generator) TENON_AT_e(X, external_cod, _generator) \
  X(external_cod_egenerator) TENON_AT__(X, external_code, generator) X(external_codeg_enerator) \
  TENON_AT_g(X, external_code_, enerator) X(external_code_egnerator) TENON_AT_e(X, external_code_g, nerator) \
  X(external_code_gneerator) TENON_AT_n(X, external_code_ge, erator) X(external_code_geenrator) \
  TENON_AT_e(X, external_code_gen, rator) X(external_code_genreator) TENON_AT_r(X, external_code_gene, ator) \
  X(external_code_geneartor) TENON_AT_a(X, external_code_gener, tor) X(external_code_genertaor) \
  TENON_AT_t(X, external_code_genera, or) X(external_code_generaotr) TENON_AT_o(X, external_code_generat, r) \
  X(external_code_generatro) TENON_AT_r(X, external_code_generato, ) TENON_LETTERS_any(X, external_code_generator, )
#define TENON_SLIPS_target_configure(X) TENON_AT_c(X, , onfigure) X(ocnfigure) TENON_AT_o(X, c, nfigure) X(cnofigure) \
  TENON_AT_n(X, co, figure) X(cofnigure) TENON_AT_f(X, con, igure) X(conifgure) TENON_AT_i(X, conf, gure) X(confgiure) \
  TENON_AT_g(X, confi, ure) X(confiugre) TENON_AT_u(X, config, re) X(configrue) TENON_AT_r(X, configu, e) X(configuer) \
  TENON_AT_e(X, configur, ) TENON_LETTERS_any(X, configure, )
#define TENON_SLIPS_maker_requires_facts(X) TENON_AT_r(X, , equires_facts) X(erquires_facts) \
  TENON_AT_e(X, r, quires_facts) X(rqeuires_facts) TENON_AT_q(X, re, uires_facts) X(reuqires_facts) \
  TENON_AT_u(X, req, ires_facts) X(reqiures_facts) TENON_AT_i(X, requ, res_facts) X(requries_facts) \
  TENON_AT_r(X, requi, es_facts) X(requiers_facts) TENON_AT_e(X, requir, s_facts) X(requirse_facts) \
  TENON_AT_s(X, require, _facts) X(require_sfacts) TENON_AT__(X, requires, facts) X(requiresf_acts) \
  TENON_AT_f(X, requires_, acts) X(requires_afcts) TENON_AT_a(X, requires_f, cts) X(requires_fcats) \
  TENON_AT_c(X, requires_fa, ts) X(requires_fatcs) TENON_AT_t(X, requires_fac, s) X(requires_facst) \
  TENON_AT_s(X, requires_fact, ) TENON_LETTERS_any(X, requires_facts, )
#define TENON_SLIPS_maker_needs_of_runtime(X) TENON_SLIPS_pass_needs_of_runtime(X)
#define TENON_SLIPS_maker_needs_of_device(X) TENON_SLIPS_pass_needs_of_device(X)
#define TENON_SLIPS_maker_code_format(X) TENON_AT_c(X, , ode_format) X(ocde_format) TENON_AT_o(X, c, de_format) \
  X(cdoe_format) TENON_AT_d(X, co, e_format) X(coed_format) TENON_AT_e(X, cod, _format) X(cod_eformat) \
  TENON_AT__(X, code, format) X(codef_ormat) TENON_AT_f(X, code_, ormat) X(code_ofrmat) TENON_AT_o(X, code_f, rmat) \
  X(code_fromat) TENON_AT_r(X, code_fo, mat) X(code_fomrat) TENON_AT_m(X, code_for, at) X(code_foramt) \
  TENON_AT_a(X, code_form, t) X(code_formta) TENON_AT_t(X, code_forma, ) TENON_LETTERS_any(X, code_format, )
#define TENON_SLIPS_device_provides(X) TENON_AT_p(X, , rovides) X(rpovides) TENON_AT_r(X, p, ovides) X(porvides) \
  TENON_AT_o(X, pr, vides) X(prvoides) TENON_AT_v(X, pro, ides) X(proivdes) TENON_AT_i(X, prov, des) X(provdies) \
  TENON_AT_d(X, provi, es) X(provieds) TENON_AT_e(X, provid, s) X(providse) TENON_AT_s(X, provide, ) \
  TENON_LETTERS_any(X, provides, )
#define TENON_WORDS_OF_pass(X) X(pass,facts,needs) X(pass,one,runs_in) X(pass,facts,gives) X(pass,facts,keeps) \
  X(pass,facts,breaks) X(pass,ops,emits) X(pass,ops,eliminates) X(pass,ops,handles) X(pass,effects,deletes) \
  X(pass,effects,merges) X(pass,effects,moves) X(pass,effects,leaves) X(pass,effects,keeps_inside) \
  X(pass,effects,duplicates) X(pass,effects,recomputes) X(pass,ops,works_on) X(pass,ops,emits_outside) \
  X(pass,ops,encloses) X(pass,ops,changes) X(pass,ops,looks_through) X(pass,interval,not_between) \
  X(pass,one,not_after) X(pass,one,not_before) X(pass,one,immediately_after) X(pass,one,makes_functions_in) \
  X(pass,flag,adds_functions) X(pass,flag,removes_functions) X(pass,flag,changes_functions) \
  X(pass,caps,needs_of_device) X(pass,caps,needs_of_runtime) X(pass,number,version) X(pass,flag,at_most_once) \
  X(pass,flag,may_find_nothing)
#define TENON_WORDS_OF_phase(X) X(phase,ops,op_list) X(phase,effects,op_effects) X(phase,one,side_of) \
  X(phase,phases,calls_into) X(phase,ops,early_ops) X(phase,facts,begins_with) X(phase,value,open) \
  X(phase,value,verify)
#define TENON_WORDS_OF_fact(X) X(fact,ops,of_each) X(fact,ops,of_all) X(fact,value,compute) X(fact,facts,rests_on) \
  X(fact,one,same_as) X(fact,ops,absent_ops)
#define TENON_WORDS_OF_proof(X) X(proof,value,check)
#define TENON_WORDS_OF_op(X) X(op,ops,region_allows) X(op,ops,region_forbids) X(op,effects,region_keeps) \
  X(op,effects,effects) X(op,operands,reads) X(op,operands,writes) X(op,operands,aliases) X(op,either,traits)
#define TENON_WORDS_OF_target(X) X(target,type,ends_in) X(target,type,patterns) X(target,type,external_code_generator) \
  X(target,value,configure)
#define TENON_WORDS_OF_maker(X) X(maker,type,requires_facts) X(maker,type,needs_of_runtime) \
  X(maker,type,needs_of_device) X(maker,type,code_format)
#define TENON_WORDS_OF_device(X) X(device,type,provides)
// clang-format on
