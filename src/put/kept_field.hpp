// Values that the model has put and that go into blocks later: a copy without halo.
#pragma once

#include <cstddef>
#include <memory>

#include "put/put_variable.hpp"

namespace thalweg::put {

struct KeptField {
  std::unique_ptr<std::byte[]> values;
  Field field;  // of these
};

// Errors: as stored.
KeptField keep(const PutVariable& of, const Box& box, const Field& passed);

}  // namespace thalweg::put
