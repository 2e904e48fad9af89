// Where the sources are. Compiled by itself, so that all other tests are the same in every clone.
#pragma once

#include <string>

namespace thalweg {

std::string source_dir();

}  // namespace thalweg
