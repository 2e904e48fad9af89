// The dimensions that a model declares: all but the record dimension, which grows by itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/definition.hpp"
#include "config/settings.hpp"

namespace thalweg::catalog {

class Dimensions {
 public:
  // Both outlive this.
  Dimensions(const config::CollectionSettings& settings, std::vector<Dimension>& all)
      : settings_(settings), all_(all) {}

  // Of one that is defined already: again, with the same size. Errors: ARGUMENT, NAME.
  void define(const std::string& name, std::int64_t size);
  // Errors: NAME for one that a variable has and nobody defined.
  int number_of(const std::string& name, const std::string& variable) const;

  // Every dimension that 'chunks' names is one of these, or the record dimension. Errors: CONFIG.
  void check_chunks() const;

 private:
  std::vector<std::string> names() const;
  void check_chunks(const config::ChunkSettings& chunks, const std::string& what) const;

  const config::CollectionSettings& settings_;
  std::vector<Dimension>& all_;
};

}  // namespace thalweg::catalog
