#include "fields/other_grid.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "config/title.hpp"
#include "fields/columns_of_fields.hpp"
#include "fields/field_names.hpp"
#include "fields/grid_of_choice.hpp"
#include "fields/source_cells.hpp"
#include "fields/weights_file.hpp"
#include "transport/agreement.hpp"
#include "transport/packing.hpp"

namespace thalweg::fields {
namespace {

GridVariable position(const char* name, bool is_latitude, const std::string& dimension, std::vector<double> values) {
  const std::int64_t size = std::ssize(values);
  return {name, {dimension}, {size}, attributes_of_position(is_latitude), std::move(values)};
}

GridVariable names_of(const std::vector<config::GridPoint>& points, const std::string& dimension) {
  std::size_t length = 1;
  for (const config::GridPoint& point : points) length = std::max(length, point.name.size());
  GridVariable names{dimension + "_name",
                     {dimension, dimension + "_name_length"},
                     {std::ssize(points), static_cast<std::int64_t>(length)},
                     {catalog::text_attribute("long_name", dimension + " name")},
                     {}};
  for (const config::GridPoint& point : points) {
    names.characters += point.name;
    names.characters.append(length - point.name.size(), '\0');
  }
  return names;
}

// Of the cells that are nearest to the points.
TargetGrid grid_of(const config::GridSettings& grid, const std::vector<config::GridPoint>& points,
                   const std::vector<NearestCell>& cells) {
  const bool is_section = grid.section.points > 0;
  const std::string dimension = is_section ? "point" : "station";
  std::vector<double> lat, lon, along;
  for (const NearestCell& cell : cells) {
    lat.push_back(cell.place.lat);
    lon.push_back(cell.place.lon);
  }
  TargetGrid made{.dims = {dimension}, .sizes = {std::ssize(points)}, .variables = {}, .coordinates = "lat lon"};
  made.variables = {position("lat", true, dimension, lat), position("lon", false, dimension, lon)};
  if (is_section) {
    for (const config::GridPoint& point : points)
      along.push_back(distance_km({points[0].lon, points[0].lat}, {point.lon, point.lat}));
    made.variables.push_back(
        {"distance",
         {dimension},
         {std::ssize(points)},
         {catalog::text_attribute("long_name", "distance along the section"), catalog::text_attribute("units", "km")},
         along});
    made.coordinates += " distance";
  } else if (!points[0].name.empty()) {
    made.variables.push_back(names_of(points, dimension));
    made.coordinates += " " + made.variables.back().name;
  }
  return made;
}

void say_where(const config::CollectionSettings& collection, const std::vector<config::GridPoint>& points,
               const std::vector<NearestCell>& cells) {
  constexpr std::size_t most = 8;  // that are told one by one
  std::vector<std::string> texts;
  double farthest_km = 0.0;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const double away_km = distance_km({points[p].lon, points[p].lat}, cells[p].place);
    farthest_km = std::max(farthest_km, away_km);
    texts.push_back(fmt::format("{}({:.6g}, {:.6g}): ({:.6g}, {:.6g}), {:.1f} km away", points[p].name, points[p].lon,
                                points[p].lat, cells[p].place.lon, cells[p].place.lat, away_km));
  }
  if (points.size() > most)
    log::note("collection '{}': the cells that are nearest to its {} points are at most {:.1f} km away from them",
              collection.name, points.size(), farthest_km);
  else
    log::note("collection '{}': nearest to its points (lon, lat) are the cells at: {}", collection.name,
              fmt::format("{}", fmt::join(texts, "; ")));
}

}  // namespace

template <typename... Values>
void OtherGrid::refuse(fmt::format_string<Values...> text, Values&&... values) const {
  fail(THALWEG_ERROR_CONFIG, "{}: grid: {}", config::title_of(collection_),
       fmt::format(text, std::forward<Values>(values)...));
}

template <typename Make>
auto OtherGrid::told(const Make& make) const {
  try {
    return make();
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: grid: {}", config::title_of(collection_), error.what()));
  }
}

const Remapping* OtherGrid::of(const Field& field) {
  if (dimensions_left(grid(), divided_by(session_, field)).empty()) return nullptr;
  StaticValues::Coordinates coordinates;
  if (grid().is_of_points()) coordinates = StaticValues(session_, fields_, statics_).coordinates_of(field);
  const std::pair cells(field.decomposition, coordinates);
  const auto known = made_.find(cells);
  if (known != made_.end()) return &known->second;
  return &made_.emplace(cells, make(field, coordinates)).first->second;
}

