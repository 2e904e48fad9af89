#include "roles/missing_ranks.hpp"

#include <algorithm>

#include "roles/counted_call.hpp"
#include "roles/left_communicators.hpp"

namespace thalweg::roles {
namespace {

// On the communicator of the program a message is sent only when a deadline is over.
constexpr int missing_tag = 7003;

constexpr int possible_callers = 2;

}  // namespace

MissingRanks::MissingRanks(MPI_Comm comm, std::int64_t step, double deadline_s,
                           const std::function<std::string()>& call)
    : comm_(comm), step_(step), call_(call), patience_s_(std::clamp(deadline_s * 0.25, 0.25, 2.0)) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

// The library may look at what it was given as long as MPI lives, so what has not left stays.
MissingRanks::~MissingRanks() {
  sent_.remove_if([](Sent& sent) {
    int finished = 0;
    MPI_Test(&sent.request, &finished, MPI_STATUS_IGNORE);
    return finished != 0;
  });
  if (!sent_.empty()) leave_memory(std::make_shared<std::list<Sent>>(std::move(sent_)));
}

void MissingRanks::send(int rank, const Message& message) {
  Sent& sent = sent_.emplace_back(Sent{message});
  send_counted(MPI_Isend, &sent.message, static_cast<int>(sizeof sent.message), MPI_BYTE, rank, missing_tag, comm_,
               &sent.request);
}

void MissingRanks::call(double now_s) {
  if (called_s_ || asked_s_) return;
  if (rank_ == 0)
    begin_to_call(now_s);
  else
    ask_next(now_s);
}

void MissingRanks::ask_next(double now_s) {
  if (asked_ == rank_) return begin_to_call(now_s);
  asked_s_ = now_s;
  send(asked_++, {Kind::ask, step_});
}

void MissingRanks::begin_to_call(double now_s) {
  if (called_s_) return;
  called_s_ = now_s;
  here_[rank_] = step_;
  for (int rank = 0; rank < size_; ++rank)
    if (rank != rank_) send(rank, {Kind::call, step_});
}

std::optional<Verdict> MissingRanks::look(double now_s) {
  for (;;) {
    int arrived = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, missing_tag, comm_, &arrived, &status);
    if (arrived == 0) break;
    Message message;
    MPI_Recv(&message, sizeof message, MPI_BYTE, status.MPI_SOURCE, missing_tag, comm_, MPI_STATUS_IGNORE);
    if (const auto verdict = take(status.MPI_SOURCE, message, now_s)) return verdict;
  }
  if (called_s_ && (std::ssize(here_) == size_ || now_s - *called_s_ > patience_s_)) return conclude();
  // Who is asked calls, and waits for answers, before it says anything.
  if (!called_s_ && asked_s_ && now_s - *asked_s_ > 2 * patience_s_) {
    if (asked_ >= std::min(possible_callers, size_)) return verdict_on_callers();
    ask_next(now_s);
  }
  return std::nullopt;
}

std::optional<Verdict> MissingRanks::take(int from, const Message& message, double now_s) {
  switch (message.kind) {
    case Kind::ask: begin_to_call(now_s); break;
    case Kind::call: send(from, {Kind::here, step_}); break;
    case Kind::here: here_[from] = message.step; break;
    case Kind::verdict: {
      Verdict verdict{from, message.missing_count, {}, message.call.data()};
      for (int i = 0; i < std::min<std::int64_t>(most_named, message.missing_count); ++i)
        verdict.missing.push_back(static_cast<int>(message.missing[static_cast<std::size_t>(i)]));
      return verdict;
    }
  }
  return std::nullopt;
}

// Who is behind, but answers, waits in another step itself, and is named only where nobody else is to blame.
std::optional<Verdict> MissingRanks::conclude() {
  std::vector<int> missing;
  for (int rank = 0; rank < size_; ++rank)
    if (!here_.contains(rank)) missing.push_back(rank);
  for (const auto& [rank, step] : here_)
    if (std::ssize(here_) == size_ && step < step_) missing.push_back(rank);
  const auto count = std::ssize(missing);
  missing.resize(std::min<std::size_t>(missing.size(), most_named));
  const Verdict verdict{rank_, count, std::move(missing), call_()};
  tell(verdict);
  return verdict;
}

// Also to those who are missing: when they come, nobody waits for them any more.
void MissingRanks::tell(const Verdict& verdict) {
  Message message{Kind::verdict, step_, verdict.missing_count};
  std::ranges::copy(verdict.missing, message.missing.begin());
  verdict.call.copy(message.call.data(), most_letters - 1);
  for (int rank = 0; rank < size_; ++rank)
    if (rank != rank_) send(rank, message);
}

// Neither of them answers, so nobody knows of the others.
Verdict MissingRanks::verdict_on_callers() const {
  Verdict verdict{rank_, asked_, {}, call_()};
  for (int rank = 0; rank < asked_; ++rank) verdict.missing.push_back(rank);
  return verdict;
}

}  // namespace thalweg::roles
