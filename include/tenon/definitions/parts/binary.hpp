/// @file binary: definitions of modules in files.
#pragma once

#include <tenon/ir/module_file.ipp>
