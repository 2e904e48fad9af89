// Threads that decode chunks beside the one that reads them: ranks that wait for it leave their processors idle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace thalweg::formats {

// While this lives, what its thread reads may be decoded by so many threads, itself among them, on these processors;
// without it by itself alone.
class DecodingThreads {
 public:
  explicit DecodingThreads(int most, std::vector<int> processors)
      : before_(std::exchange(of_thread(), {std::max(most, 1), std::move(processors)})) {}
  ~DecodingThreads() { of_thread() = std::move(before_); }
  DecodingThreads(const DecodingThreads&) = delete;
  DecodingThreads& operator=(const DecodingThreads&) = delete;

  // How many are worth their start for what becomes so many bytes.
  static std::size_t worth(std::size_t chunks, std::size_t bytes);

  // Calls decode(chunk, thread) for each of 0…chunks−1 once, thread < threads. Errors: the first one that is thrown,
  // after which no other chunk is begun.
  static void for_each_chunk(std::size_t chunks, std::size_t threads,
                             const std::function<void(std::size_t chunk, std::size_t thread)>& decode);

 private:
  struct Allowed {
    int most = 1;
    std::vector<int> processors;
  };
  static Allowed& of_thread();

  Allowed before_;
};

}  // namespace thalweg::formats
