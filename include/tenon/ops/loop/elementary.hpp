/// @file elementary: the numbers of elementary functions in single precision, which code for vectors computes without
/// libm, whoever writes that code.
///
/// exp and log: Cody-Waite reduction by ln 2 in two parts, and the polynomials of Cephes (S. Moshier, expf.c and
/// logf.c). tanh and erf: rational approximations on a clamped range (the coefficients that Eigen and XLA use).
/// Coefficients stand from the highest power to the lowest.
#pragma once

#include <initializer_list>

namespace tenon::loop::elementary {

using coefficients = std::initializer_list<double>;

inline constexpr double reciprocal_of_ln2 = 1.44269504088896341, ln2_high = 0.693359375, ln2_low = -2.12194440e-4;

/// e^r = 1 + r + r² p(r) for an |r| of at most ln 2 / 2. Below and above the bounds e^x is 0 and infinity, as it comes
/// out there.
inline constexpr coefficients exp_rest = {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                                          4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1};
inline constexpr double exp_low = -104.5, exp_high = 89;
/// Where e^x - 1 is -1, what is the last that is no infinity, and below which size it is x.
inline constexpr double expm1_low = -18, expm1_high = 88.72284, expm1_tiny = 2.9e-8;

/// log(1 + t) = t - t²/2 + t³ p(t) for 1 + t from sqrt(1/2) to sqrt(2).
inline constexpr double half_sqrt2 = 0.707106781186547524;
inline constexpr coefficients log_rest = {7.0376836292e-2,  -1.1514610310e-1, 1.1676998740e-1,
                                          -1.2420140846e-1, 1.4249322787e-1,  -1.6668057665e-1,
                                          2.0000714765e-1,  -2.4999993993e-1, 3.3333331174e-1};

/// x p(x²) / q(x²), of an x within ±limit. tanh x is x where that is tiny; from `one` on the nearest number is 1.
inline constexpr double tanh_limit = 7.90531110763549805, tanh_tiny = 4e-4, tanh_one = 9.010914;
inline constexpr coefficients tanh_p = {-2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11,
                                        5.12229709037114e-08,  1.48572235717979e-05, 6.37261928875436e-04,
                                        4.89352455891786e-03},
                              tanh_q = {1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03,
                                        4.89352518554385e-03};

inline constexpr double erf_limit = 4, erf_one = 3.9192061;
inline constexpr coefficients erf_p = {-2.72614225801306e-10, 2.77068142495902e-08,  -2.10102402082508e-06,
                                       -5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03,
                                       -1.60960333262415e-02},
                              erf_q = {-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
                                       -7.37332916720468e-03, -1.42647390514189e-02};

}  // namespace tenon::loop::elementary
