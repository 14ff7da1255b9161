// The binary form of modules, compiled once.
#include <tenon/binary/module_file.ipp>
