/// @file program_parts: what the entries of a built module take, give and do, as the parts of a program.
#pragma once

#include <vector>

#include <tenon/ir/entries.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/runtime/program.hpp>

namespace tenon::detail {

/// The sizes that an entry's code reads, by symbol; what it takes for granted; the buffers that are placed for each
/// run. The tables have a place for those of other entries too, and nothing is computed for them: an extent that no
/// input of this entry names is none of its own.
program_sizes sizes_of(const ir::module& m, function_id entry);
/// Name, ports, sizes and arena of an entry: its first arguments are inputs, and those behind them take its results.
program::parts entry_ports(const ir::module& m, function_id f);
/// The same, and what an observer of runs is told that an entry does, step by step (ir/entry_steps.hpp).
program::parts entry_parts(const ir::module& m, function_id f);

/// All entries, each as `one` says.
template <class F>
program::parts parts_of_entries(const ir::module& m, F&& one) {
  const std::vector<function_id> entries = ir::entries_of(m);
  program::parts p = one(m, entries.front());
  for (size_t i = 1; i < entries.size(); ++i) p.more.push_back(one(m, entries[i]));
  p.fingerprint = m.build.fingerprint;
  return p;
}

}  // namespace tenon::detail
