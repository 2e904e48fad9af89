#include "transport/channel.hpp"

#include "base/error.hpp"
#include "roles/counted_call.hpp"
#include "roles/counts.hpp"

namespace thalweg::transport {
namespace {

// Counted in 8-byte words, so that a message may have up to 16 GiB.
int words(std::int64_t bytes) {
  return roles::count_of(bytes / 8, "words of 8 bytes of a piece of a field");
}

}  // namespace

void check_message(std::int64_t bytes, const std::string& collection) {
  try {
    words(bytes);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("collection '{}': {}", collection, error.what()));
  }
}

SendChannel::SendChannel(MPI_Comm comm, int peer, int tag, std::byte* memory, std::int64_t bytes)
    : comm_(comm), peer_(peer), tag_(tag), memory_(memory), bytes_(bytes) {
  requests_.fill(MPI_REQUEST_NULL);
}

bool SendChannel::is_free(std::int64_t record) {
  int finished = 0;
  MPI_Test(&requests_[static_cast<std::size_t>(record % channel_buffers)], &finished, MPI_STATUS_IGNORE);
  return finished != 0;
}

void SendChannel::send(std::int64_t turn, const std::byte* data, std::int64_t bytes) {
  roles::send_counted(MPI_Issend, data, words(bytes), MPI_INT64_T, peer_, tag_, comm_,
                      &requests_[static_cast<std::size_t>(turn % channel_buffers)]);
}

bool SendChannel::is_idle() {
  int finished = 0;
  MPI_Testall(channel_buffers, requests_.data(), &finished, MPI_STATUSES_IGNORE);
  return finished != 0;
}

ReceiveChannel::ReceiveChannel(Arrivals& arrivals, int owner, MPI_Comm comm, int peer, int tag, std::byte* memory,
                               std::int64_t bytes)
    : arrivals_(&arrivals), comm_(comm), peer_(peer), tag_(tag), memory_(memory), bytes_(bytes) {
  for (std::size_t& receive : receives_) receive = arrivals.add(owner);
  for (std::int64_t record = 0; record < channel_buffers; ++record) post(record);
}

void ReceiveChannel::post(std::int64_t record) {
  const std::int64_t buffer = record % channel_buffers;
  MPI_Irecv(memory_ + buffer * bytes_, words(bytes_), MPI_INT64_T, peer_, tag_, comm_,
            &arrivals_->post(receives_[static_cast<std::size_t>(buffer)]));
}

const std::byte* ReceiveChannel::arrived() const {
  const std::int64_t buffer = next_record_ % channel_buffers;
  return arrivals_->is_in(receives_[static_cast<std::size_t>(buffer)]) ? memory_ + buffer * bytes_ : nullptr;
}

bool ReceiveChannel::is_nothing() const {
  return arrivals_->is_empty(receives_[static_cast<std::size_t>(next_record_ % channel_buffers)]);
}

void ReceiveChannel::take_next() {
  post(next_record_ + channel_buffers);
  ++next_record_;
}

}  // namespace thalweg::transport
