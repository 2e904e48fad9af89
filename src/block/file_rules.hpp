// How one writer writes the files of a collection: what format, settings and pattern say of them.
#pragma once

#include <memory>

#include "block/callback.hpp"
#include "block/object_layout.hpp"
#include "block/summed_files.hpp"
#include "config/settings.hpp"

namespace thalweg::block {

enum class RecordsInFile { many, one, one_without_dimension };

struct FileRules {
  bool big_endian = false;
  config::ChunkRules chunks;  // where there are some, every record is placed by itself,
  bool sizes_first = false;   // and only when the sizes of its encoded chunks are known
  bool fixed_sizes_first = false;
  bool checksum_first = false;                  // FormatFile::checksum_comes_first
  std::shared_ptr<const ObjectLayout> objects;  // if chunks are objects
  std::shared_ptr<const Callback> callback;     // if there are no files
  std::shared_ptr<const SummedFiles> summed;    // null: files get no checksums
  RecordsInFile records = RecordsInFile::many;
  bool has_companions = true;  // else sums are only for what is in the file
  bool owned = false;          // this writer commits and publishes
  int other_writers = 0;       // on this node or others; known to the one that owns the files
  config::Priority priority = config::Priority::normal;
  config::Durability durability = config::Durability::close;
  config::DirectIo direct_io = config::DirectIo::automatic;

  bool ends_with_record() const { return records != RecordsInFile::many; }
  bool chunked() const { return chunks.has_chunks(); }
  // Files and their records come one after the other, and each is told of as a whole.
  bool in_turns() const { return callback != nullptr; }
};

}  // namespace thalweg::block
