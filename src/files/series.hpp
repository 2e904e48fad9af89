// The series of files of a collection, as its files' names follow from it.
#pragma once

#include <optional>
#include <string>

#include "catalog/collection_identity.hpp"
#include "catalog/declaration.hpp"
#include "files/record_schedule.hpp"
#include "storage/output_name.hpp"

namespace thalweg::files {

struct Continued;

// All of it outlives this.
struct Series {
  const catalog::CollectionIdentity& identity;
  const catalog::Declaration& declaration;
  const RecordSchedule& schedule;
  const std::optional<Continued>& continued;  // the file that this run goes on with

  // Where a file of this name lies: relative names are meant from the folder in which the run started.
  std::string path_of(const std::string& name) const;
  // What is to be heeded of files that are there already.
  storage::NameRules name_rules() const;
};

}  // namespace thalweg::files
