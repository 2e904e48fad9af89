// Values as numbers, whatever type they have in a file.
#pragma once

#include <netcdf.h>

#include <algorithm>
#include <vector>

#include "base/types.hpp"

namespace thalweg::formats::sample {

// netCDF turns every type of numbers into double, and characters into nothing else.
inline int get_numbers(int file, int id, Type type, const std::size_t* start, const std::size_t* count,
                       std::vector<double>& numbers) {
  if (type != Type::character) return nc_get_vara_double(file, id, start, count, numbers.data());
  std::vector<char> characters(numbers.size());
  const int status = nc_get_vara_text(file, id, start, count, characters.data());
  std::ranges::copy(characters, numbers.begin());
  return status;
}

}  // namespace thalweg::formats::sample
