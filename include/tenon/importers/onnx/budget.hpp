/// @file budget: what reading and importing a model may cost.
///
/// A small file can ask for much: functions that call each other twice, thirty deep, are 2^30 nodes, and a sparse
/// tensor of one element may be as large as memory. So all that an importer takes beyond the file itself is counted,
/// and an error comes before it is taken: "onnx.budget", which names the limit and the option that raises it. What the
/// file holds as it is (weights) is mapped and not counted. Files from anyone can be imported with the defaults.
#pragma once

#include <chrono>
#include <string>

#include <tenon/core/error.hpp>
#include <tenon/core/int.hpp>

namespace tenon::importers::onnx {

/// Limits for one import. Each is also an option of the command line: --max-nodes and so on.
struct import_budget {
  /// Nodes that are imported and ops that they become: those of functions at each call, those of loops that are
  /// unrolled in each turn. Models of 60,000 nodes stay below it.
  i64 nodes = 250'000;
  /// Of constants that are computed while importing, of sparse tensors made dense, of what nodes are called in
  /// messages; and of the structs that a file is decoded to, at 256 bytes for each message in it.
  i64 bytes = i64{1} << 30;
  /// How deep functions are called from functions, and graphs lie in attributes of nodes of graphs. Each level takes a
  /// few kilobytes of stack; at most `most_depth`.
  int depth = 64;
  double seconds = 300;  ///< that the import takes, all attempts together; looked at for each node

  static constexpr int most_depth = 1000;
};

/// "onnx.budget": an import that ran out of budget is not tried in another way.
class budget_error : public error {
 public:
  using error::error;
};

/// Counts what an import has taken. Throws `budget_error`.
class budget_meter {
 public:
  /// Time counts from here on. Error "onnx.bad_option" for a limit that is none.
  explicit budget_meter(const import_budget& limits);

  /// A node, or an op, at the place `where` of a message.
  void take_node(const std::string& where) {
    if (++nodes_ > limits_.nodes) too_many_nodes(where);
    if ((nodes_ & 15) == 0) check_time(where);
  }
  /// Bytes that are about to be taken.
  void take_bytes(i64 bytes, const std::string& where) {
    require_bytes(bytes, where);
    bytes_ += bytes;
  }
  /// Could that be taken? For memory that is counted when it is filled.
  void require_bytes(i64 bytes, const std::string& where) const {
    if (bytes > limits_.bytes - bytes_) too_many_bytes(bytes, where);
  }
  void check_time(const std::string& where) const {
    if (std::chrono::steady_clock::now() > end_) too_long(where);
  }
  /// What an attempt has taken is given back when it is given up; its time is not.
  void restart() { nodes_ = bytes_ = depth_ = 0; }

  /// One level deeper, while it lives.
  class level {
   public:
    level(budget_meter& meter, const std::string& where) : meter_(meter) {
      if (meter.depth_ >= meter.limits_.depth) meter.too_deep(where);
      ++meter.depth_;
    }
    level(const level&) = delete;
    level& operator=(const level&) = delete;
    ~level() { --meter_.depth_; }

   private:
    budget_meter& meter_;
  };

 private:
  [[noreturn]] void too_many_nodes(const std::string& where) const;
  [[noreturn]] void too_many_bytes(i64 bytes, const std::string& where) const;
  [[noreturn]] void too_deep(const std::string& where) const;
  [[noreturn]] void too_long(const std::string& where) const;

  import_budget limits_;
  std::chrono::steady_clock::time_point end_;
  i64 nodes_ = 0, bytes_ = 0, depth_ = 0;
};

/// How a model file is read.
struct read_options {
  import_budget budget = {};
  /// External data may be a link to a file outside of the model's folder, as in caches of models that keep files by
  /// their hash: the link itself lies in the folder. Off: whoever made the folder could have the importer read any
  /// file.
  bool follow_links = false;
};

}  // namespace tenon::importers::onnx
