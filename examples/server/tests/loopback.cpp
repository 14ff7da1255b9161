// The server on loopback: what it answers, what it refuses, requests that share runs, and load with figures.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>

#include <tenon/definitions/runtime.hpp>

#include "../server.hpp"

using namespace server;

namespace {

int failures = 0;
void check(bool good, const std::string& what) {
  if (good) return;
  std::printf("FAILED: %s\n", what.c_str());
  ++failures;
}

/// y = 2 * x on [n, 4]: code that is written here, with a condition as compiled code has.
tenon::program doubler() {
  tenon::program::parts p;
  p.entry = [](void* const* in, void* const* out, void*, const void*, const tenon_runtime* rt) {
    for (tenon::i64 i = 0; i < 4 * rt->sizes[0]; ++i)
      static_cast<float*>(out[0])[i] = 2 * static_cast<const float*>(in[0])[i];
  };
  p.inputs = {{"x", tenon::dtype::f32, {-2, 4}}}, p.outputs = {{"y", tenon::dtype::f32, {-2, 4}}};
  p.sizes.symbols = {"n"}, p.sizes.conditions = {*tenon::extent_condition::parse("n-1>=0")};
  return tenon::program(std::move(p));
}

std::string request(float first, int rows = 1) {
  json data = json::array();
  for (int i = 0; i < 4 * rows; ++i) data.push_back(first + static_cast<float>(i));
  return json{{"id", "7"}, {"inputs", {{{"name", "x"}, {"shape", {rows, 4}}, {"datatype", "FP32"}, {"data", data}}}}}
      .dump();
}

void answers(httplib::Client& c) {
  for (const char* path : {"/v2/health/live", "/v2/health/ready", "/v2", "/v2/models/twice/ready"}) {
    const auto r = c.Get(path);
    check(r && r->status == 200, path);
  }
  const auto meta = c.Get("/v2/models/twice");
  check(meta && json::parse(meta->body)["inputs"][0]["shape"] == json({-1, 4}), "metadata");
  const auto r = c.Post("/v2/models/twice/infer", request(1, 2), "application/json");
  check(r && r->status == 200, "infer");
  const json j = json::parse(r->body);
  check(j["id"] == "7" && j["outputs"][0]["shape"] == json({2, 4}) && j["outputs"][0]["data"][7] == 16.0, r->body);
  // Binary in, binary out.
  const float x[4] = {1, 2, 3, 4};
  std::string head = R"({"inputs":[{"name":"x","shape":[1,4],"datatype":"FP32","parameters":{"binary_data_size":16}}],)"
                     R"("parameters":{"binary_data_output":true}})";
  const auto b = c.Post("/v2/models/twice/infer", {{"Inference-Header-Content-Length", std::to_string(head.size())}},
                        head + std::string(reinterpret_cast<const char*>(x), sizeof x), "application/octet-stream");
  check(b && b->status == 200, "binary infer");
  const size_t said = std::stoul(b->get_header_value("Inference-Header-Content-Length"));
  float y[4] = {};
  check(b->body.size() == said + sizeof y, "binary size");
  std::memcpy(y, b->body.data() + said, sizeof y);
  check(y[3] == 8, "binary value");
}

void refuses(httplib::Client& c) {
  const std::string deep(200000, '[');
  const std::pair<std::string, const char*> wrong[] = {
      {"", "no JSON"},
      {"{", "no JSON"},
      {"[]", "no JSON"},
      {deep, "no JSON"},
      {R"({"inputs": 3})", "no list"},
      {R"({"inputs": []})", "'x'"},
      {R"({"inputs": [7]})", "no object"},
      {R"({"inputs": [{"name": "z", "shape": [1,4], "datatype": "FP32", "data": [1,2,3,4]}]})", "no input 'z'"},
      {R"({"inputs": [{"name": "x", "shape": [1,4], "datatype": "INT8", "data": [1,2,3,4]}]})", "FP32"},
      {R"({"inputs": [{"name": "x", "shape": [1,4], "datatype": "FP32", "data": [1,2,3]}]})", "3 numbers"},
      {R"({"inputs": [{"name": "x", "shape": [1,4], "datatype": "FP32", "data": [1,2,3,4,5]}]})", "more numbers"},
      {R"({"inputs": [{"name": "x", "shape": [1,4], "datatype": "FP32", "data": ["a",2,3,4]}]})", "string"},
      {R"({"inputs": [{"name": "x", "shape": [1,4], "datatype": "FP32"}]})", "'data'"},
      {R"({"inputs": [{"name": "x", "shape": [1,3], "datatype": "FP32", "data": [1,2,3]}]})", "f32[n,4]"},
      {R"({"inputs": [{"name": "x", "shape": [0,4], "datatype": "FP32", "data": []}]})", "must be at least 1"},
      {R"({"inputs": [{"name": "x", "shape": [-1,4], "datatype": "FP32", "data": []}]})", "shape"},
      {R"({"inputs": [{"name": "x", "shape": [1099511627776,1099511627776], "datatype": "FP32", "data": []}]})",
       "more elements"},
      {R"({"inputs": [{"name": "x", "shape": [1e300,4], "datatype": "FP32", "data": []}]})", "shape"},
      {R"({"inputs": [{"name": "x", "shape": [1,4], "datatype": "FP32", "parameters": {"binary_data_size": 16}}]})",
       "body ends"},
      {R"({"inputs": [{"name": "x", "shape": [1,4], "datatype": "FP32", "data": [1,2,3,4]}], "outputs": [{"name": "q"}]})",
       "no output 'q'"}};
  for (const auto& [body, says] : wrong) {
    const auto r = c.Post("/v2/models/twice/infer", body, "application/json");
    check(r && r->status == 400 && r->body.find(says) != r->body.npos,
          body.substr(0, 120) + " -> " + (r ? std::to_string(r->status) + r->body : "no answer"));
  }
  for (const char* length : {"", "-1", "x", "99999999999999999999999"}) {
    const auto r = c.Post("/v2/models/twice/infer", {{"Inference-Header-Content-Length", length}}, "{}", "text/plain");
    check(r && r->status == 400, std::string("header ") + length);
  }
  const auto none = c.Get("/v2/models/thrice");
  check(none && none->status == 404 && none->body.find("twice") != none->body.npos, "unknown model");
  const auto nothing = c.Get("/no/such/thing");
  check(nothing && nothing->status == 404 && nothing->body.find("error") != nothing->body.npos, "unknown path");
  const auto large = c.Post("/v2/models/twice/infer", std::string(2u << 20, ' '), "application/json");
  check(!large || large->status == 413, "too large a body");
}

/// Clients that send nonsense, or half of something, and go away.
void hang_up(int port) {
  const char* const said[] = {"",
                              "POST",
                              "POST /v2/models/twice/infer HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{\"in",
                              "POST /v2/models/twice/infer HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                              "GET /v2/health/live HTTP/1.1\r\n\r\n",
                              "\r\n\r\n\r\n\x01\x02\x03"};
  for (int i = 0; i < 60; ++i) {
    const int s = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in a{};
    a.sin_family = AF_INET, a.sin_port = htons(static_cast<uint16_t>(port)), a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(s, reinterpret_cast<sockaddr*>(&a), sizeof a) == 0) {
      const char* text = said[i % 6];
      static_cast<void>(!::send(s, text, std::strlen(text), MSG_NOSIGNAL));
    }
    ::close(s);
  }
}

