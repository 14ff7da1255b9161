/// @file server: the Open Inference Protocol over HTTP: health, metadata, infer.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <httplib.h>

#include <tenon/core/attempt.hpp>

#include "batcher.hpp"
#include "protocol.hpp"

namespace server {

struct server_settings {
  size_t most_body = size_t{64} << 20;
  int seconds = 5;  ///< that a client may take to send or to receive something
  size_t connections = 32;
};

class inference_server {
 public:
  explicit inference_server(server_settings s = {}) {
    http_.set_payload_max_length(s.most_body);
    http_.set_read_timeout(s.seconds, 0), http_.set_write_timeout(s.seconds, 0);
    http_.set_keep_alive_timeout(s.seconds), http_.set_keep_alive_max_count(1000);
    http_.set_tcp_nodelay(true);
    http_.new_task_queue = [n = s.connections] { return new httplib::ThreadPool(n); };
    const auto ok = [](const httplib::Request&, httplib::Response& r) { r.set_content("{}", json_type); };
    http_.Get("/v2/health/live", ok);
    http_.Get("/v2/health/ready", ok);
    http_.Get("/v2/?", [](const httplib::Request&, httplib::Response& r) {
      r.set_content(R"({"name":"tenon","version":"0.1.0","extensions":["binary_tensor_data"]})", json_type);
    });
    http_.Get(R"(/v2/models/([^/]+)/ready)", [this](const httplib::Request& q, httplib::Response& r) {
      answered(r, [&] { find(q.matches[1]), r.set_content("{}", json_type); });
    });
    http_.Get(R"(/v2/models/([^/]+))", [this](const httplib::Request& q, httplib::Response& r) {
      answered(r, [&] { r.set_content(metadata_of(find(q.matches[1]).program(), q.matches[1]).dump(), json_type); });
    });
    http_.Post(R"(/v2/models/([^/]+)/infer)",
               [this](const httplib::Request& q, httplib::Response& r) { answered(r, [&] { infer(q, r); }); });
    http_.set_error_handler([](const httplib::Request&, httplib::Response& r) {
      if (r.body.empty()) say(r, r.status, r.status == 413 ? "the request is too large" : "there is no such resource");
    });
  }
  ~inference_server() { http_.stop(); }

  void add(const std::string& name, tenon::program p, batch_settings s = {}) {
    models_[name] = std::make_unique<batcher>(std::move(p), s);
  }
  /// Null where there is none.
  const batcher* model(const std::string& name) const {
    const auto it = models_.find(name);
    return it == models_.end() ? nullptr : it->second.get();
  }
  /// Port 0: any that is free. Returns it; negative where none can be had.
  int bind(const std::string& host, int port) {
    if (port == 0) return http_.bind_to_any_port(host.c_str());
    return http_.bind_to_port(host.c_str(), port) ? port : -1;
  }
  /// Returns when another thread calls `stop`.
  void serve() { http_.listen_after_bind(); }
  void stop() { http_.stop(); }

 private:
  static constexpr const char* json_type = "application/json";
  static constexpr const char* length_header = "Inference-Header-Content-Length";

  static void say(httplib::Response& r, int status, const std::string& what) {
    r.status = status;
    r.set_content(json{{"error", what}}.dump(-1, ' ', false, json::error_handler_t::replace), json_type);
  }
  batcher& find(const std::string& name) {
    const auto it = models_.find(name);
    if (it != models_.end()) return *it->second;
    std::vector<std::string> names;
    for (const auto& [known, model] : models_) names.push_back(known);
    throw refused_request(404, {"server.model", "there is no model '" + name + "'", {}, tenon::nearest(name, names)});
  }
  template <class F>
  static void answered(httplib::Response& r, const F& f) {
    try {
      f();
    } catch (const refused_request& e) { say(r, e.status(), e.what()); } catch (const std::bad_alloc&) {
      say(r, 503, "there is not enough memory for this request");
    } catch (const std::exception& e) { say(r, 500, e.what()); }
  }
  void infer(const httplib::Request& q, httplib::Response& r) {
    batcher& model = find(q.matches[1]);
    std::string_view text = q.body, binary;
    if (q.has_header(length_header)) {
      const std::string n = q.get_header_value(length_header);
      size_t at = 0;
      for (char c : n)
        at = c >= '0' && c <= '9' && at <= text.size() ? 10 * at + static_cast<size_t>(c - '0') : text.size() + 1;
      if (n.empty() || at > text.size()) bad(std::string(length_header) + " is no length within the body");
      binary = text.substr(at), text = text.substr(0, at);
    }
    parsed_request request;
    if (const tenon::failure wrong = tenon::attempt([&] { request = parse(model.program(), text, binary); }))
      throw refused_request(400, *wrong);
    auto [said, tail] = answer(model.program(), q.matches[1], request, model.run(request.inputs));
    if (tail.empty()) return r.set_content(said, json_type);
    r.set_header(length_header, std::to_string(said.size()));
    r.set_content(said + tail, "application/octet-stream");
  }

  httplib::Server http_;
  std::map<std::string, std::unique_ptr<batcher>> models_;
};

}  // namespace server
