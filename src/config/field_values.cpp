#include "config/field_values.hpp"

#include <fmt/ranges.h>

#include <array>

#include "base/names.hpp"
#include "config/region_values.hpp"
#include "config/vertical_values.hpp"

namespace thalweg::config {
namespace {

constexpr std::array variable_types = {Type::int8,   Type::int16,  Type::int32,  Type::int64,   Type::uint8,
                                       Type::uint16, Type::uint32, Type::uint64, Type::float32, Type::float64};

Values<Type> types() {
  std::vector<Word<Type>> words;
  for (const Type type : variable_types) words.push_back({name_of(type), type});
  return one_of<Type>(words);
}

constexpr std::array keys = {"from",   "operation",     "name",   "type",  "expression",
                             "sample", "sample-offset", "region", "units", "vertical"};

Expression expression_in(const Member& member) {
  const std::string text = parse_member(member, text_in);
  return parse_part(member.value, [&](const Node&) { return parse_expression(text); });
}

void check_expression(const ChosenField& chosen) {
  const Expression& expression = *chosen.expression;
  if (expression.has_this() && chosen.from.empty())
    throw BadValue(fmt::format("expression '{}': 'this' is the field of 'from', which is not there", expression.text));
  if (!expression.has_this() && !chosen.from.empty())
    throw BadValue(
        fmt::format("expression '{}': 'from: {}' is what 'this' stands for, which is not in it; leave 'from' "
                    "out, or write 'this'",
                    expression.text, chosen.from));
  if (chosen.from.empty() && chosen.name.empty())
    throw BadValue(fmt::format("expression '{}' without 'name'; say what the variable is called", expression.text));
  if (chosen.operation && expression.first_operation() != nullptr)
    throw BadValue(fmt::format("expression '{}' has operations in it, and '{}' beside it is one more; leave it out",
                               expression.text, name_of(chosen.operation->kind)));
}

void check_units(const ChosenField& chosen) {
  if (chosen.units.empty() || !chosen.expression) return;
  throw BadValue(
      fmt::format("expression '{}': nobody knows its units, from which 'units: {}' could be converted; say them below "
                  "'variables', as in {{attributes: {{units: {}}}}}",
                  chosen.expression->text, chosen.units, chosen.units));
}

// What is computed of levels of the model is at these.
void check_vertical(const ChosenField& chosen) {
  if (!chosen.vertical || chosen.vertical->is_none() || !chosen.expression) return;
  throw BadValue(
      fmt::format("expression '{}': fields that are computed stay at the levels of the model; leave 'vertical' out, or "
                  "have the program put what is computed",
                  chosen.expression->text));
}

void take(const Member& member, ChosenField& chosen) {
  const auto take_as = [&](auto& to, const auto& parse) { to = parse_member(member, parse); };
  if (member.key == "from")
    take_as(chosen.from, text_in);
  else if (member.key == "operation")
    take_as(chosen.operation, operations().parse);
  else if (member.key == "name")
    take_as(chosen.name, text_in);
  else if (member.key == "type")
    take_as(chosen.type, types().parse);
  else if (member.key == "units")
    take_as(chosen.units, text_in);
  else if (member.key == "expression")
    chosen.expression = expression_in(member);
  else if (member.key == "sample")
    take_as(chosen.sample, interval().parse);
  else if (member.key == "sample-offset")
    take_as(chosen.sample_offset, offset_or_none().parse);
  else if (member.key == "region")
    take_as(chosen.region, region_or_none().parse);
  else if (member.key == "vertical")
    take_as(chosen.vertical, vertical_or_none().parse);
  else
    refuse_key(member, "a field", {keys.begin(), keys.end()});
}

ChosenField chosen_in(const Node& node) {
  ChosenField chosen;
  if (node.kind != Node::Kind::map) {
    chosen.from = text_in(node);
    return chosen;
  }
  for (const Member& member : node.members) take(member, chosen);
  if (chosen.expression)
    check_expression(chosen);
  else if (chosen.from.empty())
    throw BadValue("a field without 'from'; say which field of the program it is");
  check_units(chosen);
  check_vertical(chosen);
  if (!chosen.name.empty() && chosen.from.find_first_of("*?") != std::string::npos)
    throw BadValue(fmt::format("'{}' may be several fields, which cannot all be called '{}'; leave 'name' out",
                               chosen.from, chosen.name));
  return chosen;
}

std::vector<ChosenField> all_in(const Node& node) {
  if (node.kind == Node::Kind::scalar && node.text == "none") return {};
  if (node.kind != Node::Kind::list)
    throw BadValue("a list of fields is wanted here, such as [ocean/temp, {from: ocean/ssh, operation: max}]");
  if (node.items.empty()) throw BadValue("the list is empty");
  std::vector<ChosenField> all;
  for (const Node& item : node.items) all.push_back(parse_part(item, chosen_in));
  return all;
}

bool is_diurnal(const std::string& text) {
  return text.starts_with(name_of(Operation::diurnal));
}

ChosenOperation diurnal_in(const std::string& text) {
  constexpr std::int64_t day_s = 86400;
  const std::string_view said = std::string_view(text).substr(name_of(Operation::diurnal).size());
  const std::size_t digits = said.find_first_not_of(' ');
  std::int64_t parts = 0;
  try {
    parts = parse_integer(digits == std::string_view::npos ? "" : std::string(said.substr(digits)), 2);
  } catch (const BadValue&) {
    throw BadValue(fmt::format("'{}': of how many parts of the day is not said; 2 or more, as in diurnal 24", text));
  }
  if (day_s % parts != 0)
    throw BadValue(
        fmt::format("'{}': parts of the day are whole seconds, and {} does not divide {}; set another "
                    "number, as in diurnal 24",
                    text, parts, day_s));
  return {Operation::diurnal, static_cast<int>(parts)};
}

std::string text_of(const ChosenField& chosen) {
  ChosenField name_alone;
  name_alone.from = chosen.from;
  if (chosen == name_alone) return chosen.from;
  std::string text = chosen.from.empty() ? "" : ", from: " + chosen.from;
  if (chosen.expression) text += ", expression: " + in_quotes(chosen.expression->text);
  if (chosen.operation) text += ", operation: " + operations().format(*chosen.operation);
  if (!chosen.name.empty()) text += ", name: " + chosen.name;
  if (chosen.type) text += fmt::format(", type: {}", name_of(*chosen.type));
  if (chosen.sample) text += ", sample: " + interval().format(*chosen.sample);
  if (chosen.sample_offset) text += ", sample-offset: " + offset_or_none().format(*chosen.sample_offset);
  if (!chosen.units.empty()) text += ", units: " + in_quotes(chosen.units);
  if (chosen.region) text += ", region: " + region_or_none().format(*chosen.region);
  if (chosen.vertical) text += ", vertical: " + vertical_or_none().format(*chosen.vertical);
  return "{" + text.substr(2) + "}";
}

std::string text_of_all(const std::vector<ChosenField>& chosen) {
  std::vector<std::string> texts;
  for (const ChosenField& of : chosen) texts.push_back(text_of(of));
  return texts.empty() ? "none" : fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace

Values<ChosenOperation> operations() {
  std::vector<Word<ChosenOperation>> words;
  for (const Operation operation : operations_in_order)
    words.push_back({operation == Operation::diurnal ? "diurnal 24" : name_of(operation), operation});
  Values<ChosenOperation> values = one_of<ChosenOperation>(words, {{"average", Operation::mean},
                                                                   {"minimum", Operation::min},
                                                                   {"maximum", Operation::max},
                                                                   {"accumulate", Operation::sum}});
  values.parse = [of_words = values.parse](const Node& node) {
    return is_diurnal(scalar(node)) ? diurnal_in(node.text) : of_words(node);
  };
  values.format = [of_words = values.format](const ChosenOperation& said) {
    return said.kind == Operation::diurnal ? fmt::format("diurnal {}", said.day_parts) : of_words(said);
  };
  return values;
}

Values<Anchor> anchors() {
  return one_of<Anchor>({{"calendar", Anchor::calendar}, {"start", Anchor::start}, {"reference", Anchor::reference}});
}

Values<FileDate> file_dates() {
  return one_of<FileDate>({{"start", FileDate::start}, {"middle", FileDate::middle}, {"end", FileDate::end}});
}

Values<RepeatedPuts> repeated_puts() {
  return one_of<RepeatedPuts>({{"error", RepeatedPuts::error},
                               {"last", RepeatedPuts::last},
                               {"add", RepeatedPuts::add},
                               {"mean", RepeatedPuts::mean}});
}

Values<MissingSamples> missing_samples() {
  return one_of<MissingSamples>({{"skip", MissingSamples::skip}, {"propagate", MissingSamples::propagate}});
}

Values<std::vector<ChosenField>> chosen_fields() {
  return {.kind =
              "list of names, or of maps such as `{from: ocean/ssh, operation: max, name: sshmax, type: float32}`, "
              "or `none`",
          .allowed = {},
          .parse = all_in,
          .format = text_of_all};
}

Values<double> part_of_one() {
  return {.kind = "number from 0 to 1",
          .allowed = {},
          .parse =
              [](const Node& node) {
                const std::string& text = scalar(node);
                const std::optional<double> part = parse_number(text);
                if (!part || !(*part >= 0.0 && *part <= 1.0))
                  throw BadValue(fmt::format("'{}' is no number from 0 to 1", text));
                return *part;
              },
          .format = [](double part) { return fmt::format("{}", part); }};
}

}  // namespace thalweg::config
