// Defines a CDF file with PnetCDF: all that a reader expects, no data. The header is the same whoever writes the data.
#pragma once

#include <string>

#include "catalog/definition.hpp"
#include "formats/cdf/encode_header.hpp"

namespace thalweg::formats::cdf {

int cdf_creation_mode(config::Format format);

// Throws STORAGE or FORMAT for a status that says so.
void check_cdf(int status, const std::string& what, const std::string& path);

// From the creation of a file to the end of its definitions; collective as the file is.
void define_cdf(int id, const catalog::Definition& definition, const std::string& path);

CdfPlaces cdf_places(int id, const catalog::Definition& definition, const std::string& path);

}  // namespace thalweg::formats::cdf
