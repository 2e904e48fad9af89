// An HDF5 virtual file driver that never writes to the file.
//
// HDF5 rewrites its metadata in place and in an order of its own, so that a process killed at the wrong moment leaves a
// file nobody can open. Here its writes stay in memory: seal() closes them up as the change that leads to a number of
// records, take() hands such changes out as a transaction, and whoever writes field data applies it, by way of the
// journal, when those data are written. HDF5 may meanwhile go ahead by any number of records: it reads the file as if
// all its writes were there.
//
// The writes of a transaction have an order for those who open the growing file with plain HDF5, or what a kill has
// left of it: nothing points to what is not there yet. First comes what has a place for the first time, nodes of the
// indices of chunks above all; then what is changed where it is, by which nothing is lost that was there; last the
// object headers, which have the extents by which readers find records. These are one write where that is possible.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "formats/format_file.hpp"
#include "formats/netcdf4/divided_nodes.hpp"
#include "formats/netcdf4/write_overlay.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::netcdf4 {

// The file below one HDF5 file handle. Outlives the handle.
class HeldFile {
 public:
  // The file has a header, of object headers and other metadata alone.
  explicit HeldFile(const std::string& path)
      : file_(path), end_(file_.bytes()), taken_bytes_(end_), header_bytes_(end_) {}

  ~HeldFile() { release_driver(); }  // where HDF5 has never opened the file
  HeldFile(const HeldFile&) = delete;
  HeldFile& operator=(const HeldFile&) = delete;

  // Makes HDF5 open its file through this object; `access` is the id of an HDF5 file access property list.
  void use_in(std::int64_t access);

  // What HDF5 has written since the last seal is what leads to that many records. Makes the file long enough for them.
  void seal(std::int64_t records);

  // All sealed changes up to that many records; taken_bytes(): the length of the file that goes with what was taken.
  block::Transaction take(std::int64_t records);
  std::int64_t taken_bytes() const { return taken_bytes_; }

  // Offset of the one write of raw data that HDF5 makes in `action`; its bytes are not looked at. -1: it made none.
  std::int64_t offset_written(const std::function<void()>& action);

  // Why the last request of HDF5 failed, "" if none did.
  const std::string& fault() const { return fault_; }

  // Requests of HDF5.
  bool opened() const { return true; }
  void closed() { release_driver(); }
  bool read(std::int64_t offset, std::span<std::byte> bytes);
  enum class Kind { raw, object_header, other };
  static Kind kind_of(int type);
  void write(Kind kind, std::int64_t offset, std::span<const std::byte> bytes);
  std::int64_t allocated() const { return allocated_; }
  void allocate(std::int64_t bytes) { allocated_ = bytes; }
  std::int64_t end() const { return end_; }
  void truncate() { end_ = allocated_; }

 private:
  void release_driver();
  void move_divided();
  void read_all(std::int64_t offset, std::span<std::byte> bytes);  // Errors: STORAGE
  struct Change {
    std::int64_t records = 0;
    std::int64_t file_bytes = 0;
    WriteOverlay writes;
    std::shared_ptr<std::atomic<bool>> applied;  // nullptr: still here
  };

  void forget_applied();  // lets go of changes that are in the file by now
  void cover(const Change& last, std::int64_t offset, std::span<std::byte> bytes) const;  // changes up to that one
  std::vector<block::MetadataWrite> in_order(const Change& change);
  std::vector<block::MetadataWrite> as_one(std::vector<block::MetadataWrite> headers, const Change& of) const;

  storage::GrowingFile file_;
  std::int64_t driver_ = -1;    // id of HDF5
  std::int64_t end_;            // of the file, as HDF5 knows it
  std::int64_t allocated_ = 0;  // end of what HDF5 has allocated
  WriteOverlay open_;           // written since the last seal
  DividedNodes nodes_;
  std::deque<Change> sealed_;  // oldest first: handed out and not yet applied, then still here
  std::int64_t taken_bytes_;
  std::int64_t header_bytes_;               // raw data lie behind them
  std::set<std::int64_t> placed_;           // offsets of metadata behind the header that were handed out
  std::optional<std::int64_t> raw_offset_;  // of raw data that are not to be kept, only placed
  std::string fault_;
};

}  // namespace thalweg::formats::netcdf4
