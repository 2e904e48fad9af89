// Zarr v3 stores opened for reading: those that Thalweg writes, and others' that have no more in them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catalog/definition.hpp"
#include "formats/found_records.hpp"
#include "formats/readable_file.hpp"

namespace thalweg::formats::zarr {

// Errors: STORAGE; FORMAT for what is not read here, naming it.
std::unique_ptr<ReadableFile> open_readable_zarr(const std::string& path, Unreadable unreadable = Unreadable::refuse);

// Whatever else is in the store. Errors: as above.
FoundRecords first_in_zarr(const std::string& path);

// What a store gives back of the attributes of a variable.
std::vector<catalog::Attribute> attributes_read_in_zarr(const catalog::Variable& variable);

}  // namespace thalweg::formats::zarr
