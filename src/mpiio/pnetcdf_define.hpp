// Defines a CDF file with PnetCDF: all that a reader expects, no data. The header is that of the direct engine
// (formats/cdf/encode_header.hpp), unless hints say otherwise.
#pragma once

#include <string>

#include "catalog/definition.hpp"
#include "formats/cdf/encode_header.hpp"

namespace thalweg::mpiio {

int cdf_creation_mode(config::Format format);

// Throws STORAGE or FORMAT for a status that says so.
void check_cdf(int status, const std::string& what, const std::string& path);

// From the creation of a file to the end of its definitions; collective as the file is.
void define_cdf(int id, const catalog::Definition& definition, const std::string& path);

// Where PnetCDF has put the variables.
formats::cdf::CdfPlaces cdf_places(int id, const catalog::Definition& definition, const std::string& path);

}  // namespace thalweg::mpiio
