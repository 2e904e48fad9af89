// Timers and counters of one rank, client side and writer side. Seconds are monotonic, bytes are of the file's types.
#pragma once

#include <cstdint>
#include <string>

#include "base/seconds.hpp"

namespace thalweg::profile {

struct ClientCounters {
  std::int64_t puts = 0;
  std::int64_t put_bytes = 0;
  std::int64_t skipped_puts = 0;  // not due
  std::int64_t missing_puts = 0;  // filled because the model did not put
  std::int64_t out_of_range = 0;  // values that became infinite in the file's type
  std::int64_t records = 0;
  std::int64_t waits = 0;            // puts that found no free block
  std::int64_t unsent_advances = 0;  // that returned with messages under way
  std::int64_t plans = 0;            // one for each decomposition, layout and node that owns files
  Seconds copy_s{"copy"};
  Seconds wait_block_s{"wait_block"};
  Seconds wait_send_s{"wait_send"};
  Seconds wait_commit_s{"wait_commit"};  // in advance (sync), wait and finish
  Seconds remap_s{"remap"};              // other grids, with waits for other clients
  Seconds metadata_s{"metadata"};        // format library, on ranks that own files
  Seconds ready_s{"ready"};              // plans, memory, files
  Seconds finish_s{"finish"};
  double progress_cpu_s = 0.0;  // processor time of the helper thread that drives MPI
  std::int64_t progress_looks = 0;
};

// Of one file or store, and of all that a writer has written to.
struct StorageCounters {
  std::int64_t direct_bytes = 0;
  std::int64_t buffered_bytes = 0;
  std::int64_t write_calls = 0;
  std::int64_t syncs = 0;
  Seconds write_s{"write"};
  Seconds sync_s{"sync"};

  StorageCounters& operator+=(const StorageCounters& other);
};

struct WriterCounters : StorageCounters {
  std::int64_t blocks = 0;
  std::int64_t records = 0;
  std::int64_t files = 0;
  std::int64_t checksum_files = 0;  // companions of these
  Seconds commit_s{"commit"};
  Seconds fill_s{"fill"};
  Seconds paced_s{"paced"};        // held back by the rate limit
  std::int64_t spilled_bytes = 0;  // to the folder of the node and back
  Seconds spill_s{"spill"};        // of both
  std::int64_t raw_bytes = 0;      // that were encoded
  std::int64_t encoded_bytes = 0;  // and what became of them
  Seconds encode_s{"encode"};      // of all threads that encode

  using StorageCounters::operator+=;
  WriterCounters& operator+=(const WriterCounters& other);
};

// Of what the model reads under one name, on one rank.
struct InputCounters {
  std::string name;                  // as the model opened it
  std::int64_t gets = 0;             // of records; a field by time whose records are there is none
  std::int64_t get_bytes = 0;        // of values that this rank read for them, for itself and others
  Seconds get_s{"get"};              // in these calls
  Seconds wait_read_s{"wait_read"};  // of these, until the storage had given what this rank reads
};

}  // namespace thalweg::profile
