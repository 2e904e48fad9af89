#include "health/step_agreement.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::health {
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

[[noreturn]] void refuse_steps(const std::string& what) {
  fail(THALWEG_ERROR_AGREEMENT, "{}. {}", what, step_remedy);
}

}  // namespace

void StepAgreement::begin(double time_s) {
  started_at_s_ = time_s;
  hash_ = std::bit_cast<std::uint64_t>(microseconds_of(time_s) + 0.0);
}

void StepAgreement::make(double time_s) {
  constexpr std::uint64_t prime = 0x100000001b3;  // of FNV
  hash_ = (hash_ ^ std::bit_cast<std::uint64_t>(microseconds_of(time_s) + 0.0)) * prime;
  staging::StepTimes& own = processes_.client(roles_.node_rank).steps;
  own.make(time_s);
  for_neighbours([&](const staging::ClientState& other) {
    const std::int64_t number = own.made();
    if (other.steps.meetings() > own.meetings() && other.steps.made_at_meeting() < number)
      refuse_steps(fmt::format(
          "rank {} came to thalweg_wait or thalweg_finish after {} advances, but rank {} makes "
          "its advance number {}, to {} s: rank {} stopped earlier",
          other.rank.load(), other.steps.made_at_meeting(), roles_.rank, number, time_s, other.rank.load()));
    const std::optional<double> theirs_s = other.steps.time_of(number);
    if (theirs_s && !is_one_time(*theirs_s, time_s))
      refuse_steps(fmt::format("in their advance number {}, rank {} goes to {} s and rank {} to {} s", number,
                               roles_.rank, time_s, other.rank.load(), *theirs_s));
  });
}

void StepAgreement::meet() {
  staging::StepTimes& own = processes_.client(roles_.node_rank).steps;
  own.meet();
  for_neighbours([&](const staging::ClientState& other) {
    const bool is_here = other.steps.meetings() >= own.meetings();
    const std::int64_t theirs = is_here ? other.steps.made_at_meeting() : other.steps.made();
    if (other.steps.meetings() > own.meetings() || theirs == own.made() || (!is_here && theirs < own.made())) return;
    const bool is_earlier = own.made() < theirs;
    refuse_steps(
        fmt::format("rank {} comes to thalweg_wait or thalweg_finish after {} advances, and rank {} makes {}: "
                    "rank {} stopped earlier",
                    roles_.rank, own.made(), other.rank.load(), theirs, is_earlier ? roles_.rank : other.rank.load()));
  });
}

// The clients of this node before and behind this one.
void StepAgreement::for_neighbours(const std::function<void(const staging::ClientState&)>& look) {
  if (!roles_.is_client()) return;
  for (const int direction : {-1, 1})
    for (int c = roles_.node_rank + direction; 0 <= c && c < roles_.node_size; c += direction) {
      const staging::ClientState& other = processes_.client(c);
      if (other.is_server) continue;
      look(other);
      break;
    }
}

void StepAgreement::check(const roles::Circle& circle, double now_s) const {
  if (circle.is_none()) return;
  const staging::StepTimes& steps = processes_.client(roles_.node_rank).steps;
  StepsOfRank own{roles_.rank, steps.made(), started_at_s_, now_s, {}};
  const auto hash = static_cast<std::int64_t>(hash_ ^ static_cast<std::uint64_t>(own.made));
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

}  // namespace thalweg::health
