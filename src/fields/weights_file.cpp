#include "fields/weights_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "base/error.hpp"
#include "base/names.hpp"
#include "fields/numbers.hpp"

namespace thalweg::fields {
namespace {

constexpr double same_degrees = 1e-9;

bool is_rectilinear(const Index& sizes, const std::vector<double>& lat, const std::vector<double>& lon) {
  if (sizes.rank() != 2) return false;
  const std::int64_t row = sizes[1];
  for (std::int64_t cell = 0; cell < std::ssize(lat); ++cell) {
    const auto at = static_cast<std::size_t>(cell);
    const double northward = lat[at] - lat[static_cast<std::size_t>(cell / row * row)];
    const double eastward = lon[at] - lon[static_cast<std::size_t>(cell % row)];
    if (!(std::abs(northward) <= same_degrees && std::abs(eastward) <= same_degrees)) return false;  // nor of NaN
  }
  return true;
}

// A number of a cell, counted from 1.
bool is_one_of(double number, std::int64_t cells) {
  return number >= 1.0 && number <= static_cast<double>(cells) && number == std::floor(number);
}

std::vector<catalog::Attribute> attributes_of_axis(bool is_latitude) {
  std::vector<catalog::Attribute> all = attributes_of_position(is_latitude);
  all.push_back(catalog::text_attribute("axis", is_latitude ? "Y" : "X"));
  return all;
}

// Longitudes of which the ends of the circle lie between ascend or descend when each is taken next to the one before,
// as those of a coordinate have to. (source: CF conventions, section 5)
std::vector<double> next_to_each_other(std::vector<double> lon) {
  constexpr double circle = 360.0;
  const auto is_monotonic = [&lon] {
    return std::ranges::adjacent_find(lon, std::ranges::greater_equal()) == lon.end() ||
           std::ranges::adjacent_find(lon, std::ranges::less_equal()) == lon.end();
  };
  if (is_monotonic()) return lon;
  for (std::size_t i = 1; i < lon.size(); ++i) lon[i] += circle * std::round((lon[i - 1] - lon[i]) / circle);
  const double most = *std::ranges::max_element(lon);
  for (double& value : lon) value -= most >= circle ? circle : 0.0;
  return lon;
}

std::vector<double> every(const std::vector<double>& values, std::int64_t step, std::int64_t count) {
  std::vector<double> some;
  for (std::int64_t i = 0; i < count; ++i) some.push_back(values[static_cast<std::size_t>(i * step)]);
  return some;
}

// The least and the greatest of a cell's corners, whose longitudes may lie a circle away from its middle.
std::array<double, 2> edges_of(const double* corners, std::int64_t count, double middle, bool is_longitude) {
  constexpr double circle = 360.0;
  std::array<double, 2> edges{middle, middle};
  for (std::int64_t c = 0; c < count; ++c) {
    double corner = corners[c];
    if (is_longitude) corner += circle * std::round((middle - corner) / circle);
    edges = {std::min(edges[0], corner), std::max(edges[1], corner)};
  }
  return edges;
}

}  // namespace

template <typename... Values>
void WeightsFile::refuse(fmt::format_string<Values...> text, Values&&... values) const {
  fail(THALWEG_ERROR_CONFIG, "weights of '{}': {}", settings_.weights,
       fmt::format(text, std::forward<Values>(values)...));
}

const WeightsFile::Names& WeightsFile::names_in(const read::Input& input) {
  static constexpr Names esmf{"S", "row", "col", "dst_grid_dims", "src_grid_dims", "yc_b", "xc_b", "yv_b", "xv_b"};
  static constexpr Names scrip{"remap_matrix",        "dst_address",         "src_address",
                               "dst_grid_dims",       "src_grid_dims",       "dst_grid_center_lat",
                               "dst_grid_center_lon", "dst_grid_corner_lat", "dst_grid_corner_lon"};
  const auto has = [&](std::string_view name) { return input.contents().find(std::string(name)) != nullptr; };
  return has(scrip.weights) && !has(esmf.weights) ? scrip : esmf;
}

WeightsFile::WeightsFile(read::Inputs& inputs, const std::string& path, const config::GridSettings& settings)
    : inputs_(inputs), settings_(settings), input_(inputs.open(path, path)), names_(names_in(input_)) {
  try {
    for (const std::string_view name : {names_.weights, names_.to, names_.from})
      if (!has(name))
        refuse(
            "'{}' has no variable '{}', so that it is no file of weights; ESMF_RegridWeightGen, xESMF (to_netcdf) and "
            "cdo genbil, gencon, gendis or gennn make one",
            path, name);
    require_links();
    require_sums();
    set_sizes();
  } catch (...) {
    inputs_.close(input_);
    throw;
  }
}

std::vector<double> WeightsFile::numbers(std::string_view name) {
  const read::InputVariable& variable = input_.variable(std::string(name));
  std::vector<double> all(static_cast<std::size_t>(variable.shape.product()));
  const put::Field array{reinterpret_cast<const std::byte*>(all.data()), Type::float64, variable.shape,
                         contiguous_strides(variable.shape, static_cast<std::int64_t>(sizeof(double)))};
  read::get(input_, std::string(name), {}, [&] { return array; });
  return all;
}

std::vector<double> WeightsFile::numbers(std::string_view name, std::int64_t first, std::int64_t count) {
  const std::string text(name);
  const std::string dimension = input_.contents().find(text)->dimensions[0];
  input_.selecting(text, fmt::format("{}[{}:{}]", dimension, first, first + count))(input_);
  return numbers(name);
}

std::vector<double> WeightsFile::degrees(std::string_view name) {
  std::vector<double> values = numbers(name);
  const catalog::Attribute* units = catalog::find(input_.contents().find(std::string(name))->attributes, "units");
  if (units != nullptr && units->text.starts_with("rad"))
    for (double& value : values) value *= 180.0 / std::numbers::pi;
  return values;
}

// Each has a weight, and the two cells between which it leads.
void WeightsFile::require_links() const {
  const std::int64_t links = input_.contents().find(std::string(names_.to))->shape.product();
  for (const std::string_view name : {names_.to, names_.from, names_.weights}) {
    const read::InputVariable& variable = *input_.contents().find(std::string(name));
    const bool is_like = name == names_.weights ? variable.shape.rank() <= 2 : variable.shape.rank() == 1;
    if (variable.has_records || variable.shape.rank() == 0 || !is_like)
      refuse(
          "'{}' lies along {}; numbers are wanted along one dimension of a fixed size, as all tools have them "
          "that make weights",
          name, variable.has_records ? "an unlimited dimension" : counted(variable.shape.rank(), "dimension"));
    if (variable.shape[0] != links)
      refuse("'{}' has {}, and '{}' has {}; make the file anew", names_.to, counted(links, "number"), name,
             variable.shape[0]);
  }
}

// What is no sum of values has weights of gradients beside, or takes the one value that weighs most. (source: SCRIP
// users' guide, section 2.3, and CDO, which says in these attributes what its methods are)
void WeightsFile::require_sums() const {
  constexpr std::int64_t of_bicubic = 4;
  const catalog::Attribute* method = catalog::find(input_.contents().attributes, "map_method");
  const catalog::Attribute* order = catalog::find(input_.contents().attributes, "remap_order");
  const Index& shape = input_.contents().find(std::string(names_.weights))->shape;
  const std::vector<double> orders = order == nullptr ? std::vector<double>() : numbers_of(*order);
  const bool has_gradients = (shape.rank() == 2 && shape[1] == of_bicubic) || (!orders.empty() && orders[0] > 1.0);
  const bool is_choice = method != nullptr && method->text.starts_with("Largest area");
  if (has_gradients || is_choice)
    refuse(
        "they are of a method ({}) by which cells are no weighted sums of values; make weights by cdo genbil, gencon, "
        "gendis or gennn, or by ESMF's bilinear, patch or conserve",
        method == nullptr ? "with gradients" : method->text);
}

// The fastest dimension comes first there.
Index WeightsFile::sizes(std::string_view name) {
  Index sizes;
  if (!has(name)) return sizes;
  constexpr double most = 1LL << 40;  // far beyond all that can be kept, and in reach of none of the products below
  const std::vector<double> said = numbers(name);
  double cells = 1.0;
  for (auto size = said.rbegin(); size != said.rend(); ++size) {
    cells *= *size;
    if (!(*size >= 1.0 && cells <= most) || *size != std::floor(*size))
      refuse("'{}' has the size {}, which no grid has", name, *size);
    sizes.push_back(static_cast<std::int64_t>(*size));
  }
  return sizes;
}

void WeightsFile::set_sizes() {
  source_ = sizes(names_.sizes_of_source);
  target_ = sizes(names_.sizes);
  const std::vector<config::NamedSize>& dims = settings_.dims;
  if (!dims.empty() && dims[0].size > 0) {
    Index said;
    for (const config::NamedSize& of : dims) said.push_back(of.size);
    if (target_.rank() > 0 && target_.product() != said.product())
      refuse("'dims' have {} cells, but by the file ({}) they are {}", said.product(), names_.sizes, target_.product());
    target_ = said;
  }
  if (target_.rank() == 0)
    refuse("the file does not say how its grid is made up ('{}'); say it, as in dims: {{lat: 180, lon: 360}}",
           names_.sizes);
  if (target_.rank() > 2) refuse("the grid has {} dimensions, and not one or two", target_.rank());
  if (!dims.empty() && std::ssize(dims) != target_.rank())
    refuse("'dims' are {}, but the grid of the file has {}", dims.size(), target_.rank());
}

TargetGrid WeightsFile::target() {
  TargetGrid grid{.dims = {}, .sizes = target_, .variables = {}};
  std::vector<double> lat, lon;
  const auto all = static_cast<std::size_t>(target_.product());
  if (has(names_.latitudes) && has(names_.longitudes)) {
    lat = degrees(names_.latitudes);
    lon = degrees(names_.longitudes);
  }
  const bool is_placed = lat.size() == all && lon.size() == all;
  const bool has_axes = is_placed && is_rectilinear(target_, lat, lon);
  if (target_.rank() == 1)
    grid.dims = {"cell"};
  else if (has_axes)
    grid.dims = {"lat", "lon"};
  else
    grid.dims = {"y", "x"};
  for (std::size_t d = 0; d < settings_.dims.size(); ++d) grid.dims[d] = settings_.dims[d].name;
  if (has_axes)
    add_axes(grid, lat, lon);
  else if (is_placed)
    add_positions(grid, lat, lon);
  return grid;
}

// Those of each cell follow each other.
bool WeightsFile::has_corners() const {
  return std::ranges::all_of(std::array{names_.corner_latitudes, names_.corner_longitudes}, [&](std::string_view name) {
    const read::InputVariable* corners = input_.contents().find(std::string(name));
    return corners != nullptr && corners->shape.rank() == 2 && corners->shape[0] == target_.product();
  });
}

void WeightsFile::add_axes(TargetGrid& grid, const std::vector<double>& lat, const std::vector<double>& lon) {
  for (const bool is_latitude : {true, false}) {
    const int d = is_latitude ? 0 : 1;
    const std::int64_t size = target_[d], step = is_latitude ? target_[1] : 1;
    GridVariable axis{grid.dims[static_cast<std::size_t>(d)],
                      {grid.dims[static_cast<std::size_t>(d)]},
                      {size},
                      attributes_of_axis(is_latitude),
                      is_latitude ? every(lat, step, size) : next_to_each_other(every(lon, step, size))};
    if (has_corners()) {
      const std::vector<double> corners = degrees(is_latitude ? names_.corner_latitudes : names_.corner_longitudes);
      const std::int64_t of_cell = std::ssize(corners) / target_.product();
      axis.attributes.push_back(catalog::text_attribute("bounds", axis.name + "_bnds"));
      GridVariable bounds{axis.name + "_bnds", {axis.name, "bnds"}, {size, 2}, {}, {}};
      for (std::int64_t i = 0; i < size; ++i) {
        const auto edges = edges_of(corners.data() + i * step * of_cell, of_cell,
                                    axis.values[static_cast<std::size_t>(i)], !is_latitude);
        bounds.values.insert(bounds.values.end(), edges.begin(), edges.end());
      }
      grid.variables.push_back(std::move(bounds));
    }
    grid.variables.push_back(std::move(axis));
  }
}

void WeightsFile::add_positions(TargetGrid& grid, const std::vector<double>& lat, const std::vector<double>& lon) {
  grid.variables.push_back({"lat", grid.dims, target_, attributes_of_position(true), lat});
  grid.variables.push_back({"lon", grid.dims, target_, attributes_of_position(false), lon});
  grid.coordinates = "lat lon";
}

std::vector<remap::Entry> WeightsFile::entries(std::int64_t first, std::int64_t cells, std::int64_t sources) {
  constexpr std::int64_t strip = 1 << 20;  // so that ranks do not have all of a large file at one time
  const std::int64_t all = input_.contents().find(std::string(names_.to))->shape.product();
  const std::int64_t targets = target_.product();
  std::vector<remap::Entry> mine;
  for (std::int64_t at = 0; at < all; at += strip) {
    const std::int64_t count = std::min(strip, all - at);
    const std::vector<double> to = numbers(names_.to, at, count), from = numbers(names_.from, at, count),
                              weights = numbers(names_.weights, at, count);
    const std::size_t of_each = weights.size() / to.size();  // the first is that of the values, others of gradients
    for (std::size_t i = 0; i < to.size(); ++i) {
      const double weight = weights[i * of_each];
      if (!is_one_of(to[i], targets) || !is_one_of(from[i], sources))
        refuse(
            "weight {} leads from cell {} to cell {}, counted from 1, but the fields have {} cells and the grid {}; "
            "make the weights for this grid of the model",
            at + static_cast<std::int64_t>(i) + 1, from[i], to[i], sources, targets);
      if (!std::isfinite(weight))
        refuse("weight {} is {}, which no cell can have; make the file anew", at + static_cast<std::int64_t>(i) + 1,
               weight);
      const auto target = static_cast<std::int64_t>(to[i]) - 1, source = static_cast<std::int64_t>(from[i]) - 1;
      if (target >= first && target < first + cells) mine.push_back({target, source, weight});
    }
  }
  return mine;
}

}  // namespace thalweg::fields
