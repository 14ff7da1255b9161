/// @file value.ipp: definitions of runtime/value.hpp.
#pragma once

#include <tenon/runtime/value.hpp>

namespace tenon {

value value::sequence(list items) {
  value v;
  v.kind_ = kind_t::sequence;
  v.items_ = std::make_shared<list>(std::move(items));
  return v;
}

value::list& value::own_items() {
  if (kind_ != kind_t::sequence) wrong_kind("a sequence");
  if (items_.use_count() != 1) items_ = std::make_shared<list>(*items_);
  return *items_;
}

std::string value::describe() const {
  if (kind_ == kind_t::tensor) return tensor_.describe();
  if (kind_ == kind_t::nothing) return "nothing";
  std::string s = "sequence(";
  for (size_t i = 0; i < items_->size() && i < 8; ++i) s += (i != 0 ? ", " : "") + (*items_)[i].describe();
  if (items_->size() > 8) s += ", … " + std::to_string(items_->size()) + " in all";
  return s + ")";
}

void value::wrong_kind(const char* wanted) const {
  const char* const kind = kind_ == kind_t::tensor     ? "a tensor"
                           : kind_ == kind_t::sequence ? "a sequence"
                                                       : "an optional without an element";
  throw error("value.kind", "it is " + std::string(kind) + ", not " + wanted);
}

}  // namespace tenon
