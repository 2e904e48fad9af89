// How far the records of a collection have come on their way into files: begun, closed, placed. Small ones wait for
// others, so that the format library's work is done for many at once. Pure.
#pragma once

#include <cstdint>

namespace thalweg::files {

class PlacementLedger {
 public:
  // When waiting ends.
  struct Batching {
    bool is_wanted = false;
    std::int64_t most_records = 0;  // that wait; 0: no limit but the ring
    double interval_s = 0.0;
    std::int64_t ring_depth = 1;
  };

  void begin(std::int64_t record) { begun_ = record + 1; }
  // At this model time.
  void close(double time_s) {
    closed_ = begun_;
    closed_time_s_ = time_s;
  }
  void begin_placing(double now_s) { last_placed_s_ = now_s; }
  void place_next() { ++placed_; }
  // What has begun does not wait for others any longer; what cannot be placed yet is, as soon as it can.
  void ask() { asked_for_ = begun_; }

  // Of leading records, so many.
  std::int64_t begun() const { return begun_; }
  std::int64_t closed() const { return closed_; }
  std::int64_t placed() const { return placed_; }
  double closed_time_s() const { return closed_time_s_; }  // of the last that is closed

  bool has_waiting() const { return placed_ < closed_; }
  bool is_overdue(double now_s, double interval_s) const {
    return has_waiting() && now_s - last_placed_s_ > interval_s;
  }
  // Records wait, but not so long that the ring fills or anyone waits for them.
  bool is_batch_due(const Batching& batching, double now_s) const {
    const std::int64_t waiting = closed_ - placed_;
    const bool ring_fills =
        waiting * 2 >= batching.ring_depth || (batching.most_records > 0 && waiting >= batching.most_records);
    return !batching.is_wanted || ring_fills || placed_ < asked_for_ || now_s - last_placed_s_ > batching.interval_s;
  }

 private:
  std::int64_t begun_ = 0;
  std::int64_t closed_ = 0;
  std::int64_t placed_ = 0;
  std::int64_t asked_for_ = 0;
  double last_placed_s_ = 0.0;
  double closed_time_s_ = 0.0;
};

}  // namespace thalweg::files
