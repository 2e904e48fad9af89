// What the model's side of a process asks of the writer in the same process: files to open, records to place and to
// commit, files to close. The model's side knows the format library and MPI, the writer neither: everything it needs is
// in the order. Blocks themselves come through shared memory.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "base/box.hpp"
#include "base/types.hpp"
#include "config/settings.hpp"
#include "staging/block_ring.hpp"
#include "store/block_map.hpp"
#include "store/format_file.hpp"
#include "store/slot_layout.hpp"

namespace thalweg::store {

// Cells of a block that no client owns.
struct HoleFill {
  Index count;
  std::int64_t offset = 0;  // of its first cell, from the block's first element
};

// A block as the writer of its node sees it; the same for every record.
struct PlannedBlock {
  int variable = 0;
  std::int64_t chunk = 0;  // argument of FormatFile::offset
  BlockMap map;
  std::int64_t slot_offset = 0;  // in the slot, before its phase is added
  Type type = Type::float64;
  Element fill{};
  std::uint32_t expected = 0;  // pieces that complete it; 0: nobody feeds it
  std::vector<HoleFill> holes;
};

struct CollectionPlan {
  std::string name;
  std::vector<PlannedBlock> record_blocks;
  std::vector<PlannedBlock> fixed_blocks;
  staging::BlockRing record_ring;
  staging::BlockRing fixed_ring;
  std::uint32_t first_token = 0;    // of the record ring in the ready queue; the fixed ring's follow
  std::vector<std::int64_t> begin;  // of each variable in the file, where offsets follow from arithmetic
  std::int64_t record_bytes = 0;    // distance of records in the file, unless chunked
  bool big_endian = false;
  bool chunked = false;     // every record is placed by itself
  bool owns_files = false;  // this node commits and publishes
  int other_nodes = 0;      // that write into the files, on the node that owns them
  config::Priority priority = config::Priority::normal;
  config::Durability durability = config::Durability::close;
  config::DirectIo direct_io = config::DirectIo::automatic;

  // How far a record block is shifted in its slot, so that memory and file agree (store/slot_layout.hpp).
  std::int64_t phase(std::int64_t block, std::int64_t index_in_file) const {
    const bool shifts = takes_phase(record_blocks[static_cast<std::size_t>(block)].map);
    return shifts ? index_in_file * record_bytes % page_bytes : 0;
  }
};

struct AddCollection {
  CollectionPlan plan;  // number of the collection: order of these orders
};
struct OpenFile {
  int collection = 0;
  std::int64_t file = 0;
  std::string partial_path;
  std::string path;
  std::vector<std::int64_t> fixed_offsets;  // of each variable, FormatFile::offset; empty: plan.begin
};
struct PlaceRecord {
  int collection = 0;
  std::int64_t record = 0;
  std::int64_t file = 0;
  std::int64_t index_in_file = 0;
  std::vector<std::int64_t> offsets;  // of each record block, FormatFile::offset; empty: from plan.begin
};
struct CommitRecords {
  int collection = 0;
  std::int64_t file = 0;
  std::int64_t last_record = 0;  // this and all before it
  Transaction transaction;
};
struct CloseFile {
  int collection = 0;
  std::int64_t file = 0;
  std::int64_t end_record = 0;  // one past its last record
  Transaction transaction;      // on the node that owns it
};
struct OtherNodeWrote {
  int collection = 0;
  std::int64_t record = 0;
};
struct OtherNodeClosed {
  int collection = 0;
  std::int64_t file = 0;
};

using Order =
    std::variant<AddCollection, OpenFile, PlaceRecord, CommitRecords, CloseFile, OtherNodeWrote, OtherNodeClosed>;

// What the writer tells back, for the notices to other nodes.
struct RecordWritten {
  int collection = 0;
  std::int64_t record = 0;
};
struct FileWritten {
  int collection = 0;
  std::int64_t file = 0;
};
using Event = std::variant<RecordWritten, FileWritten>;

// Two mailboxes between two threads.
class OrderBook {
 public:
  void order(Order order) {
    const std::lock_guard lock(mutex_);
    orders_.push_back(std::move(order));
  }
  std::vector<Order> take_orders() {
    const std::lock_guard lock(mutex_);
    return std::exchange(orders_, {});
  }
  void tell(Event event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(event);
  }
  std::vector<Event> take_events() {
    const std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Order> orders_;
  std::vector<Event> events_;
};

}  // namespace thalweg::store
