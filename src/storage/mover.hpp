// The mover: the one place that writes field data to storage. pwrite, O_DIRECT where memory and file agree modulo
// page_bytes, partial pages at both ends through the page cache, automatic fall-back. No format, no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "profile/counters.hpp"
#include "storage/file_identity.hpp"
#include "storage/posix.hpp"

namespace thalweg::storage {

struct DataRun {
  std::int64_t offset = 0;  // in the file
  const std::byte* data = nullptr;
  std::int64_t bytes = 0;
};

// Counts that nobody adds to those of a writer: of headers, whose time is that of a commit. In a time line they have
// names of their own.
profile::StorageCounters counts_of_headers();

// An existing file opened for writing by one thread. Errors are STORAGE and name path, offset, bytes and the cause.
class Mover {
 public:
  Mover(std::string path, config::DirectIo direct, const profile::StorageCounters& counts = {});
  ~Mover();
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;

  // Writes all runs; returns when the kernel has them (buffered part) or the device has (direct part). Runs that are
  // adjacent in the file are merged, also if they are apart in memory. The order in `runs` is free, and is changed.
  void write(std::span<DataRun> runs);
  void write_bytes(std::int64_t offset, std::span<const std::byte> bytes);  // small, buffered
  void resize(std::int64_t bytes);
  void sync();   // fdatasync: what was written is on stable storage
  void close();  // nothing is written any more; without it a fault that only closing tells of is dropped
  const std::string& path() const { return path_; }
  const block::FileIdentity& identity() const { return identity_; }
  const profile::StorageCounters& counts() const { return counts_; }
  // Why direct writes are off, "" if they are on.
  const std::string& fallback_reason() const { return fallback_reason_; }

 private:
  void give_up_direct(int error);
  void write_one(const DataRun& run, std::vector<DataRun>& waiting);
  std::int64_t write_direct(const DataRun& run);
  void write_buffered(std::vector<DataRun>& adjacent);

  std::string path_;
  config::DirectIo mode_;
  Descriptor buffered_;
  block::FileIdentity identity_;
  Descriptor direct_;
  std::string fallback_reason_;
  profile::StorageCounters counts_;
};

}  // namespace thalweg::storage
