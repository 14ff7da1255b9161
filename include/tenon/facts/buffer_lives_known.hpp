/// @file buffer_lives_known: from which op of its function to which a buffer is used, an analysis.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <tenon/fact.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::fact {

/// The life of an allocated buffer, in positions of a function's ops.
struct live_range {
  op_id alloc;
  i64 bytes = 0;  ///< -1: `size` says it when the program runs
  std::string size;
  size_t first = 0, last = 0;  ///< from the first op that uses it to the last one
  bool used = false;
  bool operator==(const live_range&) const = default;
};

/// The buffers whose storage a value may be: what its op aliases (`ir::op_info::aliases`), and so on; none for
/// arguments and constants. Cost: O(ops that it looks through).
std::vector<op_id> storages_of(const ir::module& m, value_id v);
/// The only one; none where it may be memory of another one, of an argument or of a constant, too.
op_id storage_of(const ir::module& m, value_id v);
/// The lives of the buffers of one region, in the order of their allocation. Cost: O(ops).
std::vector<live_range> live_ranges(const ir::module& m, region_id body);

struct buffer_lives_known {
  static constexpr fixed_string name = "buffer_lives_known";
  /// Of each graph function of the module's phase.
  static std::map<function_id, std::vector<live_range>> compute(const ir::module& m);
};

}  // namespace tenon::fact
