// The time line of a process: what its timers tell, thread by thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "profile/thread_line.hpp"

namespace thalweg::profile {

struct LineOfThread {
  std::string purpose;  // as start_thread has it; empty: none of the library's
  ThreadLine line;
};

// Sessions that are there at the same time share it: it holds the spans of all.
class TimeLine {
 public:
  static constexpr std::size_t most_of_thread = std::size_t{1} << 16;

  // Spans are recorded from now on, as long as somebody has it. Errors: MEMORY.
  static std::shared_ptr<TimeLine> begin(std::size_t spans_of_thread = most_of_thread);
  explicit TimeLine(std::size_t spans_of_thread);
  ~TimeLine();
  TimeLine(const TimeLine&) = delete;
  TimeLine& operator=(const TimeLine&) = delete;

  // Of each thread that has told something since then, in the order in which they began.
  std::vector<LineOfThread> since(double start_s) const;

 private:
  struct Recorded {
    explicit Recorded(std::size_t most) : line(most) {}
    std::mutex mutex;
    std::string purpose;
    ThreadLine line;
  };
  struct Here;

  static void record(const Span& span) noexcept;
  static Here& here();
  static void join(Here& thread) noexcept;

  std::size_t spans_of_thread_;
  std::list<std::shared_ptr<Recorded>> threads_;
};

// Of one rank in the file.
struct RankOfLine {
  int rank = 0;
  int node = 0;
  std::string host;
  bool is_server = false;
  double start_s = 0.0;  // of its session, by now_s()
  double end_s = 0.0;
  double offset_s = 0.0;        // to be added for the time of the file
  double offset_error_s = 0.0;  // at most, when it was measured
};

// A part of the file: a line with what is known of rank and threads, and one for each event.
std::string part_of_file(const RankOfLine& rank, const std::vector<LineOfThread>& threads);
// The parts of all ranks, in the format of Chrome's trace events.
std::string file_of(const std::vector<std::string>& parts, const std::string& version);

}  // namespace thalweg::profile
