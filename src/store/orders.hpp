// What the model's side of a process asks of the writer in the same process: files to open, records to place and to
// commit, files to close. The model's side knows the format library and MPI, the writer neither: everything it needs is
// in the order. Blocks themselves come through shared memory.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/box.hpp"
#include "base/element_bits.hpp"
#include "base/point_runs.hpp"
#include "base/types.hpp"
#include "catalog/definition.hpp"
#include "config/settings.hpp"
#include "exchange/chunking.hpp"
#include "staging/block_ring.hpp"
#include "staging/record_claims.hpp"
#include "store/block_map.hpp"
#include "store/checksum_file.hpp"
#include "store/format_file.hpp"
#include "store/output_name.hpp"
#include "store/procedure.hpp"
#include "store/set_publisher.hpp"
#include "store/slot_layout.hpp"
#include "store/zarr_file.hpp"

namespace thalweg::store {

constexpr std::int64_t unknown_offset = -1;
constexpr std::int64_t fixed_record = -1;  // stands for the variables without record dimension

// Cells of a block that no client owns, or that lie behind the variable's edge in its last chunks.
struct HoleFill {
  Index count;
  std::int64_t offset = 0;  // of its first cell, from the block's first element
};

// Points of an index list that nobody owns, in a block or in one of its chunks; the runs are shared by all blocks of
// the same cells.
struct HolePoints {
  std::shared_ptr<const PointRuns> runs;
  Index count;              // cells along the other dimensions
  int along = 0;            // dimension of the runs
  std::int64_t offset = 0;  // of the runs' point 0, from the block's first element
};

// A block as its writer sees it; the same for every record.
struct PlannedBlock {
  int variable = 0;
  Box region;                                 // of the variable
  std::optional<exchange::ChunkGrid> chunks;  // it is the sequence of these; nothing: a part of one array
  // Of its first chunk, or of itself, in the offsets of a placed record. Fixed blocks: of their variable's first chunk,
  // in OpenFile::fixed_offsets.
  std::int64_t first_place = 0;
  int part = 0;                   // the file it lies in, among those of a set that its writer writes
  std::int64_t begin = 0;         // of the variable in its file, where offsets follow from arithmetic
  std::int64_t record_bytes = 0;  // and from there to the next record
  BlockMap map;
  catalog::Encoding encoding;
  std::int64_t slot_offset = 0;  // in the slot, before its phase is added
  Type type = Type::float64;
  Element fill{};
  std::uint32_t expected = 0;  // pieces that complete it; 0: nobody feeds it
  std::vector<HoleFill> holes;
  std::vector<HolePoints> hole_points;
  std::int64_t hole_cells = 0;  // of the variable, in both; what lies behind its edge is none of it

  // To the checksum of what clients put, holes add theirs.
  std::uint64_t sum_of_holes() const { return static_cast<std::uint64_t>(hole_cells) * bits_of(fill, type); }
};

// What lies behind the variable's edge in its last chunks is filled like a hole.
void add_padding(PlannedBlock& block);

// How many offsets FormatFile gives for a variable that has this shape in the file: one for each chunk if it is chunked
// and has no record dimension, one if it is an array, none if it has records.
std::int64_t fixed_places(const catalog::Variable& variable, const Index& shape);

// What one writer writes of a collection: blocks of its node, all of them or its share.
struct CollectionPlan {
  std::string name;
  std::vector<std::string> variables;  // their names, for messages
  std::vector<PlannedBlock> record_blocks;
  std::vector<PlannedBlock> fixed_blocks;
  staging::BlockRing record_ring;
  staging::BlockRing fixed_ring;
  std::uint32_t first_token = 0;  // of the record ring in the ready queue; the fixed ring's follow
  bool big_endian = false;
  config::ChunkRules chunks;  // where there are some, every record is placed by itself,
  bool sizes_first = false;   // and only when the sizes of its encoded chunks are known
  bool fixed_sizes_first = false;
  bool checksum_first = false;                 // FormatFile::checksum_comes_first
  std::shared_ptr<const ZarrFile> zarr;        // names of objects, if chunks are objects
  std::shared_ptr<const Procedure> procedure;  // the model's own, if there are no files
  std::shared_ptr<const SummedFiles> summed;   // null: files get no checksums
  bool has_companions = true;                  // else sums are only for what is in the file
  bool whole_records = false;                  // small ones: gathered, and written when all their blocks are complete
  bool owns_files = false;                     // this writer commits and publishes
  int other_writers = 0;                       // of the files, on this node or others; known to the one that owns them
  // Where any writer of the node may write a record: its first kept_blocks blocks are one writer's, which keeps them,
  // and the others are claimed for one of all, this one being `claimant`. Without claims who keeps blocks has them all.
  staging::RecordClaims claims;
  std::int64_t kept_blocks = 0;
  bool keeps = true;
  int claimant = 0;
  config::Priority priority = config::Priority::normal;
  config::Durability durability = config::Durability::close;
  config::DirectIo direct_io = config::DirectIo::automatic;