void OtherGrid::require_use() const {
  if (!made_.empty()) return;
  if (!grid().mean.empty())
    refuse("a mean over '{}' is wanted, along which the decomposition of none of its fields lies",
           fmt::join(grid().mean, ", "));
  refuse("none of its fields has a decomposition, so that all would stay as they are; leave 'grid' out");
}

Remapping OtherGrid::make(const Field& field, const StaticValues::Coordinates& coordinates) {
  Remapping made;
  made.from = divided_by(session_, field);
  made.left = dimensions_left(grid(), made.from);
  remap::Rows rows = !grid().weights.empty() ? by_weights(field, made)
                     : grid().is_of_points() ? by_points(field, coordinates, made)
                                             : by_mean(field, made);
  made.exchange = std::make_unique<remap::Exchange>(circle(), numbers_of_cells(*decomposition_of(session_, field)),
                                                    std::move(rows));
  return made;
}

// Its cells are divided among all clients.
void OtherGrid::set_grid(Remapping& made, TargetGrid grid) const {
  made.grid = std::move(grid);
  const bool is_one = made.grid.dims.empty();
  made.shares = remap::Shares(is_one ? Index{1} : made.grid.sizes, circle().size());
  made.own = made.shares.box_of(circle().rank());
  if (is_one) return;
  geometry::Decomposition cells;
  cells.dimensions = made.grid.dims;
  cells.shape = made.grid.sizes;
  cells.halo_low = cells.halo_high = Index::filled(cells.shape.rank(), 0);
  cells.has_own_names = true;
  if (!made.own.empty()) cells.boxes = {made.own};
  made.decomposition = session_.definitions().decompose(std::move(cells));
}

remap::Rows OtherGrid::rows_of(const Remapping& made, std::vector<remap::Entry> entries, bool normalised) const {
  const std::int64_t first = made.shares.first_of(circle().rank());
  return {first, made.shares.first_of(circle().rank() + 1) - first, std::move(entries), normalised};
}

remap::Rows OtherGrid::by_weights(const Field& field, Remapping& made) {
  const std::filesystem::path path = std::filesystem::path(session_.settings().folder) / grid().weights;
  WeightsFile file = told([&] { return WeightsFile(inputs_, path.lexically_normal(), grid()); });
  const Index sizes = decomposition_of(session_, field)->sizes();
  const Index& source = file.source();
  if (source.rank() > 0 && (source.product() != sizes.product() || (source.rank() == sizes.rank() && source != sizes)))
    refuse(
        "the weights of '{}' are for fields of {} cells, but '{}' lies on {} ({}); make them for this grid of the "
        "model, or have the field in another collection",
        grid().weights, fmt::join(source, " x "), field.name, fmt::join(sizes, " x "), fmt::join(made.from, ","));
  set_grid(made, told([&] { return file.target(); }));
  const std::int64_t first = made.shares.first_of(circle().rank());
  const std::int64_t cells = made.shares.first_of(circle().rank() + 1) - first;
  return rows_of(made, told([&] { return file.entries(first, cells, sizes.product()); }));
}

remap::Rows OtherGrid::by_points(const Field& field, const StaticValues::Coordinates& coordinates, Remapping& made) {
  const std::vector<config::GridPoint> points = points_of(grid());
  std::vector<Place> places;
  transport::together(circle(), [&] {
    places =
        told([&] { return StaticValues(session_, fields_, statics_).places_of(field.decomposition, coordinates); });
  });
  const std::vector<NearestCell> cells =
      nearest_cells(circle(), points, places, numbers_of_cells(*decomposition_of(session_, field)));
  if (cells[0].number < 0)
    refuse("no cell of ({}) has a longitude and a latitude that are numbers", fmt::join(made.from, ","));
  if (circle().rank() == 0) say_where(collection_, points, cells);
  set_grid(made, grid_of(grid(), points, cells));
  std::vector<remap::Entry> entries;
  for (std::size_t p = 0; p < cells.size(); ++p)
    entries.push_back({static_cast<std::int64_t>(p), cells[p].number, 1.0});
  return rows_of(made, std::move(entries));
}

