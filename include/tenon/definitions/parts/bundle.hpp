/// @file bundle: definitions of bundles of programs.
#pragma once

#include <tenon/targets/bundle.ipp>
