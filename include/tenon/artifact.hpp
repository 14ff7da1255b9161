/// @file artifact: compiled code, whose type says what can be done with it.
///
///     artifact<formats::elf_object> code = artifact_of<formats::elf_object>(built);
///     code.save("model.o");
///     artifact<formats::elf_shared> linked = link(code);      // object -> shared object
///     loaded_code running = load(linked);                     // shared object -> entry points
/// A format lists its abilities; `save`, `link` and `load` exist for those only, and say what to do instead where they
/// do not. A new format is one struct:
///
///     struct listing {
///       static constexpr fixed_string name = "listing";
///       using abilities = tenon::abilities<can::save>;
///       static constexpr fixed_string advice = "it is for people to read";
///     };
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <span>

#include <tenon/core/framed_file.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/meta/list.hpp>
#include <tenon/runtime/loaded_code.hpp>

namespace tenon {

/// What can be done with compiled code.
namespace can {
struct save {
  static constexpr fixed_string name = "saved";
};
struct link {
  static constexpr fixed_string name = "linked";
};
struct load {
  static constexpr fixed_string name = "loaded";
};
struct call {
  static constexpr fixed_string name = "called";
};
}  // namespace can

template <class... Ability>
struct abilities {};

template <class F>
concept artifact_format = requires {
  label(F::name);
  label(F::advice);
  typename F::abilities;
};

namespace detail {
template <class Ability, class Format>
struct ability_check {
  static constexpr bool ok = meta::contains_v<Ability, typename Format::abilities>;
  template <class... A>
  static constexpr void list(meta::phrase& s, meta::detail::box<abilities<A...>>) {
    size_t n = 0;
    ((s << (n++ == 0 ? " can be " : " and ") << label(A::name)), ...);
    if (n == 0) s << " can only be looked at";
  }
  static consteval meta::phrase say() {
    meta::phrase s;
    s << "tenon-E040: code of format '" << label(Format::name) << "' cannot be " << label(Ability::name) << ", it";
    list(s, meta::detail::box<typename Format::abilities>{});
    return s << ": " << label(Format::advice);
  }
};
}  // namespace detail

/// Softly: can code of this format be saved, linked, loaded?
template <class Format, class Ability>
inline constexpr bool can_be = detail::ability_check<Ability, Format>::ok;
/// Immutable; copies share the bytes with each other and with the module.
template <artifact_format Format>
class artifact {
 public:
  using format = Format;

  /// Error "artifact.format" if the erased artifact is of another format.
  explicit artifact(std::shared_ptr<const ir::artifact> a) : data_(std::move(a)) {
    if (data_->format != label(Format::name).data())
      throw error("artifact.format", "the artifact '" + data_->symbol + "' is '" + data_->format + "', not '" +
                                         label(Format::name).data() + "'");
  }
  artifact(std::string symbol, std::string target, std::vector<char> bytes, std::string producer = {})
      : data_(std::make_shared<const ir::artifact>(ir::artifact{
            label(Format::name).data(), std::move(target), std::move(symbol), std::move(bytes), std::move(producer)})) {
  }

  const std::string& symbol() const { return data_->symbol; }
  const std::string& target() const { return data_->target; }
  const std::string& producer() const { return data_->producer; }
  std::span<const char> bytes() const { return {data_->bytes.data(), data_->bytes.size()}; }
  /// As modules hold it: `m.add_artifact(a.erased())`.
  const ir::artifact& erased() const { return *data_; }

  /// Writes the code as a file of its own; complete or not at all.
  template <class F = Format>
  void save(const std::string& path) const {
    meta::answer_t<detail::ability_check<can::save, F>>::accept();
    write_atomically(path, std::string_view(data_->bytes.data(), data_->bytes.size()));
  }

 private:
  std::shared_ptr<const ir::artifact> data_;
};

/// Links code to what can be loaded; the format says how (`Format::link`).
template <artifact_format Format>
[[nodiscard]] auto link(const artifact<Format>& a) {
  meta::answer_t<detail::ability_check<can::link, Format>>::accept();
  if constexpr (can_be<Format, can::link>) return Format::link(a);
}

/// Puts code into this process.
template <artifact_format Format>
[[nodiscard]] loaded_code load(const artifact<Format>& a) {
  meta::answer_t<detail::ability_check<can::load, Format>>::accept();
  if constexpr (can_be<Format, can::load>) return Format::load(a);
}

/// The module's artifacts of one format, in the order in which they were made.
template <artifact_format Format>
std::vector<artifact<Format>> artifacts_of(const ir::module& m) {
  std::vector<artifact<Format>> list;
  for (size_t i = 0; i < m.artifacts().size(); ++i)
    if (m.artifacts()[i].format == label(Format::name).data()) list.emplace_back(m.artifacts().share(i));
  return list;
}
/// The only one of its format, or the one that defines a symbol; "artifact.missing" lists what there is.
template <artifact_format Format>
artifact<Format> artifact_of(const ir::module& m, std::string_view symbol = {}) {
  std::vector<artifact<Format>> found;
  for (auto& a : artifacts_of<Format>(m))
    if (symbol.empty() || a.symbol() == symbol) found.push_back(std::move(a));
  if (found.size() == 1) return found[0];
  std::string there;
  for (const ir::artifact& a : m.artifacts())
    there += (there.empty() ? "it has " : ", ") + a.format + " '" + a.symbol + "'";
  throw error("artifact.missing",
              std::string(found.empty() ? "the module has no" : "the module has more than one") +
                  " artifact of format '" + label(Format::name).data() + "'" +
                  (symbol.empty() ? "" : " that defines '" + std::string(symbol) + "'"),
              {}, there.empty() ? "it has none at all: build it first" : there);
}
template <artifact_format Format, class P, class... Fs>
std::vector<artifact<Format>> artifacts_of(const ir_module<P, Fs...>& m) {
  return artifacts_of<Format>(m.body());
}
template <artifact_format Format, class P, class... Fs>
artifact<Format> artifact_of(const ir_module<P, Fs...>& m, std::string_view symbol = {}) {
  return artifact_of<Format>(m.body(), symbol);
}

}  // namespace tenon
