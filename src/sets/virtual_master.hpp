// A virtual master file: a set read as one file. It holds no values, so that it can be made before the parts have any,
// or exist.
#pragma once

#include <span>
#include <string>

#include "catalog/definition.hpp"
#include "sets/file_set.hpp"

namespace thalweg::sets {

// Whether files of the format can show the values of others.
bool has_virtual_master(config::Format format);

// Creates the file at path (which must not exist). Names of parts are relative to the folder of path, so that a set can
// be moved as a whole. Errors: STORAGE, FORMAT. Needs MPI to be initialised.
void create_virtual_master(const std::string& path, const catalog::Definition& whole, std::span<const SetPart> parts);

}  // namespace thalweg::sets
