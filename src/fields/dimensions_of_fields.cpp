#include "fields/dimensions_of_fields.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/joined_dimensions.hpp"
#include "base/names.hpp"
#include "session/open_collection.hpp"

namespace thalweg::fields {
namespace {

// Dimensions of decompositions are those of other fields, too.
std::int64_t size_in_decompositions(session::Session& session, const std::string& name) {
  for (const geometry::Decomposition& of : session.core().declared.decompositions) {
    const auto found = std::ranges::find(of.dimensions, name);
    if (!of.has_own_names && found != of.dimensions.end())
      return of.sizes()[static_cast<int>(found - of.dimensions.begin())];
  }
  return 0;
}

bool is_of_levels(const Field& field, const std::string& dimension) {
  return field.levels && field.levels->name == dimension;
}

// Of the names of dimensions that others of the session may have with another size.
std::string with_ending(const Field& field, const std::string& names, const Region& region, const std::string& ending) {
  std::vector<std::string> all = split_names(names);
  for (std::string& name : all)
    if (is_of_levels(field, name) || region.find(name) != nullptr) name = region.name_of(name) + ending;
  return fmt::format("{}", fmt::join(all, ","));
}

// The names of the dimensions along which boxes of the field lie; of those that a list joins they are one.
std::vector<std::string> names_of_boxes(const Field& field, const geometry::Decomposition* decomposition) {
  std::vector<std::string> names = split_names(field.dims);
  if (decomposition == nullptr || decomposition->list == nullptr) return names;
  const int first = place_of_joined(names, decomposition->dimensions);
  return first < 0 ? names : with_joined(std::move(names), first, decomposition->dimensions.size());
}

Index behind(int leading, const Index& index) {
  Index others;
  for (int d = leading; d < index.rank(); ++d) others.push_back(index[d]);
  return others;
}

Box behind(int leading, const Box& box) {
  return {behind(leading, box.start), behind(leading, box.count)};
}

// In memory, too, they lie before all others.
put::FieldRules behind(int leading, put::FieldRules rules) {
  rules.memory_place.erase(rules.memory_place.begin(), rules.memory_place.begin() + leading);
  for (int& place : rules.memory_place) place -= leading;
  rules.decomposed.erase(rules.decomposed.begin(), rules.decomposed.begin() + leading);
  return rules;
}

// What a region has of boxes whose dimensions have these names and lie as the rules say.
class PartsOfBoxes {
 public:
  PartsOfBoxes(std::vector<std::string> names, const put::FieldRules& rules, const Region& region)
      : names_(std::move(names)), rules_(rules), region_(region) {}

  // All of the box of a variable that has a part of it: along dimensions that are not decomposed it is whole.
  Box whole(Box box) const {
    for (int d = 0; d < box.rank(); ++d)
      if (const Region::Along* part = undecomposed(d)) box.count[d] = part->size;
    return box;
  }

  // within: along dimensions of the decomposition; empty: all of them.
  PickedBox picked(int number, const Box& whole, const std::vector<geometry::Selection>& within) const {
    PickedBox picked{number, in_memory_order(whole.count, rules_), std::vector<geometry::Selection>(names_.size())};
    for (int d = 0; d < whole.rank(); ++d) {
      const auto at = static_cast<std::size_t>(d);
      const Region::Along* part = undecomposed(d);
      geometry::Selection& along = picked.within[static_cast<std::size_t>(rules_.memory_place[at])];
      along = part != nullptr ? part->selection : geometry::Selection::all(whole.count[d]);
      if (rules_.decomposed[at] >= 0 && !within.empty())
        along = within[static_cast<std::size_t>(rules_.decomposed[at])];
    }
    return picked;
  }

 private:
  const Region::Along* undecomposed(int d) const {
    const auto at = static_cast<std::size_t>(d);
    return rules_.decomposed[at] < 0 ? region_.find(names_[at]) : nullptr;
  }

