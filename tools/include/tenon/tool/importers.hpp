/// @file importers: formats of models that a command line reads besides ONNX and its own.
///
///     struct my_importer {
///       static constexpr fixed_string name = "toy";
///       static constexpr fixed_string extension = ".toy";                  // of the files that are its
///       static my_model load(const std::string& path);                     // throws tenon::error
///     };
///
/// `load` gives a module in phase `ingestion`, or a model that has a `source_of` (importer.hpp), which is
/// told the inputs' shapes and values where they decide what a graph is. Then `run`, `build`, `opt`, `info`, `inspect`,
/// `compare` and `reduce` take its files. Own formats go before ONNX, if they have its extension.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <tenon/importers/module.hpp>

namespace tenon {

/// Importers, as one part of a command line.
template <class... Importers>
struct importer_list {};

namespace tool {
/// An importer as data.
struct known_importer {
  std::string_view name, extension;
  std::unique_ptr<module_source> (*open)(const std::string& path);
};

namespace joining {
template <class T>
concept importer = requires(const std::string& path) {
  label(T::name);
  label(T::extension);
  requires label(T::extension).length > 1 && label(T::extension)[0] == '.';
  requires tenon::detail::has_source<decltype(T::load(path))>;
};
template <importer T>
inline constexpr known_importer importer_as_data{
    std::string_view(label(T::name)), std::string_view(label(T::extension)),
    [](const std::string& path) -> std::unique_ptr<module_source> { return source_of(T::load(path)); }};
}  // namespace joining
}  // namespace tool
}  // namespace tenon
