// A file as a program declares it with netCDF's calls: dimensions, variables and attributes by their numbers. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "base/types.hpp"
#include "catalog/definition.hpp"

namespace thalweg::netcdf {

// The owner of an attribute that is the file's.
constexpr int whole_file = -1;

struct Deflate {
  int level = 0;
  bool shuffle = false;
  friend bool operator==(const Deflate&, const Deflate&) = default;
};

struct Variable {
  std::string name;
  Type type = Type::float64;
  bool has_record = false;
  std::vector<int> dimensions;  // slowest first, without the record dimension
  std::optional<Deflate> deflate{};
  std::vector<catalog::Attribute> attributes{};
};

class Declared {
 public:
  // size: THALWEG_UNLIMITED for the record dimension. Returns its number. Errors: NAME, SHAPE.
  int define_dimension(const std::string& name, std::int64_t size);
  // dimensions: slowest first, by number. Errors: NAME, SHAPE.
  int define_variable(const std::string& name, Type type, const std::vector<int>& dimensions);
  void set_deflate(int variable, const Deflate& deflate);
  // A new one, or in the place of one that there is. variable: or whole_file. Errors: NAME.
  void give(int variable, catalog::Attribute attribute);

  // Errors: NAME.
  int find_dimension(const std::string& name) const;
  int find_variable(const std::string& name) const;
  const catalog::Dimension& dimension(int number) const;
  const Variable& variable(int number) const;

  const std::vector<catalog::Dimension>& dimensions() const { return dimensions_; }
  const std::vector<Variable>& variables() const { return variables_; }
  const std::vector<catalog::Attribute>& attributes() const { return attributes_; }
  // variable: or whole_file. Errors: NAME.
  const std::vector<catalog::Attribute>& attributes_of(int variable) const;
  const catalog::Attribute& attribute(int variable, int number) const;
  const catalog::Attribute& attribute(int variable, const std::string& name) const;
  int record_dimension() const { return record_dimension_; }  // -1: there is none
  // All of the file is written as one record of a collection, whose next one is another file.
  bool has_one_record() const { return record_dimension_ < 0; }

  // Of a variable, without the record dimension.
  Index shape(int variable) const;
  // By number, the record dimension with them.
  std::vector<int> dimensions_of(int variable) const;
  // "time,lat,lon"
  std::string names_of_dimensions(int variable) const;
  // All of it in words, the same for what is declared alike.
  std::string description() const;

 private:
  std::vector<catalog::Attribute>& to_change(int variable);

  std::vector<catalog::Dimension> dimensions_;
  std::vector<Variable> variables_;
  std::vector<catalog::Attribute> attributes_;
  int record_dimension_ = -1;
};

// What has to be changed so that files declared as `before` become as `now`: attributes that are new or other ones.
// Nothing: more than that is different.
struct Change {
  std::string variable;  // "": of the file
  catalog::Attribute attribute;
};
std::optional<std::vector<Change>> changes_between(const Declared& before, const Declared& now);

}  // namespace thalweg::netcdf
