// Which points of one array go where in another, along one dimension: runs of points that follow each other on both
// sides. Made once for a map and shared by all variables on it; a step along the dimension may have any number of
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace thalweg {

struct PointRun {
  std::int64_t source = 0;
  std::int64_t target = 0;
  std::int64_t length = 0;
  friend bool operator==(const PointRun&, const PointRun&) = default;
};

class PointRuns {
 public:
  // Runs whose offsets from the bases fit in 32 bits, which for all but enormous arrays are all runs.
  struct Part {
    std::int64_t source_base = 0;
    std::int64_t target_base = 0;
    std::vector<std::uint32_t> source;
    std::vector<std::uint32_t> target;
    std::vector<std::uint32_t> length;  // empty: every run is one point

    std::size_t size() const { return source.size(); }
    std::int64_t length_of(std::size_t i) const { return length.empty() ? 1 : std::int64_t{length[i]}; }
  };

  // Where runs are short on average they are kept point by point: a loop without branches is then the fastest copy.
  static constexpr std::int64_t short_run_points = 4;
  static constexpr int most_offset_bits = 31;

  PointRuns() = default;
  // Neighbours that continue each other are made one. offset_bits: for tests.
  explicit PointRuns(std::span<const PointRun> runs, int offset_bits = most_offset_bits);
  // The same without an array of them, which takes several times the memory of what is made: `all` hands over each of
  // them, and is called twice.
  using Take = std::function<void(const PointRun&)>;
  explicit PointRuns(const std::function<void(const Take&)>& all, int offset_bits = most_offset_bits);

  std::int64_t points() const { return points_; }
  const std::vector<Part>& parts() const { return parts_; }
  std::vector<PointRun> runs() const;

 private:
  Part& part_for(std::int64_t source_base, std::int64_t target_base, std::size_t entries, bool by_points);

  std::int64_t points_ = 0;
  std::vector<Part> parts_;
};

}  // namespace thalweg
