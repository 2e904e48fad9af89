#include "config/vertical_values.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "base/names.hpp"

namespace thalweg::config {
namespace {

constexpr const char* vertical_example = "{coordinate: air/pressure, to: [1000, 850, 500], units: hPa, by: log}";
constexpr const char* whole_example = "{mean: depth, by: thickness}";
constexpr std::array vertical_keys = {"coordinate", "to",   "units", "by",  "outside", "name",
                                      "dimension",  "mean", "sum",   "min", "max"};

Values<BetweenLevels> between_levels() {
  return one_of<BetweenLevels>({{"linear", BetweenLevels::linear}, {"log", BetweenLevels::log}});
}

Values<BeyondColumn> beyond_column() {
  return one_of<BeyondColumn>({{"missing", BeyondColumn::missing}, {"nearest", BeyondColumn::nearest}});
}

// The dimension of a file has a coordinate, whose values are in order. (source: CF conventions, section 5)
std::vector<double> levels_in(const Node& node) {
  std::vector<double> levels;
  if (node.kind != Node::Kind::list) return {coordinate_value_in(node)};
  for (const Node& item : node.items) levels.push_back(coordinate_value_in(item));
  if (levels.empty()) throw BadValue(node.place, "the list is empty");
  const auto is_in_order = [&levels](const auto& breaks) {
    return std::ranges::adjacent_find(levels, breaks) == levels.end();
  };
  if (!is_in_order(std::greater_equal<>()) && !is_in_order(std::less_equal<>()))
    throw BadValue(node.place, fmt::format("the values {} neither ascend nor descend, as those of a coordinate do",
                                           fmt::join(levels, ", ")));
  return levels;
}

void take_member(const Member& member, VerticalSettings& made) {
  if (member.key == "coordinate")
    made.coordinate = parse_member(member, text_in);
  else if (member.key == "to")
    made.to = parse_member(member, levels_in);
  else if (member.key == "units")
    made.units = parse_member(member, text_in);
  else if (member.key == "by")
    made.by = parse_member(member, between_levels().parse);
  else if (member.key == "outside")
    made.outside = parse_member(member, beyond_column().parse);
  else if (member.key == "name")
    made.name = parse_member(member, dimension_in);
  else if (member.key == "dimension")
    made.dimension = parse_member(member, text_in);
  else
    refuse_key(member, "'vertical'", {vertical_keys.begin(), vertical_keys.end()});
}

// Nothing: it is no value of all of a column.
std::optional<WholeColumn> whole_column(const Member& member) {
  const auto found = std::ranges::find(names_of_whole_columns, member.key);
  if (found == names_of_whole_columns.end()) return std::nullopt;
  return static_cast<WholeColumn>(found - names_of_whole_columns.begin());
}

// Along which dimension, and by which field cells are weighed.
void take_member_of_whole(const Member& member, VerticalSettings& made) {
  const auto whole = whole_column(member);
  if (member.key == "by") {
    made.weights = parse_member(member, text_in);
  } else if (whole && !made.whole) {
    made.whole = whole;
    made.dimension = parse_member(member, dimension_in);
  } else if (whole) {
    throw BadValue(member.place, fmt::format("'{}' and '{}' are two values of a column; have one of them in another "
                                             "entry, with another name",
                                             name_of(*made.whole), member.key));
  } else if (std::ranges::find(vertical_keys, member.key) == vertical_keys.end()) {
    refuse_key(member, "'vertical'", {vertical_keys.begin(), vertical_keys.end()});
  } else {
    throw BadValue(member.place, fmt::format("'{}' is of levels, and no part of one value of all of a column, as in {}",
                                             member.key, whole_example));
  }
}

VerticalSettings of_whole_column(const Node& node) {
  VerticalSettings made;
  for (const Member& member : node.members) take_member_of_whole(member, made);
  const bool is_extreme = made.whole == WholeColumn::min || made.whole == WholeColumn::max;
  if (is_extreme && !made.weights.empty())
    throw BadValue(fmt::format("the {} of a column has no weights; leave 'by' out", name_of(*made.whole)));
  return made;
}

VerticalSettings vertical_in(const Node& node) {
  if (node.kind == Node::Kind::scalar && node.text == "none") return {};
  if (node.kind != Node::Kind::map)
    throw BadValue(
        fmt::format("a map of a coordinate and its levels is wanted here, such as {}, or of what is made of "
                    "all of a column, such as {}",
                    vertical_example, whole_example));
  if (std::ranges::any_of(node.members, [](const Member& of) { return whole_column(of).has_value(); }))
    return of_whole_column(node);
  VerticalSettings made;
  const bool is_of_levels =
      std::ranges::any_of(node.members, [](const Member& of) { return of.key == "coordinate" || of.key == "to"; });
  for (const Member& member : node.members)
    if (is_of_levels || std::ranges::find(vertical_keys, member.key) == vertical_keys.end()) take_member(member, made);
  if (made.coordinate.empty() || made.to.empty())
    throw BadValue(
        fmt::format("'coordinate' and 'to' are wanted here, as in {}; or what is made of all of a column, as in {}",
                    vertical_example, whole_example));
  if (made.by == BetweenLevels::log && std::ranges::any_of(made.to, [](double level) { return level <= 0.0; }))
    throw BadValue(
        fmt::format("by: log is of levels above 0, and {} are wanted; set by: linear", fmt::join(made.to, ", ")));
  return made;
}

std::string text_of_vertical(const VerticalSettings& of) {
  if (of.is_none()) return "none";
  if (of.whole)
    return fmt::format("{{{}: {}{}}}", name_of(*of.whole), of.dimension,
                       of.weights.empty() ? "" : ", by: " + of.weights);
  std::string text = fmt::format("coordinate: {}, to: [{}]", of.coordinate, fmt::join(of.to, ", "));
  if (!of.units.empty()) text += ", units: " + in_quotes(of.units);
  if (of.by != BetweenLevels::linear) text += ", by: " + between_levels().format(of.by);
  if (of.outside != BeyondColumn::missing) text += ", outside: " + beyond_column().format(of.outside);
  if (!of.name.empty()) text += ", name: " + of.name;
  if (!of.dimension.empty()) text += ", dimension: " + of.dimension;
  return fmt::format("{{{}}}", text);
}

}  // namespace

Values<VerticalSettings> vertical_or_none() {
  return {.kind = fmt::format("map such as `{}` or `{}`, or `none`", vertical_example, whole_example),
          .allowed = {},
          .parse = vertical_in,
          .format = text_of_vertical};
}

}  // namespace thalweg::config
