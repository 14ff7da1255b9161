/// @file session: definitions of sessions.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/compile/alone.ipp>
#include <tenon/compile/other_answers.ipp>
#include <tenon/compile/session.ipp>
#include <tenon/compile/size_advice.ipp>
#include <tenon/importers/module.ipp>
