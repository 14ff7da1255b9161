// Rules about an order that are no facts: an interval that excludes a pass, a pass that follows another at once, one
// that runs once. They are declared where the pass is, and judged with the rest.
#include <cstdio>

#include <tenon/definitions/pipelines.hpp>  // once in a program; enough where no op of tenon's is run
#include <tenon/judge/plan.hpp>
#include <tenon/judge/questions.hpp>
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

struct in_graphs {  // what the passes here have in common
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>&, context&) const {}
};
/// Counts references; what changes them must not run until they are dropped.
struct count_references : in_graphs {
  static constexpr fixed_string name = "count_references";
  static constexpr bool at_most_once = true;  // a second count would count the first one's marks
};
struct drop_references : in_graphs {
  static constexpr fixed_string name = "drop_references";
};
/// Shares tensors: in between, the counts would be wrong. (A fact "counts are right" would say that sharing breaks it,
/// and that is better where somebody needs the counts. An interval says it where nobody asks for them again.)
struct share_tensors : in_graphs {
  static constexpr fixed_string name = "share_tensors";
  using not_between = interval<count_references, drop_references>;
};
/// Reads marks that live until the next pass.
struct read_marks : in_graphs {
  static constexpr fixed_string name = "read_marks";
  using immediately_after = count_references;
};
/// Names ops for debuggers: useless once they are fused.
struct name_ops : in_graphs {
  static constexpr fixed_string name = "name_ops";
  using not_after = passes::fuse;
};

using right = pipeline<share_tensors, count_references, read_marks, drop_references, share_tensors>;

// Wrong ones would not compile. Asked softly, they say which rule, who and where, and what to do.
constexpr verdict inside = verdict_of<count_references, share_tensors, drop_references>;
constexpr verdict later = verdict_of<count_references, drop_references, read_marks>;
constexpr verdict again = verdict_of<count_references, drop_references, count_references>;
static_assert(inside.code == 19 && later.code == 20 && again.code == 15);

// The planner keeps the rules: it finds an order of these passes, or says that there is none.
using found =
    arrange<phases::optimization, phases::optimization, drop_references, read_marks, share_tensors, count_references>;
static_assert(is_valid<found::passes>);
static_assert(is_valid<pass_list<name_ops>>);
}  // namespace mine

int main() {
  using namespace tenon;
  for (const verdict& v : {mine::inside, mine::later, mine::again}) {
    const meta::phrase said = sentence_of(v);
    std::printf("%.*s\n", static_cast<int>(said.length), said.characters);
  }
  for (const pass_desc* p : passes_of<mine::found>()) std::printf("%s\n", p->name.data());
}

// CHECK: tenon-E019: pass 'share_tensors' (2nd) may not run between 'count_references' (1st) and 'drop_references' (3rd)
// CHECK: tenon-E020: pass 'read_marks' (3rd) must run immediately after 'count_references'
// CHECK: tenon-E015: pass 'count_references'
// CHECK: {{^}}count_references
// CHECK-NEXT: {{^}}read_marks