  bool chunked() const { return chunks.has_chunks(); }
  bool is_claimed(std::int64_t record_block) const { return claims && record_block >= kept_blocks; }

  // How far a record block is shifted in its slot, so that memory and file agree (store/slot_layout.hpp).
  std::int64_t phase(std::int64_t block, std::int64_t index_in_file) const {
    const PlannedBlock& of = record_blocks[static_cast<std::size_t>(block)];
    return takes_phase(of.map) ? index_in_file * of.record_bytes % page_bytes : 0;
  }
};

struct AddCollection {
  CollectionPlan plan;  // number of the collection: order of these orders
};
struct FileNames {
  std::string partial_path;
  std::string path;
  std::shared_ptr<const OutputName> output{};  // on the writer that owns the file,
  std::string session_id{};                    // elsewhere whose lock it holds a share of; empty: of none
};
// A file of the series. With a set it is several: the parts that this writer writes, which are opened, committed and
// closed together.
struct OpenFile {
  int collection = 0;
  std::int64_t file = 0;
  std::vector<FileNames> parts;
  // Of each chunk of each variable without record dimension, in order, part after part, FormatFile::offset. Empty: from
  // PlannedBlock::begin. With fixed_sizes_first those of encoded chunks are unknown_offset.
  std::vector<std::int64_t> fixed_offsets;
  // Of a set: at its home what ends it, when so many other writers have given their parts their names; elsewhere
  // nothing, but the home is told.
  std::shared_ptr<const SetPublisher> set{};
  int set_writers_elsewhere = 0;
  bool tells_home = false;
};
struct PlaceRecord {
  int collection = 0;
  std::int64_t record = 0;
  std::int64_t file = 0;
  std::int64_t index_in_file = 0;
  std::vector<std::int64_t> offsets;  // of each chunk of each record block, FormatFile::offset; empty: from begin
  double time_s = 0.0;                // model time that closed it, if the collection has a procedure
};
// Where fixed variables lie, encoded ones as well.
struct PlaceFixed {
  int collection = 0;
  std::int64_t file = 0;
  std::vector<std::int64_t> offsets;  // as OpenFile::fixed_offsets
};
struct CommitRecords {
  int collection = 0;
  std::int64_t file = 0;
  std::int64_t last_record = 0;           // this and all before it
  std::vector<Transaction> transactions;  // of each part
};
struct CloseFile {
  int collection = 0;
  std::int64_t file = 0;
  std::int64_t end_record = 0;            // one past its last record
  std::vector<Transaction> transactions;  // of each part, for the writer that owns it
  // The file's sums are asked for, of so many records, when all is written; the order that closes it comes then.
  std::optional<std::int64_t> summed_records{};
};
// sums: of what it wrote; empty, if files get no checksums.
struct OtherWriterWrote {
  int collection = 0;
  std::int64_t record = 0;
  std::int64_t file = 0;
  std::int64_t index_in_file = 0;
  Sums sums;
};
struct OtherWriterClosed {
  int collection = 0;
  std::int64_t file = 0;
  Sums sums;  // of variables without records
};

using Order = std::variant<AddCollection, OpenFile, PlaceRecord, PlaceFixed, CommitRecords, CloseFile, OtherWriterWrote,
                           OtherWriterClosed>;

// What the writer tells back: sizes, which decide where chunks go, and what is written, for the writer that owns the
// files.
struct ChunksEncoded {
  int collection = 0;
  std::int64_t record = 0;          // fixed_record: of the fixed variables
  std::vector<std::int64_t> sizes;  // coded by code_of, of each encoded chunk of its blocks, in their order
};
struct RecordWritten {
  int collection = 0;
  std::int64_t record = 0;
  std::int64_t file = 0;
  std::int64_t index_in_file = 0;
  Sums sums;
};
struct FileWritten {
  int collection = 0;
  std::int64_t file = 0;
  Sums sums;
};
// A file is written, of which the sums are asked for.
struct FileSummed {
  int collection = 0;
  std::int64_t file = 0;
  FileSums sums;
};
using Event = std::variant<ChunksEncoded, RecordWritten, FileWritten, FileSummed>;

// A size and whether the codec was skipped, as one number that fits into a notice.
constexpr std::int64_t code_of(std::int64_t bytes, bool codec_skipped) {
  return bytes * 2 + (codec_skipped ? 1 : 0);
}
constexpr std::int64_t bytes_of_code(std::int64_t code) {
  return code / 2;
}
constexpr bool codec_skipped_in(std::int64_t code) {
  return code % 2 != 0;
}

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
    events_.push_back(std::move(event));
  }
  bool has_events() {
    const std::lock_guard lock(mutex_);
    return !events_.empty();
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
