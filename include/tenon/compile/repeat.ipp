/// @file repeat.ipp: definitions of compile/repeat.hpp.
#pragma once

#include <tenon/compile/repeat.hpp>
#include <tenon/ir/ahead.hpp>

namespace tenon::detail {

rounds::rounds(const ir::module& m, label name, int most) : name_(name), most_(most), before_(ir::hash_of_module(m)) {}

bool rounds::changed(const ir::module& m) {
  const u64 now = ir::hash_of_module(m);
  if (now == before_) return false;
  before_ = now;
  if (++done_ < most_) return true;
  throw error(
      "pass.repeat",
      "'" + std::string(std::string_view(name_)) + "' did not come to rest: the module still changes after " +
          std::to_string(done_) + (done_ == 1 ? " round" : " rounds"),
      {}, "find the members that undo each other (instrument::print_changed shows them), or allow more 'most_rounds'");
}

}  // namespace tenon::detail
