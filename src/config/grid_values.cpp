#include "config/grid_values.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/names.hpp"
#include "config/parse_value.hpp"

namespace thalweg::config {
namespace {

constexpr const char* grid_example = "{weights: ocean_to_1deg.nc}";
constexpr const char* grid_kinds =
    "a map is wanted here with one of weights: FILE, points: [{lon: -23, lat: 0}], section: {from: {lon: -70, lat: "
    "-55}, to: {lon: -60, lat: -64}, points: 40}, and mean: [lon]";

GridPoint point_in(const Node& node) {
  bool has_lon = false, has_lat = false;
  GridPoint point;
  if (node.kind == Node::Kind::map) {
    for (const Member& member : node.members)
      if (member.key == "lon") {
        point.lon = parse_member(member, coordinate_value_in);
        has_lon = true;
      } else if (member.key == "lat") {
        point.lat = parse_member(member, coordinate_value_in);
        has_lat = true;
      } else if (member.key == "name") {
        point.name = parse_member(member, text_in);
      } else {
        refuse_key(member, "a point", {"lon", "lat", "name"});
      }
  }
  if (!has_lon || !has_lat) throw BadValue(node.place, "a point is wanted here, as in {lon: -23, lat: 0}");
  if (std::abs(point.lat) > 90.0)
    throw BadValue(node.place, fmt::format("lat: {} is no latitude, which are between -90 and 90", point.lat));
  return point;
}

std::vector<GridPoint> points_in(const Node& node) {
  std::vector<GridPoint> points;
  if (node.kind == Node::Kind::list)
    for (const Node& item : node.items) points.push_back(point_in(item));
  if (points.empty()) throw BadValue(node.place, "a list of points is wanted here, as in [{lon: -23, lat: 0}]");
  const auto is_named = [](const GridPoint& point) { return !point.name.empty(); };
  if (std::ranges::any_of(points, is_named) && !std::ranges::all_of(points, is_named))
    throw BadValue(node.place, "some of the points have a name and others none; name all of them, or none");
  return points;
}

// There is no one great circle between them.
bool is_same_or_opposite(const GridPoint& a, const GridPoint& b) {
  constexpr double half = 180.0, close = 1e-6;  // degrees
  const double apart = std::abs(std::remainder(a.lon - b.lon, 2.0 * half));
  const bool is_pole = half / 2.0 - std::abs(a.lat) < close;
  const bool is_same = std::abs(a.lat - b.lat) < close && (is_pole || apart < close);
  const bool is_opposite = std::abs(a.lat + b.lat) < close && (is_pole || half - apart < close);
  return is_same || is_opposite;
}

GridSection section_in(const Node& node) {
  GridSection section;
  bool has_from = false, has_to = false;
  if (node.kind == Node::Kind::map) {
    for (const Member& member : node.members)
      if (member.key == "from") {
        section.from = parse_member(member, point_in);
        has_from = true;
      } else if (member.key == "to") {
        section.to = parse_member(member, point_in);
        has_to = true;
      } else if (member.key == "points") {
        section.points = whole_in(member.value, 2);
      } else {
        refuse_key(member, "'section'", {"from", "to", "points"});
      }
  }
  if (!has_from || !has_to || section.points == 0)
    throw BadValue(node.place,
                   "'from', 'to' and 'points' are wanted here, as in {from: {lon: -70, lat: -55}, to: {lon: -60, lat: "
                   "-64}, points: 40}");
  if (is_same_or_opposite(section.from, section.to))
    throw BadValue(node.place,
                   "its ends are the same place, or opposite ones, through which there are great circles in all "
                   "directions; say another end, or two sections");
  return section;
}

std::vector<std::string> dimension_names_in(const Node& node) {
  std::vector<std::string> names;
  if (node.kind != Node::Kind::list) return {dimension_in(node)};
  for (const Node& item : node.items) names.push_back(dimension_in(item));
  if (names.empty()) throw BadValue(node.place, "the list is empty");
  return names;
}

std::vector<NamedSize> sizes_in(const Node& node) {
  std::vector<NamedSize> dims;
  if (node.kind == Node::Kind::map)
    for (const Member& member : node.members) dims.push_back({member.key, whole_in(member.value, 1)});
  else
    for (std::string& name : dimension_names_in(node)) dims.push_back({std::move(name)});
  if (dims.empty() || dims.size() > 2)
    throw BadValue(node.place, "one or two dimensions are wanted here, as in [lat, lon], or {lat: 180, lon: 360}");
  if (dims.size() == 2 && dims[0].name == dims[1].name)
    throw BadValue(node.place, fmt::format("both dimensions are called '{}'; give each a name", dims[0].name));
  return dims;
}

void take_grid_member(const Member& member, GridSettings& made) {
  if (member.key == "weights")
    made.weights = parse_member(member, text_in);
  else if (member.key == "dims")
    made.dims = parse_member(member, sizes_in);
  else if (member.key == "points")
    made.points = parse_member(member, points_in);
  else if (member.key == "section")
    made.section = parse_member(member, section_in);
  else if (member.key == "mean")
    made.mean = parse_member(member, dimension_names_in);
  else if (member.key == "by")
    made.by = parse_member(member, text_in);
  else
    refuse_key(member, "'grid'", {"weights", "dims", "points", "section", "mean", "by"});
}

GridSettings grid_in(const Node& node) {
  if (node.kind == Node::Kind::scalar && node.text == "none") return {};
  if (node.kind != Node::Kind::map) throw BadValue(grid_kinds);
  GridSettings made;
  for (const Member& member : node.members) take_grid_member(member, made);
  const int kinds = (made.weights.empty() ? 0 : 1) + (made.points.empty() ? 0 : 1) + (made.section.points > 0 ? 1 : 0) +
                    (made.mean.empty() ? 0 : 1);
  if (kinds != 1) throw BadValue(grid_kinds);
  if (!made.dims.empty() && made.weights.empty())
    throw BadValue("'dims' are of the grid to which weights lead; leave them out");
  if (!made.by.empty() && made.mean.empty())
    throw BadValue("'by' is of the cells of a mean; leave it out, or say over which dimensions, as in mean: [lon]");
  return made;
}

std::string text_of_point(const GridPoint& point) {
  return fmt::format("{{{}lon: {}, lat: {}}}", point.name.empty() ? "" : "name: " + in_quotes(point.name) + ", ",
                     point.lon, point.lat);
}

std::string text_of_grid(const GridSettings& of) {
  std::vector<std::string> texts;
  if (!of.weights.empty()) texts.push_back("weights: " + in_quotes(of.weights));
  if (!of.dims.empty()) {
    std::vector<std::string> dims;
    for (const auto& [name, size] : of.dims) dims.push_back(size == 0 ? name : fmt::format("{}: {}", name, size));
    const bool has_sizes = of.dims[0].size != 0;
    texts.push_back(fmt::format("dims: {}{}{}", has_sizes ? "{" : "[", fmt::join(dims, ", "), has_sizes ? "}" : "]"));
  }
  if (!of.points.empty()) {
    std::vector<std::string> points;
    for (const GridPoint& point : of.points) points.push_back(text_of_point(point));
    texts.push_back(fmt::format("points: [{}]", fmt::join(points, ", ")));
  }
  if (of.section.points > 0)
    texts.push_back(fmt::format("section: {{from: {}, to: {}, points: {}}}", text_of_point(of.section.from),
                                text_of_point(of.section.to), of.section.points));
  if (!of.mean.empty()) texts.push_back(fmt::format("mean: [{}]", fmt::join(of.mean, ", ")));
  if (!of.by.empty()) texts.push_back("by: " + in_quotes(of.by));
  return texts.empty() ? "none" : fmt::format("{{{}}}", fmt::join(texts, ", "));
}

}  // namespace

Values<GridSettings> grid_or_none() {
  return {.kind = fmt::format("map such as `{}`, or `none`", grid_example),
          .allowed = {},
          .parse = grid_in,
          .format = text_of_grid};
}

}  // namespace thalweg::config
