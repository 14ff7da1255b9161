/// @file session: definitions of sessions.
#pragma once

#include <tenon/session.ipp>
