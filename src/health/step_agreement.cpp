#include "health/step_agreement.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::health {

using staging::ModelStep;

// What ranks compare, with the last steps.
struct StepsOfRank {
  int rank = 0;
  std::int64_t made = 0;
  double start_s = 0.0;
  double end_s = 0.0;  // infinite: not said
  std::vector<ModelStep> recent;
  std::uint64_t files = 0;  // fingerprint of those that were named since

  std::int64_t first_known() const { return made - std::ssize(recent) + 1; }
  const ModelStep& step(std::int64_t number) const { return recent[static_cast<std::size_t>(number - first_known())]; }
  bool has_records() const { return !std::ranges::all_of(recent, &ModelStep::is_advance); }
  double last_s() const {
    const auto timed =
        std::find_if(recent.rbegin(), recent.rend(), [](const auto& step) { return !step.closes_file(); });
    return timed == recent.rend() ? start_s : timed->time_s;
  }
};

namespace {

// Times are sums of steps, and dates are exact to the microsecond: what differs by less is one time.
double microseconds_of(double time_s) {
  return std::nearbyint(time_s * 1e6);
}

// Of a time, for fingerprints; 0.0 and -0.0 are one.
std::uint64_t number_of(double time_s) {
  return std::bit_cast<std::uint64_t>(microseconds_of(time_s) + 0.0);
}

bool is_one_step(const ModelStep& a, const ModelStep& b) {
  return a.collection == b.collection && a.files == b.files && a.closes_file() == b.closes_file() &&
         (a.closes_file() || microseconds_of(a.time_s) == microseconds_of(b.time_s));
}

bool differ_in_files_alone(const ModelStep& a, const ModelStep& b) {
  return is_one_step(a, {b.time_s, b.collection, a.files});
}

constexpr const char* step_remedy =
    "All ranks advance to the same times, equally often, and close the same records. Nothing more is published: "
    "'thalweg recover' makes files of NAME.partial, whose last record may be one that ranks disagree about";

// How steps are called where none of them, or some, are records that the program closed.
// A file that is closed is a step like a record.
constexpr const char* kind_of(bool has_records) {
  return has_records ? "advance or record" : "advance";
}

std::string counted_steps(std::int64_t made, bool has_records) {
  return fmt::format("{} {}", made, has_records ? "advances and records" : "advances");
}

std::string steps_text(std::int64_t made, double last_s, bool has_records) {
  return made == 0 ? fmt::format("made no {}", kind_of(has_records))
                   : fmt::format("made {}, the last one to {} s", counted_steps(made, has_records), last_s);
}

std::string end_text(double end_s) {
  return std::isinf(end_s) ? "has no end that was said" : fmt::format("ends at {} s", end_s);
}

transport::Bytes packed(const StepsOfRank& steps) {
  return transport::Packer()
      .put(steps.rank)
      .put(steps.made)
      .put(steps.start_s)
      .put(steps.end_s)
      .put_all(steps.recent)
      .put(steps.files)
      .take();
}

StepsOfRank unpacked(const transport::Bytes& bytes) {
  transport::Unpacker from(bytes);
  StepsOfRank steps;
  steps.rank = from.get<int>();
  steps.made = from.get<std::int64_t>();
  steps.start_s = from.get<double>();
  steps.end_s = from.get<double>();
  steps.recent = from.get_all<std::vector<ModelStep>>();
  steps.files = from.get<std::uint64_t>();
  return steps;
}

[[noreturn]] void refuse_steps(const std::string& what) {
  fail(THALWEG_ERROR_AGREEMENT, "{}. {}", what, step_remedy);
}

}  // namespace

std::string StepAgreement::text_of(const ModelStep& step, const char* goes, const char* closes) const {
  if (step.is_advance()) return fmt::format("{} to {} s", goes, step.time_s);
  if (step.closes_file()) return fmt::format("{} the file of {}", closes, name_of_(step.collection));
  return fmt::format("{} a record of {} at {} s", closes, name_of_(step.collection), step.time_s);
}

// "rank 1 goes to 121 s and rank 0 to 120 s".
std::string StepAgreement::both_text(int rank, const ModelStep& step, int other_rank, const ModelStep& other,
                                     bool is_past) const {
  if (differ_in_files_alone(step, other))
    return fmt::format(
        "rank {} and rank {} began other files: thalweg_new_file was called with another name, for another "
        "collection, or by one of them only",
        rank, other_rank);
  const char* goes = is_past ? "went" : "goes";
  const char* closes = is_past ? "closed" : "closes";
  const bool are_alike = step.is_advance() && other.is_advance();
  return fmt::format("rank {} {} and rank {} {}", rank, text_of(step, goes, closes), other_rank,
                     are_alike ? fmt::format("to {} s", other.time_s) : text_of(other, goes, closes));
}

// The first of the steps that both are known to have made and is not one; "": there is none.
std::string StepAgreement::other_step_of(const StepsOfRank& a, const StepsOfRank& b, bool has_records) const {
  for (std::int64_t number = std::max(a.first_known(), b.first_known()); number <= std::min(a.made, b.made); ++number)
    if (!is_one_step(a.step(number), b.step(number)))
      return fmt::format("in their {} number {}, {}", kind_of(has_records), number,
                         both_text(a.rank, a.step(number), b.rank, b.step(number), true));
  return "";
}

