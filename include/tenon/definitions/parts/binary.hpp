/// @file binary: definitions of modules in files.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/ir/module_file.ipp>
#include <tenon/ir/write_module_file.ipp>
