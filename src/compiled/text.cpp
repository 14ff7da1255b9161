/// @file text: printing and parsing, compiled once.
#include <tenon/phases/ahead.hpp>
#include <tenon/phases/ahead.ipp>
#include <tenon/text/parse.hpp>
#include <tenon/text/parse.ipp>
#include <tenon/text/print.hpp>
#include <tenon/text/print.ipp>
