// A graph from its text, verified, whose text says all of it.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include <tenon/ir/verify.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

namespace tenon {

inline ir::module checked_graph(const std::string& body) {
  ir::module m = parse("tenon.module phase=optimization\n" + body);
  ir::verify<phases::optimization>(m);
  const std::string text = print(m);
  CHECK(print(parse(text)) == text);
  return m;
}

}  // namespace tenon
