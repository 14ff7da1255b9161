// find_speech silero_vad_v5.onnx talk.wav: where in a recording somebody speaks.
//
// Silero VAD (npm: @ricky0123/vad-web) takes 32 ms of sound at a time, and a state that it gave for those before. The
// session compiles it once; it finds out by itself that the sampling rate decides which half of the model runs.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/targets/cpu.hpp>

using namespace tenon;

constexpr i64 rate = 16000, samples_of_step = 512, context_before = 64;  // samples

template <class T>
T read_at(std::span<const char> bytes, size_t at) {
  if (at + sizeof(T) > bytes.size()) throw error("wav", "the file ends too early");
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Samples in [-1, 1) of a WAV file of 16 bits, its channels mixed.
std::vector<float> read_wav(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < 12 || std::memcmp(bytes.data(), "RIFF", 4) != 0)
    throw error("wav", "'" + path + "' is no WAV file");
  u32 channels = 0;
  for (size_t at = 12; at + 8 <= bytes.size();) {
    const size_t body = at + 8, size = read_at<u32>(bytes, at + 4);
    if (std::memcmp(&bytes[at], "fmt ", 4) == 0) {
      channels = read_at<u16>(bytes, body + 2);
      if (read_at<u32>(bytes, body + 4) != rate || read_at<u16>(bytes, body + 14) != 16 || channels == 0)
        throw error("wav", "'" + path + "' is not 16 kHz of 16 bits", {}, "sox IN.wav -r 16000 -b 16 -c 1 OUT.wav");
    } else if (std::memcmp(&bytes[at], "data", 4) == 0 && channels != 0) {
      std::vector<float> samples(std::min(size, bytes.size() - body) / 2 / channels);
      for (size_t i = 0; i < samples.size(); ++i)
        for (u32 c = 0; c < channels; ++c)
          samples[i] += static_cast<float>(read_at<i16>(bytes, body + 2 * (i * channels + c))) /
                        (32768.0f * static_cast<float>(channels));
      return samples;
    }
    at = body + size + size % 2;
  }
  throw error("wav", "'" + path + "' has no samples");
}

int main(int argc, char** argv) try {
  if (argc != 3) return std::puts("usage: find_speech MODEL.onnx RECORDING.wav"), 2;
  targets::register_cpu_target();
  session model(importers::onnx::open(argv[1]), {.target = "cpu"});
  const std::vector<float> samples = read_wav(argv[2]);
  const auto seconds = [](i64 sample) { return static_cast<double>(sample) / rate; };

  // Speech begins where the model is surer than 0.5, and ends where it stays below 0.35 for a tenth of a second.
  named_tensors inputs{{"state", tensor(dtype::f32, {2, 1, 128})}, {"sr", tensor::scalar<i64>(rate)}};
  i64 begin = -1, quiet_since = -1;
  double spoken = 0;
  const auto end_at = [&](i64 sample) {
    std::printf("speech from %.2f s to %.2f s\n", seconds(begin), seconds(sample));
    spoken += seconds(sample - begin);
    begin = quiet_since = -1;
  };
  const i64 length = static_cast<i64>(samples.size());
  const auto start = std::chrono::steady_clock::now();
  for (i64 at = 0; at < length; at += samples_of_step) {
    tensor sound(dtype::f32, {1, context_before + samples_of_step});  // zero where there is no sound
    const i64 from = std::max<i64>(at - context_before, 0), to = std::min(at + samples_of_step, length);
    std::copy(samples.begin() + from, samples.begin() + to, sound.data<float>().begin() + (from - at + context_before));
    inputs["input"] = sound;
    named_tensors outputs = model.run_named(inputs);
    inputs["state"] = outputs["stateN"];
    const double sure = outputs["output"].at_f64(0);
    if (sure >= 0.5) begin = begin < 0 ? at : begin, quiet_since = -1;
    else if (begin >= 0 && sure < 0.35) {
      if (quiet_since < 0) quiet_since = at;
      if (at - quiet_since > rate / 10) end_at(quiet_since);
    }
  }
  if (begin >= 0) end_at(length);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%.2f s of speech in %.2f s of sound; took %.3f s\n", spoken, seconds(length), took.count());
} catch (const error& e) { return std::printf("%s\n", e.what()), 1; }
