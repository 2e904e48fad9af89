// The grid on which a collection has its fields in place of the model's, as files have it.
#pragma once

#include <string>
#include <vector>

#include "base/box.hpp"
#include "catalog/definition.hpp"
#include "session/session.hpp"

namespace thalweg::fields {

// Of its cells: a coordinate, or a name.
struct GridVariable {
  std::string name;
  std::vector<std::string> dims;
  Index sizes;
  std::vector<catalog::Attribute> attributes;
  std::vector<double> values;
  std::string characters{};  // in place of values
};

struct TargetGrid {
  std::vector<std::string> dims;  // slowest first; none: one cell
  Index sizes;
  std::vector<GridVariable> variables;
  std::string coordinates{};   // attribute of variables on it; empty: dimensions say it
  std::string cell_methods{};  // by which its cells are made of others; empty: none
};

// Of a latitude or a longitude. (source: CF conventions, sections 4.1 and 4.2)
std::vector<catalog::Attribute> attributes_of_position(bool is_latitude);

// Files cannot tell them apart.
bool are_same(const TargetGrid& a, const TargetGrid& b);

// Local, the same on every client.
void define(session::Session& session, session::Collection& collection, const TargetGrid& grid);
void put(session::Session& session, session::Collection& collection, const TargetGrid& grid);

}  // namespace thalweg::fields
