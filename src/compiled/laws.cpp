/// @file laws: the laws of passes, ops and targets, compiled once.
#include <tenon/laws.hpp>
#include <tenon/laws.ipp>
