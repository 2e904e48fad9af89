// A collection as a model declares it, for the tests of declarations.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "catalog/declaration.hpp"

namespace thalweg::catalog {
using Strings = std::vector<std::string>;

inline const Strings grid_dimensions = {"y", "x"};

inline DecompositionNames grid(bool masked = false) {
  return {3, &grid_dimensions, {40, 50}, masked};
}

// The points of the same grid, as a list.
inline DecompositionNames list_of_grid() {
  return {3, &grid_dimensions, {40, 50}, true, true};
}

inline config::CollectionSettings settings() {
  config::CollectionSettings settings;
  settings.name = "history";
  settings.format = config::format_named("cdf5");
  settings.header_reserve = 555;
  return settings;
}

template <typename T>
Attribute number(const std::string& name, Type type, T value) {
  const Element element = element_of(value);
  return {name, type, "", {element.begin(), element.begin() + sizeof value}};
}

// A collection of these settings, of which nothing is declared yet.
class Undeclared : public testing::Test {
 protected:
  explicit Undeclared(const config::CollectionSettings& of) : declaration(of) {}

  void expect_error(thalweg_status code, const Strings& parts, const std::function<void()>& action) {
    try {
      action();
      ADD_FAILURE() << "no error; expected one with " << parts.front();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      for (const std::string& part : parts)
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << "\nin: " << error.what();
    }
  }
  const Variable& variable(const std::string& name) const {
    return declaration.definition().variables[static_cast<std::size_t>(declaration.variables().find(name))];
  }

  Declaration declaration;
};

// A collection with a decomposed field, a profile and a mask.
class Declared : public Undeclared {
 protected:
  Declared() : Undeclared(settings()) {
    const DecompositionNames on_grid = grid();
    declaration.define_dimension("z", 7);
    declaration.define_variable("temp", "time, z, y, x", Type::float32, &on_grid, "y, x, z");
    declaration.define_variable("profile", "time,z", Type::float64, nullptr, "");
    declaration.define_variable("mask", "y,x", Type::int8, &on_grid, "");
  }
};

}  // namespace thalweg::catalog
