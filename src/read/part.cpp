#include "read/part.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"
#include "catalog/positions.hpp"

namespace thalweg::read {
namespace {

bool is_coordinate_of(const InputVariable& variable, const std::string& dimension) {
  return !variable.has_records && variable.dimensions == std::vector{dimension} && variable.type != Type::character;
}

// The dimension that a choice names, or that its coordinate has.
PartOf dimension_of(const Choice& choice, const InputVariable& variable, const Contents& contents,
                    const std::string& where) {
  const auto& names = variable.dimensions;
  const InputVariable* named = contents.find(choice.name);
  auto dimension = std::ranges::find(names, choice.name);
  if (dimension == names.end() && named != nullptr && named->dimensions.size() == 1 &&
      is_coordinate_of(*named, named->dimensions.front()))
    dimension = std::ranges::find(names, named->dimensions.front());
  if (dimension == names.end() && variable.has_records && choice.name == contents.record_dimension)
    fail(THALWEG_ERROR_ARGUMENT,
         "{}: '{}' is the dimension of records, of which none are selected; give the get the number of a record, which "
         "thalweg_input_record_at finds by its time",
         where, choice.name);
  if (dimension == names.end())
    fail(THALWEG_ERROR_NAME,
         "{}: it has no dimension '{}', and none of which a variable of this name is the coordinate{}", where,
         choice.name, name_hint(choice.name, names));
  PartOf of{choice, static_cast<int>(dimension - names.begin()), nullptr};
  if (choice.is_by_index()) return of;
  if (named == nullptr || !is_coordinate_of(*named, *dimension))
    fail(THALWEG_ERROR_NAME,
         "{}: dimension '{}' has no coordinate, a variable '{}' of numbers that has this dimension alone; select by "
         "index: '{}[0:{}]'",
         where, *dimension, choice.name, choice.name, variable.shape[of.dimension]);
  of.coordinate = named;
  return of;
}

Along along_indices(const Choice& choice, std::int64_t extent, const std::string& where) {
  const bool is_one = choice.is_one_cell();
  const std::int64_t stop = is_one ? choice.first + 1 : choice.stop.value_or(extent);
  if (choice.first >= stop || stop > extent)
    fail(THALWEG_ERROR_ARGUMENT,
         "{}: '{}' are no cells of the file, which has {}, counted from 0; the end is not one "
         "of them",
         where, choice.text, counted(extent, "cell"));
  return along_cells(choice.first, stop - choice.first, choice.step, extent);
}

Along along_values(const Choice& choice, const Coordinate& coordinate) {
  if (choice.is_one_cell()) {
    const bool is_exact = choice.by == Choice::By::value;
    return {{0, is_exact ? coordinate.cell_of(*choice.low) : coordinate.nearest_cell(*choice.low), 1, 1}};
  }
  const Cells cells = coordinate.cells_between(choice.low, choice.high);
  return along_cells(cells.start, cells.count, choice.step, cells.around);
}

}  // namespace

std::vector<PartOf> dimensions_of(const std::vector<Choice>& choices, const InputVariable& variable,
                                  const Contents& contents, const std::string& where) {
  std::vector<PartOf> parts;
  for (const Choice& choice : choices) {
    PartOf of = dimension_of(choice, variable, contents, where);
    const auto before = std::ranges::find(parts, of.dimension, &PartOf::dimension);
    if (before != parts.end())
      fail(THALWEG_ERROR_ARGUMENT, "{}: '{}' and '{}' are of one dimension; select once of each", where,
           before->choice.text, choice.text);
    parts.push_back(std::move(of));
  }
  return parts;
}

bool is_longitude(const InputVariable& coordinate) {
  return catalog::has_units_of_longitude(coordinate.attributes);
}

void take_part(const PartOf& of, const Coordinate* coordinate, Selection& selection, const std::string& where) {
  const auto dimension = static_cast<std::size_t>(of.dimension);
  selection.along[dimension] = coordinate == nullptr ? along_indices(of.choice, selection.shape[of.dimension], where)
                                                     : along_values(of.choice, *coordinate);
  selection.is_kept[dimension] = !of.choice.is_one_cell();
}

InputVariable part_of(const InputVariable& variable, Selection selection) {
  InputVariable part = variable;
  part.shape = selection.part_shape();
  part.chunk = selection.kept_of(variable.chunk);
  part.dimensions.clear();
  for (std::size_t d = 0; d < variable.dimensions.size(); ++d)
    if (selection.is_kept[d]) part.dimensions.push_back(variable.dimensions[d]);
  part.selection = std::move(selection);
  return part;
}

}  // namespace thalweg::read
