// A field as its variable stores it: an array that the copy into a block takes as it is, or values that are converted
// before, integers of another size and reals that are packed.
#pragma once

#include <cstddef>
#include <memory>

#include "put/put_variable.hpp"

namespace thalweg::put {

struct StoredField {
  std::unique_ptr<std::byte[]> converted;  // null: the array is taken as it is
  Field field;
  FieldView view;
};

// Errors: as checked_view; ARGUMENT for a value that is written and that the variable cannot hold.
StoredField stored(const PutVariable& of, const Box& box, Field field);

}  // namespace thalweg::put
