/// @file lowering_table.ipp: the table over `graph_ops`.
#pragma once

#include <tenon/ops/all.hpp>
#include <tenon/ops/fwd.hpp>
#include <tenon/passes/lowering_table.hpp>

namespace tenon {
const lowering_entry* find_lowering(const ir::op_info& info, const more_lowerings& more) {
  for (const lowering_entry& e : lowering_table_of<graph_ops>())
    if (e.info == &info) return &e;
  for (const lowering_entry& e : more.entries)
    if (e.info == &info) return &e;
  return nullptr;
}

}  // namespace tenon
