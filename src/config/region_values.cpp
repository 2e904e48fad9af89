#include "config/region_values.hpp"

#include <fmt/ranges.h>

#include <type_traits>

#include "base/names.hpp"

namespace thalweg::config {
namespace {

constexpr const char* region_example = "{x: {index: {from: 10, to: 50}}, z: {index: [0, 3, 7]}}";

std::int64_t index_in(const Node& node) {
  return whole_in(node, 0, "indices are counted from 0");
}

IndexRange index_range_in(const Node& node) {
  IndexRange range;
  for (const Member& member : node.members)
    if (member.key == "from")
      range.from = index_in(member.value);
    else if (member.key == "to")
      range.to = index_in(member.value);
    else if (member.key == "step")
      range.step = whole_in(member.value, 1, "a step goes from one index to a later one");
    else
      refuse_key(member, "'index'", {"from", "to", "step"});
  if (range.to && *range.to < range.from)
    throw BadValue(node.place,
                   fmt::format("from: {} is behind to: {}, so that no index is between them", range.from, *range.to));
  return range;
}

IndexList index_list_in(const Node& node) {
  IndexList list;
  for (const Node& item : node.items) {
    list.push_back(index_in(item));
    if (list.size() > 1 && list.back() <= list[list.size() - 2])
      throw BadValue(item.place, fmt::format("index {} stands behind {}; indices ascend, and each is there once",
                                             list.back(), list[list.size() - 2]));
  }
  if (list.empty()) throw BadValue(node.place, "the list is empty");
  return list;
}

ValueRange value_range_in(const Node& node) {
  std::optional<double> from, to;
  for (const Member& member : node.members)
    if (member.key == "from")
      from = coordinate_value_in(member.value);
    else if (member.key == "to")
      to = coordinate_value_in(member.value);
    else
      refuse_key(member, "'values'", {"from", "to"});
  if (!from || !to) throw BadValue(node.place, "both ends are wanted here, as in {from: -20, to: 20}");
  return {*from, *to};
}

ValueList value_list_in(const Node& node) {
  ValueList list;
  for (const Node& item : node.items) list.push_back(coordinate_value_in(item));
  if (list.empty()) throw BadValue(node.place, "the list is empty");
  return list;
}

PartOfDimension part_in(const Member& member) {
  const Node& node = member.value;
  if (node.kind != Node::Kind::map || node.members.size() != 1)
    throw BadValue(
        node.kind == Node::Kind::nothing ? member.place : node.place,
        fmt::format("'{}' needs 'index' (counted from 0) or 'values' (of its coordinate), one of them, as in "
                    "{}",
                    member.key, region_example));
  const Member& said = node.members.front();
  const bool is_map = said.value.kind == Node::Kind::map, is_list = said.value.kind == Node::Kind::list;
  if (said.key == "index" && is_map) return {member.key, index_range_in(said.value)};
  if (said.key == "index" && is_list) return {member.key, index_list_in(said.value)};
  if (said.key == "index") return {member.key, IndexList{index_in(said.value)}};
  if (said.key != "values") refuse_key(said, fmt::format("'{}'", member.key), {"index", "values"});
  if (is_map) return {member.key, value_range_in(said.value)};
  if (is_list) return {member.key, value_list_in(said.value)};
  return {member.key, ValueList{coordinate_value_in(said.value)}};
}

std::vector<PartOfDimension> parts_in(const Node& node) {
  if (node.kind == Node::Kind::scalar && node.text == "none") return {};
  if (node.kind != Node::Kind::map || node.members.empty())
    throw BadValue(fmt::format("a map of dimensions is wanted here, such as {}", region_example));
  std::vector<PartOfDimension> parts;
  for (const Member& member : node.members) parts.push_back(part_in(member));
  return parts;
}

std::string text_of_region(const std::vector<PartOfDimension>& parts) {
  std::vector<std::string> texts;
  for (const PartOfDimension& part : parts) texts.push_back(fmt::format("{}: {}", part.dimension, text_of(part)));
  return texts.empty() ? "none" : fmt::format("{{{}}}", fmt::join(texts, ", "));
}

std::string said_of(const IndexRange& range) {
  std::string text = fmt::format("from: {}", range.from);
  if (range.to) text += fmt::format(", to: {}", *range.to);
  if (range.step != 1) text += fmt::format(", step: {}", range.step);
  return fmt::format("{{{}}}", text);
}

std::string said_of(const ValueRange& range) {
  return fmt::format("{{from: {}, to: {}}}", range.from, range.to);
}

template <typename T>
std::string said_of(const std::vector<T>& list) {
  return fmt::format("[{}]", fmt::join(list, ", "));
}

}  // namespace

std::string text_of(const PartOfDimension& part) {
  const std::string said = std::visit([](const auto& of) { return said_of(of); }, part.part);
  return fmt::format("{{{}: {}}}", part.is_by_values() ? "values" : "index", said);
}

Values<std::vector<PartOfDimension>> region_or_none() {
  return {.kind = fmt::format("map of dimensions such as `{}`, or `none`", region_example),
          .allowed = {},
          .parse = parts_in,
          .format = text_of_region};
}

}  // namespace thalweg::config
