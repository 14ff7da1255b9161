/// @file binary: definitions of modules in files.
#pragma once

#include <tenon/binary/module_file.ipp>