  std::vector<std::string> names_;
  const put::FieldRules& rules_;
  const Region& region_;
};

}  // namespace

const geometry::Decomposition* decomposition_of(session::Session& session, const Field& field) {
  if (field.decomposition < 0) return nullptr;
  return &session.core().declared.decompositions[static_cast<std::size_t>(field.decomposition)];
}

std::vector<std::string> divided_by(session::Session& session, const Field& field) {
  const geometry::Decomposition* of = decomposition_of(session, field);
  return of == nullptr ? std::vector<std::string>() : of->dimensions;
}

Dimensions sizes_of(session::Session& session, const Field& field, const Dimensions& dimensions) {
  const geometry::Decomposition* decomposition = decomposition_of(session, field);
  Dimensions sizes;
  for (const std::string& name : split_names(field.dims)) {
    if (is_of_levels(field, name)) {
      sizes[name] = std::ssize(field.levels->values);
      continue;
    }
    const auto found = dimensions.find(name);
    sizes[name] = found != dimensions.end() ? found->second : size_in_decompositions(session, name);
    if (decomposition == nullptr) continue;
    const auto own = std::ranges::find(decomposition->dimensions, name);
    if (own != decomposition->dimensions.end())
      sizes[name] = decomposition->sizes()[static_cast<int>(own - decomposition->dimensions.begin())];
  }
  return sizes;
}

std::string dims_of(session::Session& session, const Field& field, const Dimensions& dimensions) {
  const Dimensions sizes = sizes_of(session, field, dimensions);
  std::vector<std::string> dims;
  for (const std::string& name : split_names(field.dims)) dims.push_back(fmt::format("{} = {}", name, sizes.at(name)));
  return fmt::format("{}", fmt::join(dims, ", "));
}

DefinedDimensions dimensions_in(session::Session& session, const Field& field, const Region& region,
                                const std::string& ending, bool is_sketched) {
  DefinedDimensions made{with_ending(field, field.dims, region, ending),
                         with_ending(field, field.memory_dims, region, ending), field.decomposition};
  const geometry::Decomposition* of = decomposition_of(session, field);
  if (of == nullptr || !region.has_any(of->dimensions)) return made;
  std::vector<std::string> names = of->dimensions;
  for (std::string& name : names)
    if (region.find(name) != nullptr) name = region.name_of(name) + ending;
  const std::vector<geometry::Selection> selections = region.selections(of->dimensions, of->sizes());
  made.decomposition = is_sketched ? session.definitions().sketched_part_of(field.decomposition, selections, names)
                                   : session.definitions().part_of(field.decomposition, selections, names);
  return made;
}

void define_dimensions(session::Session& session, session::Collection& collection, const Field& field,
                       const Dimensions& dimensions, const Region& region, const std::string& ending) {
  const geometry::Decomposition* of = decomposition_of(session, field);
  const auto& known = collection.declaration.definition().dimensions;
  for (const std::string& name : split_names(field.dims)) {
    if (of != nullptr && std::ranges::find(of->dimensions, name) != of->dimensions.end()) continue;
    const Region::Along* part = region.find(name);
    const bool is_own = part != nullptr || is_of_levels(field, name);
    const std::string in_file = is_own ? region.name_of(name) + ending : name;
    if (std::ranges::find(known, in_file, &catalog::Dimension::name) != known.end()) continue;
    const auto found = dimensions.find(name);
    if (part != nullptr)
      session.definitions().define_dimension(collection, in_file, part->selection.count());
    else if (is_own)
      session.definitions().define_dimension(collection, in_file, std::ssize(field.levels->values));
    else if (found != dimensions.end())
      session.definitions().define_dimension(collection, in_file, found->second);
  }
}

HeldField held_in(session::Session& session, const session::Collection& collection, int variable, int leading) {
  const session::Declared& declared = session.core().declared;
  HeldField held{session::boxes_to_put(collection, variable, declared),
                 session::variable_of(collection, variable, session.roles().rank, declared)};
  for (Box& box : held.boxes) box = behind(leading, box);
  held.variable.rules = behind(leading, std::move(held.variable.rules));
  return held;
}

// By a sketch that has it alone; any collection's settings do.
HeldField held_alone(session::Session& session, const Field& field, const Dimensions& dimensions) {
  session::Definitions& definitions = session.definitions();
  const session::Declared& declared = session.core().declared;
  const auto& any = declared.sketched.empty() ? declared.collections.front() : declared.sketched.front();
  session::Collection& sketch = definitions.sketch(any.declaration.settings());
  const DefinedDimensions of = dimensions_in(session, field, {});
  define_dimensions(session, sketch, field, dimensions, {});
  definitions.define_variable(sketch, field.last_part(), of.dims, field.type, of.decomposition, of.memory_dims);
  HeldField held = held_in(session, sketch, sketch.declaration.variables().find(field.last_part()));
  definitions.drop(sketch);
  return held;
}

int place_in_boxes(session::Session& session, const Field& field, const std::string& dimension) {
  const std::vector<std::string> names = names_of_boxes(field, decomposition_of(session, field));
  return static_cast<int>(std::ranges::find(names, dimension) - names.begin());
}

HeldField held_in_columns(session::Session& session, const HeldField& made, const Field& of_levels, const Field& of,
                          const Dimensions& dimensions) {
  if (of_levels.levels->whole) return held_alone(session, of, dimensions);
  const std::int64_t levels = sizes_of(session, of, dimensions).at(of_levels.levels->dimension);
  HeldField held = made;
  if (split_names(of.dims).size() != split_names(of_levels.dims).size()) {
    held.boxes = {{Index{0}, Index{levels}}};
    held.variable.rules = {{0}, {-1}, {}, {}};
    return held;
  }
  for (Box& box : held.boxes) box.count[place_in_boxes(session, of, of_levels.levels->dimension)] = levels;
  return held;
}

FieldInRegion field_in_region(session::Session& session, const session::Collection& collection, int variable,
                              const Field& field, const Region& region, int leading) {
  const geometry::Decomposition* of = decomposition_of(session, field);
  FieldInRegion made{held_in(session, collection, variable, leading), {}};
  const bool holds_part = !made.whole.boxes.empty();
  made.whole.boxes.clear();
  put::FieldRules& rules = made.whole.variable.rules;
  if (of != nullptr) {
    rules.halo_low = of->halo_low;
    rules.halo_high = of->halo_high;
    made.whole.variable.list = of->list;
  }
  const PartsOfBoxes parts(names_of_boxes(field, of), rules, region);
  const bool is_cut = of != nullptr && of->list == nullptr && region.has_any(of->dimensions);
  int number = 0;
  for (const Box& box : of == nullptr ? std::vector<Box>{{}} : of->boxes) {
    const Box whole = parts.whole(behind(leading, collection.declaration.in_variable(variable, box)));
    made.whole.boxes.push_back(whole);
    std::vector<PickedBox>& picked = made.boxes.emplace_back();
    if (!is_cut && holds_part) picked.push_back(parts.picked(number++, whole, {}));
    if (!is_cut) continue;
    for (const geometry::SelectedBox& part : geometry::selected_of(box, region.selections(of->dimensions, of->shape)))
      picked.push_back(parts.picked(number++, whole, part.within));
  }
  return made;
}

}  // namespace thalweg::fields
