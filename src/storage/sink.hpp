// Where a file's blocks go: into a file, into objects, or to the model's own procedure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "block/commands.hpp"
#include "block/place_in_file.hpp"
#include "block/transaction.hpp"
#include "storage/mover.hpp"
#include "storage/storage_access.hpp"
#include "transform/encode.hpp"

namespace thalweg::storage {

// A block that is written now.
struct BlockToWrite {
  const block::PlannedBlock* block = nullptr;
  std::int64_t number = 0;  // among its writer's blocks with records, or without
  block::PlaceInFile place{};
  const std::byte* data = nullptr;
  const std::vector<transform::EncodedSize>* sizes = nullptr;  // of its chunks; null: they are as they came
  std::uint64_t checksum = 0;                                  // that clients took in their copy

  // The run of this number, as it is written: of an encoded chunk so many of its bytes.
  block::Run run(std::int64_t run_number) const {
    block::Run run = block->map.run(run_number);
    if (sizes != nullptr) run.bytes = (*sizes)[static_cast<std::size_t>(run_number)].bytes;
    return run;
  }
};

// By one thread, in the order of these functions.
class Sink {
 public:
  virtual ~Sink() = default;

  // A batch.
  virtual void write(std::span<const BlockToWrite> blocks) = 0;

  // A block without records that nobody has put yet gets the fill value, if it has a place; its format has it else.
  virtual void fill(const block::PlannedBlock& /*block*/, const block::PlaceInFile& /*place*/) {}

  // Before the file's first `records` records become visible: what is kept in memory of them goes where it belongs.
  virtual void gather(std::int64_t /*records*/) {}

  // All blocks of the record were written.
  virtual void end_record(const block::PlaceInFile& /*place*/) {}

  // What was written is on stable storage.
  virtual void sync() = 0;

  // Makes records visible. Refuses it (STORAGE), if the name stands for another file by now: somebody may have
  // recovered it, who has removed the lock.
  virtual void commit(const block::Transaction& transaction) = 0;

  // Nothing is written any more. Again: nothing.
  virtual void close() = 0;

  virtual block::FileIdentity identity() const = 0;
  virtual const profile::StorageCounters& counts() const = 0;
};

// The sink of a file, which was made under its partial name, if it is one.
std::unique_ptr<Sink> open_sink(const block::FileNames& names, const block::CollectionPlan& plan,
                                StorageAccess& access);

}  // namespace thalweg::storage
