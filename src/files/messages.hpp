// What the writers of a collection's files tell each other: where records go, and what is written.
#pragma once

#include <cstdint>
#include <tuple>
#include <variant>
#include <vector>

#include "block/record_sums.hpp"
#include "transport/typed_messages.hpp"

namespace thalweg::files::messages {

// ---- from the file's owner to the others

struct FileReady {
  int collection = 0;
  std::int64_t file = 0;
  std::vector<std::int64_t> fixed_offsets;  // block::OpenFile::fixed_offsets
  auto members() { return std::tie(collection, file, fixed_offsets); }
};
struct RecordPlaced {
  int collection = 0;
  std::int64_t record = 0;
  std::int64_t file = 0;
  std::int64_t index_in_file = 0;
  std::vector<std::int64_t> offsets;  // of each chunk of the receiver's record blocks
  auto members() { return std::tie(collection, record, file, index_in_file, offsets); }
};
struct FixedPlaced {
  int collection = 0;
  std::int64_t file = 0;
  std::vector<std::int64_t> offsets;  // block::PlaceFixed::offsets
  auto members() { return std::tie(collection, file, offsets); }
};

// Of a set: block::NameParts.
struct NameParts {
  int collection = 0;
  std::int64_t file = 0;
  auto members() { return std::tie(collection, file); }
};

// ---- from the others to the owner

struct ChunksEncoded {
  int collection = 0;
  std::int64_t record = 0;          // or block::fixed_of_file
  int writer = 0;                   // as in FilePlan::record_chunks
  std::vector<std::int64_t> sizes;  // block::ChunksEncoded::sizes
  auto members() { return std::tie(collection, record, writer, sizes); }
};
struct RecordWritten {
  int collection = 0;
  std::int64_t record = 0;
  std::int64_t file = 0;
  std::int64_t index_in_file = 0;
  block::Sums sums;
  auto members() { return std::tie(collection, record, file, index_in_file, sums); }
};
struct FileWritten {
  int collection = 0;
  std::int64_t file = 0;
  block::Sums sums;  // of variables without records
  auto members() { return std::tie(collection, file, sums); }
};

// Of a set: the parts of the sender have their names.
struct PartsNamed {
  int collection = 0;
  std::int64_t file = 0;
  auto members() { return std::tie(collection, file); }
};

using Message = std::variant<FileReady, RecordPlaced, FixedPlaced, NameParts, ChunksEncoded, RecordWritten, FileWritten,
                             PartsNamed>;

}  // namespace thalweg::files::messages

namespace thalweg::files {

using Messages = transport::TypedMessages<messages::Message>;

}  // namespace thalweg::files
