// What a rank has put before its file is settled, and whether ranks that each have all of a variable have put the same
// values of it: those of one rank are written, and nothing else would tell that others had been put.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "netcdf/declared.hpp"
#include "netcdf/spread.hpp"
#include "netcdf/values.hpp"
#include "roles/circle.hpp"

namespace thalweg::netcdf {

struct Kept {
  int variable;
  Box box;
  Values values;
};

// Of each variable, a number that differs where values do, in however many calls they were put; 0: this rank has not
// put all of it, or has put cells of it twice. Pure.
std::vector<std::int64_t> numbers_of_values(const Declared& declared, const std::vector<Kept>& kept);

// Warns of each variable of which all ranks have all, and not the same values. Collective.
void warn_of_other_values(const roles::Circle& clients, const Declared& declared, const std::vector<Spread>& spreads,
                          const std::vector<std::int64_t>& numbers, const std::string& path);

}  // namespace thalweg::netcdf