// Of two that are known to differ.
std::string StepAgreement::difference_of(const StepsOfRank& a, const StepsOfRank& b) const {
  const bool has_records = has_records_ || a.has_records() || b.has_records();
  if (microseconds_of(a.start_s) != microseconds_of(b.start_s))
    return fmt::format("rank {} began at {} s, and rank {} at {} s", a.rank, a.start_s, b.rank, b.start_s);
  if (const std::string other = other_step_of(a, b, has_records); !other.empty()) return other;
  const std::string both =
      fmt::format("rank {} {}, and rank {} {}", a.rank, steps_text(a.made, a.last_s(), has_records), b.rank,
                  steps_text(b.made, b.last_s(), has_records));
  if (a.made != b.made) {
    const StepsOfRank& behind = a.made < b.made ? a : b;
    const StepsOfRank& ahead = a.made < b.made ? b : a;
    const std::int64_t next = behind.made + 1;
    return fmt::format("{}: rank {} stopped earlier{}", both, behind.rank,
                       next < ahead.first_known() ? ""
                                                  : fmt::format(", where rank {} {}", ahead.rank,
                                                                text_of(ahead.step(next), "went", "closed")));
  }
  if (microseconds_of(a.end_s) != microseconds_of(b.end_s))
    return fmt::format("the run of rank {} {}, and that of rank {} {} (thalweg_set_end_time)", a.rank,
                       end_text(a.end_s), b.rank, end_text(b.end_s));
  if (a.files != b.files) return both + ", but named other files behind it (thalweg_new_file)";
  return both + ", but other ones on the way";
}

void StepAgreement::begin(double time_s) {
  started_at_s_ = time_s;
  all_.add(number_of(time_s));
}

void StepAgreement::end_at(double time_s) {
  ends_at_s_ = time_s;
  all_.add(number_of(time_s));
}

void StepAgreement::name_file(int collection, const std::string& name) {
  files_.add(static_cast<std::uint64_t>(collection));
  files_.add(name);
}

void StepAgreement::make(ModelStep step) {
  step.files = std::exchange(files_, {}).value();
  all_.add(number_of(step.time_s));
  all_.add(static_cast<std::uint64_t>(step.collection));
  all_.add(step.files);
  has_records_ |= !step.is_advance();
  staging::StepTimes& own = processes_.client(roles_.node_rank).steps;
  own.make(step);
  for_neighbours([&](const staging::ClientState& other) {
    const std::int64_t number = own.made();
    const char* kind = kind_of(has_records_);
    if (other.steps.meetings() > own.meetings() && other.steps.made_at_meeting() < number)
      refuse_steps(fmt::format(
          "rank {} came to thalweg_wait, thalweg_finish or the end of later definitions after {}, but rank {} makes "
          "its "
          "{} number {}, {}: rank {} stopped earlier, or one of them defined what the other did not",
          other.rank.load(), counted_steps(other.steps.made_at_meeting(), has_records_), roles_.rank, kind, number,
          step.is_advance() ? fmt::format("to {} s", step.time_s) : text_of(step, "", "which closes"),
          other.rank.load()));
    const std::optional<ModelStep> theirs = other.steps.step(number);
    if (theirs && !is_one_step(*theirs, step))
      refuse_steps(fmt::format("in their {} number {}, {}", theirs->is_advance() ? kind : kind_of(true), number,
                               both_text(roles_.rank, step, other.rank.load(), *theirs, false)));
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
    const int rank = other.rank.load();
    const std::optional<ModelStep> more = (is_earlier ? other.steps : own).step(std::min(own.made(), theirs) + 1);
    const bool has_records = has_records_ || (more && !more->is_advance());
    refuse_steps(fmt::format(
        "rank {} comes to thalweg_wait, thalweg_finish or the end of later definitions after {}, and rank {} makes {}: "
        "rank {} stopped earlier{}, or one of them defined what the other did not",
        roles_.rank, counted_steps(own.made(), has_records), rank, theirs, is_earlier ? roles_.rank : rank,
        more ? fmt::format(", where rank {} {}", is_earlier ? rank : roles_.rank, text_of(*more, "goes", "closes"))
             : ""));
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

void StepAgreement::check(const roles::Circle& circle) const {
  if (circle.is_none()) return;
  const staging::StepTimes& steps = processes_.client(roles_.node_rank).steps;
  StepsOfRank own{roles_.rank, steps.made(), started_at_s_, ends_at_s_, {}, files_.value()};
  const auto hash = static_cast<std::int64_t>(all_.value() ^ own.files ^ static_cast<std::uint64_t>(own.made));
  std::vector<std::int64_t> extremes{hash, ~hash};
  transport::maximum(circle, extremes);
  if (extremes[0] == ~extremes[1]) return;
  for (std::int64_t number = std::max<std::int64_t>(1, own.made - staging::StepTimes::kept + 1); number <= own.made;
       ++number)
    own.recent.push_back(*steps.step(number));
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
