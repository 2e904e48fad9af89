// What a field is of others that the program puts.
#pragma once

#include <string>
#include <vector>

#include "fields/evaluator.hpp"

namespace thalweg::fields {

struct Formula {
  std::string text;
  std::vector<int> operands;  // numbers of fields
  Evaluator evaluator;
};

}  // namespace thalweg::fields
