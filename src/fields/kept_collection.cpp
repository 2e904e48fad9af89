#include "fields/kept_collection.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "config/field_values.hpp"
#include "config/grid_values.hpp"
#include "config/parse_value.hpp"
#include "config/region_values.hpp"
#include "files/output_interval.hpp"

namespace thalweg::fields {
namespace {

using Sayings = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view collection_word = "collection ", variable_word = "variable ", between = ": ";

std::string text_of(const Interval& interval) {
  return interval.is_run ? "end" : files::is_set(interval) ? config::format_interval(interval) : "never";
}

// Missing values are compared with samples, so other ones would be other samples.
std::string about(const Chosen& chosen, const ChosenRegion& region, config::Operation operation, const Field& field,
                  const std::string& dims) {
  const std::vector<double> missing = field.missing_values();
  std::string text =
      fmt::format("{} of {}({}) as {}{}", name_of(operation), field.name, dims, thalweg::name_of(chosen.type),
                  missing.empty() ? "" : fmt::format(", without {}", fmt::join(missing, ", ")));
  if (!chosen.expression.empty()) text += fmt::format(" for {}", chosen.expression);
  if (chosen.day_parts != 0) text += fmt::format(", in one of {} parts of the day", chosen.day_parts);
  if (chosen.sample != config::each_step) text += fmt::format(", every {}", text_of(chosen.sample));
  if (chosen.sample_offset != Interval{}) text += fmt::format(" later by {}", text_of(chosen.sample_offset));
  if (!chosen.units.text.empty()) text += fmt::format(", in {}", chosen.units.text);
  if (region.is_of_some) text += fmt::format(", region {}", config::region_or_none().format(region.parts));
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string difference(const Sayings& kept, const Sayings& now, std::string_view of) {
  for (const auto& [key, value] : now) {
    const auto found = std::ranges::find(kept, key, &std::pair<std::string, std::string>::first);
    if (found == kept.end())
      return fmt::format("{}'{}' is not in the checkpoint, and is {} in this run", of, key, value);
    if (found->second != value)
      return fmt::format("{}'{}' is {} in the checkpoint and {} in this run", of, key, found->second, value);
  }
  for (const auto& [key, value] : kept)
    if (std::ranges::find(now, key, &std::pair<std::string, std::string>::first) == now.end())
      return fmt::format("{}'{}' is {} in the checkpoint, and is not in this run", of, key, value);
  return "";
}

}  // namespace

KeptCollection kept_collection(const config::Settings& settings, const config::CollectionSettings& collection,
                               const Choice& choice, const std::vector<Field>& fields,
                               const std::function<std::string(const Field&)>& dims_of) {
  KeptCollection kept{.name = collection.name};
  kept.says = {{"calendar", std::string(thalweg::name_of(settings.calendar))},
               {"reference-date", to_string(settings.reference_date)},
               {"time-step", settings.time_step_s > 0.0 ? config::format_duration(settings.time_step_s) : "not said"},
               {"every", text_of(collection.every)},
               {"anchor", config::anchors().format(collection.fields.anchor)},
               {"file", collection.file},
               {"new-file", text_of(collection.new_file)},
               {"file-date", config::file_dates().format(collection.fields.file_date)},
               {"missing", config::missing_samples().format(collection.fields.missing)},
               {"valid", fmt::format("{}", collection.fields.least_valid)}};
  if (collection.fields.from) kept.says.emplace_back("from", to_string(*collection.fields.from));
  if (collection.fields.until) kept.says.emplace_back("until", to_string(*collection.fields.until));
  if (collection.fields.straddle == config::Straddle::split) kept.says.emplace_back("straddle", "split");
  if (!collection.fields.region.grid.is_none())
    kept.says.emplace_back("grid", config::grid_or_none().format(collection.fields.region.grid));
  if (!collection.fields.region.parts.empty())
    kept.says.emplace_back("region", config::region_or_none().format(collection.fields.region.parts));
  if (collection.fields.repeat != config::RepeatedPuts::error)
    kept.says.emplace_back("repeat", config::repeated_puts().format(collection.fields.repeat));
  for (const Chosen& chosen : choice.chosen) {
    if (!is_kept(collection, chosen)) continue;
    const std::vector<Gathered> gathered = gathered_of(chosen);
    for (std::size_t of = 0; of < gathered.size(); ++of) {
      const Field& field = fields[static_cast<std::size_t>(gathered[of].field)];
      kept.variables.emplace_back(kept_name(chosen, of), about(chosen, choice.regions[chosen.region],
                                                               gathered[of].operation, field, dims_of(field)));
    }
  }
  return kept;
}

std::string text_of(const std::vector<KeptCollection>& all) {
  std::string text;
  for (const KeptCollection& one : all) {
    text += fmt::format("{}{}\n", collection_word, one.name);
    for (const auto& [key, value] : one.says) text += fmt::format("  {}{}{}\n", key, between, value);
    for (const auto& [key, value] : one.variables)
      text += fmt::format("  {}{}{}{}\n", variable_word, key, between, value);
  }
  return text;
}

std::vector<KeptCollection> kept_collections(std::string_view text) {
  std::vector<KeptCollection> all;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with(collection_word)) {
      all.push_back({.name = std::string(line.substr(collection_word.size()))});
      continue;
    }
    const auto at = line.find(between);
    if (all.empty() || !line.starts_with("  ") || at == std::string_view::npos) continue;
    std::string key(line.substr(2, at - 2)), value(line.substr(at + between.size()));
    if (key.starts_with(variable_word))
      all.back().variables.emplace_back(key.substr(variable_word.size()), std::move(value));
    else
      all.back().says.emplace_back(std::move(key), std::move(value));
  }
  return all;
}

std::string difference(const KeptCollection& kept, const KeptCollection& now) {
  std::string said = difference(kept.says, now.says, "");
  return said.empty() ? difference(kept.variables, now.variables, "variable ") : said;
}

}  // namespace thalweg::fields
