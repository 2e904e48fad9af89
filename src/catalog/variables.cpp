#include "catalog/variables.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/told.hpp"

namespace thalweg::catalog {

void Variables::define(const std::string& name, const std::string& dims, Type type,
                       const DecompositionNames* decomposition, const std::string& memory_dims) {
  require_new(name);
  std::vector<std::string> names = split_names(dims);
  Variable variable;
  variable.name = name;
  variable.type = type;
  variable.has_record = take_record_dimension(name, dims, names);
  if (static_cast<int>(names.size()) >= max_rank)
    fail(THALWEG_ERROR_SHAPE, "collection '{}', variable '{}': {} dimensions; at most {} are possible", settings_.name,
         name, names.size(), max_rank - 1);
  ModelSide side;
  set_dimensions(names, decomposition, variable, side);
  if (decomposition != nullptr) require_decomposed(name, dims, *decomposition, side);
  if (decomposition != nullptr && decomposition->is_list) join(names, *decomposition, variable, side);
  set_memory_places(variable, names, memory_dims, side);
  definition_.variables.push_back(std::move(variable));
  model_sides_.push_back(std::move(side));
}

void Variables::require_new(const std::string& name) const {
  if (name.empty()) fail(THALWEG_ERROR_ARGUMENT, "collection '{}': a variable needs a name", settings_.name);
  if (find(name) >= 0)
    fail(THALWEG_ERROR_NAME, "collection '{}': variable '{}' is defined already; define each once", settings_.name,
         name);
}

// Whether the variable has records; its name is none of a dimension's then.
bool Variables::take_record_dimension(const std::string& name, const std::string& dims,
                                      std::vector<std::string>& names) const {
  const auto record = std::ranges::find(names, settings_.record_dimension);
  if (record == names.end()) return false;
  if (record != names.begin())
    fail(THALWEG_ERROR_SHAPE,
         "collection '{}', variable '{}': the record dimension '{}' must be the slowest one, but the dimensions are "
         "({}), {}",
         settings_.name, name, settings_.record_dimension, told::names(names), told::order());
  names.erase(record);
  if (std::ranges::count(names, settings_.record_dimension) > 0)
    fail(THALWEG_ERROR_SHAPE,
         "collection '{}', variable '{}': the dimensions ({}) have the record dimension '{}' twice, but a record is "
         "one point along it; give the other one a name of its own, and define it by thalweg_define_dimension",
         settings_.name, name, told::names(split_names(dims)), settings_.record_dimension);
  return true;
}

void Variables::set_dimensions(const std::vector<std::string>& names, const DecompositionNames* decomposition,
                               Variable& variable, ModelSide& side) const {
  static const std::vector<std::string> none;
  const std::vector<std::string>& decomposed = decomposition == nullptr ? none : *decomposition->dimensions;
  side.decomposition = decomposition == nullptr ? -1 : decomposition->number;
  for (const std::string& name : names) {
    const auto place = std::ranges::find(decomposed, name);
    side.decomposed.push_back(place == decomposed.end() ? -1 : static_cast<int>(place - decomposed.begin()));
    if (place != decomposed.end()) dimensions_.define(name, decomposition->shape[side.decomposed.back()]);
    variable.dimensions.push_back(dimensions_.number_of(name, variable.name));
  }
}

void Variables::require_decomposed(const std::string& name, const std::string& dims,
                                   const DecompositionNames& decomposition, const ModelSide& side) const {
  for (int d = 0; d < std::ssize(*decomposition.dimensions); ++d) {
    const auto times = std::ranges::count(side.decomposed, d);
    if (times == 0)
      fail(THALWEG_ERROR_SHAPE,
           "collection '{}', variable '{}': dimensions ({}) lack '{}', which its decomposition ({}) has; add it, or "
           "define the variable on another decomposition, or on none",
           settings_.name, name, told::names(split_names(dims)),
           (*decomposition.dimensions)[static_cast<std::size_t>(d)], told::names(*decomposition.dimensions));
    if (times != 1)
      fail(THALWEG_ERROR_SHAPE,
           "collection '{}', variable '{}': dimensions ({}) must have dimension '{}' of the decomposition once; a "
           "variable that has it twice is put without a decomposition, whole on every rank, or one of the two has a "
           "name of its own",
           settings_.name, name, told::names(split_names(dims)),
           (*decomposition.dimensions)[static_cast<std::size_t>(d)]);
  }
}

// The list's dimensions are one from here on; its points are numbered row by row, as files have them.
void Variables::join(const std::vector<std::string>& names, const DecompositionNames& list, Variable& variable,
                     ModelSide& side) const {
  if (list.dimensions->size() < 2) return;
  const int first = place_of_joined(names, *list.dimensions);
  if (first < 0)
    fail(THALWEG_ERROR_SHAPE,
         "collection '{}', variable '{}': the dimensions ({}) must have those of the index list ({}) next to each "
         "other and in this order, as it numbers its points",
         settings_.name, variable.name, told::names(names), told::names(*list.dimensions));
  variable.joined = JoinedDimensions(first, list.shape);
  side.decomposed.erase(side.decomposed.begin() + first + 1,
                        side.decomposed.begin() + first + static_cast<std::ptrdiff_t>(list.dimensions->size()));
}

void Variables::set_memory_places(const Variable& variable, std::vector<std::string> dims,
                                  const std::string& memory_dims, ModelSide& side) const {
  std::vector<std::string> memory = memory_dims.empty() ? dims : split_names(memory_dims);
  if (memory.size() != dims.size() || !std::is_permutation(memory.begin(), memory.end(), dims.begin()))
    fail(THALWEG_ERROR_SHAPE,
         "collection '{}', variable '{}': memory dimensions ({}) must be the dimensions ({}) in another order, without "
         "the record dimension",
         settings_.name, variable.name, told::names(split_names(memory_dims)), told::names(dims));
  if (const JoinedDimensions& joined = variable.joined; joined.any()) {
    const auto begin = dims.begin() + joined.first();
    const std::vector<std::string> names(begin, begin + joined.sizes().rank());
    const int in_memory = place_of_joined(memory, names);
    if (in_memory < 0)
      fail(THALWEG_ERROR_SHAPE,
           "collection '{}', variable '{}': memory dimensions ({}) must have those of the index list ({}) next to each "
           "other and in this order: together they stand for the one dimension of the list's points",
           settings_.name, variable.name, told::names(split_names(memory_dims)), told::names(names));
    memory = with_joined(std::move(memory), in_memory, names.size());
    dims = with_joined(std::move(dims), joined.first(), names.size());
  }
  // Of a dimension that a variable has twice, as a covariance has, the first one in the file is the first in memory.
  std::vector<bool> taken(memory.size(), false);
  for (const std::string& dim : dims) {
    std::size_t place = 0;
    while (taken[place] || memory[place] != dim) ++place;
    taken[place] = true;
    side.memory_place.push_back(static_cast<int>(place));
  }
}

void Variables::add_container(Variable container) {
  definition_.variables.push_back(std::move(container));
  model_sides_.emplace_back().is_held = false;
}

void Variables::add_own_coordinate(Variable coordinate) {
  own_coordinate_ = static_cast<int>(definition_.variables.size());
  definition_.variables.push_back(std::move(coordinate));
  model_sides_.push_back({});
}

void Variables::remove_disabled() {
  for (std::size_t v = definition_.variables.size(); v-- > 0;)
    if (is_disabled(definition_.variables[v].name)) {
      definition_.variables.erase(definition_.variables.begin() + static_cast<long>(v));
      model_sides_.erase(model_sides_.begin() + static_cast<long>(v));
    }
}

int Variables::find(const std::string& name) const {
  return definition_.find(name);
}

std::vector<std::string> Variables::names() const {
  std::vector<std::string> names;
  for (const Variable& variable : definition_.variables) names.push_back(variable.name);
  return names;
}

bool Variables::is_disabled(const std::string& name) const {
  const auto found = settings_.variables.find(name);
  return found != settings_.variables.end() && !found->second.enabled;
}

Box Variables::in_variable(int variable, const Box& box) const {
  const Index shape = definition_.joined_shape(definition_.variable(variable));
  Box result = whole(shape);
  const auto& decomposed = model_side(variable).decomposed;
  for (int d = 0; d < shape.rank(); ++d) {
    const int from = decomposed.empty() ? -1 : decomposed[static_cast<std::size_t>(d)];
    if (from < 0) continue;
    result.start[d] = box.start[from];
    result.count[d] = box.count[from];
  }
  return result;
}

}  // namespace thalweg::catalog
