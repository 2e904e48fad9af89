// A file that is written box by box by one process, whatever its format: what tools make, not models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/box.hpp"
#include "catalog/definition.hpp"

namespace thalweg::formats {

class ResultFile {
 public:
  virtual ~ResultFile() = default;

  // Writes a box that is one run of the variable's row-major array; record is ignored for variables without. The values
  // are in host order, and are changed.
  virtual void write(int variable, std::int64_t record, const Box& box, std::span<std::byte> values) = 0;

  // Completes the file; it is on stable storage when this returns.
  virtual void close() = 0;
};

// Creates the file at path (which must not exist) for that many records. Errors: STORAGE, FORMAT. Needs MPI to be
// initialised, as the libraries that make headers do.
std::unique_ptr<ResultFile> create_result(const std::string& path, const catalog::Definition& definition,
                                          std::int64_t records);

}  // namespace thalweg::formats
