/// @file json: targets as JSON.
///
///     {"name": "cpu", "options": {"arch": "znver4", "threads": "2"}}
///     {"name": "composite", "members": [{"name": "cpu"}, {"label": "npu", "name": "my_npu"}]}
///     {"tag": "zen4"}
///
/// `from_json(to_json(s)) == s`. Values may be given as numbers and bools too. Errors: "target.json", with what is
/// wrong and where.
#pragma once

#include <tenon/targets/spec.hpp>

namespace tenon {

std::string to_json(const target_spec& spec);
target_spec target_from_json(std::string_view text);

}  // namespace tenon
