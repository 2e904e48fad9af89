// Sets of files: one file an I/O domain or a rank, each with its section of the decomposed dimensions, described in
// the files themselves as FMS does (docs/formats/file-sets.md). Pure: no files, no MPI.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "catalog/definition.hpp"
#include "storage/part_name.hpp"

namespace thalweg::sets {

// What a part holds of one dimension.
struct Section {
  std::int64_t start = 0;
  std::int64_t count = 0;
  friend bool operator==(const Section&, const Section&) = default;
};

// One file of a set.
struct SetPart {
  std::string file;
  std::vector<Section> sections;  // of each dimension of the definition of the whole
};

// Global attribute of each part: how many files the set has.
constexpr const char* files_attribute = "NumFilesInSet";

// And of which run it is, so that parts that two runs have left under the names of one set are told apart.
constexpr const char* run_attribute = "thalweg_run";

// What all parts of a set say alike.
struct SetIdentity {
  std::int64_t files = 0;  // 0: the file does not say
  std::string run_id{};    // empty: it does not say
};

// Of each dimension, before any is cut.
std::vector<Section> whole_sections(const catalog::Definition& definition);

// The part's box of a variable, record dimension left out.
Box box_of(const catalog::Variable& variable, std::span<const Section> sections);

// What the file of a part contains: sections in place of whole dimensions, and the attributes that say so.
catalog::Definition definition_of_part(const catalog::Definition& whole, std::span<const Section> sections,
                                       const SetIdentity& identity);

// The inverse. Throws FORMAT, naming path, if the attributes are missing or contradict the file.
struct PartDescription {
  catalog::Definition whole;
  std::vector<Section> sections;
  SetIdentity identity{};
};
PartDescription describe_part(const catalog::Definition& part, const std::string& path);

// Throws FORMAT, naming both files and the first difference, unless both belong to the same whole.
void check_alike(const catalog::Definition& first, const std::string& first_path, const catalog::Definition& other,
                 const std::string& other_path);

// Throws FORMAT, naming both files and their runs, unless the same run wrote both.
void check_one_run(const SetIdentity& first, const std::string& first_path, const SetIdentity& other,
                   const std::string& other_path);

// Who has a box of a variable. A variable that lacks a decomposed dimension is in several parts alike.
struct Source {
  Box box;
  int part = 0;
  std::vector<int> copies;
};

// The sources of a variable, whose boxes are disjoint. Throws FORMAT, naming the files, if boxes overlap in part.
std::vector<Source> sources_of(const catalog::Variable& variable, std::span<const SetPart> parts);

// Throws FORMAT, naming the files, if two parts have the same section of every dimension.
void check_distinct(std::span<const SetPart> parts);

}  // namespace thalweg::sets
