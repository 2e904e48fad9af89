#include "catalog/dimensions.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"

namespace thalweg::catalog {

void Dimensions::define(const std::string& name, std::int64_t size) {
  if (name.empty() || size < 1)
    fail(THALWEG_ERROR_ARGUMENT,
         "collection '{}': dimension '{}' of size {}: a dimension needs a name and a size of at least 1",
         settings_.name, name, size);
  if (name == settings_.record_dimension)
    fail(THALWEG_ERROR_NAME, "collection '{}': '{}' is the record dimension, which grows by itself and is not defined",
         settings_.name, name);
  const auto known = std::ranges::find(all_, name, &Dimension::name);
  if (known == all_.end())
    all_.push_back({name, size});
  else if (known->size != size)
    fail(THALWEG_ERROR_NAME, "collection '{}': dimension '{}' has size {} already; it cannot be {} as well",
         settings_.name, name, known->size, size);
}

int Dimensions::number_of(const std::string& name, const std::string& variable) {
  const auto found = std::ranges::find(all_, name, &Dimension::name);
  if (found != all_.end()) return static_cast<int>(found - all_.begin());
  define(name, offered_size(name, variable));
  return static_cast<int>(all_.size()) - 1;
}

std::int64_t Dimensions::offered_size(const std::string& name, const std::string& variable) const {
  const auto offered = offered_.find(name);
  if (offered == offered_.end()) {
    std::vector<std::string> known = names();
    for (const auto& [other, sizes] : offered_)
      if (std::ranges::find(known, other) == known.end()) known.push_back(other);
    fail(THALWEG_ERROR_NAME,
         "collection '{}', variable '{}': dimension '{}' is neither decomposed nor defined; define it by "
         "thalweg_define_dimension where every rank has the whole of it; the record dimension is '{}' "
         "(record-dimension){}",
         settings_.name, variable, name, settings_.record_dimension, name_hint(name, known));
  }
  if (offered->second.size() > 1)
    fail(THALWEG_ERROR_NAME,
         "collection '{}', variable '{}': dimension '{}' has the sizes {} in decompositions of this session; say which "
         "by thalweg_define_dimension, or define a variable before that has that decomposition",
         settings_.name, variable, name, fmt::join(offered->second, " and "));
  return *offered->second.begin();
}

std::vector<std::string> Dimensions::names() const {
  std::vector<std::string> names;
  for (const Dimension& dimension : all_) names.push_back(dimension.name);
  return names;
}

void Dimensions::check_chunks() const {
  check_chunks(settings_.chunks, settings_.chunks_place, fmt::format("collection '{}'", settings_.name));
  for (const auto& [name, variable] : settings_.variables)
    check_chunks(variable.chunks, variable.chunks_place,
                 fmt::format("collection '{}', variable '{}'", settings_.name, name));
}

void Dimensions::check_chunks(const config::ChunkSettings& chunks, const std::string& place,
                              const std::string& what) const {
  if (place.empty()) return;
  std::vector<std::string> known = names();
  known.insert(known.begin(), settings_.record_dimension);
  for (const auto& [name, cells] : chunks)
    if (std::ranges::find(known, name) == known.end())
      fail(THALWEG_ERROR_CONFIG, "{}: {}: 'chunks' names the dimension '{}', which the model does not define{}", place,
           what, name, name_hint(name, known));
}

}  // namespace thalweg::catalog
