/// @file ahead: functions of a file that are ahead of their module are held to the table of calls where they are read.
///
/// A phase is only a word in a file. One that is false would hide a function from every pass of its module's phase, in
/// silence: so a reader asks whether the function may be there, holds what it may hold, and is called by who may call
/// it.
#pragma once

#include <string_view>

namespace tenon {
namespace ir { class module; }
namespace phases {

/// `phase` is what the file says of its module. Phases of users are left to the verifiers of their pipelines. Throws
/// "tenon-E032", "tenon-E033" or "ir.verify", naming the function. O(functions), and O(ops) where one is ahead.
void verify_ahead(const ir::module& m, std::string_view phase);

}  // namespace phases
}  // namespace tenon
