// CDF-1, CDF-2 and CDF-5 in the registry of formats.
#pragma once

#include "formats/registry.hpp"

namespace thalweg::formats::cdf {

extern const FormatRow cdf1, cdf2, cdf5;

}  // namespace thalweg::formats::cdf
