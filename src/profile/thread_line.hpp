// The spans of one thread, in bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/seconds.hpp"

namespace thalweg::profile {

// A span, or neighbours of one name that have become one.
struct LineSpan {
  const char* name;
  double start_s;
  double end_s;
  double counted_s;  // without what lay between the neighbours
  std::int64_t spans;
  Subject subject{};

  double length_s() const { return end_s - start_s; }
};

// Spans of one name that are too short to be kept.
struct LeftOut {
  const char* name = nullptr;
  std::int64_t spans = 0;
  double seconds = 0.0;
};

// When there are too many, neighbours of one name with less than a grain between them become one, those that are still
// shorter than it are only counted, and so are later ones. The grain grows until at most half of them are left, so that
// the whole run stays in view.
class ThreadLine {
 public:
  explicit ThreadLine(std::size_t most) : most_(most) {}

  // In the order in which spans end. Without memory for a span it is only counted.
  void add(const Span& span) noexcept;
  // For a file that has not room for all of them.
  void reduce_to(std::size_t most);
  // What had ended before is none of this run.
  void forget_before(double start_s);

  const std::vector<LineSpan>& spans() const { return spans_; }
  // By name, those with spans.
  std::vector<LeftOut> left_out() const;
  double grain_s() const { return grain_s_; }

 private:
  bool is_joined(LineSpan& last, const LineSpan& next) const;
  void coarsen();
  void leave_out(const LineSpan& span) noexcept;

  std::size_t most_;
  double grain_s_ = 0.0;
  std::vector<LineSpan> spans_;
  std::array<LeftOut, 48> left_out_{};  // more than there are names; the last one has what finds no place
};

// Where spans overlap and neither has the other, the later one begins where the other ends, as readers of time lines
// want it. Sorted by their starts.
std::vector<LineSpan> nested(std::vector<LineSpan> spans);

}  // namespace thalweg::profile