long resident_kib() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("VmRSS:")) return std::atol(line.c_str() + 6);
  return 0;
}

void load(int port, const inference_server& s, int clients, int requests) {
  std::vector<double> all;
  std::mutex mutex;
  std::atomic<int> wrong{0};
  const auto burst = [&] {
    std::vector<std::thread> threads;
    for (int t = 0; t < clients; ++t)
      threads.emplace_back([&, t] {
        httplib::Client c("127.0.0.1", port);
        c.set_keep_alive(true), c.set_tcp_nodelay(true);
        std::vector<double> mine;
        for (int i = 0; i < requests; ++i) {
          const float first = static_cast<float>(t * 1000 + i);
          const auto begin = std::chrono::steady_clock::now();
          const auto r = c.Post("/v2/models/twice/infer", request(first, 1 + i % 3), "application/json");
          mine.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
          const json j = r ? json::parse(r->body, nullptr, false) : json();
          if (!r || r->status != 200 || j["outputs"][0]["data"][3] != 2.0 * (first + 3)) ++wrong;
        }
        const std::lock_guard lock(mutex);
        all.insert(all.end(), mine.begin(), mine.end());
      });
    for (std::thread& t : threads) t.join();
  };
  burst();
  const long before = resident_kib();
  all.clear();
  burst();
  const long more = resident_kib() - before;
  std::sort(all.begin(), all.end());
  const auto at = [&](double share) { return all[static_cast<size_t>(share * static_cast<double>(all.size() - 1))]; };
  const auto [runs, served] = s.model("twice")->counted();
  std::printf(
      "%zu requests of %d clients: median %.2f ms, 99 of 100 within %.2f ms, the slowest %.2f ms; %zu requests "
      "in %zu runs; %ld KiB more memory\n",
      all.size(), clients, at(0.5), at(0.99), all.back(), served, runs, more);
  check(wrong == 0, std::to_string(wrong) + " wrong answers");
  check(s.model("twice")->joins() && runs < served, "no requests shared a run");
  check(more < 4096, "memory grows");
}

}  // namespace

int main(int argc, char** argv) {
  inference_server s({.most_body = 1u << 20, .seconds = 1, .connections = 16});
  s.add("twice", doubler());
  const int port = s.bind("127.0.0.1", 0);
  check(port > 0, "no port");
  std::thread serving([&] { s.serve(); });
  {
    httplib::Client c("127.0.0.1", port);
    answers(c);
    refuses(c);
    hang_up(port);
    answers(c);
  }
  load(port, s, 8, argc > 1 ? std::atoi(argv[1]) : 60);
  s.stop();
  serving.join();
  std::puts(failures == 0 ? "all is well" : "FAILED");
  return failures != 0;
}
