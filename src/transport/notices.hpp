// Short notices between writers, of one node or several: where chunks are, what is written, what failed.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "transport/mailbox.hpp"

namespace thalweg::transport {

enum class NoticeKind : std::int32_t {
  file_ready,
  chunk_sizes,  // of a record or, for record -1, of the fixed variables
  record_offsets,
  fixed_offsets,
  record_written,
  file_written,
  news,  // of a node on which somebody waits long, and the answers to it
  failed,
  lost  // a group of servers: its number, code and text
};

struct Notice {
  NoticeKind kind = NoticeKind::failed;
  std::int32_t collection = 0;
  std::int64_t number = 0;            // record or file
  std::vector<std::int64_t> offsets;  // or sizes; record_written: file, record in it, checksums; file_written: these
  std::int32_t code = 0;              // failed
  std::string text;                   // failed
};

class Notices {
 public:
  static constexpr int tag = 1;
  static constexpr int liveness_tag = 3;        // who is here (client/liveness_check.hpp)
  static constexpr int command_tag = 2;         // what servers are told (client/commands.hpp)
  static constexpr int command_window = 64;     // of that a server may be behind, or a little more
  static constexpr int first_channel_tag = 16;  // tags of pieces begin here

  explicit Notices(MPI_Comm comm) : Notices(std::make_unique<Mailbox>(comm, tag)) {}
  explicit Notices(std::unique_ptr<Messenger> messenger) : messenger_(std::move(messenger)) {}
  void send(int rank, const Notice& notice);
  std::optional<Notice> receive();
  bool is_idle() { return messenger_->is_idle(); }  // all sent ones have left
  Messenger& messenger() { return *messenger_; }

 private:
  std::unique_ptr<Messenger> messenger_;
};

}  // namespace thalweg::transport
