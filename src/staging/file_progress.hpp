// How far a writer has come with the files of a collection, and what it has met: for those of its node who wait for
// them. It lies in shared memory; lock-free.
//
// Files follow each other, and so do their moments, so words of the leading ones say how far each file is: the schedule
// of the records (files/record_schedule.hpp) has its first and its last moment. A moment that is counted is written by
// this writer and, where it owns the files, committed; a file that is counted is finished and, where it owns them, has
// its name. What other writers have done is known to the one that owns the files, so nobody on another node learns from
// these words whether a record is committed.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "thalweg_values.h"

namespace thalweg::staging {

struct FileError {
  std::int32_t file = 0;  // its number, from 0
  thalweg_status code = THALWEG_OK;
};

class FileProgress {
 public:
  // ---- by the writer
  void note_moments(std::int64_t leading) { moments_.store(leading, std::memory_order_release); }
  void note_file() { files_.fetch_add(1, std::memory_order_release); }
  // Also by the rank that has the file made. The first one counts: behind it this writer does nothing more.
  void note_error(std::int64_t file, thalweg_status code) {
    FileError none;
    error_.compare_exchange_strong(none, {static_cast<std::int32_t>(file), code}, std::memory_order_acq_rel);
  }

  // ---- by all
  std::int64_t moments() const { return moments_.load(std::memory_order_acquire); }
  std::int64_t files() const { return files_.load(std::memory_order_acquire); }
  std::optional<FileError> error() const {
    const FileError error = error_.load(std::memory_order_acquire);
    return error.code == THALWEG_OK ? std::nullopt : std::optional(error);
  }

 private:
  std::atomic<std::int64_t> moments_{0};
  std::atomic<std::int64_t> files_{0};
  std::atomic<FileError> error_{FileError{}};
  static_assert(std::atomic<FileError>::is_always_lock_free);
};

}  // namespace thalweg::staging
