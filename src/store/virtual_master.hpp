// A virtual master file: a netCDF-4 set read as one file. Its datasets are HDF5 virtual datasets, that is, maps into
// the part files; it holds no values, so that it can be made before the parts have any, or exist.
#pragma once

#include <span>
#include <string>

#include "catalog/definition.hpp"
#include "store/file_set.hpp"

namespace thalweg::store {

// Creates the file at path (which must not exist). Names of parts are relative to the folder of path, so that a set can
// be moved as a whole. Errors: STORAGE, FORMAT. Needs MPI to be initialised.
void create_virtual_master(const std::string& path, const catalog::Definition& whole, std::span<const SetPart> parts);

}  // namespace thalweg::store
