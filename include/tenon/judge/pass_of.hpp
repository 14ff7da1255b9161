/// @file pass_of: a pass in closed form: it says what it is in words that exist, and another one does not compile.
///
///     using namespace tenon::words;
///     struct fold : pass_of<"fold", runs_in<phases::optimization>, needs<fact::shapes_known>, keeps<all_facts>,
///                           emits<op::constant>> {
///       void run(ir_module<runs_in>&, context&) const;
///     };
///
/// It is the same pass as with the same members written out (pass.hpp), for all that reads passes. A word that stands
/// twice, or is none, is the error "tenon-E018"; of one that is misspelt the compiler says which was meant. Lists may
/// be given as their items or whole (`emits<graph_ops>`).
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/judge/pass_words.hpp>

namespace tenon {
namespace detail {

template <class T>
concept pass_word = requires {
  typename T::said;
  T::word;
};
/// Is each of them a word, and each another one?
template <fixed_string Name, class... Words>
struct words_check {
  static constexpr bool are_words = (pass_word<Words> && ...);
  static constexpr bool ok = [] {
    if constexpr (are_words) return (0ull + ... + Words::word) == (0ull | ... | Words::word);
    else return false;
  }();
  static consteval meta::phrase say() {
    meta::later_t<meta::phrase, Words...> s;
    (s << "tenon-E018: pass ").quoted(label(Name));
    label names[] = {meta::unqualified_name<Words>()..., {}};
    for (label& n : names)
      for (size_t i = 0; i < n.length; ++i)
        if (n.first[i] == '<') n.length = i;
    if constexpr (!are_words) {
      const bool words[] = {pass_word<Words>..., false};
      return (s << " says ").quoted(names[near::first_false(words)])
             << ", which is no word of a pass: those stand in tenon::words, as 'tenon::words::needs<...>'";
    } else {
      constexpr unsigned long long words[] = {Words::word..., 0};
      size_t twice = 0;
      for (size_t i = 0; i < sizeof...(Words); ++i)
        for (size_t k = 0; k < i; ++k)
          if (words[i] == words[k]) twice = i;
      return (s << " says ").quoted(names[twice]) << " twice: say it once, with all that belongs to it";
    }
  }
};
}  // namespace detail

template <fixed_string Name, class... Words>
  requires meta::answer_t<detail::words_check<Name, Words...>>::accepted
struct pass_of : Words::said... {
  static constexpr auto name = Name;
};

}  // namespace tenon
