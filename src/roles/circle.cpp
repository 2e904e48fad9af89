#include "roles/circle.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/running_time.hpp"
#include "roles/left_communicators.hpp"
#include "roles/missing_ranks.hpp"

namespace thalweg::roles {
namespace {

// Most steps are through in microseconds, so at first the processor is only offered to others.
constexpr double spin_s = 0.0002;
constexpr double shortest_pause_s = 0.00005;
constexpr double longest_pause_s = 0.005;
constexpr double pause_share = 0.1;  // of the time waited

// From when on a rank is known to wait, and answers who asks.
constexpr double really_s = 0.02;

double pause_after(double waited_s) {
  return waited_s < spin_s ? 0.0 : std::clamp(waited_s * pause_share, shortest_pause_s, longest_pause_s);
}

void pause(double seconds) {
  if (seconds == 0.0)
    sched_yield();
  else
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// One wait of a rank, from its begin to its end.
class Wait {
 public:
  Wait(const Circle& circle, std::int64_t step)
      : circle_(circle), patience_(*circle.patience()), missing_(circle, step, patience_.deadline_s, patience_.call) {
    const MPI_Comm all = patience_.all_ranks;
    if (all != MPI_COMM_NULL && all != circle.comm())
      missing_of_all_.emplace(all, 0, patience_.deadline_s, patience_.call);
  }
  ~Wait() {
    if (is_long_ && patience_.ends) patience_.ends();
  }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  void until(const std::function<bool()>& done) {
    double pause_s = 0.0;
    while (!done()) {
      const double now = now_s();
      waited_.look(now, pause_s, patience_.deadline_s);
      if (waited_.seconds() > really_s) look(now);
      pause_s = pause_after(waited_.seconds());
      pause(pause_s);
    }
  }

  void look_for_verdict(double now) {
    if (const auto verdict = missing_.look(now)) {
      if (missing_of_all_ && verdict->caller == circle_.rank()) tell_all(*verdict);
      expire(circle_, *verdict);
    }
    if (!missing_of_all_) return;
    if (const auto verdict = missing_of_all_->look(now)) expire(patience_.all_ranks, *verdict);
  }

 private:
  void look(double now) {
    is_long_ = true;
    if (patience_.looks) patience_.looks();
    if (waited_.seconds() > patience_.deadline_s) missing_.call(now);
    look_for_verdict(now);
  }

  // Those who are no members wait for members in other steps.
  void tell_all(Verdict verdict) {
    for (int& rank : verdict.missing) rank = name_of(circle_, rank);
    missing_of_all_->tell(verdict);
  }

  [[noreturn]] void expire(MPI_Comm of, const Verdict& verdict) const {
    std::string text = fmt::format(
        "rank {} gave up in {} after {:.1f} s (deadline: {:g} s): waiting for the other ranks.\n{}\n",
        name_of(of, verdict.caller), verdict.call, patience_.deadline_s, patience_.deadline_s, missing(of, verdict));
    if (patience_.who_waits) text += patience_.who_waits();
    const Error error(THALWEG_ERROR_DEADLINE, text);
    if (patience_.expired) patience_.expired(error);
    throw error;
  }

  std::string missing(MPI_Comm of, const Verdict& verdict) const {
    if (verdict.missing_count == 0) return "All ranks came, but this collective step did not end.";
    std::string names;
    for (const int rank : verdict.missing) names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(of, rank));
    const auto more = verdict.missing_count - static_cast<std::int64_t>(verdict.missing.size());
    return fmt::format(
        "Not every rank came to this collective step: rank {}{} did not (it computes, is in another call, is stopped, "
        "or died).",
        names, more > 0 ? fmt::format(" and {} more", more) : "");
  }

  int name_of(MPI_Comm of, int rank) const {
    if (patience_.all_ranks == MPI_COMM_NULL) return rank;
    MPI_Group own = MPI_GROUP_NULL;
    MPI_Group names = MPI_GROUP_NULL;
    MPI_Comm_group(of, &own);
    MPI_Comm_group(patience_.all_ranks, &names);
    int name = rank;
    MPI_Group_translate_ranks(own, 1, &rank, names, &name);
    MPI_Group_free(&own);
    MPI_Group_free(&names);
    return name == MPI_UNDEFINED ? rank : name;  // a spare rank
  }

  const Circle& circle_;
  const Patience& patience_;
  MissingRanks missing_;
  std::optional<MissingRanks> missing_of_all_;  // where others may wait for this rank meanwhile
  RunningTime waited_{now_s()};
  bool is_long_ = false;
};

}  // namespace

Circle::Circle(MPI_Comm comm) : Circle(comm, std::make_shared<Patience>()) {}

Circle::Circle(MPI_Comm comm, std::shared_ptr<Patience> patience) : comm_(comm), patience_(std::move(patience)) {}

int Circle::rank() const {
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  return rank;
}

int Circle::size() const {
  int size = 1;
  MPI_Comm_size(comm_, &size);
  return size;
}

void Circle::wait_until(const std::function<bool()>& done) const {
  ++*steps_;
  if (done()) return;
  Wait(*this, *steps_).until(done);
}

// The library may look for messages after it has answered.
void Circle::require_unexpired() const {
  constexpr int looks = 3;
  Wait wait(*this, *steps_);
  for (int look = 0; look < looks; ++look) wait.look_for_verdict(now_s());
}

void Circle::free() {
  if (patience_->is_broken && comm_ != MPI_COMM_NULL) leave(comm_);
  free_unless_left(comm_);
}

}  // namespace thalweg::roles
