// Fortran unformatted sequential files in the registry of formats.
#pragma once

#include "formats/registry.hpp"

namespace thalweg::formats::fortran {

extern const FormatRow fortran;

}  // namespace thalweg::formats::fortran
