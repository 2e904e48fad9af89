// A variable of a series that is got by time, in one of a rank's boxes: the records around it, as this rank holds them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "forcing/blend.hpp"
#include "forcing/series_files.hpp"
#include "forcing/timeline.hpp"

namespace thalweg::forcing {

class ForcedVariable {
 public:
  // All outlives this.
  ForcedVariable(SeriesFiles& files, std::string name, int box, config::Interpolation interpolation);

  // Collective where a record is wanted that this has not yet, else local. Errors: as thalweg_get_at.
  void get(const Bracket& bracket, const std::function<put::Field()>& field);
  // What it holds is not as it would be got now: it is declared otherwise, or missing values are others.
  void forget();

 private:
  struct Held {
    std::int64_t record = -1;
    std::int64_t coming = -1;  // read ahead into it
    std::shared_ptr<std::vector<std::byte>> values = std::make_shared<std::vector<std::byte>>();
    MissingMarks missing;
  };

  bool is_linear() const { return interpolation_ == config::Interpolation::linear; }
  Held* find(std::int64_t record);
  Held& place_for(std::int64_t record);
  void fetch(std::int64_t record, const Bracket& bracket, const std::function<put::Field()>& field);
  void read_ahead(std::int64_t record, const put::Field& field);
  void give_up(Held& held) const;
  void settle(const put::Field& field, std::int64_t record);
  void require_same(const put::Field& field) const;
  read::Into room_in(Held& held, std::int64_t record, const put::Field& field) const;
  void give(const Bracket& bracket, const put::Field& field);

  SeriesFiles& files_;
  std::string name_;
  int box_;
  config::Interpolation interpolation_;
  std::array<Held, 3> held_;  // the two, and on ranks that read the next one
  bool is_settled_ = false;
  bool holds_some_ = false;  // this rank
  Type type_{};
  Index extent_;
  std::vector<Stretch> stretches_;
};

}  // namespace thalweg::forcing
