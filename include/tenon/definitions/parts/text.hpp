/// @file text: definitions of modules as text.
#pragma once

#include <tenon/phases/ahead.ipp>
#include <tenon/text/parse.ipp>
#include <tenon/text/print.ipp>
