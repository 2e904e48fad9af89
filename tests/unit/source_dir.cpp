#include "source_dir.hpp"

namespace thalweg {

std::string source_dir() {
  return THALWEG_TEST_SOURCE_DIR;
}

}  // namespace thalweg
