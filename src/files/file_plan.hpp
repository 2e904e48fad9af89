// Who writes which files of a collection, settled when its definitions end.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "block/commands.hpp"
#include "catalog/definition.hpp"
#include "files/series.hpp"
#include "sets/file_set.hpp"

namespace thalweg::files {

// A file of a set.
struct FilePart {
  int number = 0;                       // of the domain or the rank
  int node = 0;                         // that writes it,
  int writer = 0;                       // by this rank,
  int place = 0;                        // which has so many before it
  std::vector<sets::Section> sections;  // of each dimension of the definition
};

struct Chunk {
  int variable = 0;
  std::int64_t number = 0;
  bool is_encoded = false;
  int part = 0;  // among those of the rank
};

struct FilePlan {
  catalog::Definition definition;  // of the whole, with chunks; attributes may have changed since
  int owner_node = 0;              // node that owns the files; of a set: that says what the set is,
  int owner = -1;                  // by this rank
  std::vector<int> other_writers;  // ranks that write it, beside the owner
  std::vector<FilePart> parts;     // of a set: those that this rank writes
  std::vector<FilePart> set;       // all of them, on the owner
  std::int64_t files_in_set = 0;
  // Each record goes to any one of a node's writers (staging/record_assignment.hpp).
  bool assigns_records = false;
  // Chunked formats, on the owner: the chunks of the record blocks of each rank that takes part in writing, and of its
  // encoded fixed blocks, in its own order. Where records are assigned: those that are, under the number of their node.
  std::map<int, std::vector<Chunk>> record_chunks;
  std::map<int, std::vector<Chunk>> fixed_chunks;
  static int assigned_on(int node) { return -1 - node; }
  std::map<int, std::vector<int>> chunks_of;  // of each rank that takes part: under which numbers, in its blocks' order
  std::shared_ptr<const block::CollectionPlan>
      blocks;  // of this rank; where it writes none, of its node's first writer
};

// Of the files that are made now.
catalog::Definition definition_of(const Series& series, const FilePlan& plan);

}  // namespace thalweg::files
