// What is said of names that no field has. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "fields/choice.hpp"
#include "fields/field.hpp"

namespace thalweg::fields {

// What is wrong with those that there are not, each once. It takes a while to find what was meant.
std::vector<std::string> faults_of(const Choice& choice, const std::vector<Field>& fields);
// Errors: CONFIG for fields that there are not.
void require_known(const config::CollectionSettings& collection, const Choice& choice,
                   const std::vector<Field>& fields);

}  // namespace thalweg::fields
