// Settings that follow from PFIO's options on the command line.
#pragma once

#include <string>
#include <vector>

#include "config/draft.hpp"

namespace thalweg::compat::pfio {

// They prevail over what file and environment say.
void take_options(config::Draft& draft, const std::vector<std::string>& arguments);

}  // namespace thalweg::compat::pfio
