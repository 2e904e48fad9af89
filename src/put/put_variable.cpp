#include "put/put_variable.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/told.hpp"
#include "catalog/numeric_attribute.hpp"

namespace thalweg::put {
namespace {

// _Unsigned makes other numbers of what is stored.
bool may_be_packed(const catalog::Variable& variable) {
  return !is_real(variable.type) && variable.type != Type::character && catalog::says_packing(variable.attributes) &&
         catalog::find(variable.attributes, "_Unsigned") == nullptr;
}

// A scale of 0 says nothing of a value.
std::string fault_of(const std::vector<catalog::Attribute>& attributes, const char* name, bool may_be_zero) {
  if (catalog::find(attributes, name) == nullptr) return {};
  const std::optional<double> number = catalog::number_in(attributes, name);
  if (number && std::isfinite(*number) && (may_be_zero || *number != 0.0)) return {};
  return fmt::format("its {} is {} (allowed: one finite number{})", name,
                     number ? fmt::format("{}", *number) : "a text or several numbers",
                     may_be_zero ? "" : " other than 0");
}

}  // namespace

std::optional<transform::Packing> packing_of(const catalog::Variable& variable) {
  if (!may_be_packed(variable) || !packing_fault(variable).empty()) return {};
  return transform::Packing{catalog::number_in(variable, "scale_factor").value_or(1.0),
                            catalog::number_in(variable, "add_offset").value_or(0.0)};
}

std::string packing_fault(const catalog::Variable& variable) {
  return may_be_packed(variable) ? packing_fault(variable.attributes) : "";
}

std::string packing_fault(const std::vector<catalog::Attribute>& attributes) {
  const std::string of_scale = fault_of(attributes, "scale_factor", false);
  return of_scale.empty() ? fault_of(attributes, "add_offset", true) : of_scale;
}

bool require_held(const PutVariable& of, std::size_t boxes) {
  if (!of.is_held)
    fail(THALWEG_ERROR_NAME, "{}: it only says how others are rounded and is not put; leave out the call", of.where);
  return boxes > 0;
}

void require_box(const PutVariable& of, int box, std::size_t boxes) {
  if (box < 0 || box >= static_cast<int>(boxes))
    fail(THALWEG_ERROR_ARGUMENT, "{}: box {} of {}; boxes count from {}", of.where, told::number(box), boxes,
         told::first());
}

void refuse_second_put(const PutVariable& of, std::int64_t moment) {
  fail(THALWEG_ERROR_STATE, "{}: put twice{}", of.where,
       of.has_record ? fmt::format(" in record {}; the call that closes it (advance, record, nf90_sync) comes between",
                                   told::number(moment))
                     : "; a variable without record dimension is put once before each file");
}

FieldView checked_view(const PutVariable& of, const Field& field, const Box& box) {
  const bool is_number = field.type != Type::character && of.type != Type::character;
  const bool is_possible = is_number && (is_real(of.type) || !is_real(field.type) || of.packing);
  if (!is_possible && is_number && field.type != of.type && !of.packing_fault.empty())
    fail(THALWEG_ERROR_SHAPE, "{}: the array is {} and cannot be packed into {}: {}", of.where, name_of(field.type),
         name_of(of.type), of.packing_fault);
  if (!is_possible && field.type != of.type)
    fail(THALWEG_ERROR_SHAPE,
         "{}: the array is {}, the variable {}; a variable of integers takes integers that it can hold, and reals if "
         "they are packed by its scale_factor or add_offset, which then do not change; one of reals takes all numbers, "
         "and "
         "char takes char",
         of.where, name_of(field.type), name_of(of.type));
  return view_field(field, box, of.rules, of.where);
}

}  // namespace thalweg::put
