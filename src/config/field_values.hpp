// How the fields that a collection chooses are read from the configuration.
#pragma once

#include <vector>

#include "config/field_settings.hpp"
#include "config/values.hpp"

namespace thalweg::config {

Values<ChosenOperation> operations();
Values<Anchor> anchors();
Values<FileDate> file_dates();
Values<RepeatedPuts> repeated_puts();
Values<MissingSamples> missing_samples();
// A list whose items are names, or maps of from, operation, name and so on.
Values<std::vector<ChosenField>> chosen_fields();
Values<double> part_of_one();

}  // namespace thalweg::config
