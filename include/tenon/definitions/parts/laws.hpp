/// @file laws: definitions of the laws of passes, ops and targets.
#pragma once

#include <tenon/testing/laws.ipp>
