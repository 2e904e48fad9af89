// Pieces between nodes. A channel carries one variable's pieces from one rank to another, one message a record (of a
// fixed variable one for all files, until they are put anew), with two buffers on each side in the node's staging
// memory. Sends are synchronous (MPI_Issend): a buffer is free when the receiver has taken the message into one of its
// own, so neither side can be flooded.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/types.hpp"
#include "transport/arrivals.hpp"

namespace thalweg::transport {

// Ranks among which a channel is, for who has it made and does not know MPI.
using Communicator = MPI_Comm;

constexpr int channel_buffers = 2;

// Bytes of a message, as channels count them.
constexpr std::int64_t message_bytes(std::int64_t cells, Type type) {
  return (cells * static_cast<std::int64_t>(size_of(type)) + 7) / 8 * 8;
}

// Throws SHAPE, naming the collection, for a message that MPI cannot count.
void check_message(std::int64_t bytes, const std::string& collection);

class SendChannel {
 public:
  // memory: channel_buffers × bytes, bytes a multiple of 8.
  SendChannel(MPI_Comm comm, int peer, int tag, std::byte* memory, std::int64_t bytes);

  bool is_free(std::int64_t record);  // the buffer of this record
  std::byte* buffer(std::int64_t record) const { return memory_ + (record % channel_buffers) * bytes_; }
  void send(std::int64_t record) { send(record, buffer(record), bytes_); }
  // Instead, where messages are of no record: what is in the first buffer, or nothing. turn: of the message.
  void send_first_buffer(std::int64_t turn) { send(turn, memory_, bytes_); }
  void send_nothing(std::int64_t turn) { send(turn, memory_, 0); }
  bool is_idle();
  int peer() const { return peer_; }

 private:
  void send(std::int64_t turn, const std::byte* data, std::int64_t bytes);

  MPI_Comm comm_;
  int peer_;
  int tag_;
  std::byte* memory_;
  std::int64_t bytes_;
  std::array<MPI_Request, channel_buffers> requests_;
};

class ReceiveChannel {
 public:
  // arrivals outlives it, and knows it by the number owner.
  ReceiveChannel(Arrivals& arrivals, int owner, MPI_Comm comm, int peer, int tag, std::byte* memory,
                 std::int64_t bytes);

  // The next message, in order of records, or null if it was not in when the arrivals were looked at.
  const std::byte* arrived() const;
  bool is_nothing() const;  // the one that has arrived
  void take_next();         // the message is copied: its buffer receives again
  std::int64_t next_record() const { return next_record_; }

 private:
  void post(std::int64_t record);

  Arrivals* arrivals_;
  MPI_Comm comm_;
  int peer_;
  int tag_;
  std::byte* memory_;
  std::int64_t bytes_;
  std::int64_t next_record_ = 0;
  std::array<std::size_t, channel_buffers> receives_;  // of each buffer
};

}  // namespace thalweg::transport
