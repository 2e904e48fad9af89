#include "put/put_variable.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/told.hpp"
#include "catalog/numeric_attribute.hpp"

namespace thalweg::put {

namespace {

const std::string scale_name = "scale_factor";
const std::string offset_name = "add_offset";

std::optional<double> usable_number(const catalog::Variable& variable, const std::string& name) {
  const std::optional<double> number = catalog::number_in(variable, name.c_str());
  const bool is_usable = number && std::isfinite(*number) && (*number != 0.0 || name != scale_name);
  return is_usable ? number : std::nullopt;
}

bool may_be_packed(const catalog::Variable& variable) {
  return !is_real(variable.type) && variable.type != Type::character &&
         catalog::find(variable.attributes, "_Unsigned") == nullptr;
}

}  // namespace

// _Unsigned makes other numbers of what is stored.
std::optional<transform::Packing> packing_of(const catalog::Variable& variable) {
  const bool has_any = catalog::find(variable.attributes, scale_name) != nullptr ||
                       catalog::find(variable.attributes, offset_name) != nullptr;
  if (!may_be_packed(variable) || !has_any || !packing_fault(variable).empty()) return {};
  return transform::Packing{catalog::number_in(variable, scale_name.c_str()).value_or(1.0),
                            catalog::number_in(variable, offset_name.c_str()).value_or(0.0)};
}

std::string packing_fault(const catalog::Variable& variable) {
  for (const std::string& name : {scale_name, offset_name}) {
    const catalog::Attribute* found = catalog::find(variable.attributes, name);
    if (!may_be_packed(variable) || found == nullptr || usable_number(variable, name)) continue;
    const std::optional<double> number = catalog::number_in(variable, name.c_str());
    return fmt::format("its {} is {} (allowed: one finite number{})", name,
                       number ? fmt::format("{}", *number) : "a text or several numbers",
                       name == scale_name ? " other than 0" : "");
  }
  return {};
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
       of.has_record ? fmt::format(" in record {}; the call that closes it (advance or record) comes between",
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
         "they "
         "are packed by its scale_factor or add_offset, which then do not change; one of reals takes all numbers, and "
         "char takes char",
         of.where, name_of(field.type), name_of(of.type));
  return view_field(field, box, of.rules, of.where);
}

}  // namespace thalweg::put
