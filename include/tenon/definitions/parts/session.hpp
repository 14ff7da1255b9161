/// @file session: definitions of sessions.
#pragma once

#include <tenon/compile/session.ipp>
