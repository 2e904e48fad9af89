#include "storage/mover.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/seconds.hpp"
#include "base/system_call.hpp"
#include "block/block_map.hpp"
#include "storage/storage_calls.hpp"

namespace thalweg::storage {
namespace {

// Pieces of 4 to 32 MiB were measured to be equally fast on ext4; the largest takes the least processor time.
constexpr std::int64_t direct_piece_bytes = std::int64_t{32} << 20;

std::int64_t round_up(std::int64_t value) {
  return (value + block::page_bytes - 1) / block::page_bytes * block::page_bytes;
}
std::int64_t round_down(std::int64_t value) {
  return value / block::page_bytes * block::page_bytes;
}

bool continues(const DataRun& run, const DataRun& next) {
  return run.offset + run.bytes == next.offset;
}

// Joins runs (sorted by offset) that are adjacent in file and in memory; the joined ones are the first of the span.
std::span<DataRun> join(std::span<DataRun> runs) {
  std::size_t count = 0;
  for (const DataRun& run : runs) {
    if (run.bytes == 0) continue;
    if (count > 0 && continues(runs[count - 1], run) && runs[count - 1].data + runs[count - 1].bytes == run.data)
      runs[count - 1].bytes += run.bytes;
    else
      runs[count++] = run;
  }
  return runs.first(count);
}

DataRun part_of(const DataRun& run, std::int64_t begin, std::int64_t end) {
  return {begin, run.data + (begin - run.offset), end - begin};
}

// The whole pages of a run that can go past the page cache; no bytes if it is not worth while or memory does not agree.
DataRun direct_part(const DataRun& run) {
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(run.data));
  const std::int64_t begin = round_up(run.offset);
  const std::int64_t end = round_down(run.offset + run.bytes);
  const bool agrees = (address - run.offset) % block::page_bytes == 0;
  if (!agrees || end - begin < block::direct_run_bytes) return part_of(run, run.offset, run.offset);
  return part_of(run, begin, end);
}

}  // namespace

profile::StorageCounters counts_of_headers() {
  profile::StorageCounters counts;
  counts.write_s = Seconds("write_header");
  counts.sync_s = Seconds("sync_header");
  return counts;
}

Mover::Mover(std::string path, config::DirectIo direct, const profile::StorageCounters& counts)
    : path_(std::move(path)),
      mode_(direct),
      buffered_(open_file(path_, O_WRONLY)),
      identity_(identity_of(buffered_, path_)),
      counts_(counts) {
  if (mode_ == config::DirectIo::off) {
    fallback_reason_ = "direct-io is off";
    return;
  }
  direct_ = Descriptor(uninterrupted([&] { return ::open(path_.c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC); }));
  if (!direct_) give_up_direct(errno);
}

Mover::~Mover() = default;

// From now on this file is written through the page cache, unless the user insists on direct writes.
void Mover::give_up_direct(int error) {
  if (mode_ == config::DirectIo::on)
    fail(THALWEG_ERROR_STORAGE,
         "the file system of '{}' refuses direct writes (O_DIRECT): {}; set direct-io: auto, or write to another file "
         "system",
         path_, std::strerror(error));
  fallback_reason_ = fmt::format("O_DIRECT refused: {}", std::strerror(error));
  direct_.close();
  log::debug("'{}' is written through the page cache: {}", path_, fallback_reason_);
}

void Mover::write(std::span<DataRun> runs) {
  const Timer timer(counts_.write_s);
  std::ranges::sort(runs, {}, &DataRun::offset);
  std::vector<DataRun> waiting;  // buffered parts, adjacent in the file
  for (const DataRun& run : join(runs)) write_one(run, waiting);
  write_buffered(waiting);
}

void Mover::write_one(const DataRun& run, std::vector<DataRun>& waiting) {
  const DataRun direct = direct_ ? direct_part(run) : part_of(run, run.offset, run.offset);
  const std::int64_t end = run.offset + run.bytes;
  if (!waiting.empty() && !continues(waiting.back(), run)) write_buffered(waiting);
  if (direct.bytes == 0) {
    waiting.push_back(run);
    return;
  }
  if (direct.offset > run.offset) waiting.push_back(part_of(run, run.offset, direct.offset));
  write_buffered(waiting);
  const std::int64_t written = write_direct(direct);
  if (direct.offset + written < end) waiting.push_back(part_of(run, direct.offset + written, end));
}

// Writes past the page cache and returns how many bytes: fewer if the file system turns out to refuse it, or if a short
// write has left the grid of pages.
std::int64_t Mover::write_direct(const DataRun& run) {
  std::int64_t done = 0;
  while (done < run.bytes && done % block::page_bytes == 0) {
    const std::int64_t piece = std::min(direct_piece_bytes, run.bytes - done);
    storage_call_begins();
    const ssize_t written = uninterrupted([&] {
      ++counts_.write_calls;
      return ::pwrite(direct_.get(), run.data + done, static_cast<std::size_t>(piece), run.offset + done);
    });
    if (written > 0) {
      done += written;
    } else if (written < 0 && errno == EINVAL) {
      give_up_direct(EINVAL);
      break;
    } else {
      fail_storage(fmt::format("write {} bytes at offset {} of '{}'", piece, run.offset + done, path_),
                   written < 0 ? errno : EIO);
    }
  }
  counts_.direct_bytes += done;
  return done;
}

// Writes runs that are adjacent in the file, and forgets them.
void Mover::write_buffered(std::vector<DataRun>& adjacent) {
  if (adjacent.empty()) return;
  std::vector<iovec> parts;
  parts.reserve(adjacent.size());
  for (const DataRun& run : adjacent) {
    parts.push_back({const_cast<std::byte*>(run.data), static_cast<std::size_t>(run.bytes)});
    counts_.buffered_bytes += run.bytes;
  }
  counts_.write_calls += write_all(buffered_, path_, adjacent.front().offset, parts);
  adjacent.clear();
}

void Mover::write_bytes(std::int64_t offset, std::span<const std::byte> bytes) {
  const Timer timer(counts_.write_s);
  std::vector<DataRun> run{{offset, bytes.data(), static_cast<std::int64_t>(bytes.size())}};
  write_buffered(run);
}

void Mover::resize(std::int64_t bytes) {
  resize_file(buffered_, path_, bytes);
}

void Mover::sync() {
  const Timer timer(counts_.sync_s);
  sync_data(buffered_, path_);
  ++counts_.syncs;
}

void Mover::close() {
  direct_.close(path_);
  buffered_.close(path_);
}

}  // namespace thalweg::storage
