// A field of the session, as the program defines it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "catalog/definition.hpp"
#include "fields/formula.hpp"
#include "fields/levels.hpp"

namespace thalweg::fields {

// The attribute has values that stand for none. (source: CF conventions, section 2.5.1)
inline bool is_of_missing(std::string_view attribute) {
  return attribute == "missing_value" || attribute == "_FillValue";
}

struct Field {
  std::string name;  // component/field, or the field alone
  std::string dims;  // slowest first, without the record dimension
  Type type = Type::float64;
  int decomposition = -1;   // number in the session; -1: replicated
  std::string memory_dims;  // as of a variable
  bool is_static = false;   // it has one value in the run
  std::vector<catalog::Attribute> attributes;
  int revision = 0;                          // of the attributes
  std::shared_ptr<const Formula> formula{};  // null: the program puts it
  // One of its dimensions is these; without a formula it is their coordinate, which Thalweg puts.
  std::shared_ptr<const Levels> levels{};

  // It has these attributes from now on.
  void revise(std::vector<catalog::Attribute> revised);

  std::string last_part() const { return name.substr(name.rfind('/') + 1); }
  bool is_of_program() const { return !formula && !levels; }
  // What is put are packed values (attributes scale_factor, add_offset).
  bool is_packed() const;
  // The greater a packed value is, the less is what it stands for.
  bool is_packed_in_reverse() const;
  // Packed values and others are not computed with together. Errors: SHAPE, with `where` in front.
  void require_as_packed(Type array, const std::string& where) const;
  // Values that stand for none in what is put, or NaN in what is made of others.
  std::vector<double> missing_values() const;
  // Those that stand for none by its attributes, which files have.
  std::vector<double> numbers_for_none() const;
  // Values, or those that stand for none, are as exact as float32.
  bool has_single_values() const;
};

// They have the same cells, at the same places of the same ranks and of their memory.
bool have_same_cells(const Field& a, const Field& b);
// Behind dimensions that are said of the one, where the other has the same: what else is another. "": the dimensions.
std::string_view why_not_same_cells(const Field& a, const Field& b);

}  // namespace thalweg::fields
