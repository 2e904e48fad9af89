// Session: that all ranks make the same steps. Nothing is sent for it in a step: clients of a node look at what their
// neighbours among its clients did, and all ranks compare when they come together in wait and finish. Whoever finds a
// difference ends the output of all, so that no file gets its name whose records some ranks saw otherwise.
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "client/session.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {
namespace {

// Times are sums of steps, and dates are exact to the microsecond: what differs by less is one time.
double microseconds_of(double time_s) {
  return std::nearbyint(time_s * 1e6);
}

bool is_one_time(double a_s, double b_s) {
  return microseconds_of(a_s) == microseconds_of(b_s);
}

constexpr const char* step_remedy =
    "All ranks advance to the same times, equally often. Nothing more is published: 'thalweg recover' makes files of "
    "NAME.partial, whose last record may be one that ranks disagree about";

std::string steps_text(std::int64_t made, double last_s) {
  return made == 0 ? "made no advance" : fmt::format("made {} advances, the last one to {} s", made, last_s);
}

// What ranks compare, with the times of the last steps.
struct StepsOfRank {
  int rank = 0;
  std::int64_t made = 0;
  double start_s = 0.0;
  double last_s = 0.0;
  std::vector<double> recent_s;
};

transport::Bytes packed(const StepsOfRank& steps) {
  return transport::Packer()
      .put(steps.rank)
      .put(steps.made)
      .put(steps.start_s)
      .put(steps.last_s)
      .put_all(steps.recent_s)
      .take();
}

StepsOfRank unpacked(const transport::Bytes& bytes) {
  transport::Unpacker from(bytes);
  StepsOfRank steps;
  steps.rank = from.get<int>();
  steps.made = from.get<std::int64_t>();
  steps.start_s = from.get<double>();
  steps.last_s = from.get<double>();
  steps.recent_s = from.get_all<std::vector<double>>();
  return steps;
}

// "" if what is known of them is the same.
std::string difference_of(const StepsOfRank& a, const StepsOfRank& b) {
  const std::string both = fmt::format("rank {} {}, and rank {} {}", a.rank, steps_text(a.made, a.last_s), b.rank,
                                       steps_text(b.made, b.last_s));
  if (a.made != b.made) return fmt::format("{}: rank {} stopped earlier", both, a.made < b.made ? a.rank : b.rank);
  if (!is_one_time(a.start_s, b.start_s))
    return fmt::format("rank {} began at {} s, and rank {} at {} s", a.rank, a.start_s, b.rank, b.start_s);
  for (std::size_t i = 0; i < std::min(a.recent_s.size(), b.recent_s.size()); ++i)
    if (!is_one_time(a.recent_s[i], b.recent_s[i]))
      return fmt::format("in their advance number {}, rank {} went to {} s and rank {} to {} s",
                         a.made - std::ssize(a.recent_s) + 1 + static_cast<std::int64_t>(i), a.rank, a.recent_s[i],
                         b.rank, b.recent_s[i]);
  return both + ", but to different times on the way";
}

}  // namespace

void Session::require_model_time(const char* verb, double time_s) const {
  if (is_model_time(settings_.calendar, settings_.reference_date, time_s)) return;
  fail(THALWEG_ERROR_ARGUMENT,
       "{} to {} s since {}: this is no model time; it must be finite, and a date of the years -{} to {}", verb, time_s,
       to_string(settings_.reference_date), last_year, last_year);
}

// Every collection can make this step, or none makes it.
void Session::require_step(double time_s) const {
  require_model_time("advance", time_s);
  // Only the first advance may stand still: it closes initial records.
  if (time_s < now_s_ || (time_s == now_s_ && advanced_))
    fail(THALWEG_ERROR_STATE, "advance to {} s, but model time is {} s already; time must grow", time_s, now_s_);
  for (const Collection* collection : ready_collections_)
    if (collection->schedule.closes(time_s)) collection->require_record(collection->schedule.upcoming());
  if (time_s == now_s_) require_initial_records();
}

void Session::require_initial_records() const {
  const auto is_initial = [](const Collection* collection) { return collection->schedule.awaits_initial(); };
  if (!ready_collections_.empty() && std::ranges::none_of(ready_collections_, is_initial))
    fail(THALWEG_ERROR_STATE,
         "advance to {} s, which is the start time: it would close no record, because no collection has "
         "'initial-record'; set initial-record: true for those that write the state at the start, or begin with the "
         "advance of the first step, and put nothing before it that is not its",
         now_s_);
  for (const Collection* collection : ready_collections_)
    if (!is_initial(collection) && collection->has_begun_record())
      fail(THALWEG_ERROR_STATE,
           "advance to {} s, which is the start time, but collection '{}' has fields already and no 'initial-record'; "
           "set initial-record: true for it, or put them after this advance",
           now_s_, collection->name);
}

