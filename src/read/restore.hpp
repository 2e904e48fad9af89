// A restart: all that a collection declares, got from an input into the arrays in which the model keeps it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "catalog/declaration.hpp"
#include "put/field_view.hpp"
#include "read/input.hpp"
#include "read/inputs.hpp"
#include "read/restart_set.hpp"

namespace thalweg::read {

// What a registered array is of.
struct ArrayOf {
  std::string variable;
  int box = 0;  // of this rank's
  friend auto operator<=>(const ArrayOf&, const ArrayOf&) = default;
};

// data is null where this rank holds nothing.
using Arrays = std::map<ArrayOf, put::Field>;

// The collection's variables that the model puts and the configuration has not switched off, in their order.
std::vector<int> kept_variables(const catalog::Declaration& collection);

// Where the restart of a collection is found.
struct RestartFiles {
  Series series;
  RestartSet set;  // without a name: the collection is restored by itself
};

struct Restart {
  Input& input;
  std::int64_t record;  // -1: the last one
};

// What a restart begins from: the path, or, where it is empty, the newest complete file of the series; of a set, the
// record of the newest time of which all of its collections have one. record: as the program says it, -1 for the last.
// Collective. Errors: AGREEMENT where ranks name others; ARGUMENT where neither is given, or a record of a set without
// a path; STORAGE and FORMAT as of an input, with the newest complete file that could be taken; FORMAT where it is not
// known which is the newest.
Restart open_restart(Inputs& inputs, const RestartFiles& files, const std::string& path, std::int64_t record);

// The record of each of them, into the array of each box: as they are declared for the output, so whatever wrote the
// input. record: -1 for the last one. Returns the record; -1: the input has none. Collective. Errors: ARGUMENT for a
// box without an array, and for a record that is not there, NAME for one that is not in the input, SHAPE, and as of a
// get.
std::int64_t restore(Input& input, std::int64_t record, const catalog::Declaration& collection, const Arrays& arrays);

}  // namespace thalweg::read
