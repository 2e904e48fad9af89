// Short notices between the leaders of nodes: where chunks are, what is written, what failed. Never waited for: they
// are sent and taken whenever the leaders are in a call of Thalweg.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "transport/agreement.hpp"

namespace thalweg::transport {

enum class NoticeKind : std::int32_t {
  file_ready,
  chunk_sizes,  // of a record or, for record -1, of the fixed variables
  record_offsets,
  fixed_offsets,
  record_written,
  file_written,
  failed
};

struct Notice {
  NoticeKind kind = NoticeKind::failed;
  std::int32_t collection = 0;
  std::int64_t number = 0;            // record or file
  std::vector<std::int64_t> offsets;  // or sizes
  std::int32_t code = 0;              // failed
  std::string text;                   // failed
};

class Notices {
 public:
  static constexpr int tag = 1;
  static constexpr int first_channel_tag = 16;  // tags of pieces begin here

  explicit Notices(MPI_Comm comm) : comm_(comm) {}
  void send(int rank, const Notice& notice);
  std::optional<Notice> receive();
  bool is_idle();  // all sent ones have left

 private:
  struct Sent {
    Bytes bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  MPI_Comm comm_;
  std::list<Sent> sent_;
};

}  // namespace thalweg::transport
