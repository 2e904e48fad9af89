// A format is a map from (variable, record, box) to byte ranges. The format library makes header and metadata and says
// where; the mover puts the bytes there. One file of this folder implements one format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/box.hpp"
#include "block/record_sums.hpp"
#include "block/transaction.hpp"
#include "catalog/definition.hpp"
#include "catalog/given_attribute.hpp"

namespace thalweg::formats {

// What a chunk became when it was encoded.
struct EncodedChunk {
  int variable = 0;
  std::int64_t chunk = 0;  // row-major number in the variable's grid of chunks
  std::int64_t bytes = 0;
  bool codec_skipped = false;  // it would not have become smaller
};

// A file whose metadata this rank owns. Called by the thread of the model only: format libraries are not thread-safe.
class FormatFile {
 public:
  virtual ~FormatFile() = default;

  // Makes room for records [0, records). Local to the file, no data are written; the file's length grows, so that data
  // may then be written in any order by any process. Ascending calls; may run ahead of commit by any number of records.
  virtual void extend(std::int64_t records) = 0;

  // File offset of element 0 of the variable's record, for formats that lay a record out as one row-major array (CDF,
  // Fortran), or of the chunk with this number (row-major number in the variable's grid of chunks) that holds the
  // record, advanced to the record inside the chunk (netCDF-4). Variables without record dimension ignore the record
  // and, unless they are chunked, the chunk. Needs extend(record + 1), and for encoded chunks store(); chunks of
  // committed records are forgotten.
  virtual std::int64_t offset(int variable, std::int64_t record, std::int64_t chunk) const = 0;

  // Chunked formats: the sizes of encoded chunks of that record, or of fixed variables (record -1), after
  // extend(record + 1). offset() knows their places from then on. Ascending records, each once.
  virtual void store(std::int64_t /*record*/, std::span<const EncodedChunk> /*chunks*/) {}

  // Whether the format library applies a checksum before shuffle and codec, or behind them.
  virtual bool checksum_comes_first() const { return false; }

  // Metadata that makes the file's first `records` records visible; extend(records) came before. Ascending calls.
  virtual block::Transaction commit(std::int64_t records) = 0;

  // Of a definition with variables that take a checksum, before close(): what they are to get. Nobody knows it before
  // all data are written, so that it becomes part of the transaction that completes the file.
  virtual void set_checksums(const block::FileSums& /*sums*/) {}

  // Before close(): attributes that the complete file has besides, or with other values.
  virtual void give(std::span<const catalog::GivenAttribute> /*given*/) {}

  // Metadata of the complete file with that many records, its exact size included; all data are written before it is
  // applied. Records that extend() made room for beyond them are dropped. Nothing but destruction may follow.
  virtual block::Transaction close(std::int64_t records) = 0;
};

// Refuses (FORMAT, naming a format that would do) what the format cannot hold: types, sizes of variables, names.
void check_limits(const catalog::Definition& definition);
// What no format holds; before anything is counted. Errors: FORMAT.
void check_sizes(const catalog::Definition& definition);
// What the format cannot hold of dimensions and sizes; the part of check_limits that is known before chunks are.
void check_extents(const catalog::Definition& definition);
// The same for an attribute alone; owner: "variable 'temp'".
void check_attribute(const catalog::Definition& definition, const catalog::Attribute& attribute,
                     const std::string& owner);

// Creates the file at path (which must not exist) with the complete header, and leaves it for writing by the mover; of
// a format that makes no files, or that is placed in one that somebody else has made, nothing. durability: `record` if
// records of the file will be committed to stable storage one by one, so that what recovery needs beside them is there
// before. Errors: STORAGE, FORMAT.
std::unique_ptr<FormatFile> create(const std::string& path, const catalog::Definition& definition,
                                   config::Durability durability = config::Durability::none);

// Has those libraries begin that MPI_Finalize must not end before what the process has told MPI earlier.
void begin_libraries();

// Makes a file left by a killed run consistent, and brings it to stable storage: applies its journal, cuts it to its
// whole records, and returns their number. Detects the format from the file itself, keeps its name and its journal (so
// that a recovery that is killed itself can be repeated), and needs no MPI. A file that is complete is left as it is;
// one of format fortran is refused then, because nothing tells it from other files. The caller sees to it that nobody
// writes the file. had_owner: a job had its name, as the lock says that it left. A netCDF-4 file whose variables differ
// in their records is cut only then, or where it has a journal: else it may be another program's. Errors: STORAGE;
// FORMAT, also for a file without a record dimension, of whose values nothing says whether they were written.
std::int64_t recover(const std::string& path, bool had_owner = false);
[[noreturn]] void refuse_without_records(const std::string& path);

}  // namespace thalweg::formats
