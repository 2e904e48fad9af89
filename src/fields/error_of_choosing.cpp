#include "fields/error_of_choosing.hpp"

#include <new>
#include <stdexcept>

namespace thalweg::fields {
namespace {

Error lack_of_memory() {
  return {THALWEG_ERROR_MEMORY,
          "there is no memory for what collections gather of fields: 8 bytes a cell of this rank for each variable, 16 "
          "for a standard deviation, 8 more where values are missing"};
}

}  // namespace

Error error_of_choosing() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return lack_of_memory();
  } catch (const std::length_error&) {  // of a container that cannot be as large
    return lack_of_memory();
  } catch (...) {
    return error_in_flight("in the choice of fields");
  }
}

}  // namespace thalweg::fields