// While a collection waits for its initial record, the first advance stands still, and is none for the others.
void Session::hold_for_start() {
  const auto is_initial = [](const Collection& collection) { return collection.schedule.awaits_initial(); };
  const bool stands = !advanced_ && std::ranges::any_of(collections_, is_initial);
  for (Collection& collection : collections_) collection.schedule.hold_for_start(stands);
}

// ---- the same on all ranks

void Session::note_start(double time_s) {
  started_at_s_ = time_s;
  steps_hash_ = std::bit_cast<std::uint64_t>(microseconds_of(time_s) + 0.0);
}

void Session::note_step(double time_s) {
  constexpr std::uint64_t prime = 0x100000001b3;  // of FNV
  steps_hash_ = (steps_hash_ ^ std::bit_cast<std::uint64_t>(microseconds_of(time_s) + 0.0)) * prime;
  staging::StepTimes& own = control_->client(roles_->node_rank).steps;
  own.make(time_s);
  for_neighbours([&](const staging::ClientState& other) {
    const std::int64_t number = own.made();
    if (other.steps.meetings() > own.meetings() && other.steps.made_at_meeting() < number)
      refuse_steps(fmt::format(
          "rank {} came to thalweg_wait or thalweg_finish after {} advances, but rank {} makes "
          "its advance number {}, to {} s: rank {} stopped earlier",
          other.rank.load(), other.steps.made_at_meeting(), roles_->rank, number, time_s, other.rank.load()));
    const std::optional<double> theirs_s = other.steps.time_of(number);
    if (theirs_s && !is_one_time(*theirs_s, time_s))
      refuse_steps(fmt::format("in their advance number {}, rank {} goes to {} s and rank {} to {} s", number,
                               roles_->rank, time_s, other.rank.load(), *theirs_s));
  });
}

// Before a call that nobody leaves until all are there: who is not here, and has made more steps, made too many.
void Session::meet_after_steps() {
  staging::StepTimes& own = control_->client(roles_->node_rank).steps;
  own.meet();
  for_neighbours([&](const staging::ClientState& other) {
    const bool is_here = other.steps.meetings() >= own.meetings();
    const std::int64_t theirs = is_here ? other.steps.made_at_meeting() : other.steps.made();
    if (other.steps.meetings() > own.meetings() || theirs == own.made() || (!is_here && theirs < own.made())) return;
    const bool is_earlier = own.made() < theirs;
    refuse_steps(fmt::format(
        "rank {} comes to thalweg_wait or thalweg_finish after {} advances, and rank {} makes {}: "
        "rank {} stopped earlier",
        roles_->rank, own.made(), other.rank.load(), theirs, is_earlier ? roles_->rank : other.rank.load()));
  });
}

// The clients of this node before and behind this one.
void Session::for_neighbours(const std::function<void(const staging::ClientState&)>& look) {
  if (!roles_->is_client()) return;
  for (const int direction : {-1, 1})
    for (int c = roles_->node_rank + direction; 0 <= c && c < roles_->node_size; c += direction) {
      const staging::ClientState& other = control_->client(c);
      if (other.is_server) continue;
      look(other);
      break;
    }
}

void Session::refuse_steps(const std::string& what) {
  const std::string text = fmt::format("{}. {}", what, step_remedy);
  control_->report_failure(THALWEG_ERROR_AGREEMENT, text);
  throw_if_failed();
  fail(THALWEG_ERROR_AGREEMENT, "{}", text);
}

// Collective; ranks that have nothing to do with the end take no part.
void Session::check_steps_agree() {
  const roles::Circle circle = circle_at_end();
  if (circle.comm() == MPI_COMM_NULL) return;
  const staging::StepTimes& steps = control_->client(roles_->node_rank).steps;
  StepsOfRank own{roles_->rank, steps.made(), started_at_s_, now_s_, {}};
  const auto hash = static_cast<std::int64_t>(steps_hash_ ^ static_cast<std::uint64_t>(own.made));
  std::vector<std::int64_t> extremes{hash, ~hash};
  transport::maximum(circle, extremes);
  if (extremes[0] == ~extremes[1]) return;
  for (std::int64_t number = std::max<std::int64_t>(1, own.made - staging::StepTimes::kept + 1); number <= own.made;
       ++number)
    own.recent_s.push_back(*steps.time_of(number));
  const transport::Bytes of_first =
      transport::broadcast(circle, 0, transport::Packer().put(hash).put_all(packed(own)).take());
  transport::Unpacker from(of_first);
  const bool differs = from.get<std::int64_t>() != hash;
  const StepsOfRank first = unpacked(from.get_all<transport::Bytes>());
  transport::together(circle, [&] {
    if (differs) fail(THALWEG_ERROR_AGREEMENT, "{}. {}", difference_of(own, first), step_remedy);
  });
}

}  // namespace thalweg::client
