// Texts of values with units, and back. format_x(parse_x(text)) is the canonical form of text.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/calendar.hpp"
#include "config/document.hpp"

namespace thalweg::config {

// A value that its key does not accept; the text says what is accepted. The caller knows key and place.
struct BadValue : std::runtime_error {
  using std::runtime_error::runtime_error;
  // Of a part of the value, which the text shows.
  BadValue(Place of_part, const std::string& text) : std::runtime_error(text), place(of_part) {}
  Place place;
};

// What parse makes of a part of a value, such as an item of a list. Its faults are where that is, or within it.
template <typename Parse>
auto parse_part(const Node& node, const Parse& parse) {
  try {
    return parse(node);
  } catch (const BadValue& fault) {
    throw BadValue(fault.place.line > 0 ? fault.place : node.place, fault.what());
  }
}

// The same of a member of a map, whose key its faults name.
template <typename Parse>
auto parse_member(const Member& member, const Parse& parse) {
  if (member.value.kind == Node::Kind::nothing)
    throw BadValue(member.place, fmt::format("{}: the value is missing", member.key));
  try {
    return parse_part(member.value, parse);
  } catch (const BadValue& fault) {
    throw BadValue(fault.place, fmt::format("{}: {}", member.key, fault.what()));
  }
}

// All of the text; nothing: it is no number.
std::optional<double> parse_number(const std::string& text);
std::int64_t parse_integer(const std::string& text, std::int64_t least);

// "2 GiB", "100 kB", "4096".
std::int64_t parse_bytes(const std::string& text, std::int64_t least);
std::string format_bytes(std::int64_t bytes);

// "5 min", "90 s", in seconds; more than 0.
double parse_duration(const std::string& text);
std::string format_duration(double seconds);

// "6 h", "1 month", "2 years", "step", "5 steps"; more than 0.
Interval parse_interval(const std::string& text);
std::string format_interval(const Interval& interval);

// "2000-01-01", "2000-01-01 06:00:00", also with T; whether the calendar has the day is not checked here.
Date parse_date(const std::string& text);

}  // namespace thalweg::config
