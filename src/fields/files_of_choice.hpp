// The collections that are opened for what one of the configuration has chosen, each with the coordinates that its
// variables need. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "fields/choice.hpp"
#include "fields/field.hpp"

namespace thalweg::fields {

struct FilesOfChoice {
  std::map<std::string, Choice> collections;  // by their names: it alone, or one for each variable that has own files
  std::vector<std::string> without_file;      // static fields that none of these needs
};

// Errors: CONFIG for variables that are configured and not among them.
FilesOfChoice files_of(
    const config::CollectionSettings& collection, const Choice& choice, const std::vector<Field>& fields,
    const DividedDimensions& divided = [](const Field&) { return std::vector<std::string>(); });

}  // namespace thalweg::fields
