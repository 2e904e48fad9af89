// A variable as far as a put has to know it, and what is checked of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/element_bits.hpp"
#include "catalog/definition.hpp"
#include "config/settings.hpp"
#include "geometry/index_list.hpp"
#include "put/field_view.hpp"
#include "transform/stored_values.hpp"

namespace thalweg::put {

// By what reals are packed that are put into integers. Nothing: they are not. It is of the attributes that the variable
// has now.
std::optional<transform::Packing> packing_of(const catalog::Variable& variable);
// What is wrong with scale_factor or add_offset, for messages; empty: nothing, or there is none.
std::string packing_fault(const std::vector<catalog::Attribute>& attributes);
// The same where reals are packed by them.
std::string packing_fault(const catalog::Variable& variable);

// As it was declared.
struct PutVariable {
  std::string name;
  Type type = Type::float64;
  Element fill{};
  bool has_record = false;
  bool is_held = true;  // by clients: else it only says how others are rounded, and is not put
  bool is_decomposed = false;
  config::WhenNotPut when_not_put = config::WhenNotPut::fill;
  FieldRules rules;
  std::optional<transform::Packing> packing;
  std::string packing_fault;
  bool says_fill = true;                            // by an attribute: readers know the fill value
  std::shared_ptr<const geometry::IndexList> list;  // of the points that are written; null: whole boxes are
  std::string where;  // "rank 3, collection 'history', variable 'temp'": for messages, made once and not at each put
};

// Errors: ARGUMENT for a box that there is not; STATE for one that was put for this moment; SHAPE for a field that
// cannot be the box, by its type or its shape. field.type: as it is stored.
// False: another rank contributes it. Errors: NAME for one that is not put.
bool require_held(const PutVariable& of, std::size_t boxes);
void require_box(const PutVariable& of, int box, std::size_t boxes);
[[noreturn]] void refuse_second_put(const PutVariable& of, std::int64_t moment);
FieldView checked_view(const PutVariable& of, const Field& field, const Box& box);

}  // namespace thalweg::put
