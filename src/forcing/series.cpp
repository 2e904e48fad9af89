#include "forcing/series.hpp"

#include <cstddef>
#include <vector>

#include "base/error.hpp"

namespace thalweg::forcing {
namespace {

const config::ForcingSettings* configured(const config::Settings& settings, const std::string& what) {
  const auto found = settings.forcing.find(what);
  return found == settings.forcing.end() ? nullptr : &found->second;
}

config::ForcingSettings settings_of(const config::Settings& settings, const std::string& what) {
  if (const config::ForcingSettings* found = configured(settings, what)) return *found;
  config::ForcingSettings plain;
  plain.file = what;
  return plain;
}

}  // namespace

Series::Series(read::Inputs& inputs, const std::string& what)
    : settings_(settings_of(inputs.around().settings, what)),
      files_(inputs, what, settings_.file, configured(inputs.around().settings, what) != nullptr) {}

std::int64_t Series::record_at(double time_s) const {
  return files_.record_at(time_s);
}

void Series::select(const std::string& variable, const std::string& selection) {
  change(variable, [&](read::Input& file) { return file.selecting(variable, selection); });
}

void Series::declare(const std::string& variable, const read::HeldAs& held) {
  change(variable, [&](read::Input& file) { return file.declaring(variable, held); });
}

void Series::set_missing(const std::string& variable, double value) {
  change(variable, [&](read::Input& file) { return file.setting_missing(variable, value); });
}

// What one of the files refuses changes none of them.
void Series::change(const std::string& variable, const std::function<read::Input::Change(read::Input&)>& change_of) {
  std::vector<read::Input::Change> changes;
  for (read::Input* file : files_.all()) changes.push_back(change_of(*file));
  for (std::size_t i = 0; i < changes.size(); ++i) changes[i](*files_.all()[i]);
  forget(variable);
}

void Series::forget(const std::string& variable) {
  const auto found = forced_.find(read::name_in_file(variable));
  if (found == forced_.end()) return;
  for (auto& [box, forced] : found->second) forced.forget();
}

void Series::get(const std::string& variable, std::int64_t record, const std::function<put::Field()>& field, int box) {
  const SeriesFiles::Place place = files_.place_of(record);
  files_.use(*place.file);
  read::get(*place.file, variable, {place.record, box}, field);
}

void Series::get_at(const std::string& variable, double time_s, const std::function<put::Field()>& field, int box) {
  ForcedVariable& of = forced(variable, box);
  of.get(timeline().at(time_s), field);
}

const Timeline& Series::timeline() {
  if (!timeline_) timeline_.emplace(files_.times(), settings_, read::start_of(files_.settings()), files_.name());
  return *timeline_;
}

ForcedVariable& Series::forced(const std::string& variable, int box) {
  const std::string name = read::name_in_file(variable);
  return forced_[name].try_emplace(box, files_, name, box, settings_.interpolation).first->second;
}

}  // namespace thalweg::forcing
