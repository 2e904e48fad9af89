#include "formats/netcdf4/hdf5_driver.hpp"

#include "formats/netcdf4/hdf5_library.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "formats/netcdf4/hdf5_driver_class.hpp"
#include "formats/netcdf4/superblock.hpp"

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

namespace thalweg::formats::netcdf4 {
HeldFile::Kind HeldFile::kind_of(int type) {
  if (type == H5FD_MEM_DRAW) return Kind::raw;
  return type == H5FD_MEM_OHDR ? Kind::object_header : Kind::other;
}

// The driver is registered anew for each file and lives as long as the file: there is nothing to keep in step with a
// model that closes the HDF5 library itself.
void HeldFile::use_in(std::int64_t access) {
  driver_ = DriverClass<HeldFile>::use_in(access, this, "thalweg", file_.path());
}

void HeldFile::release_driver() {
  if (const hid_t id = std::exchange(driver_, -1); id >= 0) H5FDunregister(id);
}

void HeldFile::seal(std::int64_t records) {
  move_divided();
  nodes_.note(open_);
  forget_applied();
  file_.reach(allocated_);  // HDF5 opens no file that is shorter than it says
  sealed_.push_back({records, allocated_, std::exchange(open_, {}), nullptr});
}

// Behind all that HDF5 has allocated, which goes on behind that.
void HeldFile::move_divided() {
  const std::int64_t bytes = nodes_.bytes_to_move(open_);
  if (bytes == 0) return;
  Superblock superblock{};
  read_all(0, superblock);
  if (!is_superblock(superblock)) return;  // of another version: what it says of the length cannot be changed
  const std::vector<DividedNodes::Node> beside = nodes_.move(open_, allocated_);
  allocated_ += bytes;
  set_file_bytes(superblock, allocated_);
  write(Kind::other, 0, superblock);
  for (const DividedNodes::Node& of : beside) {
    std::vector<std::byte> node(static_cast<std::size_t>(of.bytes));
    read_all(of.offset, node);
    write(Kind::other, of.offset, node);
  }
}

block::Transaction HeldFile::take(std::int64_t records) {
  block::Transaction transaction{
      .records = records, .journaled = true, .applied = std::make_shared<std::atomic<bool>>(false)};
  const auto begin = std::ranges::find(sealed_, nullptr, &Change::applied);
  const auto end = std::find_if(begin, sealed_.end(), [&](const Change& change) { return change.records > records; });
  if (begin == end) return transaction;
  Change& change = *begin;  // the later ones are laid over it
  for (auto later = std::next(begin); later != end; ++later) {
    change.writes.write(later->writes);
    change.file_bytes = later->file_bytes;
  }
  change.applied = transaction.applied;
  taken_bytes_ = change.file_bytes;
  transaction.writes = in_order(change);
  sealed_.erase(std::next(begin), end);
  return transaction;
}

std::vector<block::MetadataWrite> HeldFile::in_order(const Change& change) {
  const auto is_new = [&](std::int64_t offset) { return offset >= header_bytes_ && !placed_.contains(offset); };
  const auto is_there = std::not_fn(is_new);
  std::vector<block::MetadataWrite> writes = change.writes.joined(WriteOrder::first, is_new);
  std::ranges::move(change.writes.joined(WriteOrder::last, is_new), std::back_inserter(writes));
  std::ranges::move(change.writes.joined(WriteOrder::first, is_there), std::back_inserter(writes));
  std::ranges::move(as_one(change.writes.joined(WriteOrder::last, is_there), change), std::back_inserter(writes));
  std::as_const(change.writes).each([&](std::int64_t offset, auto) { placed_.insert(offset); });
  return writes;
}

// If no raw data, which others write meanwhile, can lie between the object headers of a change.
std::vector<block::MetadataWrite> HeldFile::as_one(std::vector<block::MetadataWrite> headers, const Change& of) const {
  constexpr std::int64_t most_bytes = 65536;
  if (headers.size() < 2) return headers;
  block::MetadataWrite all{headers.front().offset, {}};
  const std::int64_t end = headers.back().end();
  if (end > header_bytes_ || end - all.offset > most_bytes) return headers;
  all.bytes.resize(static_cast<std::size_t>(end - all.offset));
  if (storage::read_all(file_.descriptor(), file_.path(), all.offset, all.bytes) != std::ssize(all.bytes))
    return headers;
  cover(of, all.offset, all.bytes);
  return {std::move(all)};
}

std::int64_t HeldFile::offset_written(const std::function<void()>& action) {
  raw_offset_ = -1;
  try {
    action();
  } catch (...) {
    raw_offset_.reset();
    throw;
  }
  return *std::exchange(raw_offset_, std::nullopt);
}

void HeldFile::write(Kind kind, std::int64_t offset, std::span<const std::byte> bytes) {
  if (kind == Kind::raw) header_bytes_ = std::min(header_bytes_, offset);
  if (kind == Kind::raw && raw_offset_)
    raw_offset_ = offset;
  else
    open_.write(nodes_.place(offset), bytes, kind == Kind::object_header ? WriteOrder::last : WriteOrder::first);
}

bool HeldFile::read(std::int64_t offset, std::span<std::byte> bytes) {
  try {
    read_all(offset, bytes);
    return true;
  } catch (const Error& error) {
    fault_ = error.what();
    return false;
  }
}

void HeldFile::read_all(std::int64_t offset, std::span<std::byte> bytes) {
  const std::int64_t place = nodes_.place(offset);
  forget_applied();  // before reading: a change that is applied from here on is still laid over what is read
  const std::int64_t got = storage::read_all(file_.descriptor(), file_.path(), place, bytes);
  std::ranges::fill(bytes.subspan(static_cast<std::size_t>(got)), std::byte{0});
  if (!sealed_.empty()) cover(sealed_.back(), place, bytes);
  open_.cover(place, bytes);
  nodes_.translate_back(bytes);
}

void HeldFile::cover(const Change& last, std::int64_t offset, std::span<std::byte> bytes) const {
  for (const Change& change : sealed_) {
    change.writes.cover(offset, bytes);
    if (&change == &last) return;
  }
}

// Changes are applied in order, hence forgotten in order.
void HeldFile::forget_applied() {
  while (!sealed_.empty() && sealed_.front().applied && sealed_.front().applied->load(std::memory_order_acquire))
    sealed_.pop_front();
}

}  // namespace thalweg::formats::netcdf4
