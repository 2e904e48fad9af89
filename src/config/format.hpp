// A format as far as configuration, catalog and the layout of blocks ask for it. Each format describes itself in its
// own row of the registry (formats/registry.hpp), which also says how its files are made, read and recovered.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/filter.hpp"

namespace thalweg::config {

// How a file gets its name.
enum class Publishing {
  partial_and_rename,  // it grows under another one
  in_place,            // it has it already, from whoever has made the file, and keeps it
  none,                // it is none of Thalweg's, and no path is touched
};

// What the layout of blocks needs to know of a format before any record exists; equal on all ranks.
struct FormatTraits {
  bool big_endian = false;
  ChunkRules chunks{};
  bool objects = false;   // chunks are objects with names, and have no offsets
  bool shards = false;    // an object may hold several of them
  bool describes = true;  // names, dimensions and attributes are in the file
  Publishing publishing = Publishing::partial_and_rename;

  // Offsets are those of chunks, else of the whole record of a variable.
  constexpr bool chunked() const { return chunks.has_chunks(); }
  // Or the model's own procedure does.
  constexpr bool makes_files() const { return publishing != Publishing::none; }
  // Somebody else has made the file, and says where its variables are (catalog::Definition::places).
  constexpr bool is_placed() const { return publishing == Publishing::in_place; }
};

// A library that writes files of a format by itself, with `engine: library`.
struct FormatLibrary {
  std::string_view name;
  bool compresses = false;           // chunks, where it is left to
  std::string_view not_announced{};  // why it has no calls that only announce, and what to do; empty: it has
};

// A key of the configuration that does nothing with a format, and why.
struct RefusedKey {
  std::string_view key;
  std::string_view why;
};

struct FormatDescription {
  std::string_view name;            // in the configuration: "netcdf4-classic"
  std::string_view files;           // of this format, in messages: "CDF files"
  std::string_view kind{};          // what a path to one is: "the folder of a Zarr store"; of similar formats the first
  std::string_view note{};          // what the reference says of it
  std::string_view magic{};         // with which its files begin; empty: they are known by other means
  std::string_view root{};          // of one that is a folder: the object by which it is known
  std::string_view ending = ".nc";  // of a file whose name nobody has chosen
  FormatTraits traits{};
  const FormatLibrary* library = nullptr;
  // Why something cannot be had with the format, and what to do; empty: it can.
  std::string_view no_sets{};
  std::string_view no_checksum_attributes{};
  std::string_view no_continuing{};
  std::span<const RefusedKey> refused_keys{};
};

// Stands for the row of a format.
class Format {
 public:
  Format();  // of a collection that says none
  constexpr Format(const FormatDescription& of) : of_(&of) {}

  constexpr const FormatDescription* operator->() const { return of_; }
  constexpr const FormatDescription& operator*() const { return *of_; }
  friend constexpr bool operator==(Format, Format) = default;

 private:
  const FormatDescription* of_;
};

// All that a configuration may name, in the order of the reference. What it gives is the registry's
// (formats/registry.cpp), so that a new format is no change here.
const std::vector<Format>& formats();

// Errors: INTERNAL if there is none of that name.
Format format_named(std::string_view name);

constexpr std::string_view default_format = "netcdf4";

}  // namespace thalweg::config
