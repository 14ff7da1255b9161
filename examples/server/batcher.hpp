/// @file batcher: runs requests of many threads on one program, several in one run where their tensors can be joined.
///
/// They can where the first extent of all inputs and outputs is one symbol, the batch, and nothing else depends on it.
/// A request waits for others no longer than `wait`; those of other shapes are run on their own.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include <tenon/runtime/program.hpp>

#include "protocol.hpp"

namespace server {

struct batch_settings {
  tenon::i64 most = 16;                 ///< rows of one run
  std::chrono::microseconds wait{300};  ///< for others to come
  size_t queue = 256;                   ///< requests that may wait; more are refused
  int threads = 0;
};

class batcher {
 public:
  batcher(tenon::program p, batch_settings s) : program_(std::move(p)), settings_(s), joins_(has_batch(program_)) {
    worker_ = std::thread([this] { work(); });
  }
  ~batcher() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    more_.notify_all();
    worker_.join();
  }
  const tenon::program& program() const { return program_; }
  /// Whether requests are joined.
  bool joins() const { return joins_; }
  /// Runs of the program, and requests that they served.
  std::pair<size_t, size_t> counted() const {
    const std::lock_guard lock(mutex_);
    return {runs_, served_};
  }

  /// Blocks until the outputs are there. Throws what the program throws; `refused_request` for inputs that it does not
  /// take, and when too many wait.
  std::vector<tenon::tensor> run(std::vector<tenon::tensor> inputs) {
    if (auto why = program_.refusal(inputs))
      throw refused_request(400, std::move(*why));  // before anybody else's run is spoiled
    request r{std::move(inputs), {}};
    std::future<std::vector<tenon::tensor>> result = r.result.get_future();
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.size() >= settings_.queue)
        throw refused_request(503, {"server.busy", "too many requests wait for this model", {}, "try again later"});
      waiting_.push_back(&r);
    }
    more_.notify_one();
    return result.get();
  }

 private:
  using tensors = std::vector<tenon::tensor>;
  struct request {
    tensors inputs;
    std::promise<tensors> result;
    tenon::i64 rows() const { return inputs.empty() ? 1 : inputs[0].shape()[0]; }
  };

  static bool has_batch(const tenon::program& p) {
    const auto& symbols = p.description().sizes.symbols;
    tenon::i64 batch = 0;
    for (const auto* ports : {&p.inputs(), &p.outputs()})
      for (const tenon::port& x : *ports) {
        if (x.shape.empty() || x.shape[0] >= 0 || (batch != 0 && x.shape[0] != batch)) return false;
        batch = x.shape[0];
      }
    if (batch == 0 || p.inputs().empty()) return false;
    const auto at = [&](tenon::i64 d) { return tenon::extent_expr::parse(symbols[static_cast<size_t>(-2 - d)]); };
    const auto name = at(batch);
    if (!name || name->names().size() != 1 || name->text() != name->names()[0]) return false;
    for (const auto* ports : {&p.inputs(), &p.outputs()})
      for (const tenon::port& x : *ports)
        for (size_t d = 1; d < x.shape.size(); ++d) {
          if (x.shape[d] >= 0) continue;
          const auto e = at(x.shape[d]);
          const auto names = e ? e->names() : std::vector<std::string>{name->text()};
          if (std::find(names.begin(), names.end(), name->text()) != names.end()) return false;
        }
    return true;
  }
  static bool can_join(const request& a, const request& b) {
    for (size_t i = 0; i < a.inputs.size(); ++i)
      if (!std::equal(a.inputs[i].shape().begin() + 1, a.inputs[i].shape().end(), b.inputs[i].shape().begin() + 1,
                      b.inputs[i].shape().end()))
        return false;
    return true;
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      more_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      std::vector<request*> now = {waiting_.front()};
      waiting_.pop_front();
      tenon::i64 rows = now[0]->rows();
      const auto until = std::chrono::steady_clock::now() + settings_.wait;
      while (joins_ && rows < settings_.most) {
        for (auto it = waiting_.begin(); it != waiting_.end() && rows < settings_.most;)
          if (can_join(*now[0], **it) && rows + (*it)->rows() <= settings_.most)
            rows += (*it)->rows(), now.push_back(*it), it = waiting_.erase(it);
          else ++it;
        if (ended_ || more_.wait_until(lock, until) == std::cv_status::timeout) break;
      }
      ++runs_, served_ += now.size();
      lock.unlock();
      serve(now, rows);
      lock.lock();
    }
  }
  void serve(const std::vector<request*>& now, tenon::i64 rows) {
    if (now.size() > 1) try {
        return split(now, program_.run(joined(now, rows), settings_.threads), rows);
      } catch (const std::exception&) {}  // each alone: one of them may be at fault
    for (request* r : now) try {
        r->result.set_value(program_.run(r->inputs, settings_.threads));
      } catch (...) { r->result.set_exception(std::current_exception()); }
  }
  static tensors joined(const std::vector<request*>& now, tenon::i64 rows) {
    tensors all;
    for (size_t i = 0; i < now[0]->inputs.size(); ++i) {
      std::vector<tenon::i64> shape = now[0]->inputs[i].shape();
      shape[0] = rows;
      char* to = static_cast<char*>(all.emplace_back(now[0]->inputs[i].type(), shape).data());
      for (const request* r : now) {
        const auto bytes = static_cast<size_t>(r->inputs[i].bytes());
        if (bytes != 0) std::memcpy(to, r->inputs[i].data(), bytes);
        to += bytes;
      }
    }
    return all;
  }
  static void split(const std::vector<request*>& now, const tensors& made, tenon::i64 rows) {
    std::vector<tensors> results(now.size());
    for (const tenon::tensor& t : made) {
      const auto row = static_cast<size_t>(rows == 0 ? 0 : t.bytes() / rows);
      const char* from = static_cast<const char*>(t.data());
      for (size_t k = 0; k < now.size(); ++k) {
        std::vector<tenon::i64> shape = t.shape();
        shape[0] = now[k]->rows();
        tenon::tensor& part = results[k].emplace_back(t.type(), shape);
        if (part.bytes() != 0) std::memcpy(part.data(), from, static_cast<size_t>(part.bytes()));
        from += row * static_cast<size_t>(now[k]->rows());
      }
    }
    for (size_t k = 0; k < now.size(); ++k) now[k]->result.set_value(std::move(results[k]));
  }

  tenon::program program_;
  batch_settings settings_;
  bool joins_;
  mutable std::mutex mutex_;
  std::condition_variable more_;
  std::deque<request*> waiting_;
  bool ended_ = false;
  size_t runs_ = 0, served_ = 0;
  std::thread worker_;
};

}  // namespace server
