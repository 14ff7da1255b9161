/// @file trees: ai.onnx.ml: ensembles of decision trees.
///
/// A forest is walked by all rows at once: `place` holds for each row and tree the number of a node, and each of as
/// many steps as the deepest tree has goes to a child; leaves are their own children.
#pragma once

#include <limits>
#include <map>

#include <tenon/importers/onnx/families/classic.ipp>

namespace tenon::importers::onnx {
namespace handlers {

enum class branch_mode : u8 { leq, lt, gte, gt, eq, neq, member, leaf };

struct forest {
  std::vector<i64> feature, yes, no;  ///< of each node; a leaf's children are itself
  std::vector<double> split;
  std::vector<branch_mode> mode;
  std::vector<bool> missing_is_yes;
  std::vector<std::vector<double>> members;  ///< of nodes with mode `member`
  std::vector<i64> roots;
  std::vector<std::vector<std::pair<i64, double>>> weights;  ///< of leaves: target and weight
  i64 targets = 1;

  size_t size() const { return feature.size(); }
  void add(size_t count) {
    const size_t all = size() + count;
    feature.resize(all), yes.resize(all), no.resize(all), split.resize(all), members.resize(all), weights.resize(all);
    mode.resize(all, branch_mode::leaf), missing_is_yes.resize(all);
  }
};

/// How many steps the deepest walk takes. Branches have one parent at most: when there are more on the way than exist,
/// the way goes in a circle.
inline i64 deepest_walk(import_context& cx, const forest& f) {
  i64 depth = 0;
  std::vector<std::pair<i64, i64>> open;
  for (const i64 r : f.roots) open.emplace_back(r, 0);
  size_t seen = 0;
  while (!open.empty()) {
    const auto [n, d] = open.back();
    open.pop_back();
    depth = std::max(depth, d);
    const size_t at = static_cast<size_t>(n);
    if (f.mode[at] == branch_mode::leaf) continue;
    if (++seen > f.size()) cx.bad("the nodes are no trees");
    open.emplace_back(f.yes[at], d + 1);
    open.emplace_back(f.no[at], d + 1);
  }
  return depth;
}

/// Does the row of each place take the node's first branch?
inline value_id takes_branch(import_context& cx, const forest& f, value_id x, value_id place) {
  const dtype t = cx.elem(x);
  const auto table = [&](const auto& v) {
    tensor r(dtype::i64, {static_cast<i64>(f.size())});
    for (size_t k = 0; k < f.size(); ++k) r.set_i64(static_cast<i64>(k), static_cast<i64>(v(k)));
    return cx.gather(cx.constant(r), place, 0);
  };
  const value_id value = cx.make(op::gather_elements{.axis = 1}, {x, table([&](size_t k) { return f.feature[k]; })});
  const value_id split = cx.gather(number_list(cx, t, f.split), place, 0);
  value_id taken{};
  for (const branch_mode m : {branch_mode::leq, branch_mode::lt, branch_mode::gte, branch_mode::gt, branch_mode::eq,
                              branch_mode::neq, branch_mode::member}) {
    if (std::find(f.mode.begin(), f.mode.end(), m) == f.mode.end()) continue;
    value_id now;
    switch (m) {
      case branch_mode::leq: now = cx.make(op::less_equal{}, {value, split}); break;
      case branch_mode::lt: now = cx.less(value, split); break;
      case branch_mode::gte: now = cx.make(op::greater_equal{}, {value, split}); break;
      case branch_mode::gt: now = cx.greater(value, split); break;
      case branch_mode::eq: now = cx.equal(value, split); break;
      case branch_mode::neq: now = cx.make(op::logical_not{}, {cx.equal(value, split)}); break;
      default: {
        size_t most = 1;
        for (const auto& s : f.members) most = std::max(most, s.size());
        tensor sets = cx.blank(t, {static_cast<i64>(f.size()), static_cast<i64>(most)});
        for (size_t k = 0; k < f.size(); ++k)
          for (size_t i = 0; i < most; ++i)
            sets.set_f64(static_cast<i64>(k * most + i),
                         i < f.members[k].size() ? f.members[k][i] : std::numeric_limits<double>::quiet_NaN());
        const value_id same = cx.equal(cx.unsqueeze(value, {2}), cx.gather(cx.constant(sets), place, 0));
        now = cx.cast(cx.reduce_max(cx.cast(same, dtype::u8), {2}, false), dtype::boolean);
      }
    }
    const value_id mine = table([&](size_t k) { return f.mode[k] == m; });
    taken = taken ? cx.where(cx.equal(mine, cx.like(mine, 1)), now, taken) : now;
  }
  if (std::find(f.missing_is_yes.begin(), f.missing_is_yes.end(), true) != f.missing_is_yes.end()) {
    const value_id yes = table([&](size_t k) { return f.missing_is_yes[k]; });
    const value_id missing =
        cx.make(op::logical_and{}, {cx.make(op::is_nan{}, {value}), cx.equal(yes, cx.like(yes, 1))});
    taken = cx.make(op::logical_or{}, {taken, missing});
  }
  return taken;
}

enum class aggregation : u8 { average, sum, min, max };

/// Each row's leaves, their weights joined over the trees: [rows, targets].
inline value_id forest_scores(import_context& cx, const forest& f, aggregation how, const std::vector<double>& base) {
  const value_id x = rows_of_features(cx, real_input(cx, 0));
  const i64 trees = static_cast<i64>(f.roots.size());
  if (trees == 0 || f.targets < 1) cx.bad("there are no trees");
  const ir::dim columns = cx.dim(x, 1);
  for (size_t k = 0; k < f.size(); ++k)
    if (f.mode[k] != branch_mode::leaf &&
        (f.feature[k] < 0 || (columns.is_static() && f.feature[k] >= columns.extent())))
      cx.bad("a node asks for feature " + std::to_string(f.feature[k]) + ", which the input does not have");
  const i64 depth = deepest_walk(cx, f);
  value_id place = cx.expand(cx.list(f.roots), cx.concat({cx.slice(cx.shape_of(x), 0, 0, 1), cx.list({trees})}, 0));
  const value_id yes = cx.list(f.yes), no = cx.list(f.no);
  for (i64 d = 0; d < depth; ++d)
    place = cx.where(takes_branch(cx, f, x, place), cx.gather(yes, place, 0), cx.gather(no, place, 0));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double absent = how == aggregation::min ? infinity : how == aggregation::max ? -infinity : 0;
  const dtype t = cx.elem(x);
  tensor leaves = cx.blank(t, {static_cast<i64>(f.size()), f.targets});
  for (size_t k = 0; k < f.size(); ++k) {
    for (i64 c = 0; c < f.targets; ++c) leaves.set_f64(static_cast<i64>(k) * f.targets + c, absent);
    for (const auto& [target, weight] : f.weights[k]) {
      if (target < 0 || target >= f.targets) cx.bad("a leaf has a weight of a target that does not exist");
      const i64 at = static_cast<i64>(k) * f.targets + target;
      leaves.set_f64(at, std::isinf(leaves.at_f64(at)) ? weight : leaves.at_f64(at) + weight);
    }
  }
  const value_id all = cx.gather(cx.constant(leaves), place, 0);  // [rows, trees, targets]
  value_id y = how == aggregation::min   ? cx.make(op::reduce_min{.axes = {1}, .keep_dims = false}, {all})
               : how == aggregation::max ? cx.reduce_max(all, {1}, false)
                                         : cx.reduce_sum(all, {1}, false);
  if (absent != 0) y = cx.where(cx.equal(y, cx.like(y, absent)), cx.like(y, 0), y);
  if (how == aggregation::average) y = cx.div(y, cx.like(y, static_cast<double>(trees)));
  if (!base.empty()) y = cx.add(y, number_list(cx, t, base));
  return y;
}

/// Nodes named by tree and number, as TreeEnsembleClassifier and -Regressor have them. `prefix` is that of the leaves'
/// attributes.
inline forest named_forest(import_context& cx, const std::string& prefix, i64 targets) {
  forest f;
  f.targets = targets;
  const std::vector<i64> trees = cx.integers("nodes_treeids"), ids = cx.integers("nodes_nodeids"),
                         features = cx.integers("nodes_featureids"), yes = cx.integers("nodes_truenodeids"),
                         no = cx.integers("nodes_falsenodeids"),
                         missing = cx.integers("nodes_missing_value_tracks_true");
  const std::vector<std::string> modes = cx.strings("nodes_modes");
  const std::vector<double> values = real_attribute(cx, "nodes_values");
  const size_t n = ids.size();
  if (trees.size() != n || features.size() != n || yes.size() != n || no.size() != n || modes.size() != n ||
      values.size() != n)
    cx.bad("the nodes' attributes have different lengths");
  std::map<std::pair<i64, i64>, i64> numbers;
  for (size_t k = 0; k < n; ++k) numbers.emplace(std::pair{trees[k], ids[k]}, static_cast<i64>(k));
  const auto number = [&](i64 tree, i64 id) {
    const auto it = numbers.find({tree, id});
    if (it == numbers.end()) cx.bad("tree " + std::to_string(tree) + " has no node " + std::to_string(id));
    return it->second;
  };
  static constexpr std::array<std::string_view, 8> names{"BRANCH_LEQ", "BRANCH_LT",  "BRANCH_GTE",    "BRANCH_GT",
                                                         "BRANCH_EQ",  "BRANCH_NEQ", "BRANCH_MEMBER", "LEAF"};
  f.add(n);
  for (size_t k = 0; k < n; ++k) {
    const auto at = std::find(names.begin(), names.end(), modes[k]);
    if (at == names.end()) cx.bad("a node's mode is '" + modes[k] + "'");
    f.mode[k] = static_cast<branch_mode>(at - names.begin());
    if (f.mode[k] == branch_mode::member) cx.unsupported("sets of members in a tree of this version");
    f.yes[k] = f.no[k] = static_cast<i64>(k);
    if (k == 0 || trees[k] != trees[k - 1]) f.roots.push_back(static_cast<i64>(k));
    if (f.mode[k] == branch_mode::leaf) continue;
    f.feature[k] = features[k], f.split[k] = values[k];
    f.yes[k] = number(trees[k], yes[k]), f.no[k] = number(trees[k], no[k]);
    f.missing_is_yes[k] = k < missing.size() && missing[k] != 0;
  }
  const std::vector<i64> leaf_trees = cx.integers(prefix + "_treeids"), leaf_ids = cx.integers(prefix + "_nodeids"),
                         leaf_targets = cx.integers(prefix + "_ids");
  const std::vector<double> weights = real_attribute(cx, prefix + "_weights");
  if (leaf_trees.size() != weights.size() || leaf_ids.size() != weights.size() || leaf_targets.size() != weights.size())
    cx.bad("the leaves' attributes have different lengths");
  for (size_t k = 0; k < weights.size(); ++k)
    f.weights[static_cast<size_t>(number(leaf_trees[k], leaf_ids[k]))].emplace_back(leaf_targets[k], weights[k]);
  return f;
}

inline void tree_ensemble_regressor(import_context& cx, const node&) {
  const std::string name = cx.s("aggregate_function", "SUM");
  static constexpr std::array<std::string_view, 4> names{"AVERAGE", "SUM", "MIN", "MAX"};
  const auto how = std::find(names.begin(), names.end(), name);
  if (how == names.end()) cx.bad("aggregate_function is '" + name + "'");
  const value_id y = forest_scores(cx, named_forest(cx, "target", cx.i("n_targets")),
                                   static_cast<aggregation>(how - names.begin()), real_attribute(cx, "base_values"));
  cx.out(cx.cast(transformed(cx, y, named_transform(cx)), dtype::f32));
}

inline void tree_ensemble_classifier(import_context& cx, const node&) {
  const tensor labels = class_labels(cx);
  const std::vector<i64> ids = cx.integers("class_ids");
  const std::vector<double> weights = real_attribute(cx, "class_weights"), base = real_attribute(cx, "base_values");
  const bool one = !ids.empty() && std::all_of(ids.begin(), ids.end(), [&](i64 c) { return c == ids[0]; });
  forest f = named_forest(cx, "class", std::max<i64>(labels.size(), 1));
  if (one && labels.size() == 2 && base.size() <= 1) {
    f.targets = 1;
    for (auto& leaf : f.weights)
      for (auto& w : leaf) w.first = 0;
    const bool positive = std::all_of(weights.begin(), weights.end(), [](double w) { return w >= 0; });
    return classify_two(cx, cx.cast(forest_scores(cx, f, aggregation::sum, base), dtype::f32), labels,
                        positive ? 0.5 : 0, positive);
  }
  classify(cx, cx.cast(forest_scores(cx, f, aggregation::sum, base), dtype::f32), labels);
}

/// Version 5: nodes and leaves by their numbers; children of leaves are marked as such.
inline void tree_ensemble(import_context& cx, const node&) {
  forest f;
  f.targets = cx.i("n_targets", 1);
  const std::vector<i64> features = cx.integers("nodes_featureids"), yes = cx.integers("nodes_truenodeids"),
                         no = cx.integers("nodes_falsenodeids"), yes_leaf = cx.integers("nodes_trueleafs"),
                         no_leaf = cx.integers("nodes_falseleafs"),
                         missing = cx.integers("nodes_missing_value_tracks_true"),
                         targets = cx.integers("leaf_targetids"), roots = cx.integers("tree_roots");
  const tensor modes = to_tensor(cx.t("nodes_modes"));
  const std::vector<double> splits = numbers_of(to_tensor(cx.t("nodes_splits"))),
                            weights = numbers_of(to_tensor(cx.t("leaf_weights")));
  std::vector<double> members;
  if (cx.has_attribute("membership_values")) members = numbers_of(to_tensor(cx.t("membership_values")));
  const size_t n = features.size(), leaves = targets.size();
  if (yes.size() != n || no.size() != n || yes_leaf.size() != n || no_leaf.size() != n || splits.size() != n ||
      modes.size() != static_cast<i64>(n) || weights.size() != leaves)
    cx.bad("the nodes' attributes have different lengths");
  f.add(n + leaves);
  const auto child = [&](i64 id, i64 is_leaf) {
    if (id < 0 || id >= static_cast<i64>(is_leaf ? leaves : n)) cx.bad("a child has a number that no node has");
    return is_leaf ? static_cast<i64>(n) + id : id;
  };
  size_t next_member = 0;
  for (size_t k = 0; k < n; ++k) {
    const i64 m = modes.at_i64(static_cast<i64>(k));
    if (m < 0 || m > 6) cx.bad("a node's mode is " + std::to_string(m));
    f.mode[k] = static_cast<branch_mode>(m);
    f.feature[k] = features[k], f.split[k] = splits[k];
    f.yes[k] = child(yes[k], yes_leaf[k]), f.no[k] = child(no[k], no_leaf[k]);
    f.missing_is_yes[k] = k < missing.size() && missing[k] != 0;
    if (f.mode[k] != branch_mode::member) continue;
    for (; next_member < members.size() && !std::isnan(members[next_member]); ++next_member)
      f.members[k].push_back(members[next_member]);
    ++next_member;  // NaN ends a set
  }
  for (size_t k = 0; k < leaves; ++k) {
    f.yes[n + k] = f.no[n + k] = static_cast<i64>(n + k);
    f.weights[n + k].emplace_back(targets[k], weights[k]);
  }
  for (const i64 r : roots) f.roots.push_back(child(r, 0));
  const i64 how = cx.i("aggregate_function", 1), transform = cx.i("post_transform", 0);
  if (how < 0 || how > 3 || transform < 0 || transform > 4)
    cx.bad("aggregate_function or post_transform is out of range");
  const value_id y = forest_scores(cx, f, static_cast<aggregation>(how), {});
  cx.out(cx.cast(transformed(cx, y, static_cast<score_transform>(transform)), cx.elem(cx.in(0))));
}

}  // namespace handlers

std::span<const registered_operator> families::trees() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"TreeEnsemble", tree_ensemble, ml_domain, 5, 1, 1,
       "aggregate_function:i leaf_targetids:is! leaf_weights:t! membership_values:t n_targets:i nodes_falseleafs:is! "
       "nodes_falsenodeids:is! nodes_featureids:is! nodes_hitrates:t nodes_missing_value_tracks_true:is nodes_modes:t! "
       "nodes_splits:t! nodes_trueleafs:is! nodes_truenodeids:is! post_transform:i tree_roots:is!",
       "f"},
      {"TreeEnsembleClassifier", tree_ensemble_classifier, ml_domain, 1, 1, 2,
       "base_values:fs class_ids:is class_nodeids:is class_treeids:is class_weights:fs classlabels_int64s:is "
       "classlabels_strings:ss nodes_falsenodeids:is nodes_featureids:is nodes_hitrates:fs "
       "nodes_missing_value_tracks_true:is nodes_modes:ss nodes_nodeids:is nodes_treeids:is nodes_truenodeids:is "
       "nodes_values:fs post_transform:s",
       "fi"},
      {"TreeEnsembleClassifier", tree_ensemble_classifier, ml_domain, 3, 1, 2,
       "base_values:fs base_values_as_tensor:t class_ids:is class_nodeids:is class_treeids:is class_weights:fs "
       "class_weights_as_tensor:t classlabels_int64s:is classlabels_strings:ss nodes_falsenodeids:is "
       "nodes_featureids:is nodes_hitrates:fs nodes_hitrates_as_tensor:t nodes_missing_value_tracks_true:is "
       "nodes_modes:ss nodes_nodeids:is nodes_treeids:is nodes_truenodeids:is nodes_values:fs nodes_values_as_tensor:t "
       "post_transform:s",
       "fi"},
      {"TreeEnsembleRegressor", tree_ensemble_regressor, ml_domain, 1, 1, 1,
       "aggregate_function:s base_values:fs n_targets:i nodes_falsenodeids:is nodes_featureids:is nodes_hitrates:fs "
       "nodes_missing_value_tracks_true:is nodes_modes:ss nodes_nodeids:is nodes_treeids:is nodes_truenodeids:is "
       "nodes_values:fs post_transform:s target_ids:is target_nodeids:is target_treeids:is target_weights:fs",
       "fi"},
      {"TreeEnsembleRegressor", tree_ensemble_regressor, ml_domain, 3, 1, 1,
       "aggregate_function:s base_values:fs base_values_as_tensor:t n_targets:i nodes_falsenodeids:is "
       "nodes_featureids:is nodes_hitrates:fs nodes_hitrates_as_tensor:t nodes_missing_value_tracks_true:is "
       "nodes_modes:ss nodes_nodeids:is nodes_treeids:is nodes_truenodeids:is nodes_values:fs nodes_values_as_tensor:t "
       "post_transform:s target_ids:is target_nodeids:is target_treeids:is target_weights:fs "
       "target_weights_as_tensor:t",
       "fi"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
