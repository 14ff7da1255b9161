/// @file common: what the subcommands of the command line share: targets, tensors in files, names, times.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/runtime/tensor.hpp>
#include <tenon/targets/default_target.hpp>

namespace CLI { class App; }

namespace tenon::tool {

/// Throws "target.unknown", with the names that are nearest, for a name that no target has; "target.option" and
/// "target.value" for options. Takes what targets/spec.hpp says: cpu:threads=2, zen4, composite(cpu,interpreter).
void check_target(const std::string& text);

/// A tool of other parts goes by its own name: what is said of `tenon opt FILE`, in help, hints and messages, is said
/// of that. Before it is set, of `tenon`.
void set_own_name(std::string name);
std::string in_own_name(std::string text);

/// "did you mean 'cpu'?", or the whole list when nothing is near.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

/// "x=1x3x224x224" as name and value; throws "usage", with the form that the option has, when there is no '='.
std::pair<std::string, std::string> split_assignment(const std::string& text, std::string_view option,
                                                     std::string_view form);
/// "1x3x224x224" or "1,3,224,224"; "" is a scalar.
std::vector<i64> parse_shape(const std::string& text, std::string_view option);

/// Throws "io.open" if there is no such file, or if it is a folder or a device; `hint` says what to give.
void require_file(const std::string& path, const std::string& hint = {});
/// Makes the folder if it is not there. Throws "io.write". Called before what takes long.
void make_folder(const std::string& path, std::string_view option);
/// Throws "usage" for "-", which is the standard output.
void check_is_file(const std::string& output);
/// Throws "usage" for "-" or if what is to be written is the file that is read, and "io.write" if it is a folder, or if
/// its folder is not there or may not be written to. Called before what takes long.
void check_output(const std::string& input, const std::string& output);

/// The whole file as text; throws "io.open".
std::string read_text(const std::string& path);
bool is_tensor_file(const std::string& path);
/// A tensor from a `.npy` or `.pb` file.
tensor read_tensor(const std::string& path);
/// An output's name as the name of a file.
std::string file_name_of(std::string_view name);
/// The same for several, each of which gets a file of its own.
std::vector<std::string> file_names_of(const std::vector<std::string>& names);

/// What a model may cost to read and import, as options of a subcommand: --max-nodes, --max-bytes, --max-depth,
/// --max-seconds,
/// --follow-links.
void add_read_options(CLI::App& sub, importers::onnx::read_options& to);

/// "f32[N,3,?,?]" of a declared value.
std::string type_text(const importers::onnx::value_type& t);

double now_ms();
/// A target's text without the list of all that the processor can do; of a file, it may be no target, and stays.
std::string short_target(const std::string& text);
/// "1.5 KB"
std::string bytes_text(i64 bytes);
/// "1 node", "2 nodes"
std::string counted(i64 n, std::string_view what);

// One a subcommand, each in a file of its own; `status` becomes the exit status.
void add_run(CLI::App& app, int& status);
void add_build(CLI::App& app, int& status);
void add_cache(CLI::App& app, int& status);
void add_opt(CLI::App& app, int& status);
void add_test_onnx(CLI::App& app, int& status);
void add_onnx_table(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_info(CLI::App& app, int& status);
void add_inspect(CLI::App& app, int& status);
void add_targets(CLI::App& app, int& status);
void add_pipeline(CLI::App& app, int& status);
void add_demo(CLI::App& app, int& status);
void add_compare(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_reduce(CLI::App& app, int& status);

}  // namespace tenon::tool
