// The dimensions that a model declares: all but the record dimension, which grows by itself.
#pragma once

#include <cstdint>
#include <map>
#include <set>
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
  // Of a decomposition of the session: a variable may have it that is not decomposed itself, as coordinates are.
  void offer(const std::string& name, std::int64_t size) { offered_[name].insert(size); }
  // Of a dimension that a variable has. One that is offered is defined by that. Errors: NAME for one that is neither
  // defined nor offered, or offered with several sizes.
  int number_of(const std::string& name, const std::string& variable);

  // Every dimension that 'chunks' of the collection names is one of these, or the record dimension; those of the
  // defaults are for collections that have them. Errors: CONFIG.
  void check_chunks() const;

 private:
  std::vector<std::string> names() const;
  std::int64_t offered_size(const std::string& name, const std::string& variable) const;
  void check_chunks(const config::ChunkSettings& chunks, const std::string& place, const std::string& what) const;

  const config::CollectionSettings& settings_;
  std::vector<Dimension>& all_;
  std::map<std::string, std::set<std::int64_t>> offered_;  // name → sizes
};

}  // namespace thalweg::catalog
