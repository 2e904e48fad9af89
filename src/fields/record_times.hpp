// The time of each record of a collection that gathers, with its bounds, and of the parts of the day in it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "fields/choice.hpp"
#include "fields/day_parts.hpp"
#include "session/session.hpp"

namespace thalweg::fields {

class RecordTimes {
 public:
  // They are defined, for a collection that has these. Both outlive this. bounds_dimension: of two cells.
  RecordTimes(session::Session& session, session::Collection& collection, const Choice& choice,
              const std::string& bounds_dimension);

  const std::string& bounds_dimension() const { return bounds_dimension_; }
  // Of a variable; null: it has none.
  const DayParts* day_parts_of(const Chosen& chosen) const;

  // Of the coming record.
  void put(double begin_s, double end_s);

 private:
  void define_time();
  void define_units(const std::string& variable, std::initializer_list<std::string_view> but_for = {});
  void define_parts(const DayParts& parts);
  void put_places(const DayParts& parts);
  void put_climatology(const DayParts& parts, double begin_s, double end_s);
  void define(const std::string& variable, const std::string& dims);
  void text(const std::string& variable, const std::string& name, const std::string& value);
  void put_numbers(const std::string& variable, const std::vector<double>& numbers, const Index& extent);

  session::Session& session_;
  session::Collection& collection_;
  std::string time_;  // the variable
  std::string bounds_dimension_;
  std::vector<DayParts> day_parts_;  // each once
};

}  // namespace thalweg::fields
