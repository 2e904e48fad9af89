#include "transport/mailbox.hpp"

#include "roles/counts.hpp"

namespace thalweg::transport {

void Mailbox::send(int rank, Bytes bytes) {
  const int count = roles::count_of(std::ssize(bytes), "bytes");
  Message& sent = sent_.emplace_back(Message{rank, std::move(bytes), MPI_REQUEST_NULL});
  MPI_Isend(sent.bytes.data(), count, MPI_BYTE, rank, tag_, comm_, &sent.request);
  if (forgotten_.contains(rank)) forget(rank);
}

// The library may put what is under way where it belongs as long as MPI lives, so that stays.
Mailbox::~Mailbox() {
  if (!coming_.empty()) new std::list<Message>(std::move(coming_));
}

// The library may look for what has arrived after it has answered (Open MPI does), so nothing is there only when it was
// asked twice.
void Mailbox::accept_all() {
  for (int empty_looks = 0; empty_looks < 2;) {
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
    return bytes;
  }
  return std::nullopt;
}

// The library may look at the bytes as long as MPI lives, so they stay.
void Mailbox::forget(int rank) {
  forgotten_.insert(rank);
  is_idle();  // lets go of those that have left
  for (auto sent = sent_.begin(); sent != sent_.end();) {
    const auto next = std::next(sent);
    if (sent->rank == rank) {
      auto* left = new std::list<Message>();
      left->splice(left->end(), sent_, sent);
    }
    sent = next;
  }
}

int Mailbox::late_receiver() {
  return is_idle() ? -1 : sent_.front().rank;
}

bool Mailbox::is_idle() {
  sent_.remove_if([](Message& sent) {
    int finished = 0;
    MPI_Test(&sent.request, &finished, MPI_STATUS_IGNORE);
    return finished != 0;
  });
  return sent_.empty();
}

}  // namespace thalweg::transport
