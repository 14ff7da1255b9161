/// @file interpret: the reference interpreter, compiled once.
#include <tenon/interpret/interpreter.hpp>
#include <tenon/interpret/interpreter.ipp>
#include <tenon/interpret/loops.ipp>
