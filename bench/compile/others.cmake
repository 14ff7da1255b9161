# One step of the check of facts as one writes it with other libraries: what both generators put into their programs.
set(facts_with_mp11 [==[namespace mp = boost::mp11;
template <class State, class Pass>
struct after {
  static_assert(mp::mp_all_of_q<typename Pass::needs, mp::mp_bind_front<mp::mp_set_contains, State>>::value);
  template <class S, class P>
  static S less(S, P);
  template <class S, breaks_some P>
  static mp::mp_set_difference<S, typename P::breaks> less(S, P);
  using type = mp::mp_set_union<decltype(less(State(), Pass())), typename Pass::gives>;
};
]==])
set(facts_with_hana [==[namespace hana = boost::hana;
template <class... Fs>
constexpr auto set_of(facts<Fs...>) {
  return hana::make_set(hana::type_c<Fs>...);
}
template <class Pass>
constexpr auto breaks_of() {
  if constexpr (breaks_some<Pass>) return set_of(typename Pass::breaks());
  else return hana::make_set();
}
]==])
