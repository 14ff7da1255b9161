/// @file repair: from a fault to a verdict: which change of the order, itself judged, cures it (describe.hpp: who did
/// it).
#pragma once

#include <tenon/judge/describe.hpp>

namespace tenon::detail {

/// How far a verdict looks for another place of a pass, in passes walked: compilers count the steps that they evaluate.
inline constexpr size_t search_steps = 4096;

template <class Size>
constexpr auto order_judge<Size>::judge() const -> verdict {
  verdict v;
  if (same_name_[0] >= 0) {
    v.code = 9, v.culprit = same_name_[0], v.pass = same_name_[1];
    v.subject = v.culprit_name = v.pass_name = name(static_cast<u16>(v.pass));  // `judged` knows their types too
    return v;
  }
  if (same_fact_[0] >= 0) {
    v.code = 9, v.culprit = same_fact_[0], v.pass = same_fact_[1];
    v.culprit_name = name(static_cast<u16>(v.culprit)), v.pass_name = name(static_cast<u16>(v.pass));
    const pass_desc& p = *in_->passes[v.pass];
    const pass_desc& q = *in_->passes[v.culprit];
    const fact_list said[] = {p.needs(), p.gives(), p.breaks(), p.keeps()};
    const fact_list others[] = {q.needs(), q.gives(), q.breaks(), q.keeps()};
    for (const fact_list& list : said)
      for (const fact_desc* f : list)
        for (const fact_list& other : others)
          for (const fact_desc* g : other)
            if (f != g && f->name == g->name) v.other = f->name;
    return v;
  }
  if (flag_count_) return judge_all();
  const fault f = walk(order_);
  if (f.code == 0) return v;
  v.code = f.code, v.pass = static_cast<int>(f.position);
  describe(v, f);
  if (!offers_repairs_) return v;
  order_judge known = *this;
  known.held_ = held_behind(order_);
  known.choose_repairs(v, f);
  return v;
}

template <class Size>
constexpr auto order_judge<Size>::held_behind(const order_type& order) const -> fact_bits {
  state s = start(order), in_phase = s;  // a pass that is not in its phase gives nothing that could be lost
  const auto take = [&](state& t, const step& p) {
    apply(t, p);
    for (size_t w = 0; w < op_words && p.from != p.to; ++w) t.ops[w] &= allowed(p, w);
  };
  for (size_t i = 0; i < order.count; ++i) {
    const step& p = step_[order[i]];
    take(s, p);
    if (p.from == in_phase.phase) take(in_phase, p);
  }
  fact_bits held;
  held.phase = static_cast<int>(in_phase.phase);
  for (size_t f = 0; f < fact_count_; ++f)
    if (holds(s, f) && holds(in_phase, f)) set_bit(held.word, f);
  return held;
}

template <class Size>
constexpr bool order_judge<Size>::is_superfluous(u16 number) const {
  size_t n = 0;
  for (size_t k = 0; k < order_.count; ++k)
    n += step_[order_[k]].from == step_[number].from && step_[order_[k]].to == step_[number].to;
  return !occurs_once(number) || (step_[number].from != step_[number].to && n > 1);
}

/// A pass that runs twice is dropped; else what cures the whole order, else one pass at another place that does, else
/// what cures this complaint. None of it loses what held at the end.
template <class Size>
constexpr void order_judge<Size>::choose_repairs(verdict& v, const fault& f) const {
  order_judge lenient = *this;
  const int twice[] = {v.culprit, v.pass};
  for (int w : twice)
    if (const size_t at = static_cast<size_t>(w);
        w >= 0 && v.repair_count == 0 && f.fact >= 0 && !occurs_once(order_[at]))
      offer(v, order_.erased(at), order_.count, {repair_kind::drop, name(order_[at]), {}});
  order_judge as_long = *this;
  as_long.may_run_again_ = false, as_long.find_repairs(v, f);
  if (v.repair_count) return;
  size_t left = search_steps;
  const bool interval = f.code == 19;  // which its giver opened
  int who[] = {v.pass, interval ? v.giver : v.culprit, interval ? v.culprit : v.giver, -1};
  for (size_t k = f.position + 1; k < order_.count && f.fact >= 0 && who[3] < 0; ++k)
    if (supplies(order_[k], static_cast<size_t>(f.fact))) who[3] = static_cast<int>(k);
  if (f.code == 1 && v.culprit < 0) who[3] = 0;  // where it begins is what may be wrong
  for (int w : who)
    if (const size_t at = static_cast<size_t>(w); w >= 0 && v.repair_count == 0 && is_superfluous(order_[at]))
      offer(v, order_.erased(at), order_.count, {repair_kind::drop, name(order_[at]), {}});
  const auto concerned = [&](size_t k) {
    for (int w : who)
      if (w == static_cast<int>(k)) return true;
    return false;
  };
  for (size_t turn = 0; turn < 4 + order_.count; ++turn) {                    // those concerned first
    if (turn == 4 && v.code == 2 && v.repair_count == 0) find_repairs(v, f);  // a pass more, before others move
    if (turn >= 4 && v.repair_count) return;
    const int w = turn < 4 ? who[turn] : concerned(turn - 4) ? -1 : static_cast<int>(turn - 4);
    for (size_t d = 1; w >= 0 && d < order_.count && v.repair_count == 0; ++d)
      for (int side = 0; side < 2; ++side) {
        const bool later = side == 0;
        const size_t at = static_cast<size_t>(w);
        if ((later ? at + d >= order_.count : at < d) || left < order_.count || v.repair_count) continue;
        const order_type changed = order_.moved(at, later ? at + d + 1 : at - d);
        const fault g = walk(changed);
        left -= g.code ? g.position + 1 : order_.count;
        if (g.code || !loses_nothing(changed)) continue;
        const size_t now =
            later ? at + d : at - d;  // it is named by a neighbour whose name nobody else has, if there is one
        const bool behind = now > 0 && (now + 1 == order_.count ||
                                        (later ? occurs_once(changed[now - 1]) || !occurs_once(changed[now + 1])
                                               : !occurs_once(changed[now + 1]) && occurs_once(changed[now - 1])));
        v.repairs[v.repair_count++] = {behind ? repair_kind::move_after : repair_kind::move_before, name(order_[at]),
                                       name(changed[behind ? now - 1 : now + 1])};
      }
  }
  if (v.repair_count == 0) {
    size_t steps = search_steps / 4;
    order_judge first = *this;
    first.steps_left_ = &steps, first.find_repairs(v, f);
  }
  const auto uses_up = [&](int w) {  // what it needs holds behind it no more
    const step& p = step_[order_[static_cast<size_t>(w)]];
    const size_t fact = static_cast<size_t>(f.fact);
    return p.from == p.to && bit(p.need, fact) && !bit(p.keep, fact) && !bit(p.give, fact);
  };
  if (v.code == 3 && v.repair_count == 0 && v.culprit >= 0 && uses_up(v.culprit) && uses_up(v.pass))
    for (int w : twice)  // one of the two is enough
      offer(v, order_.erased(static_cast<size_t>(w)), order_.count,
            {repair_kind::drop, name(order_[static_cast<size_t>(w)]), {}});
  if (v.repair_count == 0 && (f.code == 19 || f.code == 38) && !step_[order_[f.position]].desc->is_transition()) {
    order_judge rest = *this;  // what it gives there would not be true, and is not lost
    if (rest.held_ = held_behind(order_.erased(f.position)); !(rest.held_ == held_)) rest.choose_repairs(v, f);
  }
  if (v.repair_count == 0) lenient.strict_ = false, lenient.complaint_ = f.position, lenient.find_repairs(v, f);
}

/// A change that leaves another complaint, and what cures that one, too.
template <class Size>
constexpr void order_judge<Size>::offer_first(verdict& v, const order_type& changed, repair r) const {
  if (v.repair_count || *steps_left_ < changed.count) return;
  const fault f = walk(changed);
  *steps_left_ -= changed.count;
  if (f.code == 0) return;  // it loses what held at the end
  order_judge behind = *this;
  behind.order_ = changed, behind.steps_left_ = nullptr;
  verdict next;
  next.code = f.code, next.pass = static_cast<int>(f.position);
  behind.describe(next, f);
  if (next.code == v.code && next.pass_name == v.pass_name && next.subject == v.subject) return;
  behind.find_repairs(next, f);
  const size_t tried = 4 * changed.count;
  *steps_left_ -= *steps_left_ < tried ? *steps_left_ : tried;
  if (next.repair_count == 0) return;
  v.repairs[0] = r, v.repairs[1] = next.repairs[0], v.repair_count = 2, v.together = true;
}

template <class Size>
constexpr bool order_judge<Size>::is_covered_behind(size_t i) const {
  u64 any = 0;
  for (size_t w = 0; w < op_words; ++w) {
    u64 behind = 0;
    for (size_t k = i + 1; k < order_.count; ++k) behind |= row_[step_[order_[k]].eliminates][w];
    const u64 own = row_[step_[order_[i]].eliminates][w];
    if (own & ~behind) return false;
    any |= own;
  }
  return any != 0;
}

template <class Size>
constexpr bool order_judge<Size>::supplies(u16 number, size_t fact) const {
  if (bit(step_[number].give, fact)) return true;
  for (size_t w = 0; w < op_words; ++w)  // row 0 is empty
    if (row_[step_[number].eliminates][w] & row_[op_set_row_[fact]][w]) return true;
  return false;
}

/// Does the pass say that it works on, or eliminates, an op that `maker` says it emits; or removes functions, of which
/// that one adds some?
template <class Size>
constexpr bool order_judge<Size>::takes_up_what(u16 number, u16 maker) const {
  const step &p = step_[number], &q = step_[maker];
  for (size_t w = 0; w < op_words; ++w)  // row 0 is empty
    if ((row_[p.works_on][w] | row_[p.eliminates][w]) & row_[q.emits][w]) return true;
  return p.desc->more().removes_functions && q.desc->more().adds_functions;
}

template <class Size>
constexpr void order_judge<Size>::find_repairs(verdict& v, const fault& f) const {
  const size_t i = f.position;
  const auto at = [](int position) { return static_cast<size_t>(position); };
  switch (v.code) {
    case 1: repair_phase(v, i); break;
    case 2:
    case 3:
    case 12:
      if (f.fact >= 0) repair_fact(v, i, static_cast<size_t>(f.fact));
      break;
    case 4: repair_left(v, i); break;
    case 38:
      if (v.culprit >= 0) {
        offer(v, order_.moved(i, at(v.culprit)), at(v.culprit),
              {repair_kind::move_before, v.pass_name, v.culprit_name});
        if (v.repair_count == 0)
          offer(v, order_.moved(at(v.culprit), i + 1), i, {repair_kind::move_after, v.culprit_name, v.pass_name});
      }
      if (v.repair_count == 0) offer(v, order_.erased(i), i, {repair_kind::drop, v.pass_name, {}});
      break;
    case 42:
    case 43: {
      const auto before_the_emitter = [&] {
        if (v.culprit >= 0)
          offer(v, order_.moved(i, at(v.culprit)), at(v.culprit),
                {repair_kind::move_before, v.pass_name, v.culprit_name});
      };
      if (v.code == 43) before_the_emitter();        // it copies what it knows, not what became of that
      for (size_t j = i + 1; j < order_.count; ++j)  // who eliminates one of the two comes first
        if (step_[order_[j]].eliminates) {
          offer(v, order_.moved(i, j + 1), j, {repair_kind::move_after, v.pass_name, name(order_[j])});
          if (j > i + 1) offer(v, order_.moved(j, i), i + 1, {repair_kind::move_before, name(order_[j]), v.pass_name});
        }
      if (v.code == 42) before_the_emitter();
      if (v.culprit >= 0)
        offer(v, order_.moved(at(v.culprit), i + 1), i, {repair_kind::move_after, v.culprit_name, v.pass_name});
      if (v.repair_count == 0 && is_covered_behind(i))
        offer(v, order_.erased(i), i, {repair_kind::drop, v.pass_name, {}});
      break;
    }
    case 15: {  // the first one, if what it eliminates comes back behind it
      u64 back = 0;
      for (size_t j = at(v.culprit) + 1; j < i; ++j)
        for (size_t w = 0; w < op_words; ++w) back |= made_by(order_[j], w) & taken_by(order_[i], w);
      if (back) offer(v, order_.erased(at(v.culprit)), i - 1, {repair_kind::drop, name(order_[i]), {"first", 5}});
      if (v.repair_count == 0) offer(v, order_.erased(i), i, {repair_kind::drop, name(order_[i]), {}});
      break;
    }
    case 11: offer(v, order_.erased(i), i, {repair_kind::drop, name(order_[i]), {}}); break;
    case 19: {
      const rare_parts& r = step_[order_[i]].desc->more();
      const auto behind_the_end = [&](bool of_its_ops) {  // of an interval that is open until an op is eliminated
        for (size_t j = i + 1; j < order_.count && v.culprit < 0; ++j)
          if (closes_interval(r, *step_[order_[j]].desc) && takes_up_what(order_[i], order_[j]) == of_its_ops)
            offer(v, order_.moved(i, j + 1), j, {repair_kind::move_after, v.pass_name, name(order_[j])});
      };
      behind_the_end(true);  // it finds there what it finds now, and what was hidden from it
      if (v.giver >= 0)
        offer(v, order_.moved(i, at(v.giver)), at(v.giver), {repair_kind::move_before, v.pass_name, v.giver_name});
      if (v.culprit >= 0)
        offer(v, order_.moved(i, at(v.culprit) + 1), at(v.culprit),
              {repair_kind::move_after, v.pass_name, v.culprit_name});
      if (v.culprit >= 0 && v.giver < 0)
        offer(v, order_.moved(at(v.culprit), i), i + 1, {repair_kind::move_before, v.culprit_name, v.pass_name});
      else if (v.culprit < 0 && v.repair_count == 0)
        offer(v, order_.moved(at(v.giver), i + 1), i, {repair_kind::move_after, v.giver_name, v.pass_name});
      behind_the_end(false);
      break;
    }
    case 20:
      for (size_t j = 0; j < order_.count; ++j)
        if (step_[order_[j]].desc->ends_with(step_[order_[i]].desc->more().after))
          offer(v, order_.moved(i, j + 1), j < i ? j + 1 : j, {repair_kind::move_after, v.pass_name, name(order_[j])});
      for (size_t c = in_->count; c < in_->total(); ++c)
        if (step_[c].desc->ends_with(step_[order_[i]].desc->more().after))
          offer(v, order_.inserted(i, static_cast<u16>(c)), i + 1,
                {repair_kind::insert_before, name(static_cast<u16>(c)), v.pass_name});
      break;
    default: break;
  }
}

template <class Size>
constexpr void order_judge<Size>::repair_phase(verdict& v, size_t i) const {
  const step& p = step_[order_[i]];
  if (p.unknown_extension) return;
  for (size_t j = i; j-- > 0;) {  // before the transition that left its phase
    const step& q = step_[order_[j]];
    if (q.from != p.from || q.from == q.to) continue;
    for (size_t k = j + 1; k-- > 0 && step_[order_[k]].from == p.from && v.repair_count == 0;)
      offer(v, order_.moved(i, k), k, {repair_kind::move_before, v.pass_name, name(order_[k])});
  }
  for (size_t j = i + 1; j < order_.count; ++j) {  // after the transition that enters it, or that one before it
    const step& q = step_[order_[j]];
    if (q.to != p.from || q.from == q.to) continue;
    offer(v, order_.moved(j, i), i + 1, {repair_kind::move_before, name(order_[j]), v.pass_name});
    offer(v, order_.moved(i, j + 1), j, {repair_kind::move_after, v.pass_name, name(order_[j])});
  }
  order_judge on_the_way = *this;  // what a transition does not keep was never to be had behind it
  on_the_way.held_ = {{}, held_.phase};
  for (size_t c = in_->count; c < in_->total(); ++c)
    on_the_way.offer(v, order_.inserted(i, static_cast<u16>(c)), i + 1,
                     {repair_kind::insert_before, name(static_cast<u16>(c)), v.pass_name});
  if (v.culprit < 0 && !in_->start &&
      p.from != p.to)  // the first pass says where modules are: this one, if it goes there
    offer(v, order_.moved(i, 0), 0, {repair_kind::move_before, v.pass_name, name(order_[0])});
  if (v.repair_count == 0 && p.from != p.to && is_superfluous(order_[i]))
    offer(v, order_.erased(i), i, {repair_kind::drop, v.pass_name, {}});
}

template <class Size>
constexpr void order_judge<Size>::repair_fact(verdict& v, size_t i, size_t fact) const {
  const bool at_end = i == order_.count;
  if (v.culprit >= 0) {
    const size_t c = static_cast<size_t>(v.culprit);
    const auto needer_first = [&] {
      if (!at_end) offer(v, order_.moved(i, c), c, {repair_kind::move_before, v.pass_name, v.culprit_name});
    };
    const bool takes_up = v.giver >= 0 && takes_up_what(order_[c], order_[static_cast<size_t>(v.giver)]);
    if (takes_up) needer_first();  // in front of the giver it would have nothing to do
    if (v.giver >= 0)              // first: then it holds for all that comes behind the giver, not for this pass only
      offer(v, order_.moved(c, static_cast<size_t>(v.giver)), i,
            {repair_kind::move_before, v.culprit_name, v.giver_name});
    if (!takes_up) needer_first();
    if (!at_end && (c + 1 != i || v.repair_count == 0))  // of neighbours it is the same
      offer(v, order_.moved(c, i + 1), i, {repair_kind::move_after, v.culprit_name, v.pass_name});
    for (size_t k = c; v.giver >= 0 && k < i && v.repair_count == 0; ++k)
      offer(v, order_.moved(static_cast<size_t>(v.giver), k + 1), i,
            {repair_kind::move_after, v.giver_name, name(order_[k])});
  }
  for (size_t j = i + 1; j < order_.count; ++j) {
    if (!supplies(order_[j], fact)) continue;
    offer(v, order_.moved(j, i), i + 1, {repair_kind::move_before, name(order_[j]), v.pass_name});
    offer(v, order_.moved(i, j + 1), j, {repair_kind::move_after, v.pass_name, name(order_[j])});
  }
  for (size_t j = i + 1; j < order_.count && v.repair_count == 0; ++j)  // there, it gives what holds at the end
    if (supplies(order_[j], fact) && !at_end) {
      if (!may_run_again_ && v.culprit < 0) return;
      offer(v, order_.inserted(i, order_[j]), i + 1, {repair_kind::run_before, name(order_[j]), v.pass_name});
    }
  for (size_t c = in_->count; c < in_->total() && v.repair_count == 0; ++c) {
    if (!supplies(static_cast<u16>(c), fact)) continue;
    const label what = name(static_cast<u16>(c));
    if (!at_end)
      offer(v, order_.inserted(i, static_cast<u16>(c)), i + 1, {repair_kind::insert_before, what, v.pass_name});
    for (size_t j = i; j-- > 0 && v.repair_count == 0;)  // or further up, where its own needs hold
      if (step_[order_[j]].from == step_[c].from || step_[order_[j]].to == step_[c].from)
        offer(v, order_.inserted(j + 1, static_cast<u16>(c)), i + 1,
              {repair_kind::insert_after, what, name(order_[j])});
  }
  if (v.culprit >= 0 && v.giver >= 0) {  // last: it costs a pass more
    const size_t c = static_cast<size_t>(v.culprit), g = static_cast<size_t>(v.giver);
    const order_type again = order_.inserted(c + 1, order_[g]);
    offer(v, again, i + 1, {repair_kind::run_again_after, v.giver_name, v.culprit_name});
    if (const fault f = walk(again); v.repair_count == 0 && f.code == 2 && f.position == c + 1)
      for (size_t j = c; j-- > 0;)  // with the one that gives it what it needs
        if (supplies(order_[j], static_cast<size_t>(f.fact))) {
          offer(v, again.inserted(c + 1, order_[j]), i + 2,
                {repair_kind::run_again_after, v.giver_name, v.culprit_name, false, name(order_[j])});
          break;
        }
  }
  const auto misses_itself = [&](u16 giver, const order_type& with_it) {
    if (v.code != 2 || v.repair_count || v.other.length || !supplies(giver, fact)) return;
    const fault deeper = walk(with_it);
    if (deeper.code != 2 || deeper.position != i) return;
    v.other = name(giver), v.names[0] = fact_[deeper.fact]->name, v.each_other = supplies(order_[i], deeper.fact);
  };
  for (size_t j = i + 1; j < order_.count; ++j) misses_itself(order_[j], order_.moved(j, i));
  for (size_t c = in_->count; c < in_->total(); ++c)
    misses_itself(static_cast<u16>(c), order_.inserted(i, static_cast<u16>(c)));
}

template <class Size>
constexpr void order_judge<Size>::repair_left(verdict& v, size_t i) const {
  if (v.culprit >= 0 && v.giver >= 0) {
    const size_t c = static_cast<size_t>(v.culprit), g = static_cast<size_t>(v.giver);
    if (g < c) offer(v, order_.moved(c, g), i, {repair_kind::move_before, v.culprit_name, v.giver_name});
  }
  for (size_t j = i + 1; j < order_.count; ++j)
    if (step_[order_[j]].eliminates)
      offer(v, order_.moved(j, i), i + 1, {repair_kind::move_before, name(order_[j]), v.pass_name});
  for (size_t c = in_->count; c < in_->total(); ++c)
    if (step_[c].eliminates)
      offer(v, order_.inserted(i, static_cast<u16>(c)), i + 1,
            {repair_kind::insert_before, name(static_cast<u16>(c)), v.pass_name});
  if (v.culprit >= 0 && v.giver >= 0) {
    const size_t c = static_cast<size_t>(v.culprit), g = static_cast<size_t>(v.giver);
    offer(v, order_.inserted(c + 1, order_[g]), i + 1, {repair_kind::run_again_after, v.giver_name, v.culprit_name});
  }
  if (v.repair_count || !added_row_) return;
  for (size_t k = 0; k < v.shown; ++k)
    for (size_t a = 0; a < op_count_; ++a)
      if (universe_[a]->name() == v.names[k] && !bit(row_[added_row_], a)) return;
  size_t best = 0;  // the pass before it, in its phase, that eliminates the most ops is who lowers
  int lowerer = -1;
  for (size_t j = 0; j <= i; ++j)
    if (step_[order_[j]].from == step_[order_[i]].from && step_[order_[j]].desc->eliminates.size > best)
      best = step_[order_[j]].desc->eliminates.size, lowerer = order_[j];
  if (lowerer < 0) return;
  order_judge assumed = *this;
  assumed.assume_lowered_ = lowerer;
  assumed.offer(v, order_, i, {repair_kind::lower, v.names[0], step_[lowerer].desc->name});
}

}  // namespace tenon::detail
