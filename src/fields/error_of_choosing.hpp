// What becomes of an exception where collections choose fields and make room for what they gather. Pure.
#pragma once

#include "base/error.hpp"

namespace thalweg::fields {

// Of the exception in flight. MEMORY where there is none for what is gathered.
Error error_of_choosing();

}  // namespace thalweg::fields
