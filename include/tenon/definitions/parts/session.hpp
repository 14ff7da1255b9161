/// @file session: definitions of sessions.
#pragma once

#include <tenon/compile/alone.ipp>
#include <tenon/compile/module_source.ipp>
#include <tenon/compile/session.ipp>
