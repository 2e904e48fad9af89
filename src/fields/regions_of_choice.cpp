#include "fields/regions_of_choice.hpp"

#include <algorithm>
#include <cstddef>

namespace thalweg::fields {
namespace {

// Of those that are chosen which it is for, and of the coordinates that come with them.
template <typename IsFor>
void add_sizes(Region::Sizes& sizes, const Choice& choice, const std::vector<Field>& fields, const SizesOf& sizes_of,
               const IsFor& is_for) {
  for (const Chosen& chosen : choice.chosen)
    if (is_for(chosen))
      for (const auto& [dimension, size] : sizes_of(fields[static_cast<std::size_t>(chosen.field)]))
        sizes[dimension].insert(size);
}

}  // namespace

std::vector<std::string> find_regions(const config::CollectionSettings& collection, FilesOfChoice& files,
                                      const std::vector<Field>& fields, const SizesOf& sizes_of,
                                      const Region::AxisOf& axis_of) {
  const auto is_whole = [](const auto& file) {
    return std::ranges::all_of(file.second.regions, [](const ChosenRegion& of) { return of.parts.empty(); });
  };
  const Region::Said said = Region::said_of(collection);
  if (said.parts.empty() && std::ranges::all_of(files.collections, is_whole)) return {};
  Region::Sizes all;
  for (const auto& [name, choice] : files.collections)
    add_sizes(all, choice, fields, sizes_of, [](const Chosen&) { return true; });
  const Region usual(collection, said, all, axis_of);
  for (auto& [name, choice] : files.collections)
    for (std::size_t r = 0; r < choice.regions.size(); ++r) {
      ChosenRegion& region = choice.regions[r];
      if (!region.is_of_some) {
        region.region = usual;
        continue;
      }
      Region::Sizes sizes;
      add_sizes(sizes, choice, fields, sizes_of,
                [&](const Chosen& chosen) { return static_cast<std::size_t>(chosen.region) == r; });
      region.region = Region(collection, {region.parts, {}, true}, sizes, axis_of);
      if (r > 0) region.region.set_apart(region.parts, choice.regions[0].parts, ending_of_region(r), sizes);
    }
  return usual.absent();
}

}  // namespace thalweg::fields
