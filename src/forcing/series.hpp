// What the model opens to read: a file, a set, or what the configuration calls a forcing.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "forcing/forced_variable.hpp"
#include "forcing/series_files.hpp"
#include "forcing/timeline.hpp"

namespace thalweg::forcing {

class Series {
 public:
  // Collective. what: the name of a forcing, or a path. Errors: as of SeriesFiles.
  Series(read::Inputs& inputs, const std::string& what);

  // As the first file has them.
  const read::InputVariable& variable(const std::string& name) const { return files_.first().variable(name); }
  const read::Input& first() const { return files_.first(); }

  std::int64_t records() const { return files_.records(); }
  std::int64_t record_at(double time_s) const;

  std::vector<double> times() const { return files_.times(); }

  void select(const std::string& variable, const std::string& selection);
  void declare(const std::string& variable, const read::HeldAs& held);
  void set_missing(const std::string& variable, double value);
  void get(const std::string& variable, std::int64_t record, const std::function<put::Field()>& field, int box = 0);
  void get_at(const std::string& variable, double time_s, const std::function<put::Field()>& field, int box = 0);

 private:
  const Timeline& timeline();
  ForcedVariable& forced(const std::string& variable, int box);
  void change(const std::string& variable, const std::function<read::Input::Change(read::Input&)>& change_of);
  void forget(const std::string& variable);

  config::ForcingSettings settings_;
  SeriesFiles files_;
  std::optional<Timeline> timeline_;
  std::map<std::string, std::map<int, ForcedVariable>> forced_;  // by the numbers of boxes
};

}  // namespace thalweg::forcing
