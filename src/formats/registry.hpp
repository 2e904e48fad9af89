// The registry of formats: each is a row of it, defined beside what the row names. Nobody else asks which format it is.
#pragma once

#include <fcntl.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "block/object_layout.hpp"
#include "catalog/definition.hpp"
#include "formats/format_file.hpp"
#include "formats/found_records.hpp"
#include "formats/readable_file.hpp"
#include "formats/result_file.hpp"
#include "formats/virtual_source.hpp"
#include "storage/first_bytes.hpp"

namespace thalweg::formats {

// What a format cannot hold, as far as numbers say it.
struct FormatLimits {
  bool is_classic = false;  // only the types of the classic model
  std::int64_t dimension = std::numeric_limits<std::int64_t>::max();
  std::int64_t shuffled_chunk_bytes = std::numeric_limits<std::int64_t>::max();
};

// What stands under a path, whose format is asked for.
struct FoundPath {
  std::string path;
  bool is_folder = false;
  storage::FirstBytes begin;  // of a file
};

// How long a file is by what its header says.
struct FileLength {
  std::int64_t bytes = 0;  // at least, to its last value
  std::int64_t records = 0;
  std::int64_t record_begin = 0;
  std::int64_t record_bytes = 0;
};

// A function that is null is not had with the format.
struct FormatRow {
  config::FormatDescription description;
  FormatLimits limits{};
  // Refuses what these numbers do not say of dimensions and sizes. Errors: FORMAT.
  void (*check_extents)(const catalog::Definition& definition) = nullptr;
  // What an attribute takes of the header's reserve; null: nothing.
  std::int64_t (*header_bytes)(const catalog::Attribute& attribute) = nullptr;

  // create() of formats/format_file.hpp, for what check_limits() lets through.
  std::unique_ptr<FormatFile> (*create)(const std::string& path, const catalog::Definition& definition,
                                        config::Durability durability) = nullptr;
  // What the format's library needs to have begun before the first file is made. Null: nothing.
  void (*begin)() = nullptr;
  // create_result() of formats/result_file.hpp.
  std::unique_ptr<ResultFile> (*create_result)(const std::string& path, const catalog::Definition& definition,
                                               std::int64_t records) = nullptr;
  // A file of the whole that shows the values of others; sources: of each of its variables.
  void (*create_virtual)(const std::string& path, const catalog::Definition& whole,
                         const std::vector<VirtualSources>& sources) = nullptr;

  // Of one whose chunks are objects: which they are.
  std::shared_ptr<const block::ObjectLayout> (*objects)(const catalog::Definition& definition) = nullptr;
  // Of one that is a folder: refuses it unless there is nothing else in it. Errors: STORAGE.
  void (*require_alone)(const std::string& path) = nullptr;

  // Where no magic tells.
  bool (*recognises)(const FoundPath& found) = nullptr;
  std::unique_ptr<ReadableFile> (*open)(const std::string& path, Unreadable unreadable) = nullptr;
  // What a file gives back of the attributes of a variable, where that is less than they are: their types.
  std::vector<catalog::Attribute> (*attributes_read)(const catalog::Variable& variable) = nullptr;
  FileLength (*length)(const std::string& path) = nullptr;  // Errors: STORAGE, FORMAT
  FoundRecords (*first_record)(const std::string& path) = nullptr;
  std::int64_t (*recover)(const std::string& path, bool had_owner) = nullptr;  // of formats/format_file.hpp
};

// In the order of the reference. What a path is, is asked of one after the other.
const std::vector<const FormatRow*>& format_rows();

const FormatRow& row_of(config::Format format);

// What an attribute takes of the reserve in the header of a file of this format.
std::int64_t header_bytes(config::Format format, const catalog::Attribute& attribute);

// Of what stands under a path, a file opened with these flags. Null: no format is known by it. Errors: STORAGE.
const FormatRow* row_at(const std::string& path, int open_flags = O_RDONLY);

// "a netCDF classic (CDF-1, 2, 5) file nor a netCDF-4 (HDF5) file": of those rows of which it is true.
std::string kinds_where(bool (*is_true)(const FormatRow& row));

}  // namespace thalweg::formats
