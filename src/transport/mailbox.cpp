#include "transport/mailbox.hpp"

#include <algorithm>
#include <memory>

#include "roles/counted_call.hpp"
#include "roles/counts.hpp"
#include "roles/left_communicators.hpp"

namespace thalweg::transport {

void Mailbox::send(int rank, Bytes bytes) {
  const int count = roles::count_of(std::ssize(bytes), "bytes");
  ++surplus_;
  Message& sent = sent_.emplace_back(Message{rank, std::move(bytes), MPI_REQUEST_NULL, is_next_checked(rank)});
  const auto send_it = sent.is_checked ? MPI_Issend : MPI_Isend;
  roles::send_counted(send_it, sent.bytes.data(), count, MPI_BYTE, rank, tag_, comm_, &sent.request);
  if (forgotten_.contains(rank)) forget(rank);
}

// Whoever sends to a full one all the same is not held up, and the window begins behind the checked one that is under
// way.
bool Mailbox::is_next_checked(int rank) {
  if (window_ == 0 || forgotten_.contains(rank)) return false;
  Window& window = windows_[rank];
  if (++window.sent < window_ || window.has_checked) return false;
  window = {0, true};
  return true;
}

int Mailbox::full_receiver() {
  const auto is_full = [this](const auto& of) { return of.second.is_full(window_); };
  if (std::ranges::none_of(windows_, is_full)) return -1;
  is_idle();  // learns which have left
  const auto found = std::ranges::find_if(windows_, is_full);
  return found == windows_.end() ? -1 : found->first;
}

// The library may put what is under way where it belongs as long as MPI lives, so that stays.
Mailbox::~Mailbox() {
  if (!coming_.empty()) roles::leave_memory(std::make_shared<std::list<Message>>(std::move(coming_)));
}

// The library may look for what has arrived after it has answered (Open MPI does), so nothing is there only when it was
// asked twice. With a window the rest stays with the library, so that senders notice.
void Mailbox::accept_all() {
  for (int empty_looks = 0; empty_looks < 2 && (window_ == 0 || std::ssize(coming_) < window_);) {
    int arrived = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm_, &arrived, &status);
    if (arrived == 0) {
      ++empty_looks;
      continue;
    }
    empty_looks = 0;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Message& message = coming_.emplace_back(Message{status.MPI_SOURCE, Bytes(static_cast<std::size_t>(size))});
    MPI_Irecv(message.bytes.data(), size, MPI_BYTE, message.rank, tag_, comm_, &message.request);
  }
}

// The first that is in, but none before another one from the same rank.
std::optional<Bytes> Mailbox::receive() {
  accept_all();
  std::set<int> not_in;
  for (auto message = coming_.begin(); message != coming_.end(); ++message) {
    if (not_in.contains(message->rank)) continue;
    int finished = 0;
    MPI_Test(&message->request, &finished, MPI_STATUS_IGNORE);
    if (finished == 0) {
      not_in.insert(message->rank);
      continue;
    }
    Bytes bytes = std::move(message->bytes);
    coming_.erase(message);
    --surplus_;
    return bytes;
  }
  return std::nullopt;
}

// The library may look at the bytes as long as MPI lives, so they stay.
void Mailbox::forget(int rank) {
  forgotten_.insert(rank);
  windows_.erase(rank);
  is_idle();  // lets go of those that have left
  for (auto sent = sent_.begin(); sent != sent_.end();) {
    const auto next = std::next(sent);
    if (sent->rank == rank) {
      const auto left = std::make_shared<std::list<Message>>();
      left->splice(left->end(), sent_, sent);
      roles::leave_memory(left);
    }
    sent = next;
  }
}

int Mailbox::late_receiver() {
  return is_idle() ? -1 : sent_.front().rank;
}

bool Mailbox::is_idle() {
  sent_.remove_if([this](Message& sent) {
    int finished = 0;
    MPI_Test(&sent.request, &finished, MPI_STATUS_IGNORE);
    if (finished != 0 && sent.is_checked) windows_[sent.rank].has_checked = false;
    return finished != 0;
  });
  return sent_.empty();
}

}  // namespace thalweg::transport
