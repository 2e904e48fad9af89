// Values of the keys that concern the library engine and parallel file systems.
#pragma once

#include "config/settings.hpp"
#include "config/values.hpp"

namespace thalweg::config {

Values<Hints> hints_or_none();        // none is an empty map
Values<Striping> striping_or_none();  // none is a Striping that is not set

}  // namespace thalweg::config
