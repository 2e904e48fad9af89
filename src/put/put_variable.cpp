#include "put/put_variable.hpp"

#include "base/error.hpp"
#include "base/told.hpp"
#include "transform/copy.hpp"

namespace thalweg::put {

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
  if (!transform::convertible(field.type, of.type))
    fail(THALWEG_ERROR_SHAPE,
         "{}: the array is {}, the file's type is {}; possible are equal types, float64 <-> float32, "
         "and integers for unsigned ones of the same size",
         of.where, name_of(field.type), name_of(of.type));
  return view_field(field, box, of.rules, of.where);
}

}  // namespace thalweg::put
