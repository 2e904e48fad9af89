// Units as udunits2 knows them, which is loaded when somebody asks (base/private_library.hpp).
#pragma once

#include <string>

#include "fields/linear.hpp"

namespace thalweg::fields {

// By what values in the one are those in the other. Errors, which say what is wrong and not where: CONFIG for what is
// no unit, for those that measure something else, and where no scale and offset do it; FORMAT without the library.
Linear conversion(const std::string& from, const std::string& to);

// As degC, which is K in products with others. False also where nobody can say it.
bool has_own_zero(const std::string& units);

}  // namespace thalweg::fields
