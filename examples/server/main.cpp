// An inference server: program files that `tenon build` made, over HTTP by the Open Inference Protocol (KServe v2).
//
//   tenon build model.onnx -o model.tenon && tenon_server --port 8000 digits=model.tenon
//   curl localhost:8000/v2/models/digits
//   curl localhost:8000/v2/models/digits/infer -d '{"inputs": [{"name": "x", "shape": [1, 4], "datatype": "FP32",
//        "data": [1, 2, 3, 4]}]}'
// Needs cpp-httplib and nlohmann-json, and of tenon its runtime: no compiler, no LLVM. Requests whose batch is a symbol
// of the model are run together. It speaks plain HTTP to whom it is bound to: 127.0.0.1, unless told otherwise.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <tenon/definitions/runtime.hpp>

#include "server.hpp"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a client that goes away is none of our ends
  std::string host = "127.0.0.1";
  int port = 8000;
  server::batch_settings batch;
  server::inference_server all;
  bool any = false;
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      const auto value = [&] { return i + 1 < argc ? argv[++i] : throw tenon::error("usage", word + " has no value"); };
      if (word == "--host") host = value();
      else if (word == "--port") port = std::atoi(value());
      else if (word == "--threads") batch.threads = std::atoi(value());
      else if (word == "--batch") batch.most = std::atoi(value());
      else if (const size_t at = word.find('='); at != word.npos && word[0] != '-')
        all.add(word.substr(0, at), tenon::program::open(word.substr(at + 1)), batch), any = true;
      else throw tenon::error("usage", "'" + word + "' is no option and no NAME=PROGRAM");
    }
    if (!any)
      throw tenon::error("usage", "no model is given", {},
                         "tenon_server [--host H] [--port P] [--threads N] "
                         "[--batch ROWS] NAME=PROGRAM…");
    const int bound = all.bind(host, port);
    if (bound < 0) throw tenon::error("server.port", "cannot listen on " + host + ":" + std::to_string(port));
    std::printf("listening on http://%s:%d\n", host.c_str(), bound);
    std::fflush(stdout);
    all.serve();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
