// What the model's side of a process asks of the writer in the same process: files to open, records to place and to
// commit, files to close. The model's side knows the format library and MPI, the writer neither: everything it needs is
// in the command. Blocks themselves come through shared memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "block/collection_plan.hpp"
#include "block/publication.hpp"
#include "block/record_sums.hpp"
#include "block/transaction.hpp"

namespace thalweg::block {

constexpr std::int64_t unknown_offset = -1;

struct AddCollection {
  CollectionPlan plan;  // number of the collection: order of these commands
};
struct FileNames {
  std::string partial_path;
  std::string path;
  std::shared_ptr<const Publication> output{};  // on the writer that owns the file,
  std::string session_id{};                     // elsewhere whose lock it holds a share of; empty: of none
};
// A file of the series. With a set it is several: the parts that this writer writes, which are opened, committed and
// closed together.
struct OpenFile {
  int collection = 0;
  std::int64_t file = 0;
  std::vector<FileNames> parts;
  // Of each chunk of each variable without record dimension, in order, part after part, FormatFile::offset. Empty: from
  // PlannedPlace::begin. With fixed_sizes_first those of encoded chunks are unknown_offset.
  std::vector<std::int64_t> fixed_offsets;
  // Of a set: at its owner what ends it, when so many other writers have written their parts and then given them their
  // names; elsewhere nothing, but the owner is told.
  std::shared_ptr<const SetPublication> set{};
  int set_writers_elsewhere = 0;
  bool tells_home = false;
};
struct PlaceRecord {
  int collection = 0;
  std::int64_t record = 0;
  std::int64_t file = 0;
  std::int64_t index_in_file = 0;
  std::vector<std::int64_t> offsets;  // of each chunk of each record block, FormatFile::offset; empty: from begin
  double time_s = 0.0;                // model time that closed it, if the collection has a callback
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
  // The file's sums are asked for, of so many records, when all is written; the command that closes it comes then.
  std::optional<std::int64_t> summed_records{};
  // It was to have one record, and has none: it gets no name.
  bool is_void = false;
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

// Of a set: all parts are written, so that those of this writer get their names.
struct NameParts {
  int collection = 0;
  std::int64_t file = 0;
};
// Of a set, at its owner: those of another writer have theirs.
struct OtherWriterNamed {
  int collection = 0;
  std::int64_t file = 0;
};
// The file begins with records of an earlier one, at earlier_path, which had these sums. What is written of them has to
// have the same.
struct ExpectSums {
  int collection = 0;
  std::int64_t file = 0;
  std::vector<Sums> records;
  std::string earlier_path;
};

using Command = std::variant<AddCollection, OpenFile, PlaceRecord, PlaceFixed, CommitRecords, CloseFile,
                             OtherWriterWrote, OtherWriterClosed, NameParts, OtherWriterNamed, ExpectSums>;

}  // namespace thalweg::block
