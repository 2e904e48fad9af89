#include "formats/decoding_threads.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "base/processors.hpp"
#include "base/thread.hpp"

namespace thalweg::formats {
namespace {

// Decoded in a millisecond, more or less, and a thread starts in some hundredths of one.
constexpr std::size_t bytes_of_thread = std::size_t{256} << 10;

// The chunks, which threads take one by one.
class Chunks {
 public:
  Chunks(std::size_t count, const std::function<void(std::size_t, std::size_t)>& decode)
      : count_(count), decode_(decode) {}

  void decode_some(std::size_t thread) {
    try {
      for (std::size_t chunk = next_++; chunk < count_; chunk = next_++) decode_(chunk, thread);
    } catch (...) {
      next_ = count_;
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  // When all threads have come back.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::size_t count_;
  const std::function<void(std::size_t, std::size_t)>& decode_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

DecodingThreads::Allowed& DecodingThreads::of_thread() {
  thread_local Allowed allowed;
  return allowed;
}

std::size_t DecodingThreads::worth(std::size_t chunks, std::size_t bytes) {
  const auto most = static_cast<std::size_t>(of_thread().most);
  return std::max<std::size_t>(1, std::min({most, chunks, bytes / bytes_of_thread}));
}

void DecodingThreads::for_each_chunk(std::size_t chunks, std::size_t threads,
                                     const std::function<void(std::size_t, std::size_t)>& decode) {
  Chunks all(chunks, decode);
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    for (std::size_t thread = 1; thread < threads; ++thread)
      others.push_back(start_thread("that decodes", [&, thread, processors = of_thread().processors] {
        use_processors(processors);
        all.decode_some(thread);
      }));
  } catch (const std::exception&) {  // where the system gives no more of them, those that are there do the work
  }
  all.decode_some(0);
  for (std::thread& other : others) other.join();
  all.rethrow();
}

}  // namespace thalweg::formats
