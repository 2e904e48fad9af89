#include "transport/mailbox.hpp"

namespace thalweg::transport {

void Mailbox::send(int rank, Bytes bytes) {
  Sent& sent = sent_.emplace_back(Sent{rank, std::move(bytes), MPI_REQUEST_NULL});
  MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE, rank, tag_, comm_, &sent.request);
  if (forgotten_.contains(rank)) forget(rank);
}

std::optional<Bytes> Mailbox::receive() {
  int arrived = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm_, &arrived, &status);
  if (arrived == 0) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Bytes bytes(static_cast<std::size_t>(size));
  MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, tag_, comm_, MPI_STATUS_IGNORE);
  return bytes;
}

// The library may look at the bytes as long as MPI lives, so they stay.
void Mailbox::forget(int rank) {
  forgotten_.insert(rank);
  is_idle();  // lets go of those that have left
  for (auto sent = sent_.begin(); sent != sent_.end();) {
    const auto next = std::next(sent);
    if (sent->rank == rank) {
      auto* left = new std::list<Sent>();
      left->splice(left->end(), sent_, sent);
    }
    sent = next;
  }
}

int Mailbox::late_receiver() {
  return is_idle() ? -1 : sent_.front().rank;
}

bool Mailbox::is_idle() {
  sent_.remove_if([](Sent& sent) {
    int finished = 0;
    MPI_Test(&sent.request, &finished, MPI_STATUS_IGNORE);
    return finished != 0;
  });
  return sent_.empty();
}

}  // namespace thalweg::transport