remap::Rows OtherGrid::by_mean(const Field& field, Remapping& made) {
  const Index sizes = decomposition_of(session_, field)->sizes();
  for (const std::string& name : grid().mean)
    if (!is_among_names(made.from, name))
      refuse("a mean over '{}' is wanted, but the decomposition of '{}' has ({}); means are of its dimensions", name,
             field.name, fmt::join(made.from, ","));
  TargetGrid target{.dims = {}, .sizes = {}, .variables = {}};
  std::vector<int> kept;
  for (int d = 0; d < sizes.rank(); ++d) {
    if (is_among_names(grid().mean, made.from[static_cast<std::size_t>(d)])) continue;
    kept.push_back(d);
    target.dims.push_back(made.from[static_cast<std::size_t>(d)]);
    target.sizes.push_back(sizes[d]);
  }
  target.cell_methods = target.dims.empty() ? "area: mean" : fmt::format("{}: mean", fmt::join(names_of_mean(), ": "));
  if (!grid().by.empty()) target.cell_methods += fmt::format(" (weighted by {})", grid().by);
  const Index strides = contiguous_strides(sizes, 1), own_strides = contiguous_strides(target.sizes, 1);
  set_grid(made, std::move(target));
  std::vector<double> weights;
  transport::together(circle(), [&] { weights = weights_of(field); });
  const std::vector<std::int64_t> numbers = numbers_of_cells(*decomposition_of(session_, field));
  std::vector<remap::Entry> entries;
  for (std::size_t cell = 0; cell < numbers.size(); ++cell) {
    if (numbers[cell] < 0) continue;
    std::int64_t row = 0;
    for (std::size_t k = 0; k < kept.size(); ++k)
      row += numbers[cell] / strides[kept[k]] % sizes[kept[k]] * own_strides[static_cast<int>(k)];
    entries.push_back({row, numbers[cell], weights.empty() ? 1.0 : weights[cell]});
  }
  return rows_of(made, to_owners(entries, made.shares), true);
}

// A dimension that files do not have has the standard name of its coordinate. (source: CF conventions, section 7.3.4)
std::vector<std::string> OtherGrid::names_of_mean() const {
  std::vector<std::string> names = grid().mean;
  for (std::string& name : names) {
    const auto is_coordinate = [&](const Field& of) {
      return of.is_static && of.dims == name && of.last_part() == name;
    };
    const auto found = std::ranges::find_if(fields_.all(), is_coordinate);
    if (found == fields_.all().end()) continue;
    if (const std::string standard_name = standard_name_along(name, fields_.all()); !standard_name.empty())
      name = standard_name;
    else if (is_longitude(*found) || is_latitude(*found))
      name = is_longitude(*found) ? "longitude" : "latitude";
  }
  return names;
}

// Of this rank's cells; none: all weigh the same. Cells of which the field is missing weigh nothing.
std::vector<double> OtherGrid::weights_of(const Field& field) const {
  if (grid().by.empty()) return {};
  const std::vector<int> found = FieldNames(fields_.all()).named(grid().by);
  if (found.size() != 1)
    refuse("'by' is '{}', which {}", grid().by, found.empty() ? "no field is called" : "several fields are called");
  const Field& measure = fields_.at(found.front());
  if (!measure.is_static || measure.decomposition != field.decomposition ||
      split_names(measure.dims) != divided_by(session_, field))
    refuse("field '{}' cannot weigh the cells of '{}': it has to be static, on the same decomposition, along ({})",
           measure.name, field.name, fmt::join(divided_by(session_, field), ","));
  std::vector<double> weights = told([&] { return StaticValues(session_, fields_, statics_).of_cells(found.front()); });
  for (double& weight : weights) weight = std::isnan(weight) ? 0.0 : weight;
  if (std::ranges::any_of(weights, [](double weight) { return weight < 0.0 || std::isinf(weight); }))
    refuse("field '{}' is negative or infinite in some cells, and cannot weigh them", measure.name);
  return weights;
}

// Whoever holds a cell knows its weight. Of one that several hold all say the same, and one of them counts.
std::vector<remap::Entry> OtherGrid::to_owners(const std::vector<remap::Entry>& entries,
                                               const remap::Shares& shares) const {
  std::map<int, std::vector<remap::Entry>> by_owner;
  for (const remap::Entry& entry : entries) by_owner[shares.owner_of(entry.target)].push_back(entry);
  std::map<int, transport::Bytes> going;
  for (const auto& [owner, of] : by_owner) going[owner] = transport::Packer().put_all(of).take();
  std::vector<remap::Entry> all;
  std::set<std::pair<std::int64_t, std::int64_t>> known;
  for (const auto& [rank, bytes] : transport::exchange_sparsely(circle(), std::move(going)))
    for (const remap::Entry& entry : transport::Unpacker(bytes).get_all<std::vector<remap::Entry>>())
      if (known.emplace(entry.target, entry.source).second) all.push_back(entry);
  return all;
}

}  // namespace thalweg::fields
