/// @file function_watch: holds a pass to what it says of functions: which there are, and what they take, return and say
/// of themselves.
///
/// Functions of the module's phase count, by name; those that are ahead of it are nobody's, and so are they where a
/// module comes to their phase. Passes to another phase are not asked: there all functions become others. That more or
/// less is known of a type is no change. Cost: O(functions and their
/// arguments), before and after; used under `verify_each` and by laws.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// The flags of a pass.
struct function_claims {
  bool adds = false, removes = false, changes = false;
};

class function_watch {
 public:
  explicit function_watch(const module& before);

  /// What was done to a function that the claims do not say, and the flag that would; no text: nothing.
  struct finding {
    std::string what;
    const char* flag = "";
  };
  finding find(const module& after, const function_claims& said) const;
  /// Throws "tenon-E030", naming pass and function.
  void check(const module& after, std::string_view pass, const function_claims& said) const;

 private:
  /// What a function says of itself, less its types; and the types of its arguments, then of its results.
  struct head {
    std::string said;
    size_t arguments = 0;
    std::vector<type> types;
    head(const module& m, function_id f);
    bool same(const head& later) const;
  };
  std::map<std::string, head> heads_;  ///< by name
  std::set<std::string> ahead_;
};

}  // namespace tenon::ir
