#include "config/values.hpp"

#include <strings.h>

#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"

namespace thalweg::config {
namespace {

using Counts = std::vector<std::int64_t>;

bool is_word(const Node& node, std::string_view word) {
  return node.kind == Node::Kind::scalar && node.text == word;
}

// The codec of a value, or of a word that stands for the value of `meaning`.
template <typename T>
Values<T> or_word(const Values<T>& codec, const std::string& word, const T& meaning) {
  const auto parse = [codec, word, meaning](const Node& node) {
    return is_word(node, word) ? meaning : parse_beside(word, codec, node);
  };
  const auto format = [codec, word, meaning](const T& value) { return value == meaning ? word : codec.format(value); };
  return {.kind = fmt::format("{}, or `{}`", codec.kind, word), .allowed = {}, .parse = parse, .format = format};
}

Counts counts_of(const Node& node) {
  if (node.kind != Node::Kind::list) throw BadValue("a list such as [4, 1] is wanted here");
  if (node.items.empty()) throw BadValue("the list is empty");
  Counts counts;
  for (const Node& item : node.items) counts.push_back(parse_integer(scalar(item), 1));
  return counts;
}

Values<Counts> counts() {
  return {.kind = "list of whole numbers from 1 such as `[4, 1]`",
          .allowed = {},
          .parse = counts_of,
          .format = [](const Counts& list) { return fmt::format("[{}]", fmt::join(list, ", ")); }};
}

Values<std::string> word_as_it_is(const std::string& kind, std::function<std::string(const Node&)> parse) {
  return {
      .kind = kind, .allowed = {}, .parse = std::move(parse), .format = [](const std::string& text) { return text; }};
}

std::string checked_template(const Node& node) {
  const std::string& text = text_in(node);
  try {
    fill_template(text, Calendar::standard, Date{});
  } catch (const Error& fault) {
    throw BadValue(fault.what());
  }
  if (text.back() == '/') throw BadValue(fmt::format("'{}' ends with '/' and leaves no name for the file", text));
  return text;
}

std::string checked_dimension(const Node& node) {
  const std::string text = dimension_in(node);
  if (strcasecmp(text.c_str(), "none") == 0 && text != "none")
    throw BadValue(fmt::format("'{}' would be the name of a dimension; did you mean 'none'?", text));
  return text;
}

// It is written into files and compared there, and stands in messages.
std::string checked_run(const Node& node) {
  const std::string& text = text_in(node);
  const auto is_usual = [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-'; };
  if (text.size() > 64 || !std::ranges::all_of(text, is_usual))
    throw BadValue(fmt::format("'{}' is no name here: letters, digits, '.', '_' and '-', 64 at most", text));
  return text;
}

}  // namespace

std::string in_quotes(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

const std::string& scalar(const Node& node) {
  switch (node.kind) {
    case Node::Kind::scalar: return node.text;
    case Node::Kind::list: throw BadValue("one value is wanted here, this is a list");
    case Node::Kind::map: throw BadValue("one value is wanted here, this is a map of keys");
    case Node::Kind::nothing: break;
  }
  throw BadValue("the value is missing; leave the key out for its default");
}

std::size_t place_among(const std::vector<std::string_view>& words, std::size_t listed, const Node& node) {
  const std::string& text = scalar(node);
  const auto found = std::ranges::find(words, text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const std::vector<std::string> all(words.begin(), words.end());
  const std::vector<std::string> allowed(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(listed));
  throw BadValue(fmt::format("'{}' is none of {}{}", text, fmt::join(allowed, ", "),
                             nearest_names(text, all).empty() ? "" : name_hint(text, all)));
}

void reject_beside(const std::string& word, const Node& node, const BadValue& fault) {
  const bool is_alike = node.kind == Node::Kind::scalar && !nearest_names(node.text, {word}, word.size() / 2).empty();
  const std::string text = fault.what();
  throw BadValue(is_alike && !text.ends_with('?') ? fmt::format("{}; did you mean '{}'?", text, word) : text);
}

Values<bool> truth() {
  return one_of<bool>({{"true", true}, {"false", false}}, {{"yes", true}, {"no", false}, {"on", true}, {"off", false}});
}

Values<std::int64_t> bytes(std::int64_t least) {
  return {.kind = "bytes such as `2 GiB` or `100 kB`, at least " + format_bytes(least),
          .allowed = {},
          .parse = [least](const Node& node) { return parse_bytes(scalar(node), least); },
          .format = format_bytes};
}

Values<std::int64_t> rate_or_none() {
  constexpr std::int64_t least = 1024;
  const std::string unit = "/s";
  const Values<std::int64_t> rate = {
      .kind = "bytes a second such as `200 MB/s`, at least " + format_bytes(least) + unit,
      .allowed = {},
      .parse =
          [unit](const Node& node) {
            const std::string& text = scalar(node);
            if (!text.ends_with(unit)) throw BadValue(fmt::format("'{}' is no rate such as '200 MB/s'", text));
            return parse_bytes(text.substr(0, text.size() - unit.size()), least);
          },
      .format = [unit](std::int64_t value) { return format_bytes(value) + unit; }};
  return or_word(rate, "none", std::int64_t{0});
}

Values<std::int64_t> count_or_auto() {
  const Values<std::int64_t> count = {.kind = "whole number from 0",
                                      .allowed = {},
                                      .parse = [](const Node& node) { return parse_integer(scalar(node), 0); },
                                      .format = [](std::int64_t value) { return std::to_string(value); }};
  return or_word(count, "auto", std::int64_t{0});
}

Values<std::int64_t> count_or_all() {
  return or_word(count_between(0, 1'000'000), "all", keep_all);
}

Values<std::int64_t> files_or_none() {
  return or_word(count_between(1, 1000), "none", std::int64_t{0});
}

Values<std::int64_t> servers_of_node() {
  return or_word(count_between(1, 1'000'000), "all", all_servers);
}

Values<double> duration() {
  return {.kind = "duration such as `5 min` or `90 s`",
          .allowed = {},
          .parse = [](const Node& node) { return parse_duration(scalar(node)); },
          .format = format_duration};
}

Values<double> duration_or_auto() {
  return or_word(duration(), "auto", 0.0);
}

Values<Interval> interval() {
  return {.kind = "interval such as `6 h`, `1 d`, `1 month`, `2 years`, `step` or `5 steps`",
          .allowed = {},
          .parse = [](const Node& node) { return parse_interval(scalar(node)); },
          .format = format_interval};
}

Values<Interval> interval_or_on_demand() {
  return or_word(or_word(interval(), "on-demand", Interval{}), "end", Interval{.is_run = true});
}

Values<Interval> cycle_or_none() {
  Values<Interval> values = interval();
  values.kind = "duration such as `10 d`, or whole years such as `1 year`";
  values.parse = [](const Node& node) {
    const Interval cycle = parse_interval(scalar(node));
    if (cycle.steps != 0 || cycle.months % 12 != 0)
      throw BadValue(
          fmt::format("'{}' is no cycle; one is of whole years, such as '1 year', or a duration, such as '10 d'",
                      format_interval(cycle)));
    return cycle;
  };
  return or_word(values, "none", Interval{});
}

Values<Interval> offset_or_none() {
  Values<Interval> values = interval();
  values.kind = "time such as `1 h`, or steps such as `2 steps`";
  values.parse = [](const Node& node) {
    const Interval offset = parse_interval(scalar(node));
    if (offset.months == 0) return offset;
    throw BadValue(
        fmt::format("'{}' is no offset, as it is not always as long; one is a time, such as '10 d', or steps",
                    format_interval(offset)));
  };
  return or_word(values, "none", Interval{});
}

Values<Interval> interval_or_never() {
  return or_word(interval(), "never", Interval{});
}

Values<Date> date() {
  return {.kind = "date such as `2000-01-01` or `2000-01-01 06:00:00`",
          .allowed = {},
          .parse = [](const Node& node) { return parse_date(scalar(node)); },
          .format = [](const Date& value) { return to_string(value); }};
}

Values<std::string> file_template() {
  return word_as_it_is(
      "file name; `%Y %m %d %H %M %S %j` stand for parts of the date, `%n` for the number in a `cycle`, `%v` for the "
      "variable, `%%` for a percent sign",
      checked_template);
}

Values<std::string> path_or(const std::string& word) {
  return or_word(word_as_it_is("path", [](const Node& node) { return text_in(node); }), word, std::string());
}

const std::string& text_in(const Node& node) {
  const std::string& text = scalar(node);
  if (text.empty()) throw BadValue("the text is empty");
  return text;
}

std::int64_t whole_in(const Node& node, std::int64_t least, std::string_view why) {
  try {
    return parse_integer(node.kind == Node::Kind::nothing ? "" : scalar(node), least);
  } catch (const BadValue& fault) {
    throw BadValue(node.place, why.empty() ? fault.what() : fmt::format("{}; {}", fault.what(), why));
  }
}

void refuse_key(const Member& member, std::string_view of, const std::vector<std::string>& known) {
  throw BadValue(member.place, fmt::format("unknown key '{}' of {}{}", member.key, of, name_hint(member.key, known)));
}

double coordinate_value_in(const Node& node) {
  const std::string text = node.kind == Node::Kind::nothing ? "" : scalar(node);
  const std::optional<double> number = parse_number(text);
  if (!number || !std::isfinite(*number))
    throw BadValue(node.place, fmt::format("'{}' is no number, as a value of the coordinate is", text));
  return *number;
}

// Names of several dimensions stand in a list with commas.
std::string dimension_in(const Node& node) {
  const std::string& text = text_in(node);
  if (text.find_first_of("/,") != std::string::npos || text.front() == ' ' || text.back() == ' ')
    throw BadValue(
        fmt::format("'{}' is no name of a netCDF dimension: no '/' and no comma, no blank at its ends", text));
  return text;
}

Values<std::string> dimension_name() {
  return word_as_it_is("name", checked_dimension);
}

Values<std::string> run_name_or(const std::string& word) {
  return or_word(word_as_it_is("name", checked_run), word, std::string());
}

Values<Counts> list_or(const std::string& word) {
  return or_word(counts(), word, Counts{});
}

Values<Counts> count_or_list_or(const std::string& word) {
  Values<Counts> codec = counts();
  codec.kind = "whole number from 1, a list such as `[3, 2]`";
  codec.parse = [](const Node& node) {
    return node.kind == Node::Kind::list ? counts_of(node) : Counts{parse_integer(scalar(node), 1)};
  };
  codec.format = [](const Counts& list) {
    return list.size() == 1 ? std::to_string(list[0]) : fmt::format("[{}]", fmt::join(list, ", "));
  };
  return or_word(codec, word, Counts{});
}

Values<std::int64_t> count_between(std::int64_t least, std::int64_t most) {
  return {.kind = fmt::format("whole number from {} to {}", least, most),
          .allowed = {},
          .parse =
              [least, most](const Node& node) {
                const std::int64_t value = parse_integer(scalar(node), least);
                if (value > most) throw BadValue(fmt::format("{} is more than {}", value, most));
                return value;
              },
          .format = [](std::int64_t value) { return std::to_string(value); }};
}

Values<ChunkSettings> chunk_extents() {
  const Values<ChunkSettings> extents = {.kind = "cells along dimensions such as `{lat: 90, lon: 180}`",
                                         .allowed = {},
                                         .parse =
                                             [](const Node& node) {
                                               if (node.kind != Node::Kind::map)
                                                 throw BadValue("a map such as {lat: 90, lon: 180} is wanted here");
                                               ChunkSettings chunks;
                                               for (const Member& member : node.members)
                                                 chunks[member.key] = parse_integer(scalar(member.value), 1);
                                               return chunks;
                                             },
                                         .format =
                                             [](const ChunkSettings& chunks) {
                                               std::vector<std::string> parts;
                                               for (const auto& [dimension, cells] : chunks)
                                                 parts.push_back(fmt::format("{}: {}", dimension, cells));
                                               return fmt::format("{{{}}}", fmt::join(parts, ", "));
                                             }};
  return or_word(extents, "auto", ChunkSettings{});
}

}  // namespace thalweg::config
